import type { FeePayer } from '@pc/domain/agreement/agreement-terms.ts'
import type { PoolKind } from '@pc/domain/agreement/revenue-share.ts'
import type { Day } from '@pc/domain/month/day.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { parseCanonicalText } from '@pc/domain/payment/canonical-text.ts'
import type { AdjustmentReason, DividendMethod, MonthInput, PoolJobInput } from '@pc/domain/payment/settlement-input.ts'
import type {
  AppliedAdjustment,
  HoldReason,
  PaidBucket,
  PoolShare,
  SettledMonth,
  SettledPayment,
  SettledPool,
  SettledPublisherPayment,
  SettlementOutcome,
  SettlementWarning,
  TaxLine,
} from '@pc/domain/payment/settlement-result.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import type { Tables } from '@pc/platform/postgres/tables.ts'
import type { Selectable } from 'kysely'
import type { KeptHead, KeptInput } from './load-month.ts'
import type { MonthKey } from './month-key.ts'

/** A computed or finalised month as the rows of the database have it: nothing is computed anew. */
export interface StoredMonth {
  readonly key: MonthKey
  readonly state: Selectable<Tables['monthStates']>
  readonly input: MonthInput
  readonly settled: SettledMonth
  readonly snapshots: readonly StoredSnapshot[]
}

export interface StoredSnapshot {
  readonly agreementId: bigint
  readonly inputText: string
  readonly kept: KeptInput
  /** Null until the month is finalised. */
  readonly hash: string | null
}

interface StoredHead extends KeptHead {
  readonly pools: readonly SettledPool[]
  readonly warnings: readonly SettlementWarning[]
}

/** Undefined when the month was never computed. */
export async function readStoredMonth(tx: Transaction, key: MonthKey): Promise<StoredMonth | undefined> {
  const state = await tx
    .selectFrom('monthStates')
    .selectAll()
    .where('mediumId', '=', key.mediumId)
    .where('month', '=', key.month)
    .executeTakeFirst()
  if (!state?.head) return undefined
  const head = parseCanonicalText(state.head) as StoredHead
  const snapshots = await readSnapshots(tx, key)
  const poolJobs: PoolJobInput[] = []
  for (const { weightsHash: _hash, ...job } of head.poolJobs) {
    poolJobs.push({ ...job, weights: await readWeights(tx, job.jobId) })
  }
  return {
    key,
    state,
    snapshots,
    input: {
      ...key,
      settings: head.settings,
      taxTable: head.taxTable,
      deductionTable: head.deductionTable,
      holidays: head.holidays,
      agreements: snapshots.map(snapshot => snapshot.kept.agreement),
      poolJobs,
      adjustments: snapshots.flatMap(snapshot => snapshot.kept.adjustments),
    },
    settled: {
      ...key,
      payments: await readSettledPayments(tx, key, ownAdsOf(snapshots.map(snapshot => snapshot.kept))),
      pools: await readPools(tx, key),
      warnings: head.warnings,
    },
  }
}

/** One agreement's payment as it was settled, and its input; undefined when the month has no row of it. */
export async function readSettledPayment(
  tx: Transaction,
  key: MonthKey,
  agreementId: bigint,
): Promise<{ readonly payment: SettledPayment; readonly kept: KeptInput } | undefined> {
  const row = await inputsOf(tx, key, agreementId).executeTakeFirst()
  if (!row) return undefined
  const kept = parseCanonicalText(row.input) as KeptInput
  const [payment] = await readSettledPayments(tx, key, ownAdsOf([kept]), agreementId)
  return payment && { payment, kept }
}

/** Σ of the month's days of each rule; part of the input, which is where it is kept. */
function ownAdsOf(kept: readonly KeptInput[]): ReadonlyMap<string, bigint> {
  return new Map(
    kept.flatMap(({ agreement }) =>
      agreement.rules.map(rule => [`${agreement.agreementId}/${rule.publisherId}`, rule.ownAdsMicroYen] as const),
    ),
  )
}

