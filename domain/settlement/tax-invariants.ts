import { sumBy } from '../money/yen.ts'
import type { YearMonth } from '../month/year-month.ts'
import { type RulesToCheck, rulesToCheck } from './rules-to-check.ts'
import type { AgreementInput, GeneratedBucket, MonthInput, RuleInput } from './settlement-input.ts'
import type { PaidBucket, SettledPayment, SettledPublisherPayment, TaxLine } from './settlement-result.ts'
import { publisherRowOf, rowOf, type ViolationList } from './violation.ts'

/** The line of a dated table that applies to a month. */
function lineOf<Line extends { readonly validFromMonth: YearMonth }>(
  table: readonly Line[],
  month: YearMonth,
): Line | undefined {
  const begun = table.filter(line => line.validFromMonth <= month)
  return begun.find(line => begun.every(other => other.validFromMonth <= line.validFromMonth))
}

function sumsByMonth(buckets: Iterable<GeneratedBucket>): Map<YearMonth, bigint> {
  const sums = new Map<YearMonth, bigint>()
  for (const { generatedMonth, amountYen } of buckets) {
    const sumYen = (sums.get(generatedMonth) ?? 0n) + amountYen
    if (sumYen === 0n) sums.delete(generatedMonth)
    else sums.set(generatedMonth, sumYen)
  }
  return sums
}

/** Whether `wholeYen` is ⌊|amount| × percent ÷ 100⌋ with the sign of the amount, checked by its bounds. */
function isRounded(wholeYen: bigint, amountYen: bigint, percent: number): boolean {
  if (amountYen < 0n) return isRounded(-wholeYen, -amountYen, percent)
  const restHundredths = amountYen * BigInt(percent) - wholeYen * 100n
  return wholeYen >= 0n && restHundredths >= 0n && restHundredths < 100n
}

/**
 * Tax lines, the deduction of the tax, and the payment by month of origin (I12 to I14).
 * Tested by `domain/payment/invariants.test.ts`.
 */
export function checkTax(
  list: ViolationList,
  payment: SettledPayment,
  agreement: AgreementInput,
  input: MonthInput,
): void {
  const row = rowOf(payment)
  const { taxLines, paidBuckets } = payment
  for (const line of taxLines) {
    const isWhole = isRounded(line.taxYen, line.amountYen, line.ratePercent)
    list.expect('I12', row, isWhole, `${line.ratePercent}%対象の消費税額 ${line.taxYen} が正しくありません。`)
    list.expect('I12', row, line.amountYen !== 0n, `${line.ratePercent}%対象の支払額が0です。`)
  }
  for (const ratePercent of new Set([...taxLines, ...paidBuckets].map(each => each.ratePercent))) {
    checkRate(list, row, ratePercent, payment, rulesToCheck(input))
  }
  const rates = taxLines.map(line => line.ratePercent)
  list.expect('I12', row, new Set(rates).size === rates.length, '同じ税率の行が複数あります。')
  const sumOf = (lines: readonly TaxLine[], field: 'amountYen' | 'taxYen') => sumBy(lines, line => line[field])
  list.expectEqual('I12', row, '税率別の支払額の合計', sumOf(taxLines, 'amountYen'), payment.paymentYen)
  list.expectEqual('I12', row, '税率別の消費税額の合計', sumOf(taxLines, 'taxYen'), payment.paymentTaxYen)
  list.expectEqual('I12', row, '税込支払額', payment.paymentIncludingTaxYen, payment.paymentYen + payment.paymentTaxYen)
  checkTotal(list, payment, input)
  for (const bucket of paidBuckets) checkBucket(list, row, bucket, agreement, input)
  list.expectEqual('I13', row, '発生月別税額の合計', sumOf(paidBuckets, 'taxYen'), payment.paymentTaxYen)
  list.expectEqual('I14', row, '発生月別支払額の合計', sumOf(paidBuckets, 'amountYen'), payment.paymentYen)
  checkPaidMonths(list, payment, input)
  const referenceYen = sumBy(payment.publishers, each => each.referenceTaxYen)
  list.expectEqual('I12', row, '媒体の消費税額（参考）の合計', referenceYen, payment.paymentTaxYen)
}

