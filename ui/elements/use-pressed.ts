import { startTransition, useCallback, useOptimistic } from 'react'
import { useLatest } from '../data/use-latest.ts'

/** Where nothing is painted (a window in the background), a press counts all the same. */
const MAX_WAIT_MS = 100

/**
 * A control shows what was pressed at once; what hangs on it (the address, the query, the rest of the screen) follows after
 * the next paint (docs/adr/0013). Where the value stays as it was, the control shows that value again.
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
