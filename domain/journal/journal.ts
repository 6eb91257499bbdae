import { type TaxTable, taxRatePercentOf } from '../money/consumption-tax.ts'
import { divideTowardZero, floorDivide } from '../money/floor-division.ts'
import { magnitude, sumBy } from '../money/yen.ts'
import type { Day } from '../month/day.ts'
import { compareMonths, lastDayOf, type YearMonth } from '../month/year-month.ts'
import { type DeductionTable, deductiblePercentOf, splitInputTax } from '../settlement/deduction.ts'
import { mergeBuckets } from '../settlement/generated-bucket.ts'
import type { AgreementInput, GeneratedBucket } from '../settlement/settlement-input.ts'
import type { SettledPayment } from '../settlement/settlement-result.ts'
import type { PlannedTransfer } from '../transfer/transfer.ts'
import { recordName } from '../transfer/transfer-records.ts'
import type { JournalAccount } from './journal-accounts.ja.ts'

/** An account of the platform's books as its accounting software knows it. Sub-account (補助科目) and department (部門) may be empty. */
export interface BookAccount {
  readonly name: string
  readonly subAccount: string
  readonly department: string
}
/** A setting. */
export type ChartOfAccounts = Readonly<Record<JournalAccount, BookAccount>>

const named = (name: string): BookAccount => ({ name, subAccount: '', department: '' })
export const STANDARD_CHART_OF_ACCOUNTS: ChartOfAccounts = {
  publisher_cost: named('支払報酬料'),
  accrued_cost: named('未払費用'),
  payable: named('未払金'),
  input_tax: named('仮払消費税'),
  non_deductible_tax: named('租税公課'),
  withholding_payable: named('預り金'),
  bank_fee: named('支払手数料'),
  bank: named('普通預金'),
}

/**
 * When input tax is booked: when revenue is accrued, as the service is received then, or when its payment is finalised.
 * A setting, by the month in which the revenue arose.
 */
export const INPUT_TAX_TIMINGS = ['finalising', 'accrual'] as const
export type InputTaxTiming = (typeof INPUT_TAX_TIMINGS)[number]
export type InputTaxTimingOf = (month: YearMonth) => InputTaxTiming

/** What the tax column says; the rate is part of it. `percent` is what is deductible: 100 for a qualified issuer. */
export type TaxCategory =
  | { readonly kind: 'taxable_purchase'; readonly ratePercent: number; readonly deductiblePercent: number }
  | { readonly kind: 'outside' }

export const OUTSIDE: TaxCategory = { kind: 'outside' }

export interface JournalLine {
  readonly side: 'debit' | 'credit'
  readonly account: JournalAccount
  /** Without the tax below. Positive. */
  readonly amountYen: bigint
  /** Tax on top that is booked as input tax, and tax on top that is cost. */
  readonly deductibleTaxYen: bigint
  readonly nonDeductibleTaxYen: bigint
  readonly taxCategory: TaxCategory
  readonly generatedMonth: YearMonth | null
}

export interface JournalEntry {
  readonly stage: 'accrual' | 'payable' | 'settlement'
  readonly on: Day
  /** What the entry is about: an agreement and month, or a transfer. */
  readonly reference: string
  readonly partnerName: string
  readonly description: string
  readonly lines: readonly JournalLine[]
}

/** What the tax of a month is computed by. */
export interface AccrualTaxes {
  readonly timingOf: InputTaxTimingOf
  readonly taxTable: TaxTable
  readonly deductionTable: DeductionTable
}

export interface AccrualAgreement extends Pick<AgreementInput, 'qualifiedMonths'> {
  readonly rules: readonly { readonly carried: readonly GeneratedBucket[] }[]
}

/**
 * At the end of the revenue month: what was earned, by the month that it belongs to. Null when nothing was. Input tax of
 * months that are booked at the accrual is the tax of their balance after it less that of their balance before: whatever
 * is added or taken back later, the tax that stands in the books is that of the balance. Each month keeps the deduction of
 * its own day (step 13), also where a later month corrects it and the payee has been registered or struck off since.
 * @param agreement what the month was settled from: balances it began with, and when the payee was registered
 */
