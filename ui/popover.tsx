import { type KeyboardEvent, type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import styles from './popover.module.css'

interface PopoverProps {
  /** Name of the opened panel for assistive technology. */
  label: string
  button: (props: {
    'aria-expanded': boolean
    'aria-haspopup': 'dialog'
    'aria-controls': string
    onClick: () => void
  }) => ReactNode
  /** `close` returns the focus to the button. */
  children: (close: () => void) => ReactNode
  onOpenChange?: (isOpen: boolean) => void
}

/**
 * A panel below its button: closes on Escape and on a press outside, returns the focus, turns to the left where it
 * would leave the window, and becomes a sheet at the bottom of a phone.
 */
export function Popover({ label, button, children, onOpenChange }: PopoverProps) {
  const [isOpen, setOpen] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const id = useId()

  const change = (next: boolean) => {
    setOpen(next)
    onOpenChange?.(next)
  }
  const close = () => {
    change(false)
    place.current?.querySelector('button')?.focus()
  }

  useEffect(() => {
    if (!isOpen) return
    const onPress = (event: PointerEvent) => {
      if (event.target instanceof Node && !place.current?.contains(event.target)) change(false)
    }
    document.addEventListener('pointerdown', onPress)
    return () => document.removeEventListener('pointerdown', onPress)
  })

  useLayoutEffect(() => {
    const opened = panel.current
    if (!isOpen || !opened) return
    opened.dataset.align = 'start'
    if (opened.getBoundingClientRect().right > document.documentElement.clientWidth - 8) opened.dataset.align = 'end'
    opened.focus({ preventScroll: true })
  }, [isOpen])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
    event.stopPropagation()
    close()
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape is heard here for the panel and its button
    <div ref={place} className={styles.place} onKeyDown={isOpen ? onKeyDown : undefined}>
      {button({
        'aria-expanded': isOpen,
        'aria-haspopup': 'dialog',
        'aria-controls': id,
        onClick: () => change(!isOpen),
      })}
      {isOpen && (
        <div ref={panel} id={id} className={styles.panel} role="dialog" aria-label={label} tabIndex={-1}>
          {children(close)}
        </div>
      )}
    </div>
  )
}
