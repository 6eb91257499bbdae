import type { FeePayer } from '@pc/domain/agreement/agreement-terms.ts'
import type { PoolKind } from '@pc/domain/agreement/revenue-share.ts'
import { type CooperativeSteps, runSync } from '@pc/domain/cooperative.ts'
import type { Day } from '@pc/domain/month/day.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { parseCanonicalText } from '@pc/domain/payment/canonical-text.ts'
import { RuleMap } from '@pc/domain/settlement/rule-map.ts'
import type {
  AdjustmentReason,
  ManualOperationMethod,
  MonthInput,
  PoolWeight,
} from '@pc/domain/settlement/settlement-input.ts'
import {
  AMOUNTS,
  type Amounts,
  type AppliedAdjustment,
  type HoldReason,
  type PaidBucket,
  type PoolShare,
  type SettledMonth,
  type SettledPayment,
  type SettledPool,
  type SettledPublisherPayment,
  type SettlementOutcome,
  type SettlementWarning,
  type TaxLine,
} from '@pc/domain/settlement/settlement-result.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { runCooperatively } from '@pc/platform/run-cooperatively.ts'
import type { KeptHead, StoredInput } from './load-month.ts'
import type { MonthKey } from './month-key.ts'
import { type MonthRows, type PaymentRows, readHead, readMonthRows, readPaymentRows } from './stored-rows.ts'

/** A computed or finalised month, read from its rows without computing anything again. */
export interface StoredMonth {
  readonly key: MonthKey
  readonly state: MonthRows['state']
  readonly input: MonthInput
  readonly settled: SettledMonth
  readonly snapshots: readonly StoredSnapshot[]
}

interface StoredSnapshot {
  readonly agreementId: bigint
  readonly inputText: string
  readonly kept: StoredInput
  /** Null until the month is finalised. */
  readonly hash: string | null
}

interface StoredHead extends KeptHead {
  readonly pools: readonly SettledPool[]
  readonly warnings: readonly SettlementWarning[]
}

/**
 * Undefined when the month was never computed.
 * Tested by `scenarios/first-rule-version.test.ts`.
 */
export async function readStoredMonth(tx: Transaction, key: MonthKey): Promise<StoredMonth | undefined> {
  const rows = await readMonthRows(tx, key)
  return rows && runCooperatively(storedMonthSteps(rows))
}

/**
 * Assembles the month from its rows. It needs no transaction, so that none stays open for it; at each `yield` other work
 * of the process can run (`domain/cooperative.ts`).
 */
export function* storedMonthSteps(rows: MonthRows): CooperativeSteps<StoredMonth> {
  const { key, state } = rows
  const head = parseCanonicalText(rows.head) as StoredHead
  const snapshots: StoredSnapshot[] = []
  for (const { agreementId, input, hash } of rows.inputs) {
    snapshots.push({ agreementId, inputText: input, kept: parseCanonicalText(input) as StoredInput, hash })
    yield
  }
  const ownAds = yield* ownAdsSteps(snapshots.map(snapshot => snapshot.kept))
  const payments = yield* settledPayments(rows, ownAds)
  const weights = new Map<bigint, PoolWeight[]>()
  for (const { dividendId, agreementId, publisherId, weight } of rows.weights) {
    const ofJob = weights.get(dividendId)
    if (ofJob) ofJob.push({ agreementId, publisherId, weight })
    else weights.set(dividendId, [{ agreementId, publisherId, weight }])
    yield
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
      // The hash only froze the weights, which have rows of their own.
      poolJobs: head.poolJobs.map(({ weightsHash: _hash, ...job }) => ({
        ...job,
        weights: weights.get(job.jobId) ?? [],
      })),
      adjustments: snapshots.flatMap(snapshot => snapshot.kept.adjustments),
    },
    settled: {
      ...key,
      payments,
      pools: rows.pools.map(({ dividendId, kind, method, ...amounts }) => ({
        jobId: dividendId,
        kind: kind as PoolKind,
        method: method as ManualOperationMethod,
        ...amounts,
      })),
      warnings: head.warnings,
    },
  }
}

/** One agreement's payment as it was settled, its input and the settings of the month; undefined when the month has no row of it. */
export async function readSettledPayment(
  tx: Transaction,
  key: MonthKey,
  agreementId: bigint,
): Promise<
  (Pick<KeptHead, 'settings'> & { readonly payment: SettledPayment; readonly kept: StoredInput }) | undefined
> {
  const head = await readHead(tx, key)
  const rows = await readPaymentRows(tx, key, agreementId)
  const [row] = rows.inputs
  if (!head || !row) return undefined
  const kept = parseCanonicalText(row.input) as StoredInput
  const [payment] = runSync(settledPayments(rows, runSync(ownAdsSteps([kept]))))
  const { settings } = parseCanonicalText(head) as StoredHead
  return payment && { payment, kept, settings }
}

