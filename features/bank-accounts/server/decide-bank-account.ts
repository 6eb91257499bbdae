import { usableFrom } from '@pc/domain/bank/bank-account-waiting.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { editedByOther } from '@pc/platform/audit/edited-by-other.ts'
import { type Clock, today } from '@pc/platform/clock.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { type BankAccountRow, findBankAccount } from './bank-account-store.ts'
import { BANK_ACCOUNT_NOTICE_JOB } from './notify-bank-account-job.ts'

export type BankAccountDecision =
  | { readonly state: 'approved' }
  /** The reason is shown to whoever asked. */
  | { readonly state: 'rejected'; readonly reason: string }

const MAX_REASON = 500

/**
 * Approves or rejects a requested account: once, and never by the person who asked for it. An approved one can be used
 * after some days, in which those who are told of it by mail can object.
 */
export async function decideBankAccount(
  write: Write,
  jobs: Jobs,
  clock: Clock,
  id: bigint,
  decision: BankAccountDecision,
  expectedRevision: number | null | undefined,
): Promise<Result<BankAccountRow, Refusal<RefusalCode>>> {
  const { tx, permit } = write
  const locked = await tx
    .selectFrom('bankAccounts')
    .select(['state', 'revision', 'requestedBy', 'bankId', 'bankBranchId'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!locked) return refused(refusal('record/not-found', ['id']))
  const { revision } = locked
  if (locked.state !== 'requested') return refused(refusal('bank-account/already-decided', ['id']))
  const stale = await editedByOther(tx, { resource: 'insight:bank_account.', rowId: id, revision, expectedRevision })
  if (stale) return refused(stale)
  if (locked.requestedBy === permit.viewer.uid) return refused(refusal('bank-account/own-request', ['id']))
  if (decision.state === 'approved' && (await isPlaceGone(tx, locked)))
    return refused(refusal('bank-account/place-gone', ['id']))
  const reason = decision.state === 'rejected' ? decision.reason.trim() : null
  if (reason !== null && (reason === '' || reason.length > MAX_REASON))
    return refused(refusal('bank-account/reason-required', ['reason']))
  const decidedAt = new Date(clock.now())
  const firstDay = decision.state === 'approved' ? usableFrom(today(clock)) : null
  await tx
    .updateTable('bankAccounts')
    .set({
      state: decision.state,
      decidedBy: permit.viewer.uid,
      decidedAt,
      rejectionReason: reason,
      usableFrom: firstDay,
      revision: revision + 1,
      updatedAt: decidedAt,
    })
    .where('id', '=', id)
    .execute()
  await jobs.enqueue(tx, BANK_ACCOUNT_NOTICE_JOB, { bankAccountId: String(id), event: decision.state })
  const row = await findBankAccount(tx, id)
  if (!row) return refused(refusal('record/not-found', ['id']))
  write.record({
    action: decision.state === 'approved' ? 'approve' : 'reject',
    resource: 'insight:bank_account.',
    rowId: id,
    before: { state: 'requested', revision },
    after: { state: decision.state, rejectionReason: reason, usableFrom: firstDay, revision: revision + 1 },
  })
  return ok(row)
}

/** Whether the bank or the branch is no longer in the country's master. */
async function isPlaceGone(
  tx: Transaction,
  { bankId, bankBranchId }: { readonly bankId: bigint; readonly bankBranchId: bigint },
): Promise<boolean> {
  const place = await tx
    .selectFrom('bankBranches as r')
    .innerJoin('banks as b', 'b.id', 'r.bankId')
    .select(['b.isGone as isBankGone', 'r.isGone as isBranchGone'])
    .where('r.id', '=', bankBranchId)
    .where('b.id', '=', bankId)
    .executeTakeFirst()
  return !place || place.isBankGone || place.isBranchGone
}
