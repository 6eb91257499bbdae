import { consumptionTaxYen } from '@pc/domain/money/consumption-tax.ts'
import {
  AMOUNTS,
  type Amounts,
  type AppliedAdjustment,
  type PaidBucket,
  type SettledPayment,
  type SettledPool,
  type SettledPublisherPayment,
  type TaxLine,
} from '@pc/domain/settlement/settlement-result.ts'
import type { BulkColumns, BulkParent, BulkTable } from '@pc/platform/postgres/bulk-rows.ts'
import type { AgreementFacts } from './load-month.ts'

/** How a settled month is laid out in tables: one list of columns for each, used to write and, by name, to read. */

export interface PayeeRow {
  readonly payment: SettledPayment
  readonly facts: AgreementFacts
}
export interface PublisherRow {
  readonly payment: SettledPayment
  readonly publisher: SettledPublisherPayment
}
type OfPayment = { readonly payment: SettledPayment }

/** `videoSspRevenueYen` is the column `video_ssp_revenue_yen`. */
const columnOf = (amount: keyof Amounts) => amount.replace(/[A-Z]/g, capital => `_${capital.toLowerCase()}`)

const amounts = <Row>(amountsOf: (row: Row) => Amounts): BulkColumns<Row> =>
  AMOUNTS.map(amount => [columnOf(amount), 'bigint', (row: Row) => amountsOf(row)[amount]] as const)

const keys = <Row extends OfPayment>(): BulkColumns<Row> => [
  ['medium_id', 'bigint', ({ payment }) => payment.mediumId],
  ['month', 'integer', ({ payment }) => payment.revenueGeneratedAtMonth],
]
const payeeKeys = <Row extends OfPayment>(): BulkColumns<Row> => [
  ...keys<Row>(),
  ['agreement_id', 'bigint', ({ payment }) => payment.agreementId],
  ['organization_id', 'bigint', ({ payment }) => payment.organizationId],
]

/** Medium and month are part of the key, although the agreement is enough, so that rows of other months are not read. */
const paymentKey = <Row extends OfPayment>(): BulkColumns<Row> => [
  ...keys<Row>(),
  ['agreement_id', 'bigint', ({ payment }) => payment.agreementId],
]
const publisherKey = <Row extends PublisherRow>(): BulkColumns<Row> => [
  ...paymentKey<Row>(),
  ['publisher_id', 'bigint', ({ publisher }) => publisher.publisherId],
]
const underSnapshot = <Row extends OfPayment>(column: string): BulkParent<Row> => ({
  column,
  table: 'monthly_agreement_snapshots',
  by: paymentKey<Row>(),
})
const underPayment = <Row extends OfPayment>(): BulkParent<Row> => ({
  column: 'monthly_payment_id',
  table: 'monthly_payments',
  by: paymentKey<Row>(),
})
const underPublisher = <Row extends PublisherRow>(): BulkParent<Row> => ({
  column: 'monthly_publisher_payment_id',
  table: 'monthly_publisher_payments',
  by: publisherKey<Row>(),
})

const SNAPSHOT_COLUMNS: BulkColumns<PayeeRow> = [
  ...payeeKeys<PayeeRow>(),
  ['agreement_name', 'text', ({ facts }) => facts.name],
  ['agreement_code', 'text', ({ facts }) => facts.code],
  ['partner_name', 'text', ({ payment }) => payment.partnerName],
  ['qualified_invoice_issuer', 'boolean', ({ payment }) => payment.qualifiedInvoiceIssuer],
  ['invoice_registration_number', 'text', ({ payment }) => payment.invoiceRegistrationNumber],
]