/** The own ads of each rule, from the frozen input: no other table stores them. */
function* ownAdsSteps(kept: readonly StoredInput[]): CooperativeSteps<RuleMap<bigint>> {
  const amounts = new RuleMap<bigint>()
  for (const { agreement } of kept) {
    const { agreementId, rules } = agreement
    for (const { publisherId, ownAdsMicroYen } of rules) amounts.set({ agreementId, publisherId }, ownAdsMicroYen)
    yield
  }
  return amounts
}

function* settledPayments(rows: PaymentRows, ownAds: RuleMap<bigint>): CooperativeSteps<readonly SettledPayment[]> {
  const publishers = yield* settledPublishers(rows, ownAds)
  const taxLines = Map.groupBy(rows.taxLines, row => row.monthlyPaymentId)
  yield
  const paid = Map.groupBy(rows.paidBuckets, row => row.monthlyPaymentId)
  yield
  const paymentOf = (row: PaymentRows['payments'][number]): SettledPayment => ({
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
    paidBuckets: (paid.get(row.id) ?? []).map(
      ({ monthlyPaymentId: _id, generatedMonth, ...bucket }): PaidBucket => ({
        ...bucket,
        generatedMonth: generatedMonth as YearMonth,
      }),
    ),
    dueOnNominal: row.dueOnNominal as Day,
    dueOn: row.dueOn as Day,
    paidAtMonth: row.scheduledMonth as YearMonth | null,
    bankAccountId: row.bankAccountId,
    publishers: publishers.get(row.id) ?? [],
  })
  const payments: SettledPayment[] = []
  for (const row of rows.payments) {
    payments.push(paymentOf(row))
    yield
  }
  return payments
}

/** Publishers' parts by the id of their payment. */
function* settledPublishers(
  rows: PaymentRows,
  ownAds: RuleMap<bigint>,
): CooperativeSteps<ReadonlyMap<bigint, readonly SettledPublisherPayment[]>> {
  const shares = new RuleMap<PoolShare[]>()
  for (const row of rows.poolShares) {
    const ofRule = shares.get(row)
    if (ofRule) ofRule.push(poolShareOf(row))
    else shares.set(row, [poolShareOf(row)])
    yield
  }
  const adjustments = Map.groupBy(rows.adjustments, row => row.monthlyPublisherPaymentId)
  yield
  const buckets = Map.groupBy(rows.buckets, row => row.monthlyPublisherPaymentId)
  yield
  const publishers = new Map<bigint, SettledPublisherPayment[]>()
  for (const row of rows.publishers) {
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
      ownAdsMicroYen: ownAds.get(row) ?? 0n,
      poolShares: shares.get(row) ?? [],
      ...amountsOf(row),
      fixedOfRuleYen: row.fixedOfRuleYen,
      fixedOfAgreementYen: row.fixedOfAgreementYen,
      topUpOfRuleYen: row.topUpOfRuleYen,
      topUpOfAgreementYen: row.topUpOfAgreementYen,
      adjustments: (adjustments.get(row.id) ?? []).map(adjustmentOf),
      openBuckets: ofRow.map(each => ({ generatedMonth: each.generatedMonth as YearMonth, amountYen: each.openYen })),
      nextCarried: ofRow
        .filter(each => each.nextYen !== 0n)
        .map(each => ({ generatedMonth: each.generatedMonth as YearMonth, amountYen: each.nextYen })),
      referenceTaxYen: row.referenceTaxYen,
    }
    const list = publishers.get(row.monthlyPaymentId)
    if (list) list.push(publisher)
    else publishers.set(row.monthlyPaymentId, [publisher])
    yield
  }
  return publishers
}

function poolShareOf(row: PaymentRows['poolShares'][number]): PoolShare {
  return {
    jobId: row.dividendId,
    kind: row.kind as PoolKind,
    method: row.method as ManualOperationMethod,
    weight: row.weight,
    quotaYen: row.quotaYen,
    extraYen: row.extraYen,
    allocatedYen: row.allocatedYen,
    rateUnits: row.rateUnits,
    shareYen: row.amountYen,
    bookedYen: row.method === 'payment' ? row.amountYen : 0n,
  }
}

function adjustmentOf(row: PaymentRows['adjustments'][number]): AppliedAdjustment {
  return {
    jobId: row.dividendId,
    line: row.line,
    agreementId: row.agreementId,
    publisherId: row.publisherId,
    method: row.method as ManualOperationMethod,
    amountYen: row.amountYen ?? 0n,
    reason: (row.reason ?? 'other') as AdjustmentReason,
    originMonth: row.originMonth as YearMonth | null,
    appliedYen: row.appliedYen,
  }
}

function amountsOf(row: Amounts): Amounts {
  return Object.fromEntries(AMOUNTS.map(amount => [amount, row[amount]])) as Record<keyof Amounts, bigint>
}

function reasonOf(code: string | null, thresholdYen: bigint | null): HoldReason | null {
  if (code === null) return null
  if (code === 'BELOW_THRESHOLD') return { code, thresholdYen: thresholdYen ?? 0n }
  return { code: code as Exclude<HoldReason['code'], 'BELOW_THRESHOLD'> }
}