/** The months of a rate sum to its line, and the yen that rounding leaves are in the right months. */
function checkRate(
  list: ViolationList,
  row: string,
  ratePercent: number,
  { taxLines, paidBuckets }: SettledPayment,
  { givesYenToLargestFractions }: RulesToCheck,
): void {
  const line = taxLines.find(each => each.ratePercent === ratePercent)
  const buckets = paidBuckets.filter(each => each.ratePercent === ratePercent)
  const [amountYen, taxYen] = [sumBy(buckets, each => each.amountYen), sumBy(buckets, each => each.taxYen)]
  list.expectEqual('I13', row, `${ratePercent}%の発生月別税額の合計`, taxYen, line?.taxYen ?? 0n)
  list.expectEqual('I14', row, `${ratePercent}%の発生月別支払額の合計`, amountYen, line?.amountYen ?? 0n)
  if (!givesYenToLargestFractions) return
  const places = buckets.map(bucket => {
    const hundredths = bucket.amountYen * BigInt(ratePercent)
    const ownYen = hundredths / 100n
    return { bucket, extraYen: bucket.taxYen - ownYen, fraction: hundredths - ownYen * 100n }
  })
  const given = places.filter(place => place.extraYen !== 0n)
  const isOneYenEach = given.every(
    ({ extraYen, fraction }) => (extraYen === 1n && fraction > 0n) || (extraYen === -1n && fraction < 0n),
  )
  list.expect('I13', row, isOneYenEach, `${ratePercent}%の発生月別税額に、1円を超える差か、符号の違う端数があります。`)
  for (const winner of given) {
    const isBeaten = places.some(
      place => place.extraYen === 0n && isSameSign(place.fraction, winner.fraction) && comesBefore(place, winner),
    )
    list.expect('I13', row, !isBeaten, `${ratePercent}%の端数の1円が、端数の最も大きい月にありません。`)
  }
}

const isSameSign = (a: bigint, b: bigint) => a * b > 0n
const squared = (value: bigint) => value * value

interface Place {
  readonly bucket: PaidBucket
  readonly fraction: bigint
}

function comesBefore(a: Place, b: Place): boolean {
  if (squared(a.fraction) !== squared(b.fraction)) return squared(a.fraction) > squared(b.fraction)
  const [amountA, amountB] = [squared(a.bucket.amountYen), squared(b.bucket.amountYen)]
  return amountA === amountB ? a.bucket.generatedMonth < b.bucket.generatedMonth : amountA > amountB
}

/**
 * I12: a payment is positive with its tax, and only a balance whose total is not positive is carried over for that
 * reason.
 */
function checkTotal(list: ViolationList, payment: SettledPayment, input: MonthInput): void {
  const row = rowOf(payment)
  const isPaid = payment.outcome === 'scheduled'
  list.expect('I12', row, !isPaid || payment.paymentIncludingTaxYen > 0n, '税込の支払額が正の値ではありません。')
  if (payment.reason?.code !== 'NON_POSITIVE_TOTAL') return
  const groups = new Map<number, bigint>()
  for (const { generatedMonth, amountYen } of payment.publishers.flatMap(each => each.openBuckets)) {
    const ratePercent = lineOf(input.taxTable, generatedMonth)?.ratePercent ?? 0
    groups.set(ratePercent, (groups.get(ratePercent) ?? 0n) + amountYen)
  }
  const totalYen = sumBy(groups, ([ratePercent, netYen]) => netYen + (netYen * BigInt(ratePercent)) / 100n)
  const isRight = payment.cumulativeRevenueYen > 0n && totalYen <= 0n
  list.expect('I12', row, isRight, `税込の合計 ${totalYen} を理由に繰り越していますが、支払えます。`)
}

/** I13 and I14 of one month: rate, deduction and amounts agree with the tables and the payee. */
function checkBucket(
  list: ViolationList,
  row: string,
  bucket: PaidBucket,
  agreement: AgreementInput,
  input: MonthInput,
): void {
  const bucketRow = `${row} / ${bucket.generatedMonth}`
  const splitYen = bucket.deductibleTaxYen + bucket.nonDeductibleTaxYen
  list.expectEqual('I13', bucketRow, '控除対象と対象外の合計', splitYen, bucket.taxYen)
  const isWhole = isRounded(bucket.deductibleTaxYen, bucket.taxYen, bucket.deductiblePercent)
  list.expect('I13', bucketRow, isWhole, `控除対象税額 ${bucket.deductibleTaxYen} が正しくありません。`)
  const isQualified = agreement.qualifiedMonths.includes(bucket.generatedMonth)
  list.expect('I13', bucketRow, bucket.isQualified === isQualified, '適格の記録が入力と一致しません。')
  const percent = isQualified ? 100 : lineOf(input.deductionTable, bucket.generatedMonth)?.deductiblePercent
  list.expect('I13', bucketRow, bucket.deductiblePercent === percent, '控除割合が発生月のものではありません。')
  const ratePercent = lineOf(input.taxTable, bucket.generatedMonth)?.ratePercent
  list.expect('I14', bucketRow, bucket.ratePercent === ratePercent, '税率が発生月のものではありません。')
}

