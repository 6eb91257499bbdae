import { startTransition, useEffect, useState } from 'react'

/**
 * The number of stages of a screen that are rendered: 1 at first, one more after every paint, up to `last`. The first
 * part does not wait for what is below it (docs/adr/0013).
 */
export function useProgressiveRender(last: number): number {
  const [stage, setStage] = useState(1)
  useEffect(() => {
    if (stage >= last) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const frame = requestAnimationFrame(() => {
      // A transition, so that a click in between is handled first.
      timer = setTimeout(() => startTransition(() => setStage(stage + 1)))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [stage, last])
  return stage
}
