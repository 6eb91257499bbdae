import type { FeePayer } from '../agreement/agreement-terms.ts'
import { bankFullName } from '../bank/bank-full-name.ts'
import { maskedAccountNumber } from '../bank/masked-account-number.ts'
import { isRegistrationNumberFormat } from '../bank/registration-number.ts'
import { sumBy } from '../money/yen.ts'
import type { Day } from '../month/day.ts'
import { addDays } from '../month/day.ts'
import { dayText } from '../month/day-text.ja.ts'
import type { YearMonth } from '../month/year-month.ts'
import { type Refusal, refusal } from '../refusal.ts'
import { ok, type Result, refused } from '../result.ts'
import {
  type PaidBucket,
  REVENUE_PARTS,
  type RevenueParts,
  type SettledPayment,
  type TaxLine,
} from '../settlement/settlement-result.ts'
import type { TransferPart, TransferRefusal } from '../transfer/transfer.ts'
import { isWithheldFrom, type WithheldPayee } from '../transfer/withholding.ts'

const PART_LABELS: Readonly<Record<keyof RevenueParts, string>> = {
  adsRevenueYen: '配信収益（自社広告）',
  sspRevenueYen: '配信収益（SSP広告）',
  videoSspRevenueYen: '配信収益（動画SSP広告）',
  liveSspRevenueYen: '配信収益（ライブSSP広告）',
  fixedRevenueAppliedYen: '固定額',
  minimumTopUpRevenueYen: '最低保証調整',
}
const BALANCE_LINES = [
  ['manualAdjustmentRevenueYen', 1n, '調整額'],
  ['carriedOverRevenueYen', 1n, '前月繰越'],
  ['carriedOverToNextYen', -1n, '次月繰越'],
] as const satisfies readonly (readonly [keyof SettledPayment, 1n | -1n, string])[]
type StatedAmount = keyof RevenueParts | (typeof BALANCE_LINES)[number][0]
/** The amounts that a statement prints as lines, and the sign with which each counts towards the payment. */
const LINES: readonly (readonly [StatedAmount, 1n | -1n, string])[] = [
  ...REVENUE_PARTS.map(part => [part, 1n, PART_LABELS[part]] as const),
  ...BALANCE_LINES,
]
export const STATED_AMOUNTS: readonly StatedAmount[] = LINES.map(([amount]) => amount)

/**
 * What a statement takes from a settled payment. The deductible part of a tax concerns only the payer, so it is left
 * out.
 */
export interface StatedPayment
  extends Pick<
    SettledPayment,
    | 'agreementId'
    | 'revenueGeneratedAtMonth'
    | 'partnerName'
    | 'qualifiedInvoiceIssuer'
    | 'invoiceRegistrationNumber'
    | StatedAmount
    | 'paymentYen'
    | 'paymentTaxYen'
    | 'paymentIncludingTaxYen'
    | 'taxLines'
    | 'dueOn'
  > {
  readonly paidBuckets: readonly Pick<PaidBucket, 'generatedMonth' | 'amountYen' | 'ratePercent' | 'taxYen'>[]
}

/** What a statement needs in addition to the settled payment; all of it belongs to the frozen snapshot. */
export interface StatementFacts {
  readonly number: string
  /** 0 for the first issue. */
  readonly revision: number
  /** Why a revision replaces the one before; required from revision 1 on. */
  readonly revisionReason: string | null
  readonly issuedOn: Day
  readonly payerName: string
  /** Empty: it is not printed. */
  readonly payerAddress: string
  readonly payerRegistrationNumber: string
  readonly payee: Pick<WithheldPayee, 'payeeKind' | 'payeeResidence'>
  /** One line; empty when it is unknown. */
  readonly payeeAddress: string
  readonly feePaidBy: FeePayer
  /** The transfer is in a bank file, so no other payment can join it. */
  readonly isTransferMade: boolean
  readonly agreementName: string
  readonly agreementCode: string
  readonly account: StatementAccount
  /** Days after issue after which silence counts as confirmation, as agreed with the payee. */
  readonly deemedConfirmationDays: number
  readonly snapshotHash: string
}

export interface StatementAccount {
  readonly bankName: string
  readonly branchName: string
  readonly typeName: string
  readonly number: string
  readonly holder: string
}