async function readSettledPayments(
  tx: Transaction,
  key: MonthKey,
  ownAds: ReadonlyMap<string, bigint>,
  agreementId?: bigint,
): Promise<readonly SettledPayment[]> {
  let payments = tx
    .selectFrom('monthlyPayments as p')
    .innerJoin('monthlyAgreementSnapshots as s', 's.id', 'p.monthlyAgreementSnapshotId')
    .selectAll('p')
    .select(['s.partnerName', 's.qualifiedInvoiceIssuer', 's.invoiceRegistrationNumber'])
    .where('p.mediumId', '=', key.mediumId)
    .where('p.month', '=', key.month)
    .orderBy('p.agreementId')
  if (agreementId !== undefined) payments = payments.where('p.agreementId', '=', agreementId)
  const rows = await payments.execute()
  const publishers = Map.groupBy(await readPublishers(tx, key, ownAds, agreementId), each => each.paymentId)
  const taxLines = await readTaxLines(tx, key, agreementId)
  const paid = await readPaidBuckets(tx, key, agreementId)
  return rows.map(row => ({
    agreementId: row.agreementId,
    mediumId: row.mediumId,
    organizationId: row.organizationId,
    revenueGeneratedAtMonth: row.month as YearMonth,
    partnerName: row.partnerName,
    qualifiedInvoiceIssuer: row.qualifiedInvoiceIssuer,
    invoiceRegistrationNumber: row.invoiceRegistrationNumber,
    feePaidBy: row.feePaidBy as FeePayer,
    isActive: row.isActive,
    isTerminated: row.isTerminated,
    payoutThresholdYen: row.payoutThresholdYen,
    agreementFixedYen: row.agreementFixedYen,
    agreementTopUpYen: row.agreementTopUpYen,
    ...amountsOf(row),
    outcome: row.outcome as SettlementOutcome,
    reason: reasonOf(row.reasonCode, row.reasonThresholdYen),
    taxRatePercent: row.taxRatePercent,
    taxLines: (taxLines.get(row.id) ?? []).map(
      ({ ratePercent, amountYen, taxYen }): TaxLine => ({ ratePercent, amountYen, taxYen }),
    ),
    paymentTaxYen: row.paymentTaxYen,
    paymentIncludingTaxYen: row.paymentIncludingTaxYen,
    paidBuckets: (paid.get(row.id) ?? []).map(paidBucketOf),
    dueOnNominal: row.dueOnNominal as Day,
    dueOn: row.dueOn as Day,
    paidAtMonth: row.scheduledMonth as YearMonth | null,
    bankAccountId: row.bankAccountId,
    publishers: (publishers.get(row.id) ?? []).map(each => each.publisher),
  }))
}

/** Ids of the payments of one agreement, for parts that only know their payment. */
function paymentIds(tx: Transaction, { month }: MonthKey, agreementId: bigint) {
  return tx.selectFrom('monthlyPayments').select('id').where('agreementId', '=', agreementId).where('month', '=', month)
}

async function readTaxLines(tx: Transaction, key: MonthKey, agreementId: bigint | undefined) {
  let query = tx
    .selectFrom('monthlyTaxLines')
    .selectAll()
    .where('mediumId', '=', key.mediumId)
    .where('month', '=', key.month)
    .orderBy('ratePercent', 'desc')
  if (agreementId !== undefined) query = query.where('monthlyPaymentId', 'in', paymentIds(tx, key, agreementId))
  return Map.groupBy(await query.execute(), row => row.monthlyPaymentId)
}

async function readPaidBuckets(tx: Transaction, key: MonthKey, agreementId: bigint | undefined) {
  let query = tx
    .selectFrom('monthlyPaidBuckets')
    .selectAll()
    .where('mediumId', '=', key.mediumId)
    .where('month', '=', key.month)
    .orderBy('generatedMonth')
  if (agreementId !== undefined) query = query.where('monthlyPaymentId', 'in', paymentIds(tx, key, agreementId))
  return Map.groupBy(await query.execute(), row => row.monthlyPaymentId)
}

