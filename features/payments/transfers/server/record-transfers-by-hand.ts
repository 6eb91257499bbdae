import type { FeePayer } from '@pc/domain/agreement/agreement-terms.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { withheldPayeeOf, withholdingDecision, withholdingYen } from '@pc/domain/transfer/withholding.ts'
import type { Clock } from '@pc/platform/clock.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { readWithholdingTable } from '../../core/server/transfer-settings.ts'
import { MAX_REFUSALS } from './create-transfer-batch.ts'
import { insertTransfers, type NewTransfer, readPayeeAccounts } from './transfer-rows.ts'

/**
 * Records payments that were paid without our bank file, as one transfer each without a fee: how the bank grouped them
 * and what it charged is not known. Income tax is withheld as from any payment. Refused when that would leave nothing to
 * pay, which can happen with returned months.
 */
export async function recordTransfersByHand(
  tx: Transaction,
  { clock, actorUid }: { readonly clock: Clock; readonly actorUid: string },
  paymentIds: readonly bigint[],
  paidOn: Day,
): Promise<Result<true, Refusal<'transfer/amount-not-positive'>>> {
  if (paymentIds.length === 0) return ok(true)
  const payments = await tx
    .selectFrom('monthlyPayments as p')
    .innerJoin('monthlyAgreementSnapshots as s', 's.id', 'p.monthlyAgreementSnapshotId')
    .select(['p.id', 'p.organizationId', 'p.bankAccountId', 'p.dueOn', 'p.feePaidBy', 'p.paymentYen'])
    .innerJoin('agreements as a', 'a.id', 'p.agreementId')
    .select(['p.paymentIncludingTaxYen', 's.partnerName', 's.payeeKind', 's.payeeResidence'])
    .select(['a.treatyFormFrom', 'a.treatyFormTo', 'a.treatyFormRate'])
    .where('p.id', 'in', [...paymentIds])
    .orderBy('p.id')
    .execute()
  // Only scheduled payments can be marked as paid, and those have an account (a check of `monthly_payments`).
  const accounts = await readPayeeAccounts(
    tx,
    payments.map(payment => payment.bankAccountId!),
  )
  const withholding = await readWithholdingTable(tx)
  const transfers = payments.map((payment): NewTransfer => {
    const payee = withheldPayeeOf(payment)
    const { paymentYen, paymentIncludingTaxYen } = payment
    const withheldYen = withholdingYen(paymentYen, payee, paidOn, withholding)
    const amounts = {
      paymentYen,
      paymentIncludingTaxYen,
      withholdingYen: withheldYen,
      feeBorneByPayeeYen: 0n,
      transferAmountYen: paymentIncludingTaxYen - withheldYen,
    }
    return {
      ...amounts,
      feeYen: 0n,
      account: accounts.get(payment.bankAccountId!)!,
      organizationId: payment.organizationId,
      partnerName: payment.partnerName,
      dueOn: payment.dueOn as Day,
      feePaidBy: payment.feePaidBy as FeePayer,
      payeeKind: payee.payeeKind,
      payeeResidence: payee.payeeResidence,
      ...withholdingDecision(payee, paidOn, withholding),
      parts: [{ ...amounts, monthlyPaymentId: payment.id }],
    }
  })
  const nothing = transfers.filter(each => each.transferAmountYen <= 0n)
  if (nothing.length > 0) {
    return refused(
      ...nothing
        .slice(0, MAX_REFUSALS)
        .map(({ partnerName: payee, transferAmountYen }) =>
          refusal('transfer/amount-not-positive', ['ids'], { payee, amountYen: `${transferAmountYen}` }),
        ),
    )
  }
  const { id } = await tx
    .insertInto('transferBatches')
    .values({
      kind: 'by_hand',
      transferOn: paidOn,
      dueOn: transfers.map(each => each.dueOn).toSorted()[0]!,
      createdAt: new Date(clock.now()),
      createdByUid: actorUid,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertTransfers(tx, clock, id, transfers, { paidOn, reason: '振込データを使わずに支払' })
  return ok(true)
}
