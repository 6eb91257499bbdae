import { startTransition, useCallback, useOptimistic } from 'react'
import { useLatest } from '../data/use-latest.ts'

/** In a background window nothing is painted; a press takes effect after this time. */
const MAX_WAIT_MS = 100

/**
 * Lets a control show a press at once, while everything that depends on it (address, query, the rest of the screen)
 * follows after the next paint (docs/adr/0013). If the value does not change, the control shows the old one again.
 */
export function usePressed<T>(value: T, onChange: ((next: T) => void) | undefined): [T, (next: T) => void] {
  const [shown, setShown] = useOptimistic(value)
  const change = useLatest((next: T) => onChange?.(next))
  const press = useCallback(
    (next: T) =>
      startTransition(async () => {
        setShown(next)
        await nextPaint()
        change(next)
      }),
    [setShown, change],
  )
  return [shown, press]
}

const nextPaint = () =>
  new Promise<void>(resolve => {
    const longest = setTimeout(resolve, MAX_WAIT_MS)
    requestAnimationFrame(() =>
      setTimeout(() => {
        clearTimeout(longest)
        resolve()
      }),
    )
  })
