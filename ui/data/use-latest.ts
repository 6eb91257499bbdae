import { useCallback, useInsertionEffect, useRef } from 'react'

/** Always the same function, which does what the newest one does: for parts that are not drawn again with every change. */
export function useLatest<A extends readonly unknown[]>(work: (...given: A) => void): (...given: A) => void {
  const newest = useRef(work)
  useInsertionEffect(() => {
    newest.current = work
  })
  return useCallback((...given: A) => newest.current(...given), [])
}
