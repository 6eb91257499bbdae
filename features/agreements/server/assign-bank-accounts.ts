import { isWaiting } from '@pc/domain/bank/bank-account-waiting.ts'
import { type Day, dayParts } from '@pc/domain/month/day.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { readAgreementBankAccounts } from './agreement-bank-account-store.ts'

export interface AccountAssignment {
  readonly bankAccountId: bigint
  readonly usedFromMonth: YearMonth
}

interface Assigned {
  readonly id: bigint
  readonly organizationId: bigint
}

/**
 * Makes `wanted` the whole list of the agreement's accounts. Months that are final keep theirs; an account must be
 * approved, of the agreement's organisation, past the days in which it waits, and at a branch that still exists. Returns
 * refusals, or the list before and after (equal: nothing changed).
 */
export async function assignBankAccounts(
  tx: Transaction,
  agreement: Assigned,
  wanted: readonly AccountAssignment[],
  lastFinalized: YearMonth | null,
  today: Day,
  path: readonly (string | number)[],
): Promise<{ refusals: Refusal<RefusalCode>[]; before: AccountAssignment[]; after: readonly AccountAssignment[] }> {
  const current = (await readAgreementBankAccounts(tx, [agreement.id])).get(agreement.id) ?? []
  const before = current.map(({ bankAccountId, usedFromMonth }) => ({ bankAccountId, usedFromMonth }))
  const refusals: Refusal<RefusalCode>[] = []
  const refuseAt = (index: number, field: string, code: RefusalCode) =>
    refusals.push(refusal(code, [...path, index, field]))
  const isCurrent = (one: AccountAssignment) =>
    before.some(old => old.usedFromMonth === one.usedFromMonth && old.bankAccountId === one.bankAccountId)
  const isFinal = (one: AccountAssignment) => lastFinalized !== null && one.usedFromMonth <= lastFinalized
  const usable = await usableAccounts(tx, agreement.organizationId, wanted)
  for (const [index, one] of wanted.entries()) {
    if (wanted.findIndex(other => other.usedFromMonth === one.usedFromMonth) !== index)
      refuseAt(index, 'usedFromMonth', 'agreement/bank-account-month-twice')
    if (isCurrent(one)) continue
    if (isFinal(one)) refuseAt(index, 'usedFromMonth', 'agreement/bank-account-month-finalized')
    const account = usable.get(one.bankAccountId)
    if (account === undefined) refuseAt(index, 'bankAccountId', 'agreement/bank-account-unknown')
    else if (account.isGone) refuseAt(index, 'bankAccountId', 'agreement/bank-account-gone')
    else if (account.usableFrom !== null && isWaiting(account.usableFrom, today)) {
      const { year, month, date } = dayParts(account.usableFrom)
      const first = { year, month, date }
      refusals.push(refusal('agreement/bank-account-waiting', [...path, index, 'bankAccountId'], first))
    }
  }
  const isWanted = (old: AccountAssignment) =>
    wanted.some(one => one.usedFromMonth === old.usedFromMonth && one.bankAccountId === old.bankAccountId)
  const gone = current.filter(old => !isWanted(old))
  if (refusals.length === 0 && gone.some(isFinal))
    refusals.push(refusal('agreement/bank-account-month-finalized', [...path]))
  if (refusals.length > 0) return { refusals, before, after: before }
  const added = wanted.filter(one => !isCurrent(one))
  if (gone.length > 0) {
    const ids = gone.map(one => one.id)
    await tx.deleteFrom('agreementBankAccounts').where('id', 'in', ids).execute()
  }
  if (added.length > 0) {
    await tx
      .insertInto('agreementBankAccounts')
      .values(added.map(one => ({ agreementId: agreement.id, ...one })))
      .execute()
  }
  const isSame = gone.length === 0 && added.length === 0
  return { refusals, before, after: isSame ? before : wanted.toSorted((a, b) => b.usedFromMonth - a.usedFromMonth) }
}

async function usableAccounts(
  tx: Transaction,
  organizationId: bigint,
  wanted: readonly AccountAssignment[],
): Promise<ReadonlyMap<bigint, { readonly usableFrom: Day | null; readonly isGone: boolean }>> {
  if (wanted.length === 0) return new Map()
  const rows = await tx
    .selectFrom('bankAccounts as a')
    .innerJoin('banks as b', 'b.id', 'a.bankId')
    .innerJoin('bankBranches as r', 'r.id', 'a.bankBranchId')
    .select(['a.id', 'a.usableFrom'])
    .select(eb => eb.or([eb('b.isGone', '=', true), eb('r.isGone', '=', true)]).as('isGone'))
    .where('a.organizationId', '=', organizationId)
    .where('a.enabled', '=', true)
    .where(
      'a.id',
      'in',
      wanted.map(one => one.bankAccountId),
    )
    .execute()
  return new Map(rows.map(({ id, usableFrom, isGone }) => [id, { usableFrom, isGone: Boolean(isGone) }]))
}
