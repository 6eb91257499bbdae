import type { FeePayer } from '@pc/domain/agreement/agreement-terms.ts'
import { leaf, monthLabel } from '@pc/domain/explain/explain-node.ts'
import { explainTransfer } from '@pc/domain/explain/explain-tree.ts'
import type { Day } from '@pc/domain/month/day.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { PlannedTransfer } from '@pc/domain/transfer/transfer.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import { type Continuation, type ExplainedAmount, placeOf } from './explain-amount.ts'

/**
 * Staff only: explains a transfer as the sum of its payments, each of which continues in its own tree.
 * Tested by `scenarios/transfers.test.ts`.
 */
export function explainSentTransfer(
  { database }: { readonly database: Database },
  transferId: bigint,
  path: string | undefined,
): Promise<ExplainedAmount | undefined> {
  return database.inScope(SYSTEM, async tx => {
    const row = await tx
      .selectFrom('transfers as t')
      .innerJoin('transferBatches as b', 'b.id', 't.batchId')
      .selectAll('t')
      .select('b.transferOn')
      .where('t.id', '=', transferId)
      .executeTakeFirst()
    if (!row) return undefined
    const parts = await tx
      .selectFrom('transferPayments as x')
      .innerJoin('monthlyPayments as p', 'p.id', 'x.monthlyPaymentId')
      .innerJoin('monthlyAgreementSnapshots as s', 's.id', 'p.monthlyAgreementSnapshotId')
      .select(['x.monthlyPaymentId', 'x.paymentYen', 'x.paymentIncludingTaxYen', 'x.withholdingYen'])
      .select(['x.feeBorneByPayeeYen', 'x.transferAmountYen', 'p.month', 's.agreementName'])
      .where('x.transferId', '=', transferId)
      .orderBy('x.monthlyPaymentId')
      .execute()
    const transfer: Omit<PlannedTransfer, 'records'> = {
      ...row,
      dueOn: row.dueOn as Day,
      feePaidBy: row.feePaidBy as FeePayer,
      payeeKind: row.payeeKind as PlannedTransfer['payeeKind'],
      payeeResidence: row.payeeResidence as PlannedTransfer['payeeResidence'],
      parts,
    }
    const idOf = (monthlyPaymentId: bigint) => `transfer/payment/${monthlyPaymentId}`
    const payments = parts.map(({ monthlyPaymentId, month, agreementName, paymentIncludingTaxYen }) =>
      leaf(
        idOf(monthlyPaymentId),
        `${agreementName} ${monthLabel(month as YearMonth)}の支払額（税込）`,
        paymentIncludingTaxYen,
        '税抜の支払額 + 消費税額',
      ),
    )
    const found = placeOf(explainTransfer(transfer, row.transferOn as Day, payments), path)
    const continuations = new Map<string, Continuation>(
      parts.map(({ monthlyPaymentId }) => [
        idOf(monthlyPaymentId),
        { kind: 'payment', id: monthlyPaymentId, column: 'paymentIncludingTax' },
      ]),
    )
    return found && { ...found, snapshot: null, continuations }
  })
}