export function accrualEntry(
  payment: SettledPayment,
  agreement: AccrualAgreement,
  { timingOf, taxTable, deductionTable }: AccrualTaxes,
): JournalEntry | null {
  const before = balancesOf(agreement.rules.flatMap(rule => rule.carried))
  const after = balancesOf(payment.publishers.flatMap(publisher => publisher.openBuckets))
  const months = [...new Set([...before.keys(), ...after.keys()])].toSorted(compareMonths)
  const taxed: JournalLine[] = []
  let taxedYen = 0n
  for (const month of months.filter(each => timingOf(each) === 'accrual')) {
    const [beforeYen, afterYen] = [before.get(month) ?? 0n, after.get(month) ?? 0n]
    if (beforeYen === afterYen) continue
    const ratePercent = taxRatePercentOf(taxTable, month)
    const deductiblePercent = deductiblePercentOf(deductionTable, month, agreement.qualifiedMonths.includes(month))
    const taxBefore = inputTaxOf(beforeYen, ratePercent, deductiblePercent)
    const taxAfter = inputTaxOf(afterYen, ratePercent, deductiblePercent)
    const amountYen = afterYen - beforeYen
    const deductibleTaxYen = taxAfter.deductibleTaxYen - taxBefore.deductibleTaxYen
    const nonDeductibleTaxYen = taxAfter.nonDeductibleTaxYen - taxBefore.nonDeductibleTaxYen
    taxedYen += amountYen
    taxed.push(
      costLine(month, ratePercent, deductiblePercent, { amountYen, deductibleTaxYen, nonDeductibleTaxYen }),
      ...signedLine('credit', 'accrued_cost', amountYen + deductibleTaxYen + nonDeductibleTaxYen),
    )
  }
  const plainYen = payment.revenueYen + payment.manualAdjustmentRevenueYen - taxedYen
  const lines = [
    ...signedLine('debit', 'publisher_cost', plainYen),
    ...signedLine('credit', 'accrued_cost', plainYen),
    ...taxed,
  ]
  if (lines.length === 0) return null
  return {
    stage: 'accrual',
    on: lastDayOf(payment.revenueGeneratedAtMonth),
    reference: referenceOf(payment),
    partnerName: payment.partnerName,
    description: `${monthText(payment.revenueGeneratedAtMonth)}分 媒体報酬 計上`,
    lines: lines.toSorted((a, b) => (a.side === b.side ? 0 : a.side === 'debit' ? -1 : 1)),
  }
}

/**
 * When the month is finalised. The accrued cost of months whose tax is booked now is turned back and booked once more with
 * its tax, by generated month, against the payable: the tax category stands on the cost, with the deduction rate of the
 * month in which it arose; a month that is given back stands on the other side with its tax. Of months whose tax was booked
 * at the accrual, cost and tax become payable, with the yen by which the tax of the payment differs from that of its months.
 */
export function payableEntry(
  payment: SettledPayment,
  finalizedOn: Day,
  timingOf: InputTaxTimingOf,
): JournalEntry | null {
  if (payment.paymentYen === 0n) return null
  const accrued = payment.paidBuckets.filter(bucket => timingOf(bucket.generatedMonth) === 'accrual')
  const others = payment.paidBuckets.filter(bucket => timingOf(bucket.generatedMonth) === 'finalising')
  const otherYen = sumBy(others, bucket => bucket.amountYen)
  const taxes = accrued.map(each => inputTaxOf(each.amountYen, each.ratePercent, each.deductiblePercent))
  const deductibleYen = sumBy(taxes, tax => tax.deductibleTaxYen)
  const nonDeductibleYen = sumBy(taxes, tax => tax.nonDeductibleTaxYen)
  const accruedYen = sumBy(accrued, bucket => bucket.amountYen) + deductibleYen + nonDeductibleYen
  return {
    stage: 'payable',
    on: finalizedOn,
    reference: referenceOf(payment),
    partnerName: payment.partnerName,
    description: `${monthText(payment.revenueGeneratedAtMonth)}分 媒体報酬 支払確定`,
    lines: [
      ...signedLine('debit', 'accrued_cost', otherYen),
      ...signedLine('credit', 'publisher_cost', otherYen),
      ...others.map(bucket => costLine(bucket.generatedMonth, bucket.ratePercent, bucket.deductiblePercent, bucket)),
      ...signedLine('debit', 'accrued_cost', accruedYen),
      ...signedLine('debit', 'input_tax', sumBy(accrued, bucket => bucket.deductibleTaxYen) - deductibleYen),
      ...signedLine(
        'debit',
        'non_deductible_tax',
        sumBy(accrued, bucket => bucket.nonDeductibleTaxYen) - nonDeductibleYen,
      ),
      plainLine('credit', 'payable', payment.paymentIncludingTaxYen),
    ],
  }
}

function balancesOf(buckets: readonly GeneratedBucket[]): ReadonlyMap<YearMonth, bigint> {
  return new Map(mergeBuckets(buckets).map(bucket => [bucket.generatedMonth, bucket.amountYen]))
}

