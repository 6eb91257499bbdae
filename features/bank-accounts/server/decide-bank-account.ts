import { SECOND_ADMINISTRATOR_AFTER_DAYS } from '@pc/domain/access/account-change.ts'
import { ROLES } from '@pc/domain/access/role.ts'
import { GRANTS_OF_ROLE } from '@pc/domain/access/role-policies.ts'
import { MAX_REJECTION_REASON, usableFrom } from '@pc/domain/bank/pending-bank-account.ts'
import { inPlace, outOfPlace, type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { editedByOther } from '@pc/platform/audit/edited-by-other.ts'
import { type Clock, today } from '@pc/platform/clock.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { approverConflict } from '@pc/platform/postgres/independent-approver.ts'
import { sql } from 'kysely'
import { type BankAccountRow, findBankAccount } from './bank-account-store.ts'
import { BANK_ACCOUNT_NOTICE_JOB } from './notify-bank-account-job.ts'

export type BankAccountDecision =
  | { readonly state: 'approved' }
  /** The reason is shown to the requester. */
  | { readonly state: 'rejected'; readonly reason: string }

const APPROVING_ROLES = ROLES.filter(role =>
  GRANTS_OF_ROLE.get(role)?.some(
    ({ resource, actions }) => resource === 'insight:bank_account.' && actions.includes('write:update'),
  ),
)

export interface DecidedAccount {
  readonly id: bigint
  readonly decision: BankAccountDecision
  readonly expectedRevision: number | null | undefined
}

/**
 * Approves or rejects a requested account: once, and never by the person who asked for it. An approved one can be used
 * after some days, in which those who are notified by mail can object.
 */
export async function decideBankAccount(
  write: Write,
  jobs: Jobs,
  clock: Clock,
  id: bigint,
  decision: BankAccountDecision,
  expectedRevision: number | null | undefined,
): Promise<Result<BankAccountRow, Refusal<RefusalCode>>> {
  const decided = await decideBankAccounts(write, jobs, clock, [{ id, decision, expectedRevision }])
  if (!decided.ok) return refused(...outOfPlace(decided.refusals))
  const row = await findBankAccount(write.tx, id)
  return row ? ok(row) : refused(refusal('record/not-found', ['id']))
}

/** All of them, or none where one is refused. */
export async function decideBankAccounts(
  write: Write,
  jobs: Jobs,
  clock: Clock,
  decisions: readonly DecidedAccount[],
): Promise<Result<unknown, Refusal<RefusalCode>>> {
  const { tx, permit } = write
  const accounts = await lockAccounts(
    tx,
    decisions.map(({ id }) => id),
  )
  const refusals: Refusal<RefusalCode>[] = []
  for (const [place, decided] of decisions.entries()) {
    const wrong = await refusalOf(tx, permit.viewer.uid, decided, accounts.get(decided.id))
    if (wrong) refusals.push(...inPlace(place, [wrong]))
  }
  if (refusals.length > 0) return { ok: false, refusals }
  const decidedAt = new Date(clock.now())
  for (const [reason, same] of Map.groupBy(decisions, ({ decision }) => reasonOf(decision))) {
    const state = reason === null ? 'approved' : 'rejected'
    const firstDay = state === 'approved' ? usableFrom(today(clock)) : null
    const ids = same.map(({ id }) => id)
    await tx
      .updateTable('bankAccounts')
      .set(eb => ({
        ...{ state, decidedBy: permit.viewer.uid, decidedAt, rejectionReason: reason, usableFrom: firstDay },
        ...{ revision: eb('revision', '+', 1), updatedAt: decidedAt },
      }))
      .where('id', '=', sql<bigint>`any(${ids}::bigint[])`)
      .execute()
    for (const id of ids) {
      const revision = accounts.get(id)?.revision ?? 0
      await jobs.enqueue(tx, BANK_ACCOUNT_NOTICE_JOB, { bankAccountId: String(id), event: state })
      write.record({
        action: state === 'approved' ? 'approve' : 'reject',
        resource: 'insight:bank_account.',
        rowId: id,
        before: { state: 'requested', revision },
        after: { state, rejectionReason: reason, usableFrom: firstDay, revision: revision + 1 },
      })
    }
  }
  return ok(undefined)
}

/** Null: it is approved. */
function reasonOf(decision: BankAccountDecision): string | null {
  return decision.state === 'rejected' ? decision.reason.trim() : null
}

async function refusalOf(
  tx: Transaction,
  uid: string,
  { id, decision, expectedRevision }: DecidedAccount,
  account: LockedAccount | undefined,
): Promise<Refusal<RefusalCode> | undefined> {
  if (!account) return refusal('record/not-found', ['id'])
  if (account.state !== 'requested') return refusal('bank-account/already-decided', ['id'])
  const { revision } = account
  const stale = await editedByOther(tx, { resource: 'insight:bank_account.', rowId: id, revision, expectedRevision })
  if (stale) return stale
  if (account.requestedBy === uid) return refusal('bank-account/own-request', ['id'])
  if (decision.state === 'approved') {
    const conflict = await approverConflict(tx, { requester: account.requestedBy, approver: uid }, APPROVING_ROLES)
    if (conflict) return refusal(`bank-account/${conflict}-approver`, ['id'], { days: SECOND_ADMINISTRATOR_AFTER_DAYS })
  }
  if (decision.state === 'approved' && account.isPlaceGone) return refusal('bank-account/place-gone', ['id'])
  const reason = reasonOf(decision)
  if (reason !== null && (reason === '' || reason.length > MAX_REJECTION_REASON))
    return refusal('bank-account/reason-required', ['reason'])
  return undefined
}

interface LockedAccount {
  readonly state: string
  readonly revision: number
  readonly requestedBy: string | null
  /** The bank or the branch is no longer in the country's master. */
  readonly isPlaceGone: boolean
}

async function lockAccounts(tx: Transaction, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, LockedAccount>> {
  const rows = await tx
    .selectFrom('bankAccounts as a')
    .innerJoin('bankBranches as r', 'r.id', 'a.bankBranchId')
    .innerJoin('banks as b', 'b.id', 'a.bankId')
    .select(['a.id', 'a.state', 'a.revision', 'a.requestedBy', 'b.isGone as isBankGone', 'r.isGone as isBranchGone'])
    .where('a.id', '=', sql<bigint>`any(${ids}::bigint[])`)
    .orderBy('a.id')
    .forUpdate('a')
    .execute()
  return new Map(
    rows.map(({ id, isBankGone, isBranchGone, ...row }) => [id, { ...row, isPlaceGone: isBankGone || isBranchGone }]),
  )
}