const PAYMENT_COLUMNS: BulkColumns<PayeeRow> = [
  ...payeeKeys<PayeeRow>(),
  ['outcome', 'text', ({ payment }) => payment.outcome],
  ['reason_code', 'text', ({ payment }) => payment.reason?.code ?? null],
  [
    'reason_threshold_yen',
    'bigint',
    ({ payment }) => (payment.reason?.code === 'BELOW_THRESHOLD' ? payment.reason.thresholdYen : null),
  ],
  ...amounts<PayeeRow>(row => row.payment),
  ['agreement_fixed_yen', 'bigint', ({ payment }) => payment.agreementFixedYen],
  ['agreement_top_up_yen', 'bigint', ({ payment }) => payment.agreementTopUpYen],
  ['tax_rate_percent', 'integer', ({ payment }) => payment.taxRatePercent],
  ['revenue_tax_yen', 'bigint', ({ payment }) => consumptionTaxYen(payment.revenueYen, payment.taxRatePercent)],
  ['payment_tax_yen', 'bigint', ({ payment }) => payment.paymentTaxYen],
  ['payment_including_tax_yen', 'bigint', ({ payment }) => payment.paymentIncludingTaxYen],
  ['fee_paid_by', 'text', ({ payment }) => payment.feePaidBy],
  ['is_active', 'boolean', ({ payment }) => payment.isActive],
  ['is_terminated', 'boolean', ({ payment }) => payment.isTerminated],
  ['payout_threshold_yen', 'bigint', ({ payment }) => payment.payoutThresholdYen],
  ['due_on_nominal', 'date', ({ payment }) => payment.dueOnNominal],
  ['due_on', 'date', ({ payment }) => payment.dueOn],
  ['scheduled_month', 'integer', ({ payment }) => payment.paidAtMonth],
  ['bank_account_id', 'bigint', ({ payment }) => payment.bankAccountId],
  [
    'has_discarded_rows',
    'boolean',
    ({ payment }) => payment.publishers.some(each => each.adjustments.some(row => row.method === 'discard')),
  ],
  [
    'has_discarded_pools',
    'boolean',
    ({ payment }) => payment.publishers.some(each => each.poolShares.some(share => share.method === 'discard')),
  ],
]

const PUBLISHER_COLUMNS: BulkColumns<PublisherRow> = [
  ...payeeKeys<PublisherRow>(),
  ['publisher_id', 'bigint', ({ publisher }) => publisher.publisherId],
  ['rule_id', 'bigint', ({ publisher }) => publisher.ruleId],
  ...amounts<PublisherRow>(row => row.publisher),
  ['fixed_of_rule_yen', 'bigint', ({ publisher }) => publisher.fixedOfRuleYen],
  ['fixed_of_agreement_yen', 'bigint', ({ publisher }) => publisher.fixedOfAgreementYen],
  ['top_up_of_rule_yen', 'bigint', ({ publisher }) => publisher.topUpOfRuleYen],
  ['top_up_of_agreement_yen', 'bigint', ({ publisher }) => publisher.topUpOfAgreementYen],
  ['reference_tax_yen', 'bigint', ({ publisher }) => publisher.referenceTaxYen],
]

const RULE_COLUMNS: BulkColumns<PublisherRow> = [
  ...payeeKeys<PublisherRow>(),
  ['own_ads_rate_units', 'integer', ({ publisher }) => publisher.share.ownAdsRateUnits],
  ['ssp_rate_units', 'integer', ({ publisher }) => publisher.share.sspRateUnits],
  ['video_ssp_rate_units', 'integer', ({ publisher }) => publisher.share.videoSspRateUnits],
  ['live_ssp_rate_units', 'integer', ({ publisher }) => publisher.share.liveSspRateUnits],
  ['is_target_for_ssp_allocation', 'boolean', ({ publisher }) => publisher.share.isTargetForSspAllocation],
  ['is_target_for_video_ssp_allocation', 'boolean', ({ publisher }) => publisher.share.isTargetForVideoSspAllocation],
  ['is_target_for_live_ssp_allocation', 'boolean', ({ publisher }) => publisher.share.isTargetForLiveSspAllocation],
]

interface InputRow extends OfPayment {
  readonly text: string
}

const INPUT_COLUMNS: BulkColumns<InputRow> = [...keys<InputRow>(), ['input', 'text', row => row.text]]

export interface CarriedRow {
  readonly generatedMonth: number
  readonly openYen: bigint
  readonly nextYen: bigint
}

