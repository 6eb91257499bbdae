import { useCallback, useInsertionEffect, useRef } from 'react'

/**
 * A function with a stable identity that calls the newest `work`, for components that should not render again with
 * every change.
 */
export function useLatest<A extends readonly unknown[]>(work: (...given: A) => void): (...given: A) => void {
  const newest = useRef(work)
  useInsertionEffect(() => {
    newest.current = work
  })
  return useCallback((...given: A) => newest.current(...given), [])
}