/** The cost of a generated month with its tax; on the credit side where it is given back. */
function costLine(
  generatedMonth: YearMonth,
  ratePercent: number,
  deductiblePercent: number,
  {
    amountYen,
    deductibleTaxYen,
    nonDeductibleTaxYen,
  }: Pick<JournalLine, 'amountYen' | 'deductibleTaxYen' | 'nonDeductibleTaxYen'>,
): JournalLine {
  return {
    side: amountYen < 0n ? 'credit' : 'debit',
    account: 'publisher_cost',
    amountYen: magnitude(amountYen),
    deductibleTaxYen: magnitude(deductibleTaxYen),
    nonDeductibleTaxYen: magnitude(nonDeductibleTaxYen),
    taxCategory: taxCategoryOf(ratePercent, deductiblePercent),
    generatedMonth,
  }
}

/** The input tax on the balance of one month, rounded toward zero, and what of it is deductible. */
function inputTaxOf(amountYen: bigint, ratePercent: number, deductiblePercent: number) {
  return splitInputTax(divideTowardZero(amountYen * BigInt(ratePercent), 100n), deductiblePercent)
}

/** What the books need to know of a transfer. */
export interface BookedTransfer
  extends Pick<
    PlannedTransfer,
    'paymentIncludingTaxYen' | 'withholdingYen' | 'feeYen' | 'feeBorneByPayeeYen' | 'transferAmountYen'
  > {
  readonly transferId: bigint
  readonly partnerName: string
}

/** On the day the bank pays. A fee that the payee bears comes out of the payable, the platform's own is a cost. */
export function settlementEntry(transfer: BookedTransfer, paidOn: Day, feeTaxPercent: number): JournalEntry {
  const lines = [
    plainLine('debit', 'payable', transfer.paymentIncludingTaxYen),
    ...feeLines(transfer.feeYen - transfer.feeBorneByPayeeYen, feeTaxPercent),
  ]
  if (transfer.withholdingYen > 0n) {
    lines.push(plainLine('credit', 'withholding_payable', transfer.withholdingYen))
  }
  lines.push(plainLine('credit', 'bank', transfer.transferAmountYen))
  if (transfer.feeYen > 0n) lines.push(plainLine('credit', 'bank', transfer.feeYen))
  return {
    stage: 'settlement',
    on: paidOn,
    reference: `transfer:${transfer.transferId}`,
    partnerName: transfer.partnerName,
    description: '媒体報酬 振込',
    lines,
  }
}

/**
 * When a paid transfer comes back: the money is on the account again and the payee is owed as before. The bank keeps its
 * fee, so one that the payee was to bear becomes the platform's.
 */
export function returnEntry(transfer: BookedTransfer, returnedOn: Day, feeTaxPercent: number): JournalEntry {
  const lines = [plainLine('debit', 'bank', transfer.transferAmountYen)]
  if (transfer.withholdingYen > 0n) lines.push(plainLine('debit', 'withholding_payable', transfer.withholdingYen))
  lines.push(...feeLines(transfer.feeBorneByPayeeYen, feeTaxPercent))
  lines.push(plainLine('credit', 'payable', transfer.paymentIncludingTaxYen))
  return {
    stage: 'settlement',
    on: returnedOn,
    reference: `transfer:${transfer.transferId}`,
    partnerName: transfer.partnerName,
    description: '媒体報酬 振込の組戻し',
    lines,
  }
}

/** A record of a transfer that has several, as the bank moved it. */
export interface BookedRecord {
  readonly number: number
  readonly amountYen: bigint
  readonly feeYen: bigint
  readonly paidOn: Day | null
  readonly returnedOn: Day | null
}

/**
 * A transfer with several records: one entry for each movement on the bank's side. What is withheld, and the fee that the
 * payee bears, is one decision: it is booked with the record that was paid first, and taken back when nothing is left of
 * the transfer. The bank keeps the fee of a record that comes back.
 */
export function recordEntries(
  transfer: BookedTransfer & { readonly returnedOn: Day | null },
  records: readonly BookedRecord[],
  feeTaxPercentOf: (on: Day) => number,
): readonly JournalEntry[] {
  const paid = records
    .flatMap(record => (record.paidOn === null ? [] : [{ ...record, paidOn: record.paidOn }]))
    .toSorted((a, b) => (a.paidOn === b.paidOn ? a.number - b.number : a.paidOn < b.paidOn ? -1 : 1))
  const { withholdingYen, feeBorneByPayeeYen, partnerName, transferId } = transfer
  const withheldLines = (side: JournalLine['side']) =>
    withholdingYen > 0n ? [plainLine(side, 'withholding_payable', withholdingYen)] : []
  const entryOf = (on: Day, number: number, description: string, lines: readonly JournalLine[]): JournalEntry => ({
    stage: 'settlement',
    on,
    reference: `transfer:${recordName(transferId, number)}`,
    partnerName,
    description,
    lines,
  })
  const entries = paid.map(({ number, amountYen, feeYen, paidOn }, index) => {
    const isFirst = index === 0
    const borneYen = isFirst ? feeBorneByPayeeYen : 0n
    return entryOf(paidOn, number, '媒体報酬 振込', [
      plainLine('debit', 'payable', amountYen + (isFirst ? withholdingYen : 0n) + borneYen),
      ...feeLines(feeYen - borneYen, feeTaxPercentOf(paidOn)),
      ...(isFirst ? withheldLines('credit') : []),
      plainLine('credit', 'bank', amountYen),
      ...(feeYen > 0n ? [plainLine('credit', 'bank', feeYen)] : []),
    ])
  })
  for (const { number, amountYen, returnedOn } of paid) {
    if (returnedOn === null) continue
    const lines = [plainLine('debit', 'bank', amountYen), plainLine('credit', 'payable', amountYen)]
    entries.push(entryOf(returnedOn, number, '媒体報酬 振込の組戻し', lines))
  }
  const { returnedOn } = transfer
  const decidedYen = withholdingYen + feeBorneByPayeeYen
  if (returnedOn === null || paid.length === 0 || decidedYen === 0n) return entries
  const lines = [
    ...withheldLines('debit'),
    ...feeLines(feeBorneByPayeeYen, feeTaxPercentOf(returnedOn)),
    plainLine('credit', 'payable', decidedYen),
  ]
  return [...entries, entryOf(returnedOn, 0, '媒体報酬 振込の組戻し', lines)]
}

