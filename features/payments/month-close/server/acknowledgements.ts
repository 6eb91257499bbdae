import { createHash } from 'node:crypto'
import { MAX_ACKNOWLEDGEMENT_REASON } from '@pc/domain/payment/close-refusal.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import type { Clock } from '@pc/platform/clock.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { logClose } from '../../core/server/close-log.ts'
import type { MonthKey } from '../../core/server/month-key.ts'

/** Why a finding of the close board is accepted. */
export interface Acknowledgement {
  readonly reason: string
  readonly byEmail: string | null
  readonly at: Date
}
interface KeptAcknowledgement extends Acknowledgement {
  readonly checkKind: string
  /** The {@link subjectHash} of the finding that was acknowledged. Another finding needs a new acknowledgement. */
  readonly subjectSha256: string
}

/** The hash of what a check found; undefined when it cannot be acknowledged. Only amber findings can. */
export function subjectHashOf(
  checkKind: string,
  { state, subject }: { readonly state: string; readonly subject?: string | undefined },
): string | undefined {
  return state === 'amber' && subject !== undefined ? subjectHash(checkKind, subject) : undefined
}

/** Tested by `features/payments/month-close/server/close-acknowledgements.test.ts`. */
export function subjectHash(checkKind: string, subject: string): string {
  return createHash('sha256').update(`${checkKind}\n${subject}`).digest('hex')
}

/** All of a month, in the order in which they were given. */
export function readAcknowledgements(
  tx: Transaction,
  { mediumId, month }: MonthKey,
): Promise<readonly KeptAcknowledgement[]> {
  return tx
    .selectFrom('closeAcknowledgements as k')
    .leftJoin('users as u', 'u.uid', 'k.acknowledgedByUid')
    .select(['k.checkKind', 'k.subjectSha256', 'k.reason', 'u.email as byEmail', 'k.acknowledgedAt as at'])
    .where('k.mediumId', '=', mediumId)
    .where('k.month', '=', month)
    .orderBy('k.acknowledgedAt')
    .orderBy('k.subjectSha256')
    .execute()
}

export interface AcknowledgedCheck extends MonthKey {
  readonly checkKind: string
  /** Japanese name of the check. */
  readonly label: string
  /** The hash of the finding that the person saw on the board. */
  readonly subjectSha256: string
  readonly reason: string
}

/**
 * Stores the reason for a finding, or changes it. Refused when the month is final, or when the check now finds something
 * else than the person saw.
 * @param foundSha256 the hash of what the check finds now; undefined: nothing that can be acknowledged
 * @returns whether something changed
 */
export async function acknowledgeCheck(
  tx: Transaction,
  { clock, actorUid }: { readonly clock: Clock; readonly actorUid: string },
  { mediumId, month, checkKind, label, subjectSha256, reason: given }: AcknowledgedCheck,
  foundSha256: string | undefined,
): Promise<Result<boolean, Refusal<RefusalCode>>> {
  const reason = given.trim()
  if (reason === '' || reason.length > MAX_ACKNOWLEDGEMENT_REASON)
    return refused(refusal('payment/acknowledgement-reason', ['reason'], { max: MAX_ACKNOWLEDGEMENT_REASON }))
  if (subjectSha256 !== foundSha256) return refused(refusal('payment/acknowledgement-outdated', ['subject']))
  const state = await tx
    .selectFrom('monthStates')
    .select('state')
    .where('mediumId', '=', mediumId)
    .where('month', '=', month)
    .forUpdate()
    .executeTakeFirst()
  if (state?.state !== 'computed') return refused(refusal('payment/acknowledgement-outdated', ['subject']))
  const at = new Date(clock.now())
  const written = await tx
    .insertInto('closeAcknowledgements')
    .values({ mediumId, month, checkKind, subjectSha256, reason, acknowledgedByUid: actorUid, acknowledgedAt: at })
    .onConflict(conflict =>
      conflict
        .columns(['mediumId', 'month', 'checkKind', 'subjectSha256'])
        .doUpdateSet({ reason, acknowledgedByUid: actorUid, acknowledgedAt: at })
        .where('closeAcknowledgements.reason', '!=', reason),
    )
    .returning('month')
    .executeTakeFirst()
  if (written) {
    const detail = `「${label}」を確認済みにしました。理由：${reason}`
    await logClose(tx, { mediumId, month, at, actorUid, action: 'acknowledged', detail })
  }
  return ok(written !== undefined)
}