async function readPublishers(
  tx: Transaction,
  key: MonthKey,
  ownAds: ReadonlyMap<string, bigint>,
  agreementId: bigint | undefined,
): Promise<readonly { readonly paymentId: bigint; readonly publisher: SettledPublisherPayment }[]> {
  const { mediumId, month } = key
  let query = tx
    .selectFrom('monthlyPublisherPayments as p')
    .innerJoin('monthlyRuleSnapshots as r', 'r.monthlyPublisherPaymentId', 'p.id')
    .selectAll('p')
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
  const rows = await query.execute()
  const shares = await readPoolShares(tx, key, agreementId)
  const adjustments = await readAdjustments(tx, key, agreementId)
  const buckets = await readBuckets(tx, key, agreementId)
  return rows.map(row => {
    const ofRow = buckets.get(row.id) ?? []
    const publisher: SettledPublisherPayment = {
      ruleId: row.ruleId,
      publisherId: row.publisherId,
      share: {
        ownAdsRateUnits: row.ownAdsRateUnits,
        sspRateUnits: row.sspRateUnits,
        videoSspRateUnits: row.videoSspRateUnits,
        liveSspRateUnits: row.liveSspRateUnits,
        isTargetForSspAllocation: row.isTargetForSspAllocation,
        isTargetForVideoSspAllocation: row.isTargetForVideoSspAllocation,
        isTargetForLiveSspAllocation: row.isTargetForLiveSspAllocation,
      },
      ownAdsMicroYen: ownAds.get(`${row.agreementId}/${row.publisherId}`) ?? 0n,
      poolShares: shares.get(`${row.agreementId}/${row.publisherId}`) ?? [],
      ...amountsOf(row),
      fixedOfRuleYen: row.fixedOfRuleYen,
      fixedOfAgreementYen: row.fixedOfAgreementYen,
      topUpOfRuleYen: row.topUpOfRuleYen,
      topUpOfAgreementYen: row.topUpOfAgreementYen,
      adjustments: adjustments.get(row.id) ?? [],
      openBuckets: ofRow.map(each => ({ generatedMonth: each.generatedMonth as YearMonth, amountYen: each.openYen })),
      nextCarried: ofRow
        .filter(each => each.nextYen !== 0n)
        .map(each => ({ generatedMonth: each.generatedMonth as YearMonth, amountYen: each.nextYen })),
      referenceTaxYen: row.referenceTaxYen,
    }
    return { paymentId: row.monthlyPaymentId, publisher }
  })
}

type AmountColumns =
  | 'adsRevenueYen'
  | 'sspRevenueYen'
  | 'videoSspRevenueYen'
  | 'liveSspRevenueYen'
  | 'fixedRevenueAppliedYen'
  | 'minimumTopUpRevenueYen'
  | 'revenueYen'
  | 'manualAdjustmentRevenueYen'
  | 'carriedOverRevenueYen'
  | 'cumulativeRevenueYen'
  | 'paymentYen'
  | 'carriedOverToNextYen'

function amountsOf(row: Readonly<Record<AmountColumns, bigint>>): Readonly<Record<AmountColumns, bigint>> {
  return {
    adsRevenueYen: row.adsRevenueYen,
    sspRevenueYen: row.sspRevenueYen,
    videoSspRevenueYen: row.videoSspRevenueYen,
    liveSspRevenueYen: row.liveSspRevenueYen,
    fixedRevenueAppliedYen: row.fixedRevenueAppliedYen,
    minimumTopUpRevenueYen: row.minimumTopUpRevenueYen,
    revenueYen: row.revenueYen,
    manualAdjustmentRevenueYen: row.manualAdjustmentRevenueYen,
    carriedOverRevenueYen: row.carriedOverRevenueYen,
    cumulativeRevenueYen: row.cumulativeRevenueYen,
    paymentYen: row.paymentYen,
    carriedOverToNextYen: row.carriedOverToNextYen,
  }
}

function reasonOf(code: string | null, thresholdYen: bigint | null): HoldReason | null {
  if (code === null) return null
  if (code === 'BELOW_THRESHOLD') return { code, thresholdYen: thresholdYen ?? 0n }
  return { code: code as 'NON_POSITIVE_BALANCE' | 'PAYMENT_DISABLED' | 'NO_BANK_ACCOUNT' }
}

function paidBucketOf(row: Selectable<Tables['monthlyPaidBuckets']>): PaidBucket {
  return {
    generatedMonth: row.generatedMonth as YearMonth,
    amountYen: row.amountYen,
    ratePercent: row.ratePercent,
    taxYen: row.taxYen,
    isQualified: row.isQualified,
    deductiblePercent: row.deductiblePercent,
    deductibleTaxYen: row.deductibleTaxYen,
    nonDeductibleTaxYen: row.nonDeductibleTaxYen,
  }
}

