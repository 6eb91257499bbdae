import { floorDivide } from '../money/floor-division.ts'
import { magnitude, sumBy } from '../money/yen.ts'
import type { Day } from '../month/day.ts'
import { lastDayOf, type YearMonth } from '../month/year-month.ts'
import { type DeductionTable, deductiblePercentOf } from './deduction.ts'
import type { SettledPayment } from './settlement-result.ts'
import type { PlannedTransfer } from './transfer.ts'

/** Names of the accounts in the platform's books: a setting. */
export interface ChartOfAccounts {
  readonly publisherCost: string
  readonly accruedCost: string
  readonly payable: string
  readonly inputTax: string
  readonly nonDeductibleTax: string
  readonly withholdingPayable: string
  readonly bankFee: string
  readonly bank: string
}

export const STANDARD_CHART_OF_ACCOUNTS: ChartOfAccounts = {
  publisherCost: '支払報酬料',
  accruedCost: '未払費用',
  payable: '未払金',
  inputTax: '仮払消費税',
  nonDeductibleTax: '租税公課',
  withholdingPayable: '預り金',
  bankFee: '支払手数料',
  bank: '普通預金',
}

/** What the tax column says; the rate is part of it. `percent` is what is deductible: 100 for a qualified issuer. */
export type TaxCategory =
  | { readonly kind: 'taxable_purchase'; readonly ratePercent: number; readonly deductiblePercent: number }
  | { readonly kind: 'outside' }

export const OUTSIDE: TaxCategory = { kind: 'outside' }

export interface JournalLine {
  readonly side: 'debit' | 'credit'
  readonly account: string
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

/** At the end of the revenue month: what was earned, by the month that it belongs to. Null when nothing was. */
export function accrualEntry(payment: SettledPayment, chart: ChartOfAccounts): JournalEntry | null {
  const amountYen = payment.revenueYen + payment.manualAdjustmentRevenueYen
  if (amountYen === 0n) return null
  const [debit, credit] =
    amountYen > 0n ? [chart.publisherCost, chart.accruedCost] : [chart.accruedCost, chart.publisherCost]
  const absoluteYen = magnitude(amountYen)
  return {
    stage: 'accrual',
    on: lastDayOf(payment.revenueGeneratedAtMonth),
    reference: referenceOf(payment),
    partnerName: payment.partnerName,
    description: `${monthText(payment.revenueGeneratedAtMonth)}分 媒体報酬 計上`,
    lines: [plainLine('debit', debit, absoluteYen), plainLine('credit', credit, absoluteYen)],
  }
}

/**
 * When the month is finalised: the accrued cost of the paid months is turned back and booked once more with its tax, by
 * generated month, against the payable. The tax category therefore stands on the cost, with the deduction rate of the
 * month in which it arose; a month that is given back stands on the other side with its tax. Whether input tax may instead be claimed at the accrual is for the accountant to decide.
 */
export function payableEntry(payment: SettledPayment, finalizedOn: Day, chart: ChartOfAccounts): JournalEntry | null {
  if (payment.paymentYen === 0n) return null
  return {
    stage: 'payable',
    on: finalizedOn,
    reference: referenceOf(payment),
    partnerName: payment.partnerName,
    description: `${monthText(payment.revenueGeneratedAtMonth)}分 媒体報酬 支払確定`,
    lines: [
      plainLine('debit', chart.accruedCost, payment.paymentYen),
      plainLine('credit', chart.publisherCost, payment.paymentYen),
      ...payment.paidBuckets.map(
        (bucket): JournalLine => ({
          side: bucket.amountYen < 0n ? 'credit' : 'debit',
          account: chart.publisherCost,
          amountYen: magnitude(bucket.amountYen),
          deductibleTaxYen: magnitude(bucket.deductibleTaxYen),
          nonDeductibleTaxYen: magnitude(bucket.nonDeductibleTaxYen),
          taxCategory: taxCategoryOf(bucket.ratePercent, bucket.deductiblePercent),
          generatedMonth: bucket.generatedMonth,
        }),
      ),
      plainLine('credit', chart.payable, payment.paymentIncludingTaxYen),
    ],
  }
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
export function settlementEntry(
  transfer: BookedTransfer,
  paidOn: Day,
  feeTaxPercent: number,
  chart: ChartOfAccounts,
): JournalEntry {
  const lines = [
    plainLine('debit', chart.payable, transfer.paymentIncludingTaxYen),
    ...feeLines(transfer.feeYen - transfer.feeBorneByPayeeYen, feeTaxPercent, chart),
  ]
  if (transfer.withholdingYen > 0n) {
    lines.push(plainLine('credit', chart.withholdingPayable, transfer.withholdingYen))
  }
  lines.push(plainLine('credit', chart.bank, transfer.transferAmountYen))
  if (transfer.feeYen > 0n) lines.push(plainLine('credit', chart.bank, transfer.feeYen))
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
export function returnEntry(
  transfer: BookedTransfer,
  returnedOn: Day,
  feeTaxPercent: number,
  chart: ChartOfAccounts,
): JournalEntry {
  const lines = [plainLine('debit', chart.bank, transfer.transferAmountYen)]
  if (transfer.withholdingYen > 0n) lines.push(plainLine('debit', chart.withholdingPayable, transfer.withholdingYen))
  lines.push(...feeLines(transfer.feeBorneByPayeeYen, feeTaxPercent, chart))
  lines.push(plainLine('credit', chart.payable, transfer.paymentIncludingTaxYen))
  return {
    stage: 'settlement',
    on: returnedOn,
    reference: `transfer:${transfer.transferId}`,
    partnerName: transfer.partnerName,
    description: '媒体報酬 振込の組戻し',
    lines,
  }
}

/** What the platform pays the bank, tax included, with its tax split off; nothing for a fee of 0. */
function feeLines(feeYen: bigint, feeTaxPercent: number, chart: ChartOfAccounts): readonly JournalLine[] {
  if (feeYen === 0n) return []
  const feeTaxYen = floorDivide(feeYen * BigInt(feeTaxPercent), BigInt(100 + feeTaxPercent))
  return [
    {
      side: 'debit',
      account: chart.bankFee,
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

/** The category of a purchase from this supplier in a generated month. */
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

function plainLine(side: JournalLine['side'], account: string, amountYen: bigint): JournalLine {
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
