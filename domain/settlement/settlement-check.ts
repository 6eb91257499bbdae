import { isActiveIn } from '../agreement/agreement-terms.ts'
import { checkRevenueShare } from '../agreement/revenue-share.ts'
import type { CooperativeSteps } from '../cooperative.ts'
import { MAX_ENTRY_YEN } from '../money/yen.ts'
import { formatYearMonth, type YearMonth } from '../month/year-month.ts'
import { type Refusal, refusal } from '../refusal.ts'
import { type RuleKey, RuleMap, ruleKeyText } from './rule-map.ts'
import type { AdjustmentRow, AgreementInput, MonthInput } from './settlement-input.ts'
import { settlementRulesOf } from './settlement-rules.ts'

export type SettlementRefusal = Refusal<
  | 'payment/agreement-twice'
  | 'payment/publisher-twice'
  | 'payment/medium-differs'
  | 'payment/agreement-without-publishers'
  | 'payment/own-ads-negative'
  | 'payment/amount-negative'
  | 'payment/amount-too-large'
  | 'payment/rate-out-of-range'
  | 'payment/adjustment-without-rule'
  | 'payment/adjustment-twice'
  | 'payment/discard-negative'
  | 'payment/origin-month-later'
  | 'payment/origin-month-without-rate'
  | 'payment/carried-month-without-rate'
  | 'payment/month-without-rate'
  | 'payment/pool-negative'
  | 'payment/pool-weight-twice'
  | 'payment/pool-weight-negative'
  | 'payment/pool-without-target'
  | 'payment/job-twice'
  | 'payment/accounts-ambiguous'
  | 'payment/month-before-carry'
  | 'payment/holidays-missing'
>

/**
 * What keeps the month from being computed; every refusal names its row. Empty: the month can be settled.
 * Tested by `domain/settlement/settle-month.test.ts`.
 */
export function* checkMonthInputSteps(input: MonthInput): CooperativeSteps<readonly SettlementRefusal[]> {
  const refusals = [...checkMonth(input)]
  const seen = new Set<bigint>()
  for (const agreement of input.agreements) {
    refusals.push(...checkAgreement(input, agreement, seen))
    yield
  }
  refusals.push(...checkPoolJobs(input))
  yield
  refusals.push(...checkAdjustments(input))
  return refusals
}

/** Whether tax and deduction rates of a generated month are known, where the month's rules need them. */
function hasRates({ settings, taxTable, deductionTable }: MonthInput, month: YearMonth): boolean {
  if (!settlementRulesOf(settings).refusesMonthsWithoutRate) return true
  return [taxTable, deductionTable].every(table => table.some(line => line.validFromMonth <= month))
}

/** Refusals that name the rows by which a month without a rate came to an agreement. */
export function rowsWithoutRate(
  input: MonthInput,
  { agreementId, rules }: AgreementInput,
  month: YearMonth,
): readonly SettlementRefusal[] {
  const rows = input.adjustments.filter(row => row.agreementId === agreementId && row.originMonth === month)
  const carrying = rules.filter(rule => rule.carried.some(bucket => bucket.generatedMonth === month))
  const found = [
    ...rows.map(row => originWithoutRate(row, month)),
    ...carrying.map(({ publisherId }) =>
      carriedWithoutRate({ agreementId: agreementId.toString(), publisherId: publisherId.toString() }, month),
    ),
  ]
  return found.length > 0 ? found : [monthWithoutRate(month)]
}

function originWithoutRate({ jobId, line }: AdjustmentRow, month: YearMonth): SettlementRefusal {
  const data = { jobId: jobId.toString(), line, month: formatYearMonth(month) }
  return refusal('payment/origin-month-without-rate', [], data)
}

function carriedWithoutRate(
  data: { readonly agreementId: string; readonly publisherId: string },
  month: YearMonth,
): SettlementRefusal {
  return refusal('payment/carried-month-without-rate', [], { ...data, month: formatYearMonth(month) })
}

function monthWithoutRate(month: YearMonth): SettlementRefusal {
  return refusal('payment/month-without-rate', [], { month: formatYearMonth(month) })
}

function checkMonth(input: MonthInput): readonly SettlementRefusal[] {
  return hasRates(input, input.month) ? [] : [monthWithoutRate(input.month)]
}

