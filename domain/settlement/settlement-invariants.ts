import { accountInUse, isActiveIn } from '../agreement/agreement-terms.ts'
import { checkRegistrationNumber, type PayeeKind } from '../bank/registration-number.ts'
import { type CooperativeSteps, runSync } from '../cooperative.ts'
import { sumBy } from '../money/yen.ts'
import { isBusinessDay } from '../month/business-day.ts'
import { monthOfDay } from '../month/year-month.ts'
import { type BalanceBefore, checkCarry, checkOpening, type OpeningBalance } from './carry-invariants.ts'
import { checkPools } from './pool-invariants.ts'
import { rulesToCheck } from './rules-to-check.ts'
import type { AgreementInput, MonthInput } from './settlement-input.ts'
import {
  type Amounts,
  BALANCE_LABELS,
  BALANCES,
  REVENUE_PART_LABELS,
  REVENUE_PARTS,
  type SettledMonth,
  type SettledPayment,
} from './settlement-result.ts'
import { checkOpenMonths, checkTax } from './tax-invariants.ts'
import { publisherRowOf, rowOf, type Violation, ViolationList } from './violation.ts'

/**
 * Checks a computed or stored month against its frozen input and the month before: invariants I1 to I14, I23 and the
 * part of I24 about registrations (`violation.ts` says what each is). It uses none of the functions of `settleMonth`, so that it is independent of the
 * computation.
 * @internal Tests call it.
 */
export function settlementViolations(
  settled: SettledMonth,
  input: MonthInput,
  before: { readonly payments: readonly BalanceBefore[] } | null,
  openings: readonly OpeningBalance[] | null = null,
): readonly Violation[] {
  return runSync(settlementSteps(settled, input, before, openings))
}

/**
 * {@link settlementViolations} as a generator that yields after each agreement.
 * @param openings null: the opening balances of the input are taken as correct
 */
export function* settlementSteps(
  settled: SettledMonth,
  input: MonthInput,
  before: { readonly payments: readonly BalanceBefore[] } | null,
  openings: readonly OpeningBalance[] | null = null,
): CooperativeSteps<readonly Violation[]> {
  const list = new ViolationList()
  const inputs = new Map(input.agreements.map(agreement => [agreement.agreementId, agreement]))
  const earlier = new Map(before?.payments.map(payment => [payment.agreementId, payment]))
  const opening = Map.groupBy(openings ?? [], balance => balance.agreementId)
  for (const payment of settled.payments) {
    const agreement = inputs.get(payment.agreementId)
    list.expect('I2', rowOf(payment), agreement !== undefined, '入力にない契約の行です。')
    if (!agreement) continue
    checkSums(list, payment)
    checkOwnAds(list, payment, agreement, input)
    checkDecision(list, payment, agreement)
    checkGuarantees(list, payment, agreement, input)
    checkTax(list, payment, agreement, input)
    checkOpenMonths(list, payment, agreement, input)
    checkDueDate(list, payment, input)
    if (openings) checkOpening(list, payment, agreement, opening.get(payment.agreementId) ?? [])
    if (before) checkCarry(list, payment, earlier.get(payment.agreementId), agreement)
    yield
  }
  const present = new Set(settled.payments.map(payment => payment.agreementId))
  for (const agreementId of opening.keys()) {
    list.expect('I4', rowOf({ agreementId }), present.has(agreementId), '期首残高のある契約の行がありません。')
  }
  for (const previous of earlier.values()) {
    const isGone = !present.has(previous.agreementId)
    list.expect(
      'I4',
      rowOf(previous),
      !isGone || previous.carriedOverToNextYen === 0n,
      '残高のある契約の行がなくなっています。',
    )
  }
  list.expect('I2', `媒体 ${input.mediumId}`, settled.payments.length === inputs.size, '契約の行が入力と一致しません。')
  yield* checkPools(list, settled, input)
  return list.violations
}