/** On each day on which a transfer or one of its records came back, or was recalled: what the bank charges for it. Null for nothing. */
export function returnFeeEntry(
  transfer: Pick<BookedTransfer, 'transferId' | 'partnerName'> & {
    /** Of one of several records; 0: the transfer is its own record. */
    readonly recordNumber: number
  },
  returnFeeYen: bigint,
  chargedOn: Day,
  feeTaxPercent: number,
): JournalEntry | null {
  if (returnFeeYen === 0n) return null
  return {
    stage: 'settlement',
    on: chargedOn,
    reference: `transfer:${recordName(transfer.transferId, transfer.recordNumber)}`,
    partnerName: transfer.partnerName,
    description: '組戻手数料',
    lines: [...feeLines(returnFeeYen, feeTaxPercent), plainLine('credit', 'bank', returnFeeYen)],
  }
}

/** What the platform pays the bank, tax included, with its tax split off; less than 0 when the payee bore more. */
function feeLines(givenYen: bigint, feeTaxPercent: number): readonly JournalLine[] {
  if (givenYen === 0n) return []
  const feeYen = magnitude(givenYen)
  const feeTaxYen = floorDivide(feeYen * BigInt(feeTaxPercent), BigInt(100 + feeTaxPercent))
  return [
    {
      side: givenYen > 0n ? 'debit' : 'credit',
      account: 'bank_fee',
      amountYen: feeYen - feeTaxYen,
      deductibleTaxYen: feeTaxYen,
      nonDeductibleTaxYen: 0n,
      taxCategory: taxCategoryOf(feeTaxPercent, 100),
      generatedMonth: null,
    },
  ]
}

/** Debits minus credits, taxes included; 0 for a correct entry. */
export function imbalanceYen(entry: JournalEntry): bigint {
  return sumBy(entry.lines, line => {
    const amountYen = line.amountYen + line.deductibleTaxYen + line.nonDeductibleTaxYen
    return line.side === 'debit' ? amountYen : -amountYen
  })
}

/**
 * The category of a purchase from this supplier in a generated month.
 * @internal Tests call it.
 */
export function purchaseTaxCategory(
  table: DeductionTable,
  month: YearMonth,
  isQualified: boolean,
  ratePercent: number,
): TaxCategory {
  return taxCategoryOf(ratePercent, deductiblePercentOf(table, month, isQualified))
}

function taxCategoryOf(ratePercent: number, deductiblePercent: number): TaxCategory {
  return deductiblePercent === 0 ? OUTSIDE : { kind: 'taxable_purchase', ratePercent, deductiblePercent }
}

/** No line for 0; a negative amount stands on the other side. */
function signedLine(side: JournalLine['side'], account: JournalAccount, amountYen: bigint): readonly JournalLine[] {
  if (amountYen === 0n) return []
  const other = side === 'debit' ? 'credit' : 'debit'
  return [plainLine(amountYen < 0n ? other : side, account, magnitude(amountYen))]
}

function plainLine(side: JournalLine['side'], account: JournalAccount, amountYen: bigint): JournalLine {
  return {
    side,
    account,
    amountYen,
    deductibleTaxYen: 0n,
    nonDeductibleTaxYen: 0n,
    taxCategory: OUTSIDE,
    generatedMonth: null,
  }
}

function referenceOf(payment: SettledPayment): string {
  return `payment:${payment.agreementId}/${payment.revenueGeneratedAtMonth}`
}

function monthText(month: YearMonth): string {
  return `${Math.trunc(month / 100)}年${month % 100}月`
}
