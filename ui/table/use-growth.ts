import { type RefObject, useLayoutEffect, useState } from 'react'

/** As many as a large window shows at once. */
const FIRST = 32
const LEAST = 24
/** What laying out and painting the rows of one step may take. */
const STEP_MS = 50

/**
 * How many rows of a table are drawn: those in sight at once, the others in steps after the next paints, so that a press
 * on a header is answered before a hundred rows have been laid out. A step is as large as the device is quick. What is drawn
 * stays as long as the rows and the form of their cells stay, and while the focus is among them.
 * @param form changes when the same rows have to be drawn anew
 */
export function useGrowth(form: string, total: number, place: RefObject<HTMLElement | null>): number {
  'use no memo'
  const [grown, setGrown] = useState({ form, count: FIRST, step: FIRST })
  const isSame = grown.form === form
  const isHeld = !isSame && place.current?.querySelector('tbody')?.contains(document.activeElement) === true
  const count = isSame || isHeld ? grown.count : FIRST
  const step = isSame ? grown.step : FIRST
  // Before the paint, whose time is measured: from the frame's beginning to its end.
  useLayoutEffect(() => {
    if (count >= total) {
      if (isHeld) setGrown({ form, count, step })
      return
    }
    let timer: ReturnType<typeof setTimeout> | undefined
    const frame = requestAnimationFrame(began => {
      timer = setTimeout(() => {
        const tookMs = Math.max(1, performance.now() - began)
        const next = Math.max(LEAST, Math.floor((step * STEP_MS) / tookMs))
        setGrown({ form, count: count + next, step: next })
      })
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [form, count, step, total, isHeld])
  return Math.min(count, total)
}
