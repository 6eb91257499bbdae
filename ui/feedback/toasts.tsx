import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconX } from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'
import styles from './toasts.module.css'

export type ToastTone = 'success' | 'warning' | 'error'
export interface Toast {
  readonly tone: ToastTone
  readonly message: string
  readonly detail?: string
  /** An action that is possible while the message is visible, for example undo. */
  readonly action?: { readonly label: string; run(): void }
}
interface ShownToast extends Toast {
  readonly id: number
}

/** With more messages, the oldest disappear. */
const MAX_AT_ONCE = 3
const SHOWN_MS = 6000
/** Longer for messages that can be undone, or that report an error. */
const LONG_SHOWN_MS = 12_000

let shown: readonly ShownToast[] = []
let lastId = 0
const listeners = new Set<() => void>()

function setToasts(next: readonly ShownToast[]): void {
  shown = next
  for (const listener of listeners) listener()
}

/** Shows a message at the bottom left. The same message is not stacked; its time starts again. */
export function showToast(toast: Toast): void {
  lastId += 1
  const id = lastId
  const others = shown.filter(other => other.message !== toast.message || other.tone !== toast.tone)
  setToasts([...others, { ...toast, id }].slice(-MAX_AT_ONCE))
  setTimeout(() => dismiss(id), toast.tone === 'error' || toast.action ? LONG_SHOWN_MS : SHOWN_MS)
}

function dismiss(id: number): void {
  if (shown.some(toast => toast.id === id)) setToasts(shown.filter(toast => toast.id !== id))
}

/** @internal Tests call it. */
export function dismissAllToasts(): void {
  setToasts([])
}

const ICONS = { success: IconCircleCheck, warning: IconAlertTriangle, error: IconCircleX } as const

/** Renders the messages; once per page. They are text nodes only: a server's message is never HTML. */
export function Toasts() {
  const toasts = useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => shown,
  )
  return (
    <section className={styles.place} aria-label="通知">
      {toasts.map(toast => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </section>
  )
}

function ToastCard({ toast }: { toast: ShownToast }) {
  const Icon = ICONS[toast.tone]
  return (
    <div className={styles.toast} data-tone={toast.tone} role={toast.tone === 'error' ? 'alert' : 'status'}>
      <Icon className={styles.icon} size={20} stroke={1.8} aria-hidden />
      <div className={styles.text}>
        <p>{toast.message}</p>
        {toast.detail && <small>{toast.detail}</small>}
      </div>
      {toast.action && (
        <button
          type="button"
          className={styles.action}
          onClick={() => {
            dismiss(toast.id)
            toast.action?.run()
          }}
        >
          {toast.action.label}
        </button>
      )}
      <button type="button" className={styles.close} aria-label="通知を閉じる" onClick={() => dismiss(toast.id)}>
        <IconX size={16} aria-hidden />
      </button>
    </div>
  )
}
