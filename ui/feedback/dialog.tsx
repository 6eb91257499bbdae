import { IconX } from '@tabler/icons-react'
import { type ReactNode, type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import styles from './dialog.module.css'

interface DialogProps {
  title: string
  children: ReactNode
  /** Buttons at the end; the last one is the main action. */
  actions?: ReactNode
  /** Undefined: blocking; neither Escape nor the close button closes it, only its actions. */
  onClose: (() => void) | undefined
  /** `drawer`: at the side and as high as the window, so that its subject stays visible. */
  size?: 'small' | 'large' | 'drawer'
  role?: 'dialog' | 'alertdialog'
}

/**
 * A native modal dialog: it traps the focus and returns it on closing. It is rendered into the page's body, so that no
 * style of its parent applies.
 */
export function Dialog({ title, children, actions, onClose, size = 'small', role = 'dialog' }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const isScrolling = useScrolling(body)
  const titleId = useId()
  // Closes it before React removes it: only a closed dialog returns the focus.
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
      // A form below must not receive the keys of the dialog.
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
        // A scrolling part must be reachable by keyboard.
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

/** Whether the content is higher than the window. */
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

/** Fields that may get the focus; not comboboxes, whose lists would open and cover the rest. */
const FIELD = ['input', 'textarea', 'select']
  .map(name => `[data-part="body"] ${name}:enabled:not([type="hidden"]):not([aria-haspopup]):not([role="combobox"])`)
  .join()

/**
 * The element that gets the focus: the one that the dialog names, otherwise its first field, otherwise its first
 * button, which is the safe one. Never the close button, which the browser would choose.
 */
function firstFocusOf(opened: HTMLElement | null): HTMLElement | null | undefined {
  for (const selector of ['[data-autofocus]', FIELD, '[data-part="actions"] button:enabled']) {
    const found = opened?.querySelector<HTMLElement>(selector)
    if (found) return found
  }
  return undefined
}
