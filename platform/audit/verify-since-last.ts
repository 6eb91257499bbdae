import type { Clock } from '../clock.ts'
import { withSignal } from '../request-signal.ts'
import { SharedWork } from '../share-work.ts'
import type { AuditVerdict, ConfirmedPart } from './verify-audit-chain.ts'

/** When the last full run took less than this, the whole log is read each time. */
const QUICK_MS = 1_000
/** After this time a full run starts in the background, while the answer still uses the earlier result. */
const FRESH_MS = 60 * 60_000

export interface AuditLogVerdict extends AuditVerdict {
  /** The rows that this answer took from an earlier run, and when that run began; undefined: all rows were read now. */
  readonly readEarlier: { readonly upTo: bigint; readonly at: Date } | undefined
}

/** @param isWholeWanted reads all rows again, including those an earlier run confirmed */
export type VerifyAuditLog = (isWholeWanted: boolean) => Promise<AuditLogVerdict>

interface Reading extends ConfirmedPart {
  readonly at: Date
  readonly tookMs: number
}

/**
 * A long log takes seconds to minutes to verify, too long for a request. So this process remembers up to which row the
 * log was right and continues from there. The whole log is read when a problem is found or when the caller asks for it.
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
