import { type RefObject, useLayoutEffect, useState } from 'react'

/** As many as a table shows at once: its height is bounded by the window less header, footer and what frames it. */
const inSight = () => Math.min(32, Math.max(LEAST, Math.ceil((innerHeight - 192) / 36)))
/** While a screen begins. */
const LEAST_FIRST = 24
/** After a press: each step also costs what the rows before it do, and more would keep a slow device for a tenth of a second. */
const LEAST = 8
/** What laying out and painting the rows of one step may take. */
const STEP_MS = 50
/** The first frame also draws what stands around the table: header, sidebar, filters and tiles cost what so many rows do. */
const ROWS_AROUND = 40

/**
 * How many rows of a table are drawn: those in sight at once, the others in steps after the next paints, so that a press
 * on a header is answered before a hundred rows have been laid out. The first rows of a screen come in steps as large as the
 * device is quick; after a press the steps are small, since the next press may follow. What is drawn stays as long as the rows and the form of their cells stay, and while the focus is among them.
 * @param form changes when the same rows have to be drawn anew
 */
export function useGrowth(form: string, total: number, place: RefObject<HTMLElement | null>): number {
  'use no memo'
  const [grown, setGrown] = useState(() => ({ form, count: inSight(), step: inSight() }))
  const [{ form: firstForm, count: first }] = useState(grown)
  const isFirst = form === firstForm
  const isSame = grown.form === form
  const isHeld = !isSame && place.current?.querySelector('tbody')?.contains(document.activeElement) === true
  const count = isSame || isHeld ? grown.count : first
  const step = isSame ? grown.step : first
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
        const drawn = count === first ? step + ROWS_AROUND : step
        const next = isFirst ? Math.max(LEAST_FIRST, Math.floor((drawn * STEP_MS) / tookMs)) : LEAST
        setGrown({ form, count: count + next, step: next })
      })
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [form, count, step, total, first, isFirst, isHeld])
  return Math.min(count, total)
}
