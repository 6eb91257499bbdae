import { type RefObject, useLayoutEffect, useState } from 'react'

/** As many as a table shows at once: its height is bounded by the window less header, footer and what frames it. */
const inSight = () => Math.min(32, Math.max(LEAST, Math.ceil((innerHeight - 192) / 36)))
/** While a screen begins. */
const LEAST_FIRST = 24
/** After a press: each step also costs what the rows before it do, and more would keep a slow device for a tenth of a second. */
const LEAST = 8
/** What laying out and painting the rows of one step may take. */
const STEP_MS = 50
/** So long after the last press the growth waits: a step would keep the next press, and nobody sees the rows below the sight. */
const REST_MS = 1_000
/** The first frame also draws what stands around the table: header, sidebar, filters and tiles cost what so many rows do. */
const ROWS_AROUND = 40

/**
 * How many rows of a table are drawn: those in sight at once, the others in steps after the next paints, so that a press
 * on a header is answered before a hundred rows have been laid out. The first rows of a screen come in steps as large as the
 * device is quick; after a press they wait for a second without another one, or for a scroll, and are small. What is drawn stays
 * as long as the rows and the form of their cells stay, and while the focus is among them.
 * @param form changes when the same rows have to be drawn again
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
  // Before the paint, whose time is measured: from the frame's beginning to its end.
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
    // Who walks through the rows, by scrolling or by keys, must find the next ones.
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
