import { isWaiting } from '@pc/domain/bank/pending-bank-account.ts'
import { type Day, dayParts } from '@pc/domain/month/day.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result } from '@pc/domain/result.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { lastFinalizedMonths } from '@pc/platform/postgres/month-lock.ts'
import { sql } from 'kysely'
import { readAgreementBankAccounts } from './agreement-bank-account-store.ts'

export interface AccountAssignment {
  readonly bankAccountId: bigint
  readonly usedFromMonth: YearMonth
}

/** The requested list of an agreement's accounts; it replaces the current list. */
export interface WantedAccounts {
  readonly agreement: { readonly id: bigint; readonly organizationId: bigint; readonly mediumId: bigint }
  readonly accounts: readonly AccountAssignment[]
  readonly path: readonly (string | number)[]
}

/** The list of an agreement before and after the change; both are equal when nothing changed. */
export interface AssignedAccounts {
  readonly before: readonly AccountAssignment[]
  readonly after: readonly AccountAssignment[]
}

/**
 * Replaces the list of each agreement's accounts, or refuses all. Final months keep their account. An account must be
 * approved, belong to the agreement's organisation, be past its waiting days, and be at a branch that still exists.
 */
export async function assignBankAccounts(
  tx: Transaction,
  wanted: readonly WantedAccounts[],
  today: Day,
): Promise<Result<ReadonlyMap<bigint, AssignedAccounts>, Refusal<RefusalCode>>> {
  if (wanted.length === 0) return ok(new Map())
  const ids = wanted.map(({ agreement }) => agreement.id)
  const currents = await readAgreementBankAccounts(tx, ids)
  const lastFinalized = await lastFinalizedMonths(tx, new Set(wanted.map(({ agreement }) => agreement.mediumId)))
  const usable = await usableAccounts(
    tx,
    wanted.flatMap(({ accounts }) => accounts),
  )
  const changes = wanted.map(one => {
    const current = currents.get(one.agreement.id) ?? []
    const last = lastFinalized.get(one.agreement.mediumId) ?? null
    const gone = current.filter(old => !one.accounts.some(account => isSame(account, old)))
    const refusals = accountRefusals(one, current, last, usable, today)
    if (refusals.length === 0 && last !== null && gone.some(({ usedFromMonth }) => usedFromMonth <= last))
      refusals.push(refusal('agreement/bank-account-month-finalized', one.path))
    const added = one.accounts.filter(account => !current.some(old => isSame(account, old)))
    return { ...one, current, gone, added, refusals }
  })
  const refusals = changes.flatMap(change => change.refusals)
  if (refusals.length > 0) return { ok: false, refusals }
  const gone = changes.flatMap(change => change.gone.map(({ id }) => id))
  if (gone.length > 0)
    await tx.deleteFrom('agreementBankAccounts').where('id', '=', sql<bigint>`any(${gone}::bigint[])`).execute()
  const added = changes.flatMap(change => change.added.map(one => ({ agreementId: change.agreement.id, ...one })))
  if (added.length > 0) await tx.insertInto('agreementBankAccounts').values(added).execute()
  return ok(
    new Map(
      changes.map(change => {
        const before = change.current.map(({ bankAccountId, usedFromMonth }) => ({ bankAccountId, usedFromMonth }))
        const after = change.accounts.toSorted((a, b) => b.usedFromMonth - a.usedFromMonth)
        return [change.agreement.id, { before, after: change.gone.length + change.added.length === 0 ? before : after }]
      }),
    ),
  )
}

function isSame(a: AccountAssignment, b: AccountAssignment): boolean {
  return a.usedFromMonth === b.usedFromMonth && a.bankAccountId === b.bankAccountId
}

interface UsableAccount {
  readonly organizationId: bigint
  readonly usableFrom: Day | null
  readonly isGone: boolean
}

function accountRefusals(
  { agreement, accounts, path }: WantedAccounts,
  current: readonly AccountAssignment[],
  lastFinalized: YearMonth | null,
  usable: ReadonlyMap<bigint, UsableAccount>,
  today: Day,
): Refusal<RefusalCode>[] {
  const refusals: Refusal<RefusalCode>[] = []
  for (const [index, one] of accounts.entries()) {
    const refuseAt = (field: string, code: RefusalCode) => refusals.push(refusal(code, [...path, index, field]))
    if (accounts.findIndex(other => other.usedFromMonth === one.usedFromMonth) !== index)
      refuseAt('usedFromMonth', 'agreement/bank-account-month-twice')
    if (current.some(old => isSame(one, old))) continue
    if (lastFinalized !== null && one.usedFromMonth <= lastFinalized)
      refuseAt('usedFromMonth', 'agreement/bank-account-month-finalized')
    const account = usable.get(one.bankAccountId)
    if (account?.organizationId !== agreement.organizationId)
      refuseAt('bankAccountId', 'agreement/bank-account-unknown')
    else if (account.isGone) refuseAt('bankAccountId', 'agreement/bank-account-gone')
    else if (account.usableFrom !== null && isWaiting(account.usableFrom, today)) {
      const { year, month, date } = dayParts(account.usableFrom)
      const first = { year, month, date }
      refusals.push(refusal('agreement/bank-account-waiting', [...path, index, 'bankAccountId'], first))
    }
  }
  return refusals
}

async function usableAccounts(
  tx: Transaction,
  wanted: readonly AccountAssignment[],
): Promise<ReadonlyMap<bigint, UsableAccount>> {
  if (wanted.length === 0) return new Map()
  const ids = wanted.map(one => one.bankAccountId)
  const rows = await tx
    .selectFrom('bankAccounts as a')
    .innerJoin('banks as b', 'b.id', 'a.bankId')
    .innerJoin('bankBranches as r', 'r.id', 'a.bankBranchId')
    .select(['a.id', 'a.organizationId', 'a.usableFrom'])
    .select(eb => eb.or([eb('b.isGone', '=', true), eb('r.isGone', '=', true)]).as('isGone'))
    .where('a.enabled', '=', true)
    .where('a.id', '=', sql<bigint>`any(${ids}::bigint[])`)
    .execute()
  return new Map(rows.map(({ id, isGone, ...row }) => [id, { ...row, isGone: Boolean(isGone) }]))
}
