import { accountInUse, isActiveIn, isTerminatedBy } from '../agreement/agreement-terms.ts'
import { type CooperativeSteps, runSync } from '../cooperative.ts'
import { allocateOrEqually, compareBigints } from '../money/allocate.ts'
import { MonthWithoutRateError, taxRatePercentOf } from '../money/consumption-tax.ts'
import { larger, magnitude, signOf, sumBy } from '../money/yen.ts'
import { HolidaysUnknownError } from '../month/business-day.ts'
import { type DueDate, dueDateOf, type PaymentTiming } from '../month/due-date.ts'
import { monthOfDay } from '../month/year-month.ts'
import { refusal } from '../refusal.ts'
import { ok, type Result, refused } from '../result.ts'
import { applyAdjustments } from './adjustment.ts'
import { agreementRevenue, type RuleRevenue } from './agreement-revenue.ts'
import { decidePayment, NON_POSITIVE_TOTAL } from './payment-decision.ts'
import { paymentTax } from './payment-tax.ts'
import { allocatePoolSteps } from './pool-allocation.ts'
import { type RuleKey, RuleMap, ruleKeyText } from './rule-map.ts'
import { checkMonthInputSteps, rowsWithoutRate, type SettlementRefusal } from './settlement-check.ts'
import type { AdjustmentRow, AgreementInput, GeneratedBucket, MonthInput, RuleInput } from './settlement-input.ts'
import {
  type AppliedAdjustment,
  type PoolShare,
  REVENUE_PARTS,
  type RevenueParts,
  type SettledMonth,
  type SettledPayment,
  type SettledPool,
  type SettledPublisherPayment,
  type SettlementWarning,
} from './settlement-result.ts'
import { type SettlementRules, settlementRulesOf } from './settlement-rules.ts'

/**
 * One month of one medium, from frozen inputs to what every agreement and publisher earned, is owed and is paid. Pure:
 * the same input gives the same result, whatever the order of its rows (invariant I16). One row that cannot be computed
 * refuses the whole month, and the refusal names it.
 */
export function settleMonth(input: MonthInput): Result<SettledMonth, SettlementRefusal> {
  return runSync(settleSteps(input))
}

/** {@link settleMonth} as a generator that yields after each agreement. */
export function* settleSteps(input: MonthInput): CooperativeSteps<Result<SettledMonth, SettlementRefusal>> {
  const refusals = yield* checkMonthInputSteps(input)
  if (refusals.length > 0) return refused(...refusals)
  const dueDates = dueDatesOf(input)
  if (!dueDates.ok) return dueDates
  const pools = yield* settlePools(input)
  if (!pools.ok) return pools

  const adjustments = Map.groupBy(input.adjustments, ruleKeyText)
  const payments: SettledPayment[] = []
  for (const agreement of input.agreements.toSorted((a, b) => compareBigints(a.agreementId, b.agreementId))) {
    const rules = agreement.rules.toSorted((a, b) => compareBigints(a.publisherId, b.publisherId))
    const settled = settledOrWithoutRate({
      input,
      agreement: { ...agreement, rules },
      dueDate: dueDates.value.get(agreement.terms.paymentTiming)!,
      poolSharesOf: key => pools.value.sharesByRule.get(key) ?? [],
      adjustmentsOf: key => adjustments.get(ruleKeyText(key)) ?? [],
    })
    if (!settled.ok) return settled
    payments.push(settled.value)
    yield
  }
  return ok({
    mediumId: input.mediumId,
    month: input.month,
    payments,
    pools: pools.value.pools,
    warnings: warningsOf(input),
  })
}

/** Step 14 of docs/payment-rules.md, once for each timing in use: the due date depends on nothing else. */
function dueDatesOf(input: MonthInput): Result<ReadonlyMap<PaymentTiming, DueDate>, SettlementRefusal> {
  const { month, settings, holidays } = input
  const timings = new Set(input.agreements.map(agreement => agreement.terms.paymentTiming))
  try {
    return ok(
      new Map([...timings].map(timing => [timing, dueDateOf(month, timing, settings.businessDayShift, holidays)])),
    )
  } catch (error) {
    if (!(error instanceof HolidaysUnknownError)) throw error
    return refused(refusal('payment/holidays-missing', [], { day: error.day }))
  }
}

interface SettledPools {
  readonly pools: readonly SettledPool[]
  readonly sharesByRule: Pick<RuleMap<readonly PoolShare[]>, 'get'>
}