function checkAgreement(input: MonthInput, agreement: AgreementInput, seen: Set<bigint>): readonly SettlementRefusal[] {
  const data = { agreementId: agreement.agreementId.toString() }
  const refusals: SettlementRefusal[] = []
  if (seen.has(agreement.agreementId)) refusals.push(refusal('payment/agreement-twice', [], data))
  seen.add(agreement.agreementId)
  if (agreement.mediumId !== input.mediumId) refusals.push(refusal('payment/medium-differs', [], data))
  const { terms } = agreement
  if (terms.fixedRevenueYen < 0n || terms.minimumRevenueYen < 0n || (terms.payoutThresholdYen ?? 0n) < 0n) {
    refusals.push(refusal('payment/amount-negative', [], data))
  }
  const isTooLarge = (each: Pick<typeof terms, 'fixedRevenueYen' | 'minimumRevenueYen'>) =>
    each.fixedRevenueYen > MAX_ENTRY_YEN || each.minimumRevenueYen > MAX_ENTRY_YEN
  if (isTooLarge(terms) || agreement.rules.some(isTooLarge)) {
    refusals.push(refusal('payment/amount-too-large', [], data))
  }
  const owesByItself =
    terms.fixedRevenueYen > 0n || (terms.minimumRevenueType === 'by_agreement' && terms.minimumRevenueYen > 0n)
  if (agreement.rules.length === 0 && owesByItself && isActiveIn(input.month, agreement.terminatedOn)) {
    refusals.push(refusal('payment/agreement-without-publishers', [], data))
  }
  const months = agreement.accounts.map(account => account.usedFromMonth)
  if (new Set(months).size !== months.length) refusals.push(refusal('payment/accounts-ambiguous', [], data))
  return [...refusals, ...checkRules(input, agreement)]
}

function checkRules(input: MonthInput, agreement: AgreementInput): readonly SettlementRefusal[] {
  const seen = new Set<bigint>()
  const refusals: SettlementRefusal[] = []
  for (const rule of agreement.rules) {
    const data = () => ({ agreementId: agreement.agreementId.toString(), publisherId: rule.publisherId.toString() })
    if (seen.has(rule.publisherId)) refusals.push(refusal('payment/publisher-twice', [], data()))
    seen.add(rule.publisherId)
    if (rule.mediumId !== agreement.mediumId) refusals.push(refusal('payment/medium-differs', [], data()))
    if (rule.ownAdsMicroYen < 0n) refusals.push(refusal('payment/own-ads-negative', [], data()))
    if (rule.fixedRevenueYen < 0n || rule.minimumRevenueYen < 0n) {
      refusals.push(refusal('payment/amount-negative', [], data()))
    }
    if (checkRevenueShare(rule.share).length > 0) refusals.push(refusal('payment/rate-out-of-range', [], data()))
    if (rule.carried.some(bucket => bucket.generatedMonth >= input.month)) {
      refusals.push(refusal('payment/month-before-carry', [], data()))
    }
    const unrated = rule.carried.find(bucket => !hasRates(input, bucket.generatedMonth))
    if (unrated) refusals.push(carriedWithoutRate(data(), unrated.generatedMonth))
  }
  return refusals
}

function checkPoolJobs(input: MonthInput): readonly SettlementRefusal[] {
  const seen = new Set<bigint>()
  return input.poolJobs.flatMap(job => {
    const data = { jobId: job.jobId.toString() }
    const refusals: SettlementRefusal[] = []
    if (seen.has(job.jobId)) refusals.push(refusal('payment/job-twice', [], data))
    seen.add(job.jobId)
    if (job.poolYen < 0n) refusals.push(refusal('payment/pool-negative', [], data))
    if (job.weights.some(weight => weight.weight < 0n)) {
      refusals.push(refusal('payment/pool-weight-negative', [], data))
    }
    if (hasRuleTwice(job.weights)) {
      refusals.push(refusal('payment/pool-weight-twice', [], data))
    }
    return refusals
  })
}

function hasRuleTwice(keys: readonly RuleKey[]): boolean {
  const seen = new RuleMap<true>()
  return keys.some(key => {
    if (seen.has(key)) return true
    seen.set(key, true)
    return false
  })
}

function checkAdjustments(input: MonthInput): readonly SettlementRefusal[] {
  if (input.adjustments.length === 0) return []
  const known = new Set(
    input.agreements.flatMap(({ agreementId, rules }) =>
      rules.map(({ publisherId }) => ruleKeyText({ agreementId, publisherId })),
    ),
  )
  const seen = new Set<string>()
  return input.adjustments.flatMap(row => {
    const data = { jobId: row.jobId.toString(), line: row.line }
    const refusals: SettlementRefusal[] = []
    if (!known.has(ruleKeyText(row))) refusals.push(refusal('payment/adjustment-without-rule', [], data))
    if (row.method === 'discard' && row.amountYen < 0n) refusals.push(refusal('payment/discard-negative', [], data))
    if (row.originMonth !== null && row.originMonth > input.month) {
      refusals.push(refusal('payment/origin-month-later', [], data))
    }
    if (row.originMonth !== null && !hasRates(input, row.originMonth)) {
      refusals.push(originWithoutRate(row, row.originMonth))
    }
    const key = `${row.jobId}/${row.line}`
    if (seen.has(key)) refusals.push(refusal('payment/adjustment-twice', [], data))
    seen.add(key)
    return refusals
  })
}
