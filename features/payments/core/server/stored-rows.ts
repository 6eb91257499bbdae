import { AMOUNTS } from '@pc/domain/settlement/settlement-result.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import type { MonthKey } from './month-key.ts'

/** The rows of a month's payments, or of one agreement's. `storedMonthSteps` assembles them. */
export async function readPaymentRows(tx: Transaction, key: MonthKey, agreementId?: bigint) {
  return {
    inputs: await readInputs(tx, key, agreementId),
    payments: await readPayments(tx, key, agreementId),
    taxLines: await readTaxLines(tx, key, agreementId),
    paidBuckets: await readPaidBuckets(tx, key, agreementId),
    publishers: await readPublishers(tx, key, agreementId),
    poolShares: await readPoolShares(tx, key, agreementId),
    adjustments: await readAdjustments(tx, key, agreementId),
    buckets: await readBuckets(tx, key, agreementId),
  }
}
export type PaymentRows = Awaited<ReturnType<typeof readPaymentRows>>

/** The rows of a whole month; undefined when it was never computed. */
export async function readMonthRows(tx: Transaction, key: MonthKey) {
  const state = await tx
    .selectFrom('monthStates')
    .selectAll()
    .where('mediumId', '=', key.mediumId)
    .where('month', '=', key.month)
    .executeTakeFirst()
  if (!state?.head) return undefined
  return {
    key,
    state,
    head: state.head,
    pools: await readPools(tx, key),
    weights: await readWeights(tx, key),
    ...(await readPaymentRows(tx, key)),
  }
}
export type MonthRows = NonNullable<Awaited<ReturnType<typeof readMonthRows>>>

/** What is kept of the month itself, as text; null or undefined when it was never computed. */
export async function readHead(tx: Transaction, { mediumId, month }: MonthKey): Promise<string | null | undefined> {
  const state = await tx
    .selectFrom('monthStates')
    .select('head')
    .where('mediumId', '=', mediumId)
    .where('month', '=', month)
    .executeTakeFirst()
  return state?.head
}

function readInputs(tx: Transaction, { mediumId, month }: MonthKey, agreementId: bigint | undefined) {
  const query = tx
    .selectFrom('monthlySnapshotInputs as i')
    .innerJoin('monthlyAgreementSnapshots as s', 's.id', 'i.snapshotId')
    .select(['s.agreementId', 'i.input', 'i.hash'])
    .where('i.mediumId', '=', mediumId)
    .where('i.month', '=', month)
    .orderBy('s.agreementId')
  return (agreementId === undefined ? query : query.where('s.agreementId', '=', agreementId)).execute()
}

const AMOUNTS_OF_ROW = AMOUNTS.map(amount => `p.${amount}` as const)

function readPayments(tx: Transaction, key: MonthKey, agreementId: bigint | undefined) {
  const query = tx
    .selectFrom('monthlyPayments as p')
    .innerJoin('monthlyAgreementSnapshots as s', 's.id', 'p.monthlyAgreementSnapshotId')
    .select(['p.id', 'p.agreementId', 'p.mediumId', 'p.organizationId', 'p.month', 'p.feePaidBy', 'p.isActive'])
    .select(['p.isTerminated', 'p.payoutThresholdYen', 'p.agreementFixedYen', 'p.agreementTopUpYen', 'p.outcome'])
    .select(['p.reasonCode', 'p.reasonThresholdYen', 'p.taxRatePercent', 'p.paymentTaxYen', 'p.paymentIncludingTaxYen'])
    .select(['p.dueOnNominal', 'p.dueOn', 'p.scheduledMonth', 'p.bankAccountId', 'p.revenueTaxYen'])
    .select(AMOUNTS_OF_ROW)
    .select(['s.partnerName', 's.qualifiedInvoiceIssuer', 's.invoiceRegistrationNumber'])
    .where('p.mediumId', '=', key.mediumId)
    .where('p.month', '=', key.month)
    .orderBy('p.agreementId')
  return (agreementId === undefined ? query : query.where('p.agreementId', '=', agreementId)).execute()
}

/** Ids of the payments of one agreement, for tables that refer to the payment only. */
function paymentIds(tx: Transaction, { month }: MonthKey, agreementId: bigint) {
  return tx.selectFrom('monthlyPayments').select('id').where('agreementId', '=', agreementId).where('month', '=', month)
}

async function readTaxLines(tx: Transaction, key: MonthKey, agreementId: bigint | undefined) {
  let query = tx
    .selectFrom('monthlyTaxLines')
    .select(['monthlyPaymentId', 'ratePercent', 'amountYen', 'taxYen'])
    .where('mediumId', '=', key.mediumId)
    .where('month', '=', key.month)
    .orderBy('ratePercent', 'desc')
  if (agreementId !== undefined) query = query.where('monthlyPaymentId', 'in', paymentIds(tx, key, agreementId))
  return query.execute()
}

async function readPaidBuckets(tx: Transaction, key: MonthKey, agreementId: bigint | undefined) {
  let query = tx
    .selectFrom('monthlyPaidBuckets')
    .select(['monthlyPaymentId', 'generatedMonth', 'amountYen', 'ratePercent', 'taxYen', 'isQualified'])
    .select(['deductiblePercent', 'deductibleTaxYen', 'nonDeductibleTaxYen'])
    .where('mediumId', '=', key.mediumId)
    .where('month', '=', key.month)
    .orderBy('generatedMonth')
  if (agreementId !== undefined) query = query.where('monthlyPaymentId', 'in', paymentIds(tx, key, agreementId))
  return query.execute()
}

