import { accountInUse } from '@pc/domain/agreement/agreement-terms.ts'
import { addMonths, type YearMonth } from '@pc/domain/month/year-month.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { type Actor, recordChange } from '@pc/platform/audit/record-change.ts'
import { type Clock, thisMonth, today } from '@pc/platform/clock.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { lastFinalizedMonths } from '@pc/platform/postgres/month-lock.ts'
import { readAgreementBankAccounts } from './agreement-bank-account-store.ts'
import { assignBankAccounts } from './assign-bank-accounts.ts'

/**
 * Pays an agreement to the account from this month on, or from the first month that is not final; accounts that were
 * assigned from later months give way. Writes its audit row: the transaction ends afterwards.
 * Tested by `features/bank-accounts/server/bank-account-switches.test.ts`.
 */
export async function switchAgreementAccount(
  tx: Transaction,
  clock: Clock,
  actor: Actor,
  { agreementId, bankAccountId }: { readonly agreementId: bigint; readonly bankAccountId: bigint },
): Promise<Result<YearMonth, Refusal<RefusalCode>>> {
  const agreement = await tx
    .selectFrom('agreements')
    .select(['id', 'organizationId', 'mediumId', 'revision'])
    .where('id', '=', agreementId)
    .forUpdate()
    .executeTakeFirst()
  if (!agreement) return refused(refusal('record/not-found'))
  const finalized = (await lastFinalizedMonths(tx, [agreement.mediumId])).get(agreement.mediumId) ?? null
  const from = Math.max(thisMonth(clock), finalized === null ? 0 : addMonths(finalized, 1)) as YearMonth
  const current = (await readAgreementBankAccounts(tx, [agreementId])).get(agreementId) ?? []
  const isInUse = accountInUse(current, from) === bankAccountId
  const accounts = current
    .filter(({ usedFromMonth }) => (isInUse ? usedFromMonth <= from : usedFromMonth < from))
    .map(({ bankAccountId: id, usedFromMonth }) => ({ bankAccountId: id, usedFromMonth }))
  if (!isInUse) accounts.push({ bankAccountId, usedFromMonth: from })
  else if (accounts.length === current.length) return ok(from)
  const assigned = await assignBankAccounts(tx, [{ agreement, accounts, path: [] }], today(clock))
  if (!assigned.ok) return assigned
  const { before, after } = assigned.value.get(agreementId) ?? { before: [], after: [] }
  const { revision } = agreement
  await tx
    .updateTable('agreements')
    .set({ revision: revision + 1, updatedAt: new Date(clock.now()) })
    .where('id', '=', agreementId)
    .execute()
  await recordChange(tx, actor, {
    action: 'update',
    resource: 'insight:agreement.',
    rowId: agreementId,
    before: { agreementBankAccounts: before, revision },
    after: { agreementBankAccounts: after, revision: revision + 1 },
  })
  return ok(from)
}