/** I24: a qualified issuer has a well-formed number. `wasRegisteredAtMonthEnd` is what the register said. */
export function registrationViolations(
  payment: Pick<SettledPayment, 'agreementId' | 'qualifiedInvoiceIssuer' | 'invoiceRegistrationNumber'>,
  payeeKind: PayeeKind,
  wasRegisteredAtMonthEnd: boolean,
): readonly Violation[] {
  const list = new ViolationList()
  if (payment.qualifiedInvoiceIssuer) {
    const number = payment.invoiceRegistrationNumber
    const isPossible = number !== null && checkRegistrationNumber(number, payeeKind).verdict !== 'invalid'
    list.expect('I24', rowOf(payment), isPossible, '適格請求書発行事業者ですが、登録番号がないか正しくありません。')
    list.expect('I24', rowOf(payment), wasRegisteredAtMonthEnd, '月末の時点で登録が有効ではありません。')
  }
  return list.violations
}

/** Sums within one payment: parts, publishers, balances and months of origin (I1 to I4, I14). */
function checkSums(list: ViolationList, payment: SettledPayment): void {
  const rows: readonly [string, Amounts][] = [
    [rowOf(payment), payment],
    ...payment.publishers.map((each): [string, Amounts] => [publisherRowOf(payment, each), each]),
  ]
  for (const [row, amounts] of rows) {
    const partsYen = sumBy(REVENUE_PARTS, part => amounts[part])
    list.expectEqual('I1', row, '収益の内訳の合計', partsYen, amounts.revenueYen)
    for (const part of REVENUE_PARTS)
      list.expect('I1', row, amounts[part] >= 0n, `${REVENUE_PART_LABELS[part]}が負の値です。`)
    const cumulativeYen = amounts.carriedOverRevenueYen + amounts.revenueYen + amounts.manualAdjustmentRevenueYen
    list.expectEqual('I3', row, '累計', amounts.cumulativeRevenueYen, cumulativeYen)
    const nextYen = amounts.cumulativeRevenueYen - amounts.paymentYen
    list.expectEqual('I4', row, '次月繰越', amounts.carriedOverToNextYen, nextYen)
  }
  for (const part of REVENUE_PARTS) {
    const sumYen = sumBy(payment.publishers, each => each[part])
    list.expectEqual('I2', rowOf(payment), `媒体の${REVENUE_PART_LABELS[part]}の合計`, sumYen, payment[part])
  }
  for (const balance of BALANCES) {
    const sumYen = sumBy(payment.publishers, each => each[balance])
    list.expectEqual('I2', rowOf(payment), `媒体の${BALANCE_LABELS[balance]}の合計`, sumYen, payment[balance])
  }
  for (const each of payment.publishers) {
    const row = publisherRowOf(payment, each)
    const appliedYen = sumBy(each.adjustments, adjustment => adjustment.appliedYen)
    list.expectEqual('I2', row, '調整明細の合計', appliedYen, each.manualAdjustmentRevenueYen)
    const openYen = sumBy(each.openBuckets, bucket => bucket.amountYen)
    list.expectEqual('I14', row, '発生月別の残高の合計', openYen, each.cumulativeRevenueYen)
    const nextYen = sumBy(each.nextCarried, bucket => bucket.amountYen)
    list.expectEqual('I4', row, '次月繰越の発生月別の合計', nextYen, each.carriedOverToNextYen)
  }
}

/** Rate units × micro-yen in one yen: rates count hundredths of a percent, figures millionths of a yen. */
const SHARES_IN_A_YEN = 10_000n * 1_000_000n

/** I1: own ads of the month × rate of each earning rule, rounded. Checked by the bounds of the rounding difference. */
function checkOwnAds(list: ViolationList, payment: SettledPayment, agreement: AgreementInput, input: MonthInput): void {
  const isActive = isActiveIn(input.month, agreement.terminatedOn)
  const { isOwnAdsRest } = rulesToCheck(input)
  const rules = new Map(agreement.rules.map(rule => [rule.publisherId, rule]))
  for (const publisher of payment.publishers) {
    const rule = rules.get(publisher.publisherId)
    const exact = isActive && rule ? rule.ownAdsMicroYen * BigInt(rule.share.ownAdsRateUnits) : 0n
    const rest = exact - publisher.adsRevenueYen * SHARES_IN_A_YEN
    list.expect(
      'I1',
      publisherRowOf(payment, publisher),
      isOwnAdsRest(rest, SHARES_IN_A_YEN),
      `自社広告分 ${publisher.adsRevenueYen} が、広告収益と支払率から求めた額と一致しません。`,
    )
  }
}

