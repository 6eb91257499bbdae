import { useEffect, useRef } from 'react'
import type { BoardRow, ManualOperation } from '../../core/web/manual-operation-words.ts'

const TICK_MS = 2_000
/** Somebody else may change the month too. */
const OTHERS_MS = 20_000
/** So long after the last change the computation and the checks that follow it are awaited. */
const AWAITED_MS = 180_000

interface Watched {
  rows: readonly BoardRow[]
  manualOperations: readonly ManualOperation[]
  /** A computation was asked for here. */
  isComputing: boolean
  retry: () => void
}

/**
 * Reloads the board: at once while a job runs, until what follows it is computed and checked, and
 * every now and then for what others do. Nothing is asked while nobody looks, or when the month is final and its payees
 * have been written to.
 */
export function useBoardWatch(watched: Watched): void {
  const latest = useRef(watched)
  const change = useRef({ text: '', at: 0 })
  const isOpen = watched.rows.some(row => row.finalizedAt === null || row.progress.unnotifiedStatements > 0)
  useEffect(() => {
    latest.current = watched
    const text = JSON.stringify([
      watched.rows.map(row => [row.state, row.computedAt, row.checks.map(each => each.state)]),
      watched.manualOperations.map(each => [each.id, each.jobStatus]),
    ])
    if (text !== change.current.text) change.current = { text, at: Date.now() }
  })
  useEffect(() => {
    if (!isOpen) return
    let askedAt = Date.now()
    const ask = () => {
      if (document.visibilityState !== 'visible') return
      askedAt = Date.now()
      latest.current.retry()
    }
    const tick = () => {
      const isSoon = Date.now() - change.current.at < AWAITED_MS
      const isDue = Date.now() - askedAt >= OTHERS_MS
      if (isWorking(latest.current) || (isSoon && isAwaited(latest.current)) || isDue) ask()
    }
    const timer = setInterval(tick, TICK_MS)
    document.addEventListener('visibilitychange', ask)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', ask)
    }
  }, [isOpen])
}

function isWorking({ manualOperations, isComputing }: Watched): boolean {
  return isComputing || manualOperations.some(each => each.jobStatus === 'pending' || each.jobStatus === 'running')
}

/** After an entry the month is computed again, and then checked. */
function isAwaited({ rows, manualOperations }: Watched): boolean {
  return rows.some(
    row =>
      (row.finalizedAt !== null && row.progress.unnotifiedStatements > 0) ||
      (row.finalizedAt === null &&
        (row.computedAt !== null || manualOperations.some(each => each.mediumId === row.mediumId)) &&
        (row.state === 'open' || row.checks.some(each => each.state === 'waiting'))),
  )
}