/** I14: the months of a payment are those of the balance, or what is left after negative months are offset. */
function checkPaidMonths(list: ViolationList, payment: SettledPayment, input: MonthInput): void {
  const row = rowOf(payment)
  const { paysEveryOpenMonth } = rulesToCheck(input)
  const months = payment.paidBuckets.map(bucket => bucket.generatedMonth)
  list.expect('I14', row, new Set(months).size === months.length, '同じ発生月の行が複数あります。')
  const isPaid = payment.outcome === 'scheduled'
  const open = sumsByMonth(isPaid ? payment.publishers.flatMap(each => each.openBuckets) : [])
  for (const { generatedMonth, amountYen } of payment.paidBuckets) {
    const openYen = open.get(generatedMonth) ?? 0n
    const bucketRow = `${row} / ${generatedMonth}`
    if (paysEveryOpenMonth) list.expectEqual('I14', bucketRow, '発生月別支払額', amountYen, openYen)
    else list.expect('I14', bucketRow, amountYen > 0n && amountYen <= openYen, '発生月別支払額が残高を超えます。')
    open.delete(generatedMonth)
  }
  if (!paysEveryOpenMonth) return
  const missing = [...open.keys()].toSorted()
  list.expect('I14', row, missing.length === 0, `支払われる発生月 ${missing.join('、')} の行がありません。`)
}

/** I14 of each rule: its balance by month follows from what was carried, earned and corrected. */
export function checkOpenMonths(
  list: ViolationList,
  payment: SettledPayment,
  agreement: AgreementInput,
  input: MonthInput,
): void {
  for (const publisher of payment.publishers) {
    const rule = agreement.rules.find(each => each.publisherId === publisher.publisherId)
    if (!rule) continue
    const row = publisherRowOf(payment, publisher)
    const isSame = isSameMap(expectedMonths(publisher, rule, input), sumsByMonth(publisher.openBuckets))
    list.expect('I14', row, isSame, '発生月別の残高が、繰越・収益・調整と一致しません。')
    const isPaid = payment.outcome === 'scheduled'
    const isDropped = rulesToCheck(input).dropsZeroBalance && publisher.cumulativeRevenueYen === 0n
    const left = isPaid || isDropped ? new Map<YearMonth, bigint>() : sumsByMonth(publisher.openBuckets)
    const isLeft = isSameMap(left, sumsByMonth(publisher.nextCarried))
    list.expect('I4', row, isLeft, '次月繰越の発生月が、支払われない発生月と一致しません。')
  }
}

function isSameMap(a: ReadonlyMap<YearMonth, bigint>, b: ReadonlyMap<YearMonth, bigint>): boolean {
  return a.size === b.size && [...a].every(([month, amountYen]) => b.get(month) === amountYen)
}

/** The months of a rule after its adjustment rows are replayed. */
function expectedMonths(
  publisher: SettledPublisherPayment,
  rule: RuleInput,
  input: MonthInput,
): ReadonlyMap<YearMonth, bigint> {
  const earned = { generatedMonth: input.month, amountYen: publisher.revenueYen }
  const months = sumsByMonth([...rule.carried, earned])
  const add = (month: YearMonth, amountYen: bigint) => {
    const sumYen = (months.get(month) ?? 0n) + amountYen
    if (sumYen === 0n) months.delete(month)
    else months.set(month, sumYen)
  }
  for (const { method, originMonth, amountYen } of publisher.adjustments) {
    if (method === 'payment') add(originMonth ?? input.month, amountYen)
  }
  const discards = publisher.adjustments
    .filter(each => each.method === 'discard')
    .toSorted((a, b) => (a.jobId === b.jobId ? a.line - b.line : a.jobId < b.jobId ? -1 : 1))
  for (const { originMonth, appliedYen } of discards) {
    if (originMonth !== null || !rulesToCheck(input).discardsFromOldest) {
      add(originMonth ?? input.month, appliedYen)
      continue
    }
    let leftYen = -appliedYen
    while (leftYen > 0n) {
      const positive = [...months].filter(([, amountYen]) => amountYen > 0n).map(([month]) => month)
      const oldest = positive.toSorted((a, b) => a - b)[0]
      // Nothing is left to take from. That more was applied than there was shows as a difference in the balance.
      if (oldest === undefined) break
      const takenYen = leftYen < months.get(oldest)! ? leftYen : months.get(oldest)!
      add(oldest, -takenYen)
      leftYen -= takenYen
    }
  }
  return months
}
