import { type ReactNode, useId, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import styles from './header-hint.module.css'

interface HeaderHintProps {
  hint: string
  /** Receives the id of the hint for `aria-describedby`. */
  children: (describedBy: string) => ReactNode
}

const WIDTH = 280

/** A tooltip that explains a header: shown on hover or focus, hidden by Escape. */
export function HeaderHint({ hint, children }: HeaderHintProps) {
  const place = useRef<HTMLSpanElement>(null)
  const [at, setAt] = useState<{ left: number; top: number }>()
  const id = useId()
  const show = () => {
    // A press focuses an element that is already hovered.
    if (at) return
    const box = place.current?.getBoundingClientRect()
    if (!box) return
    const widest = document.documentElement.clientWidth - WIDTH - 8
    setAt({ left: Math.max(8, Math.min(box.left, widest)), top: box.bottom + 6 })
  }
  const hide = () => setAt(undefined)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what has the focus is inside; this only hears of it
    <span
      ref={place}
      className={styles.place}
      onPointerEnter={show}
      onPointerLeave={hide}
      onFocus={show}
      onBlur={hide}
      onKeyDown={event => event.key === 'Escape' && hide()}
    >
      {children(id)}
      <span id={id} hidden>
        {hint}
      </span>
      {at &&
        createPortal(
          <span role="tooltip" className={styles.hint} style={at}>
            {hint}
          </span>,
          document.body,
        )}
    </span>
  )
}