/** Step 3 of docs/payment-rules.md. Only agreements that accrue in the month take part. */
function* settlePools(input: MonthInput): CooperativeSteps<Result<SettledPools, SettlementRefusal>> {
  const candidates = input.agreements
    .filter(agreement => isActiveIn(input.month, agreement.terminatedOn))
    .flatMap(({ agreementId, rules }) => rules.map(rule => ({ agreementId, rule })))
  const pools: SettledPool[] = []
  const sharesByRule = new RuleMap<PoolShare[]>()
  for (const job of input.poolJobs.toSorted((a, b) => compareBigints(a.jobId, b.jobId))) {
    const allocated = yield* allocatePoolSteps(job, candidates)
    if (!allocated.ok) return refused(refusal('payment/pool-without-target', [], { jobId: job.jobId.toString() }))
    pools.push(allocated.value.pool)
    yield
    for (const { key, share } of allocated.value.shares) {
      const shares = sharesByRule.get(key)
      if (shares) shares.push(share)
      else sharesByRule.set(key, [share])
      yield
    }
  }
  return ok({ pools, sharesByRule })
}

interface AgreementContext {
  readonly input: MonthInput
  readonly agreement: AgreementInput
  readonly dueDate: DueDate
  readonly poolSharesOf: (key: RuleKey) => readonly PoolShare[]
  readonly adjustmentsOf: (key: RuleKey) => readonly AdjustmentRow[]
}

/**
 * The first version of the rules needs tax and deduction rates only of months that are paid, so a missing one is found
 * during the computation. Later versions refuse it before (`settlement-check.ts`).
 */
function settledOrWithoutRate(context: AgreementContext): Result<SettledPayment, SettlementRefusal> {
  try {
    return ok(settleAgreement(context))
  } catch (error) {
    if (!(error instanceof MonthWithoutRateError)) throw error
    return refused(...rowsWithoutRate(context.input, context.agreement, error.month))
  }
}

/**
 * One agreement's payment: earn, balance, decide, tax. The tax is known only for a payment that is due, so the decision
 * comes first; it is taken back when the total with tax is not positive (`NON_POSITIVE_TOTAL`).
 */
function settleAgreement(context: AgreementContext): SettledPayment {
  const { input, agreement, dueDate } = context
  const { agreementId, terms } = agreement
  const rules = settlementRulesOf(input.settings)
  const isActive = isActiveIn(input.month, agreement.terminatedOn)
  const isTerminated = isTerminatedBy(input.month, agreement.terminatedOn)
  const poolSharesOf = ({ publisherId }: RuleInput) => context.poolSharesOf({ agreementId, publisherId })
  const earned = agreementRevenue(agreement, isActive, poolSharesOf, rules)
  const balances = earned.rules.map(revenue => ruleBalance(context, revenue))
  const cumulativeRevenueYen = sumBy(balances, balance => balance.cumulativeRevenueYen)

  const payMonth = monthOfDay(dueDate.dueOn)
  const accountId = accountInUse(agreement.accounts, payMonth)
  const payoutThresholdYen = terms.payoutThresholdYen ?? input.settings.payoutThresholdYen
  const decided = decidePayment({
    cumulativeRevenueYen,
    isPaymentDisabled: agreement.isPaymentDisabled,
    hasAccount: accountId !== null,
    isTerminated,
    payoutThresholdYen,
  })
  const qualifiedMonths = new Set(agreement.qualifiedMonths)
  const taxOf = (buckets: readonly GeneratedBucket[]) =>
    paymentTax(buckets, {
      taxTable: input.taxTable,
      deductionTable: input.deductionTable,
      isQualifiedIn: month => qualifiedMonths.has(month),
      splitTax: rules.splitTax,
    })
  const isDue = decided.outcome === 'scheduled'
  const dueTax = taxOf(isDue ? rules.paidMonths(balances.flatMap(balance => balance.openBuckets)) : [])
  const isPaid = isDue && cumulativeRevenueYen + dueTax.paymentTaxYen > 0n
  const decision = isDue && !isPaid ? NON_POSITIVE_TOTAL : decided
  const tax = isPaid ? dueTax : taxOf([])
  const publishers = publisherPayments(balances, isPaid, tax.paymentTaxYen, rules)
  const paymentYen = sumBy(publishers, publisher => publisher.paymentYen)
  return {
    agreementId,
    mediumId: agreement.mediumId,
    organizationId: agreement.organizationId,
    revenueGeneratedAtMonth: input.month,
    partnerName: agreement.partnerName,
    qualifiedInvoiceIssuer: qualifiedMonths.has(input.month),
    invoiceRegistrationNumber: agreement.invoiceRegistrationNumber,
    feePaidBy: terms.feePaidBy,
    isActive,
    isTerminated,
    payoutThresholdYen,
    agreementFixedYen: earned.agreementFixedYen,
    agreementTopUpYen: earned.agreementTopUpYen,
    ...sumOfParts(publishers),
    revenueYen: sumBy(publishers, each => each.revenueYen),
    manualAdjustmentRevenueYen: sumBy(publishers, each => each.manualAdjustmentRevenueYen),
    carriedOverRevenueYen: sumBy(publishers, each => each.carriedOverRevenueYen),
    cumulativeRevenueYen,
    ...decision,
    paymentYen,
    carriedOverToNextYen: cumulativeRevenueYen - paymentYen,
    taxRatePercent: taxRatePercentOf(input.taxTable, input.month),
    taxLines: tax.taxLines,
    paymentTaxYen: tax.paymentTaxYen,
    paymentIncludingTaxYen: paymentYen + tax.paymentTaxYen,
    paidBuckets: tax.paidBuckets,
    dueOnNominal: dueDate.nominalOn,
    dueOn: dueDate.dueOn,
    paidAtMonth: isPaid ? payMonth : null,
    bankAccountId: isPaid ? accountId : null,
    publishers,
  }
}

