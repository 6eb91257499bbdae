import type { FeePayer } from '@pc/domain/agreement/agreement-terms.ts'
import type { AgreementFacts } from '@pc/domain/agreement/law-rule.ts'
import { isFeeOfUnknown, lateReason, statutoryDueOn } from '@pc/domain/agreement/payment-law.ts'
import { isProtectedOn } from '@pc/domain/agreement/protected-payee.ts'
import type { Day } from '@pc/domain/month/day.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import type { NewTransfer } from './transfer-rows.ts'

/** What the law looks at in a payment of a transfer. */
interface SentPayment {
  readonly monthlyPaymentId: bigint
  readonly month: YearMonth
  readonly dueOn: Day
  readonly feePaidBy: FeePayer
  readonly partnerName: string
  readonly agreementName: string
  readonly coverage: Pick<AgreementFacts, 'smallSupplierCoverage' | 'freelanceCoverage'>
}

interface LawWarning {
  readonly refusal: Refusal<'transfer/late-by-law' | 'transfer/fee-of-unknown'>
  readonly payee: string
  readonly paymentIds: readonly bigint[]
}

/**
 * What the law says of transfers that are about to be made. Late is late: to pay later still would be worse, so it can
 * be
 * done, knowingly. A fee that is taken off a payee of unknown coverage is reported.
 */
export async function lawWarnings(
  tx: Transaction,
  transfers: readonly NewTransfer[],
  payments: ReadonlyMap<bigint, SentPayment>,
  transferOn: Day,
): Promise<readonly LawWarning[]> {
  const sent = transfers.flatMap(transfer =>
    transfer.parts.map(part => ({ transfer, payment: payments.get(part.monthlyPaymentId)! })),
  )
  const covered = sent.filter(({ payment }) => Object.values(payment.coverage).includes('covered'))
  const oldest = await readOldestMonths(
    tx,
    covered.map(({ payment }) => payment.monthlyPaymentId),
  )
  const late = covered.flatMap(({ payment }): LawWarning[] => {
    const oldestMonth = oldest.get(payment.monthlyPaymentId) ?? payment.month
    const lastLegalDay = statutoryDueOn(oldestMonth)
    const facts = { oldestMonth, dueOn: payment.dueOn, state: 'sent', transferOn } as const
    if (!isProtectedOn(payment.coverage, lastLegalDay) || !lateReason(facts, transferOn)) return []
    return [warning('transfer/late-by-law', payment, lastLegalDay)]
  })
  const ofUnknown = sent.filter(
    ({ transfer, payment }) => transfer.feeBorneByPayeeYen > 0n && isFeeOfUnknown({ ...payment, ...payment.coverage }),
  )
  return [...late, ...ofUnknown.map(({ payment }) => warning('transfer/fee-of-unknown', payment, transferOn))]
}

function warning(
  code: 'transfer/late-by-law' | 'transfer/fee-of-unknown',
  { monthlyPaymentId, partnerName, agreementName }: SentPayment,
  day: Day,
): LawWarning {
  const data = { payee: partnerName, agreement: agreementName, day }
  return {
    refusal: refusal(code, ['request', 'isLateAcknowledged'], data),
    payee: partnerName,
    paymentIds: [monthlyPaymentId],
  }
}

/** The oldest revenue month that each payment pays. */
async function readOldestMonths(tx: Transaction, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, YearMonth>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: bigint; month: YearMonth }>`
    select b.monthly_payment_id as id, min(b.generated_month) as month from monthly_paid_buckets b
    where b.monthly_payment_id = any(${ids.map(String)}::bigint[]) and b.amount_yen > 0 group by 1`.execute(tx)
  return new Map(rows.map(row => [row.id, row.month]))
}