/** A payment is the whole balance or nothing with a reason, and goes to the right account (I6, I7). */
function checkDecision(list: ViolationList, payment: SettledPayment, agreement: AgreementInput): void {
  const row = rowOf(payment)
  list.expect('I6', row, payment.paymentYen >= 0n, '支払額が負の値です。')
  const isPaid = payment.outcome === 'scheduled'
  list.expect('I6', row, isPaid === payment.paymentYen > 0n, '支払の状態と支払額が一致しません。')
  list.expect('I6', row, isPaid === (payment.reason === null), '支払わない理由が記録されていません。')
  for (const each of payment.publishers) {
    const wholeYen = isPaid ? each.cumulativeRevenueYen : 0n
    list.expectEqual('I6', publisherRowOf(payment, each), '支払額', each.paymentYen, wholeYen)
  }
  const accountId = accountInUse(agreement.accounts, monthOfDay(payment.dueOn))
  const mustNotPay = agreement.isPaymentDisabled || accountId === null
  list.expect(
    'I7',
    row,
    !(mustNotPay && payment.paymentYen !== 0n),
    '支払停止中または口座未登録の契約に支払があります。',
  )
  list.expect(
    'I7',
    row,
    payment.bankAccountId === (isPaid ? accountId : null),
    '使用中の口座と異なる口座が記録されています。',
  )
}

/** Minimums are reached exactly, by the agreement or by each publisher, and not after its end (I10, I11). */
function checkGuarantees(
  list: ViolationList,
  payment: SettledPayment,
  agreement: AgreementInput,
  input: MonthInput,
): void {
  const row = rowOf(payment)
  const isActive = isActiveIn(input.month, agreement.terminatedOn)
  const { minimumRevenueType, minimumRevenueYen } = agreement.terms
  if (!isActive) list.expectEqual('I10', row, '終了した契約の収益', payment.revenueYen, 0n)
  if (minimumRevenueType === 'none' || !isActive) {
    list.expectEqual('I10', row, '最低保証調整', payment.minimumTopUpRevenueYen, 0n)
    return
  }
  if (minimumRevenueType === 'by_agreement') {
    list.expect('I10', row, payment.revenueYen >= minimumRevenueYen, '収益が最低保証額を下回っています。')
    const needsTopUp = payment.revenueYen - payment.minimumTopUpRevenueYen < minimumRevenueYen
    const isTight = payment.minimumTopUpRevenueYen === 0n || payment.revenueYen === minimumRevenueYen
    list.expect(
      'I10',
      row,
      isTight && needsTopUp === payment.minimumTopUpRevenueYen > 0n,
      '最低保証調整が必要額と異なります。',
    )
    return
  }
  const minimums = new Map(agreement.rules.map(rule => [rule.publisherId, rule.minimumRevenueYen]))
  for (const each of payment.publishers) {
    const minimumYen = minimums.get(each.publisherId) ?? 0n
    const ownYen = each.revenueYen - each.fixedOfAgreementYen - each.topUpOfAgreementYen
    const publisherRow = publisherRowOf(payment, each)
    list.expect('I11', publisherRow, ownYen >= minimumYen, '収益が媒体の最低保証額を下回っています。')
    const isTight = each.topUpOfRuleYen === 0n || ownYen === minimumYen
    list.expect('I11', publisherRow, isTight, '媒体の最低保証調整が必要額と異なります。')
  }
}

/** The due date is a business day, moved the way that the settings say (I23). */
function checkDueDate(list: ViolationList, payment: SettledPayment, input: MonthInput): void {
  const row = rowOf(payment)
  list.expect('I23', row, isBusinessDay(input.holidays, payment.dueOn), `支払期日 ${payment.dueOn} は銀行休業日です。`)
  const isOnRightSide =
    input.settings.businessDayShift === 'previous'
      ? payment.dueOn <= payment.dueOnNominal
      : payment.dueOn >= payment.dueOnNominal
  list.expect('I23', row, isOnRightSide, '支払期日の繰上げ・繰下げが設定と異なります。')
}
