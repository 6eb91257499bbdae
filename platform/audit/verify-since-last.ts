import type { Clock } from '../clock.ts'
import { withSignal } from '../request-signal.ts'
import { SharedWork } from '../share-work.ts'
import type { AuditVerdict, ConfirmedPart } from './verify-audit-chain.ts'

/** A log that takes less is read whole each time. */
const QUICK_MS = 1_000
/** What was confirmed longer ago is confirmed again, beside the answer. */
const FRESH_MS = 60 * 60_000

export interface AuditLogVerdict extends AuditVerdict {
  /** The rows that were not read for this answer, and when they were; undefined: all were read for it. */
  readonly readEarlier: { readonly upTo: bigint; readonly at: Date } | undefined
}

/** @param isWholeWanted reads all rows, also those that were read before */
export type VerifyAuditLog = (isWholeWanted: boolean) => Promise<AuditLogVerdict>

interface Reading extends ConfirmedPart {
  readonly at: Date
  readonly tookMs: number
}

/**
 * Reading a long log takes seconds, later minutes: too long for an answer. So this process remembers up to which row the log
 * held and continues from there. It reads the whole log when something does not hold or when asked to, as
 * `npm run audit -- verify` always does.
 */
export function verifySinceLast(
  verify: (after?: ConfirmedPart) => Promise<AuditVerdict>,
  clock: Clock,
): VerifyAuditLog {
  let remembered: Reading | undefined
  const shared = new SharedWork<AuditLogVerdict>()
  const read = async () => {
    const begunAt = clock.now()
    const verdict = await verify()
    const { confirmed } = verdict
    remembered = confirmed && { ...confirmed, at: new Date(begunAt), tookMs: clock.now() - begunAt }
    return { ...verdict, readEarlier: undefined }
  }
  const readWhole = () => shared.get('log', read)
  return async isWholeWanted => {
    const known = remembered
    if (isWholeWanted || known === undefined || known.tookMs < QUICK_MS) return readWhole()
    const verdict = await verify(known)
    if (verdict.problems.length > 0) return readWhole()
    if (clock.now() - known.at.getTime() > FRESH_MS) withSignal(undefined, readWhole).catch(() => {})
    return { ...verdict, readEarlier: { upTo: known.last.seq, at: known.at } }
  }
}
