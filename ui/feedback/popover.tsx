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
 * A panel below its button. It closes on Escape and on a click outside, returns the focus, stays within the window
 * beside the sidebar, and becomes a bottom sheet on a phone.
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
    // A part that loads later, such as the calendar at its first opening, makes the panel wider.
    const follow = () => keepInSight(opened)
    const resized = new ResizeObserver(follow)
    resized.observe(opened)
    follow()
    // The body of a dialog scrolls.
    addEventListener('scroll', follow, true)
    // A person who types at once means the search. On a phone the focus would open the keyboard.
    const search = matchMedia('(pointer: fine)').matches && opened.querySelector<HTMLElement>('input[type="search"]')
    ;(search || opened).focus({ preventScroll: true })
    return () => {
      resized.disconnect()
      removeEventListener('scroll', follow, true)
    }
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

/** Distance from the edges. */
const EDGE_PX = 8
/** Between a button and its panel. */
const GAP_PX = 6

/** The body of a dialog would clip its panels: they lie over it, within the window. */
function placeOverDialog({ style, parentElement, offsetWidth, offsetHeight }: HTMLElement) {
  const { left, bottom } = parentElement!.getBoundingClientRect()
  const within = (start: number, size: number, limit: number) => `${Math.max(EDGE_PX, Math.min(start, limit - size))}px`
  style.position = 'fixed'
  style.minWidth = '0'
  style.left = within(left, offsetWidth, innerWidth - EDGE_PX)
  style.top = within(bottom + GAP_PX, offsetHeight, innerHeight - EDGE_PX)
}

/** Aligns the panel with the start of its button, otherwise with its end; if neither fits, it is moved. */
function keepInSight(panel: HTMLElement) {
  if (panel.closest('dialog')) return placeOverDialog(panel)
  panel.style.left = ''
  panel.dataset.align = 'start'
  const rightEdge = document.documentElement.clientWidth - EDGE_PX
  const overflow = panel.getBoundingClientRect().right - rightEdge
  if (overflow <= 0) return
  panel.dataset.align = 'end'
  // The sidebar covers the panel.
  const leftEdge = (panel.closest('main')?.getBoundingClientRect().left ?? 0) + EDGE_PX
  if (panel.getBoundingClientRect().left >= leftEdge) return
  panel.dataset.align = 'start'
  panel.style.left = `${-overflow}px`
}
