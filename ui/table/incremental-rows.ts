import { type RefObject, useLayoutEffect, useState } from 'react'

/** Number of rows that fit into the window without header, footer and frame. */
const inSight = () => Math.min(32, Math.max(LEAST, Math.ceil((innerHeight - 192) / 36)))
/** Least number of rows of a step while a new screen starts. */
const LEAST_FIRST = 24
/**
 * Rows of a step after a press on a header. A step also pays for all rows before it; more rows would block a slow
 * device for a tenth of a second.
 */
const LEAST = 8
/** Target time for layout and paint of one step, in milliseconds. */
const STEP_MS = 50
/**
 * Pause after the last press before further rows render, so that they do not delay another press. They are below the
 * visible part anyway.
 */
const REST_MS = 1_000
/** The first frame also renders header, sidebar, filters and tiles, which cost about as much as this number of rows. */
const ROWS_AROUND = 40

/**
 * Number of rows to render: first the visible ones, then more after each paint, so that a press on a header is answered
 * before a hundred rows have been laid out. Steps adapt to the speed of the device; after a press the next step waits
 * for {@link REST_MS} or a scroll. Rendered rows stay while rows and `form` are unchanged, and while the focus is among
 * them.
 * @param form a key that changes when the same rows must render again
 */
export function useIncrementalRows(form: string, total: number, place: RefObject<HTMLElement | null>): number {
  'use no memo'
  const [grown, setGrown] = useState(() => ({ form, count: inSight(), step: inSight() }))
  const [{ form: firstForm, count: first }] = useState(grown)
  const isFirst = form === firstForm
  const isSame = grown.form === form
  const isHeld = !isSame && hasFocus(place.current)
  const count = isSame || isHeld ? grown.count : first
  const step = isSame ? grown.step : first
  // A layout effect runs before the paint, whose duration is measured from the start of the frame.
  useLayoutEffect(() => {
    if (count >= total) {
      if (isHeld) setGrown({ form, count, step })
      return
    }
    let isResting = false
    let frame = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
    const grow = () => {
      stop()
      isResting = false
      frame = requestAnimationFrame(began => {
        timer = setTimeout(() => {
          const tookMs = Math.max(1, performance.now() - began)
          const drawn = count === first ? step + ROWS_AROUND : step
          const next = isFirst ? Math.max(LEAST_FIRST, Math.floor((drawn * STEP_MS) / tookMs)) : LEAST
          setGrown({ form, count: count + next, step: next })
        })
      })
    }
    const rest = () => {
      stop()
      isResting = true
      timer = setTimeout(grow, REST_MS)
    }
    // Scrolling or moving by keys needs the next rows at once.
    const goOn = () => isResting && grow()
    const pressed = () => (hasFocus(place.current) ? goOn() : rest())
    const listening = new AbortController()
    const { signal } = listening
    for (const press of ['pointerdown', 'keydown']) document.addEventListener(press, pressed, { capture: true, signal })
    document.addEventListener('scroll', goOn, { capture: true, signal })
    if (isFirst || count > first) grow()
    else rest()
    return () => {
      listening.abort()
      stop()
    }
  }, [form, count, step, total, first, isFirst, isHeld, place])
  return Math.min(count, total)
}

const hasFocus = (place: HTMLElement | null) => place?.querySelector('tbody')?.contains(document.activeElement) === true
