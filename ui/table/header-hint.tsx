import { type ReactNode, useId, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import styles from './header-hint.module.css'

interface HeaderHintProps {
  hint: string
  /** Gets the id of the explanation, for a person who hears it instead. */
  children: (describedBy: string) => ReactNode
}

const WIDTH = 280

/** What a header means: shown when it is pointed at or has the focus, and gone with Escape. */
export function HeaderHint({ hint, children }: HeaderHintProps) {
  const place = useRef<HTMLSpanElement>(null)
  const [at, setAt] = useState<{ left: number; top: number }>()
  const id = useId()
  const show = () => {
    // A press brings the focus to what is pointed at already.
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