interface RuleBalance {
  readonly revenue: RuleRevenue
  readonly adjustments: readonly AppliedAdjustment[]
  readonly manualAdjustmentRevenueYen: bigint
  readonly carriedOverRevenueYen: bigint
  readonly cumulativeRevenueYen: bigint
  readonly openBuckets: readonly GeneratedBucket[]
}

/** The balance of one rule before the payment is decided: carried over + revenue + adjustments, also by month. */
function ruleBalance({ input, agreement, adjustmentsOf }: AgreementContext, revenue: RuleRevenue): RuleBalance {
  const { rule, revenueYen } = revenue
  const carriedOverRevenueYen = sumBy(rule.carried, bucket => bucket.amountYen)
  const { adjustments, openBuckets } = applyAdjustments(
    [...rule.carried, { generatedMonth: input.month, amountYen: revenueYen }],
    adjustmentsOf({ agreementId: agreement.agreementId, publisherId: rule.publisherId }),
    input.month,
    settlementRulesOf(input.settings).discardMonths,
  )
  const manualAdjustmentRevenueYen = sumBy(adjustments, adjustment => adjustment.appliedYen)
  return {
    revenue,
    adjustments,
    manualAdjustmentRevenueYen,
    carriedOverRevenueYen,
    cumulativeRevenueYen: carriedOverRevenueYen + revenueYen + manualAdjustmentRevenueYen,
    openBuckets,
  }
}

/** Step 11 for each rule: its whole cumulative revenue or nothing. */
function publisherPayments(
  balances: readonly RuleBalance[],
  isPaid: boolean,
  paymentTaxYen: bigint,
  { carriesZeroBalance }: Pick<SettlementRules, 'carriesZeroBalance'>,
): readonly SettledPublisherPayment[] {
  const taxes = referenceTaxes(balances, paymentTaxYen)
  return balances.map(({ revenue, ...balance }, index) => {
    const { rule, ...parts } = revenue
    const paymentYen = isPaid ? balance.cumulativeRevenueYen : 0n
    return {
      ruleId: rule.ruleId,
      publisherId: rule.publisherId,
      share: rule.share,
      ownAdsMicroYen: rule.ownAdsMicroYen,
      ...parts,
      ...balance,
      paymentYen,
      carriedOverToNextYen: balance.cumulativeRevenueYen - paymentYen,
      nextCarried: isPaid || (balance.cumulativeRevenueYen === 0n && !carriesZeroBalance) ? [] : balance.openBuckets,
      referenceTaxYen: taxes[index]!,
    }
  })
}

/** The statement's tax split over the publishers with a positive balance. It is for information and books nothing. */
function referenceTaxes(balances: readonly RuleBalance[], paymentTaxYen: bigint): readonly bigint[] {
  if (paymentTaxYen === 0n) return balances.map(() => 0n)
  const claims = balances.map(balance => ({
    id: balance.revenue.rule.publisherId,
    weight: larger(balance.cumulativeRevenueYen, 0n),
  }))
  // The tax is negative when more is given back than paid; then each publisher's part is negative.
  const sign = signOf(paymentTaxYen)
  return allocateOrEqually(magnitude(paymentTaxYen), claims, compareBigints).map(portion => sign * portion.amountYen)
}

function sumOfParts(publishers: readonly RevenueParts[]): RevenueParts {
  const sums = REVENUE_PARTS.map(part => [part, sumBy(publishers, each => each[part])] as const)
  return Object.fromEntries(sums) as Record<keyof RevenueParts, bigint>
}

/** Own-ads revenue of an agreement that no longer accrues is paid to nobody, so staff are warned. */
function warningsOf(input: MonthInput): readonly SettlementWarning[] {
  return input.agreements
    .filter(agreement => !isActiveIn(input.month, agreement.terminatedOn))
    .flatMap(({ agreementId, rules }) =>
      rules
        .filter(rule => rule.ownAdsMicroYen > 0n)
        .map(({ publisherId, ownAdsMicroYen }) => ({
          code: 'OWN_ADS_AFTER_TERMINATION' as const,
          agreementId,
          publisherId,
          ownAdsMicroYen,
        })),
    )
    .toSorted((a, b) => compareBigints(a.agreementId, b.agreementId) || compareBigints(a.publisherId, b.publisherId))
}
