import { useEffect, useRef } from 'react'
import type { BoardRow, ManualOperation } from '../../core/web/manual-operation-words.ts'

/** How often the hook checks whether the board has to be read again. */
const TICK_MS = 2_000
/** Interval at which the board is read for changes by other people. */
const OTHERS_MS = 20_000
/** How long after the last change the computation and the checks that follow it are expected. */
const AWAITED_MS = 180_000

interface Watched {
  rows: readonly BoardRow[]
  manualOperations: readonly ManualOperation[]
  /** A computation was requested on this screen. */
  isComputing: boolean
  retry: () => void
}

/**
 * Reloads the board: at every tick while a job runs and until its computation and checks have followed, otherwise now
 * and then for changes by other people. It does not reload while the page is hidden, or when the month is final and its
 * payees are notified.
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

/** Whether a computation, a check or a notification is still expected to follow the last change. */
function isAwaited({ rows, manualOperations }: Watched): boolean {
  return rows.some(
    row =>
      (row.finalizedAt !== null && row.progress.unnotifiedStatements > 0) ||
      (row.finalizedAt === null &&
        (row.computedAt !== null || manualOperations.some(each => each.mediumId === row.mediumId)) &&
        (row.state === 'open' || row.checks.some(each => each.state === 'waiting'))),
  )
}