/**
 * The printed document, 支払通知書 兼 仕入明細書. A statement with an empty field is refused. A new field must be optional,
 * because older documents are read from their stored text, which lacks it.
 */
export interface Statement {
  readonly heading: '支払通知書 兼 仕入明細書' | '支払通知書'
  readonly number: string
  readonly revision: number
  readonly revisionReason: string | null
  readonly issuedOn: Day
  readonly payerName: string
  readonly payerAddress: string
  readonly payerRegistrationNumber: string
  readonly payeeName: string
  readonly payeeHonorific: '御中' | '様'
  /** Absent in documents of template versions 1 to 3; empty when it is unknown. */
  readonly payeeAddress?: string
  /** The payee's T-number, or `登録なし`. */
  readonly payeeRegistration: string
  readonly agreementName: string
  readonly agreementCode: string
  readonly revenueGeneratedAtMonth: YearMonth
  /** The months that the payment consists of, including carried ones. */
  readonly generatedMonths: readonly StatedMonth[]
  /** The lines sum to the total without tax. */
  readonly lines: readonly StatementLine[]
  readonly taxLines: readonly TaxLine[]
  readonly totalWithoutTaxYen: bigint
  readonly totalTaxYen: bigint
  readonly totalYen: bigint
  /** This payment's part of the transfer to its account on its day, as planned when the document was issued. */
  readonly withholdingYen: bigint
  readonly feeYen: bigint
  readonly transferAmountYen: bigint
  /**
   * Whether other payments can still join the transfer and change these three amounts, because withholding and fee
   * belong to the transfer. If nothing is deducted, the transfer pays the total in any case. False in documents of
   * template version 1.
   */
  readonly isTransferPlanned: boolean
  readonly dueOn: Day
  /** The account number is masked to its last three digits. */
  readonly account: StatementAccount
  readonly confirmationDeemedOn: Day
  readonly confirmationClause: string
  readonly snapshotHash: string
}

/** A month that is paid or, if negative, given back (返還). */
export interface StatedMonth {
  readonly month: YearMonth
  readonly amountYen: bigint
  /** Rate and tax are absent in documents of template versions 1 and 2. */
  readonly ratePercent?: number
  readonly taxYen?: bigint
}

export interface StatementLine {
  readonly label: string
  readonly amountYen: bigint
}

export type StatementRefusal = Refusal<
  'statement/nothing-paid' | 'statement/field-missing' | 'statement/total-differs' | 'statement/number-invalid'
>

/**
 * The statement of one finalised payment; the same snapshot always gives the same statement. Incomplete facts are
 * refused, field by field.
 */