/** The balance before the payment and what is left of it, month by month. */
export function carriedRows(publisher: SettledPublisherPayment): readonly CarriedRow[] {
  const next = new Map(publisher.nextCarried.map(bucket => [bucket.generatedMonth, bucket.amountYen]))
  return publisher.openBuckets.map(({ generatedMonth, amountYen }) => ({
    generatedMonth,
    openYen: amountYen,
    nextYen: next.get(generatedMonth) ?? 0n,
  }))
}

const CARRIED_COLUMNS: BulkColumns<PublisherRow & CarriedRow> = [
  ...keys<PublisherRow & CarriedRow>(),
  ['generated_month', 'integer', row => row.generatedMonth],
  ['open_yen', 'bigint', row => row.openYen],
  ['next_yen', 'bigint', row => row.nextYen],
]

const ADJUSTMENT_COLUMNS: BulkColumns<PublisherRow & AppliedAdjustment> = [
  ...keys<PublisherRow & AppliedAdjustment>(),
  ['dividend_id', 'bigint', row => row.jobId],
  ['line', 'integer', row => row.line],
  ['applied_yen', 'bigint', row => row.appliedYen],
]

const TAX_COLUMNS: BulkColumns<OfPayment & TaxLine> = [
  ...keys<OfPayment & TaxLine>(),
  ['rate_percent', 'integer', row => row.ratePercent],
  ['amount_yen', 'bigint', row => row.amountYen],
  ['tax_yen', 'bigint', row => row.taxYen],
]

const PAID_COLUMNS: BulkColumns<OfPayment & PaidBucket> = [
  ...keys<OfPayment & PaidBucket>(),
  ['generated_month', 'integer', row => row.generatedMonth],
  ['amount_yen', 'bigint', row => row.amountYen],
  ['rate_percent', 'integer', row => row.ratePercent],
  ['tax_yen', 'bigint', row => row.taxYen],
  ['is_qualified', 'boolean', row => row.isQualified],
  ['deductible_percent', 'integer', row => row.deductiblePercent],
  ['deductible_tax_yen', 'bigint', row => row.deductibleTaxYen],
  ['non_deductible_tax_yen', 'bigint', row => row.nonDeductibleTaxYen],
]

const POOL_COLUMNS: BulkColumns<SettledPool & { readonly mediumId: bigint; readonly month: number }> = [
  ['medium_id', 'bigint', row => row.mediumId],
  ['month', 'integer', row => row.month],
  ['dividend_id', 'bigint', row => row.jobId],
  ['pool_yen', 'bigint', row => row.poolYen],
  ['allocated_yen', 'bigint', row => row.allocatedYen],
  ['shared_yen', 'bigint', row => row.sharedYen],
  ['booked_yen', 'bigint', row => row.bookedYen],
  ['retained_yen', 'bigint', row => row.retainedYen],
]

const table = <Row>(name: string, columns: BulkColumns<Row>, parent?: BulkParent<Row>): BulkTable<Row> =>
  parent ? { table: name, columns, parent } : { table: name, columns }
const numbered = <Row>(...of: Parameters<typeof table<Row>>): BulkTable<Row> => ({ ...table(...of), isNumbered: true })

/** Every table of a settled month, in the order in which they are written: parents first. */
export const SETTLED_TABLES = {
  snapshots: numbered('monthly_agreement_snapshots', SNAPSHOT_COLUMNS),
  inputs: { ...table('monthly_snapshot_inputs', INPUT_COLUMNS, underSnapshot('snapshot_id')), rowsPerStatement: 1_500 },
  payments: numbered('monthly_payments', PAYMENT_COLUMNS, underSnapshot('monthly_agreement_snapshot_id')),
  publishers: numbered('monthly_publisher_payments', PUBLISHER_COLUMNS, underPayment()),
  rules: table('monthly_rule_snapshots', RULE_COLUMNS, underPublisher()),
  carried: table('monthly_carried_buckets', CARRIED_COLUMNS, underPublisher()),
  adjustments: table('monthly_adjustments', ADJUSTMENT_COLUMNS, underPublisher()),
  taxLines: table('monthly_tax_lines', TAX_COLUMNS, underPayment()),
  paidBuckets: table('monthly_paid_buckets', PAID_COLUMNS, underPayment()),
  pools: table('monthly_pools', POOL_COLUMNS),
}
