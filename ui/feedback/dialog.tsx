import { IconX } from '@tabler/icons-react'
import { type ReactNode, type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import styles from './dialog.module.css'

interface DialogProps {
  title: string
  children: ReactNode
  /** Buttons at the end; the last one is what the dialog is about. */
  actions?: ReactNode
  /** Blocking: neither Escape nor the cross closes it, only its actions. */
  onClose: (() => void) | undefined
  /** `drawer`: at the side and as high as the window, with what it speaks about beside it. */
  size?: 'small' | 'large' | 'drawer'
  role?: 'dialog' | 'alertdialog'
}

/**
 * A modal window of the browser itself: it holds the focus, and gives it back where it was. It hangs below the page's
 * body, so that no rule of the place that asked for it reaches it.
 */
export function Dialog({ title, children, actions, onClose, size = 'small', role = 'dialog' }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const isScrolling = useScrolling(body)
  const titleId = useId()
  // Before the browser forgets the window: only a closed one gives the focus back.
  useLayoutEffect(() => {
    const opened = dialog.current
    opened?.showModal()
    firstFocusOf(opened)?.focus()
    return () => opened?.close()
  }, [])
  return createPortal(
    <dialog
      ref={dialog}
      className={styles.dialog}
      data-size={size}
      role={role}
      aria-labelledby={titleId}
      onCancel={event => {
        if (event.target !== dialog.current) return
        event.preventDefault()
        onClose?.()
      }}
      // A form below must not hear the keys of its question.
      onKeyDown={event => {
        event.stopPropagation()
        if (event.key === 'Escape' && (onClose === undefined || event.nativeEvent.isComposing)) event.preventDefault()
      }}
    >
      <div className={styles.head}>
        <h2 id={titleId}>{title}</h2>
        {onClose && (
          <button type="button" aria-label="閉じる" onClick={onClose}>
            <IconX size={18} aria-hidden />
          </button>
        )}
      </div>
      <div
        ref={body}
        className={styles.body}
        data-part="body"
        // What scrolls must be reachable by keyboard.
        {...(isScrolling && { role: 'region', tabIndex: 0, 'aria-labelledby': titleId })}
      >
        {children}
      </div>
      {actions && (
        <div className={styles.actions} data-part="actions">
          {actions}
        </div>
      )}
    </dialog>,
    document.body,
  )
}

/** Whether there is more than the window shows. */
function useScrolling(place: RefObject<HTMLElement | null>): boolean {
  const [isScrolling, setScrolling] = useState(false)
  useEffect(() => {
    const element = place.current
    if (!element) return undefined
    const observer = new ResizeObserver(() => setScrolling(element.scrollHeight > element.clientHeight))
    for (const each of [element, ...element.children]) observer.observe(each)
    return () => observer.disconnect()
  })
  return isScrolling
}

/** What can be filled in; not a list of choices that would open automatically and lie over the rest. */
const FIELD = ['input', 'textarea', 'select']
  .map(name => `[data-part="body"] ${name}:enabled:not([type="hidden"]):not([aria-haspopup]):not([role="combobox"])`)
  .join()

/**
 * What has the focus in the beginning: what the dialog names, else its first field, else its safe button, which is the
 * first. Never the cross, where the browser would put it: closing is not what somebody came for.
 */
function firstFocusOf(opened: HTMLElement | null): HTMLElement | null | undefined {
  for (const selector of ['[data-autofocus]', FIELD, '[data-part="actions"] button:enabled']) {
    const found = opened?.querySelector<HTMLElement>(selector)
    if (found) return found
  }
  return undefined
}