export function statementOf(
  payment: StatedPayment,
  transfer: TransferPart,
  facts: StatementFacts,
): Result<Statement, StatementRefusal | TransferRefusal> {
  if (payment.paymentYen <= 0n) return refused(refusal('statement/nothing-paid'))
  const refusals: (StatementRefusal | TransferRefusal)[] = [
    ...missingFields(payment, facts),
    ...numberRefusals(payment, facts),
  ]
  const lines = LINES.map(([amount, sign, label]) => ({ label, amountYen: sign * payment[amount] })).filter(
    line => line.amountYen !== 0n,
  )
  if (sumBy(lines, line => line.amountYen) !== payment.paymentYen) {
    refusals.push(refusal('statement/total-differs', ['lines']))
  }
  const isTransferWhole =
    transfer.paymentIncludingTaxYen === payment.paymentIncludingTaxYen &&
    transfer.transferAmountYen ===
      transfer.paymentIncludingTaxYen - transfer.withholdingYen - transfer.feeBorneByPayeeYen
  if (!isTransferWhole) refusals.push(refusal('statement/total-differs', ['transferAmountYen']))
  if (transfer.transferAmountYen < 0n) {
    const data = { payee: payment.partnerName, amountYen: transfer.transferAmountYen.toString() }
    refusals.push(refusal('transfer/amount-not-positive', ['transferAmountYen'], data))
  }
  if (refusals.length > 0) return refused(...refusals)

  const deemedOn = addDays(facts.issuedOn, facts.deemedConfirmationDays)
  return ok({
    heading: payment.qualifiedInvoiceIssuer ? '支払通知書 兼 仕入明細書' : '支払通知書',
    number: facts.number,
    revision: facts.revision,
    revisionReason: facts.revisionReason,
    issuedOn: facts.issuedOn,
    payerName: facts.payerName,
    payerAddress: facts.payerAddress,
    payerRegistrationNumber: facts.payerRegistrationNumber,
    payeeName: payment.partnerName,
    payeeHonorific: facts.payee.payeeKind === 'company' ? '御中' : '様',
    payeeAddress: facts.payeeAddress,
    payeeRegistration: (payment.qualifiedInvoiceIssuer && payment.invoiceRegistrationNumber) || '登録なし',
    agreementName: facts.agreementName,
    agreementCode: facts.agreementCode,
    revenueGeneratedAtMonth: payment.revenueGeneratedAtMonth,
    generatedMonths: payment.paidBuckets.map(({ generatedMonth, amountYen, ratePercent, taxYen }) => ({
      ...{ month: generatedMonth, amountYen, ratePercent, taxYen },
    })),
    lines,
    taxLines: payment.taxLines,
    totalWithoutTaxYen: payment.paymentYen,
    totalTaxYen: payment.paymentTaxYen,
    totalYen: payment.paymentIncludingTaxYen,
    withholdingYen: transfer.withholdingYen,
    feeYen: transfer.feeBorneByPayeeYen,
    transferAmountYen: transfer.transferAmountYen,
    isTransferPlanned: !facts.isTransferMade && (isWithheldFrom(facts.payee) || facts.feePaidBy === 'publisher'),
    dueOn: payment.dueOn,
    account: {
      ...facts.account,
      bankName: bankFullName(facts.account.bankName),
      number: maskedAccountNumber(facts.account.number),
    },
    confirmationDeemedOn: deemedOn,
    confirmationClause: `本書の記載内容について、${dayText(deemedOn)}までにご連絡がない場合は、記載内容のとおりご確認いただいたものとします。`,
    snapshotHash: facts.snapshotHash,
  })
}

/** The number names the agreement and month, which have one statement: `202606-002101`. */
export function statementNumber(month: YearMonth, agreementId: bigint): string {
  return `${month}-${agreementId.toString().padStart(6, '0')}`
}

/** A number with its revision: `202606-002101` and, once replaced, `202606-002101（改訂1）`. */
export function statementNumberText({ number, revision }: Pick<Statement, 'number' | 'revision'>): string {
  return revision === 0 ? number : `${number}（改訂${revision}）`
}

function missingFields(payment: StatedPayment, facts: StatementFacts): StatementRefusal[] {
  const texts: Readonly<Record<string, string>> = {
    number: facts.number,
    payerName: facts.payerName,
    payeeName: payment.partnerName,
    agreementName: facts.agreementName,
    agreementCode: facts.agreementCode,
    bankName: facts.account.bankName,
    branchName: facts.account.branchName,
    typeName: facts.account.typeName,
    accountNumber: facts.account.number,
    holder: facts.account.holder,
    snapshotHash: facts.snapshotHash,
    ...(facts.revision > 0 ? { revisionReason: facts.revisionReason ?? '' } : {}),
  }
  const missing = Object.keys(texts).filter(field => texts[field]!.trim() === '')
  if (!Number.isInteger(facts.revision) || facts.revision < 0) missing.push('revision')
  if (!Number.isInteger(facts.deemedConfirmationDays) || facts.deemedConfirmationDays < 1) {
    missing.push('deemedConfirmationDays')
  }
  if (payment.taxLines.length === 0) missing.push('taxLines')
  return missing.map(field => refusal('statement/field-missing', [field], { field }))
}

function numberRefusals(payment: StatedPayment, facts: StatementFacts): StatementRefusal[] {
  const refusals: StatementRefusal[] = []
  if (!isRegistrationNumberFormat(facts.payerRegistrationNumber)) {
    refusals.push(refusal('statement/number-invalid', ['payerRegistrationNumber']))
  }
  if (payment.qualifiedInvoiceIssuer && !isRegistrationNumberFormat(payment.invoiceRegistrationNumber ?? '')) {
    refusals.push(refusal('statement/number-invalid', ['invoiceRegistrationNumber']))
  }
  return refusals
}