/** The current booking of every pool job that counts. */
async function readPoolShares(
  tx: Transaction,
  { mediumId, month }: MonthKey,
  agreementId: bigint | undefined,
): Promise<ReadonlyMap<string, readonly PoolShare[]>> {
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
  const shares = new Map<string, PoolShare[]>()
  for (const row of await query.execute()) {
    const key = `${row.agreementId}/${row.publisherId}`
    const share: PoolShare = {
      jobId: row.dividendId,
      kind: row.kind as PoolKind,
      method: row.method as DividendMethod,
      weight: row.weight,
      quotaYen: row.quotaYen,
      extraYen: row.extraYen,
      allocatedYen: row.allocatedYen,
      rateUnits: row.rateUnits,
      shareYen: row.amountYen,
      bookedYen: row.method === 'payment' ? row.amountYen : 0n,
    }
    const list = shares.get(key)
    if (list) list.push(share)
    else shares.set(key, [share])
  }
  return shares
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
    // Payments before discards, as they are applied.
    .orderBy('d.method', 'desc')
    .orderBy('m.dividendId')
    .orderBy('m.line')
  if (agreementId !== undefined) query = query.where('r.agreementId', '=', agreementId)
  const rows = (await query.execute()).map(row => ({
    under: row.monthlyPublisherPaymentId,
    jobId: row.dividendId,
    line: row.line,
    agreementId: row.agreementId,
    publisherId: row.publisherId,
    method: row.method as DividendMethod,
    amountYen: row.amountYen ?? 0n,
    reason: (row.reason ?? 'other') as AdjustmentReason,
    originMonth: row.originMonth as YearMonth | null,
    appliedYen: row.appliedYen,
  }))
  const byRow = new Map<bigint, AppliedAdjustment[]>()
  for (const { under, ...row } of rows) byRow.set(under, [...(byRow.get(under) ?? []), row])
  return byRow
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
  return Map.groupBy(await query.execute(), row => row.monthlyPublisherPaymentId)
}

async function readSnapshots(tx: Transaction, key: MonthKey): Promise<readonly StoredSnapshot[]> {
  const rows = await inputsOf(tx, key, undefined).execute()
  return rows.map(row => ({
    agreementId: row.agreementId,
    inputText: row.input,
    kept: parseCanonicalText(row.input) as KeptInput,
    hash: row.hash,
  }))
}

function inputsOf(tx: Transaction, { mediumId, month }: MonthKey, agreementId: bigint | undefined) {
  const query = tx
    .selectFrom('monthlySnapshotInputs as i')
    .innerJoin('monthlyAgreementSnapshots as s', 's.id', 'i.snapshotId')
    .select(['s.agreementId', 'i.input', 'i.hash'])
    .where('i.mediumId', '=', mediumId)
    .where('i.month', '=', month)
    .orderBy('s.agreementId')
  return agreementId === undefined ? query : query.where('s.agreementId', '=', agreementId)
}

async function readWeights(tx: Transaction, dividendId: bigint): Promise<PoolJobInput['weights']> {
  return tx
    .selectFrom('dividendWeights')
    .select(['agreementId', 'publisherId', 'weight'])
    .where('dividendId', '=', dividendId)
    .orderBy('agreementId')
    .orderBy('publisherId')
    .execute()
}

async function readPools(tx: Transaction, { mediumId, month }: MonthKey): Promise<readonly SettledPool[]> {
  const rows = await tx
    .selectFrom('monthlyPools as p')
    .innerJoin('dividends as d', 'd.id', 'p.dividendId')
    .select(['p.dividendId', 'd.kind', 'd.method', 'p.poolYen', 'p.allocatedYen', 'p.sharedYen', 'p.bookedYen'])
    .select('p.retainedYen')
    .where('p.mediumId', '=', mediumId)
    .where('p.month', '=', month)
    .orderBy('p.dividendId')
    .execute()
  return rows.map(({ dividendId, kind, method, ...amounts }) => ({
    jobId: dividendId,
    kind: kind as PoolKind,
    method: method as DividendMethod,
    ...amounts,
  }))
}
