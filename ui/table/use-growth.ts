import { type RefObject, useEffect, useState } from 'react'

/** As many as a large window shows at once. */
const FIRST = 32
const STEP = 24

/**
 * How many rows of a table are drawn: those in sight at once, the others in steps after the next paints, so that a press
 * on a header is answered before a hundred rows have been laid out. What is drawn stays as long as the rows and the form
 * of their cells stay, and while the focus is among them.
 * @param form changes when the same rows have to be drawn anew
 */
export function useGrowth(form: string, total: number, place: RefObject<HTMLElement | null>): number {
  'use no memo'
  const [grown, setGrown] = useState({ form, count: FIRST })
  const isHeld = grown.form !== form && place.current?.querySelector('tbody')?.contains(document.activeElement) === true
  const count = grown.form === form || isHeld ? grown.count : FIRST
  useEffect(() => {
    if (count >= total) {
      if (isHeld) setGrown({ form, count })
      return
    }
    let timer: ReturnType<typeof setTimeout> | undefined
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setGrown({ form, count: count + STEP }))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [form, count, total, isHeld])
  return Math.min(count, total)
}
