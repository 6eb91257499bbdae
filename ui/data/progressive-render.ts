import { startTransition, useEffect, useState } from 'react'

/**
 * How much of a screen is drawn by now: 1 at first, one more after every paint. What a person looks for first is not kept
 * waiting for what stands below it (docs/adr/0013).
 */
export function useProgressiveRender(last: number): number {
  const [stage, setStage] = useState(1)
  useEffect(() => {
    if (stage >= last) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const frame = requestAnimationFrame(() => {
      // Drawn in small pieces: a person who presses something meanwhile is answered first.
      timer = setTimeout(() => startTransition(() => setStage(stage + 1)))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [stage, last])
  return stage
}