async function readPublishers(tx: Transaction, key: MonthKey, agreementId: bigint | undefined) {
  const { mediumId, month } = key
  let query = tx
    .selectFrom('monthlyPublisherPayments as p')
    .innerJoin('monthlyRuleSnapshots as r', 'r.monthlyPublisherPaymentId', 'p.id')
    .select(['p.id', 'p.monthlyPaymentId', 'p.agreementId', 'p.publisherId', 'p.ruleId', 'p.referenceTaxYen'])
    .select(['p.fixedOfRuleYen', 'p.fixedOfAgreementYen', 'p.topUpOfRuleYen', 'p.topUpOfAgreementYen'])
    .select(AMOUNTS_OF_ROW)
    .select([
      'r.ownAdsRateUnits',
      'r.sspRateUnits',
      'r.videoSspRateUnits',
      'r.liveSspRateUnits',
      'r.isTargetForSspAllocation',
      'r.isTargetForVideoSspAllocation',
      'r.isTargetForLiveSspAllocation',
    ])
    .where('p.mediumId', '=', mediumId)
    .where('p.month', '=', month)
    .orderBy('p.agreementId')
    .orderBy('p.publisherId')
  if (agreementId !== undefined) query = query.where('p.agreementId', '=', agreementId)
  return query.execute()
}

/** The current booking of every pool job that counts. */
async function readPoolShares(tx: Transaction, { mediumId, month }: MonthKey, agreementId: bigint | undefined) {
  let query = tx
    .selectFrom('dividendLedgerLines as l')
    .innerJoin('dividends as d', join => join.onRef('d.id', '=', 'l.dividendId').onRef('d.booking', '=', 'l.booking'))
    .select(['l.agreementId', 'l.publisherId', 'l.dividendId', 'l.weight', 'l.quotaYen', 'l.extraYen'])
    .select(['l.allocatedYen', 'l.rateUnits', 'l.amountYen', 'd.kind', 'd.method'])
    .where('l.mediumId', '=', mediumId)
    .where('l.month', '=', month)
    .where('l.kind', '<>', 'csv')
    .where('l.reversesDividendId', 'is', null)
    .where('d.jobStatus', '=', 'success')
    .where('d.reversedByDividendId', 'is', null)
    .orderBy('l.dividendId')
  if (agreementId !== undefined) query = query.where('l.agreementId', '=', agreementId)
  return query.execute()
}

async function readAdjustments(tx: Transaction, { mediumId, month }: MonthKey, agreementId: bigint | undefined) {
  let query = tx
    .selectFrom('monthlyAdjustments as m')
    .innerJoin('dividendRows as r', join =>
      join.onRef('r.dividendId', '=', 'm.dividendId').onRef('r.line', '=', 'm.line'),
    )
    .innerJoin('dividends as d', 'd.id', 'm.dividendId')
    .select(['m.monthlyPublisherPaymentId', 'm.dividendId', 'm.line', 'm.appliedYen', 'd.method'])
    .select(['r.agreementId', 'r.publisherId', 'r.amountYen', 'r.reason', 'r.originMonth'])
    .where('m.mediumId', '=', mediumId)
    .where('m.month', '=', month)
    // `payment` before `discard`, which is the order in which they are applied.
    .orderBy('d.method', 'desc')
    .orderBy('m.dividendId')
    .orderBy('m.line')
  if (agreementId !== undefined) query = query.where('r.agreementId', '=', agreementId)
  return query.execute()
}

async function readBuckets(tx: Transaction, { mediumId, month }: MonthKey, agreementId: bigint | undefined) {
  let query = tx
    .selectFrom('monthlyCarriedBuckets as b')
    .select(['b.monthlyPublisherPaymentId', 'b.generatedMonth', 'b.openYen', 'b.nextYen'])
    .where('b.mediumId', '=', mediumId)
    .where('b.month', '=', month)
    .orderBy('b.generatedMonth')
  if (agreementId !== undefined) {
    query = query.where('b.monthlyPublisherPaymentId', 'in', eb =>
      eb
        .selectFrom('monthlyPublisherPayments as p')
        .select('p.id')
        .where('p.agreementId', '=', agreementId)
        .where('p.month', '=', month),
    )
  }
  return query.execute()
}

/** The weights of the pools that the month was computed with. */
function readWeights(tx: Transaction, { mediumId, month }: MonthKey) {
  return tx
    .selectFrom('dividendWeights as w')
    .innerJoin('dividends as d', 'd.id', 'w.dividendId')
    .select(['w.dividendId', 'w.agreementId', 'w.publisherId', 'w.weight'])
    .where('d.mediumId', '=', mediumId)
    .where('d.month', '=', month)
    .orderBy('w.dividendId')
    .orderBy('w.agreementId')
    .orderBy('w.publisherId')
    .execute()
}

function readPools(tx: Transaction, { mediumId, month }: MonthKey) {
  return tx
    .selectFrom('monthlyPools as p')
    .innerJoin('dividends as d', 'd.id', 'p.dividendId')
    .select(['p.dividendId', 'd.kind', 'd.method', 'p.poolYen', 'p.allocatedYen', 'p.sharedYen', 'p.bookedYen'])
    .select('p.retainedYen')
    .where('p.mediumId', '=', mediumId)
    .where('p.month', '=', month)
    .orderBy('p.dividendId')
    .execute()
}
