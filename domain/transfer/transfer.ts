import type { FeePayer } from '../agreement/agreement-terms.ts'
import { allocate, compareBigints } from '../money/allocate.ts'
import { smaller, sumBy } from '../money/yen.ts'
import type { Day } from '../month/day.ts'
import { type Refusal, refusal } from '../refusal.ts'
import { ok, type Result, refused } from '../result.ts'
import type { RuleVersion } from '../settlement/settlement-input.ts'
import { settlementRulesOf } from '../settlement/settlement-rules.ts'
import { type BankBranch, type TransferFeeTable, transferFeeYen } from './transfer-fee.ts'
import {
  countRecords,
  MAX_RECORDS,
  MAX_TRANSFER_LIMIT_YEN,
  splitAmount,
  type TransferRecord,
} from './transfer-records.ts'
import {
  type WithheldPayee,
  type WithholdingDecision,
  type WithholdingTable,
  withholdingDecision,
  withholdingYen,
} from './withholding.ts'

/** A finalised payment that is to be sent. */
export interface PaymentToTransfer extends WithheldPayee {
  readonly monthlyPaymentId: bigint
  readonly bankAccountId: bigint
  readonly dueOn: Day
  readonly feePaidBy: FeePayer
  readonly paymentYen: bigint
  readonly paymentIncludingTaxYen: bigint
  /** The version of the rules with which its month was settled. */
  readonly rules: RuleVersion
}

export interface TransferRules {
  readonly source: BankBranch
  readonly branchOf: (bankAccountId: bigint) => BankBranch | undefined
  readonly feeTable: TransferFeeTable
  readonly withholdingTable: WithholdingTable
  /** The day on which the bank moves the money; absent: the day on which each payment is due. */
  readonly transferOn?: Day
  /** The largest amount of one record of the bank file; default: what its field can hold. */
  readonly limitYen?: bigint
}

/**
 * What one account receives on one day. amount = sum of payments including tax − withholding − the fee that the payee
 * bears.
 */
export interface PlannedTransfer
  extends Omit<PaymentToTransfer, 'monthlyPaymentId' | 'rules' | 'treatyForm'>,
    WithholdingDecision {
  readonly withholdingYen: bigint
  /** The bank's whole fee for all records, no matter who bears it. */
  readonly feeYen: bigint
  readonly feeBorneByPayeeYen: bigint
  readonly transferAmountYen: bigint
  readonly parts: readonly TransferPart[]
  /** Records of the bank file in order; they sum to amount and fee. */
  readonly records: readonly TransferRecord[]
}

/** The part of a transfer that belongs to one payment; parts sum to the transfer. */
export interface TransferPart {
  readonly monthlyPaymentId: bigint
  readonly paymentYen: bigint
  readonly paymentIncludingTaxYen: bigint
  readonly withholdingYen: bigint
  readonly feeBorneByPayeeYen: bigint
  readonly transferAmountYen: bigint
}

export type TransferRefusal = Refusal<
  | 'transfer/payment-twice'
  | 'transfer/payee-kind-differs'
  | 'transfer/account-unknown'
  | 'transfer/fee-unknown'
  | 'transfer/amount-not-positive'
  | 'transfer/too-many-records'
>

/**
 * Groups payments by account, due date and fee payer, and orders the transfers in the same way. Withholding is decided
 * once per group, because payments to one payee on one day count together within a transfer. Payments of 0 are left
 * out. One group that cannot be sent refuses them all; each such group is named.
 */
export function planTransfers(
  payments: readonly PaymentToTransfer[],
  rules: TransferRules,
): Result<readonly PlannedTransfer[], TransferRefusal> {
  const ids = payments.map(payment => payment.monthlyPaymentId)
  if (new Set(ids).size !== ids.length) {
    const twice = ids.filter((id, index) => ids.indexOf(id) !== index)
    return refused(...twice.map(id => refusal('transfer/payment-twice', [], { monthlyPaymentId: id.toString() })))
  }
  const groups = Map.groupBy(
    payments
      .filter(payment => payment.paymentYen > 0n)
      .toSorted(
        (a, b) =>
          compareTexts(a.dueOn, b.dueOn) ||
          compareBigints(a.bankAccountId, b.bankAccountId) ||
          compareTexts(a.feePaidBy, b.feePaidBy) ||
          compareBigints(a.monthlyPaymentId, b.monthlyPaymentId),
      ),
    payment => `${payment.dueOn}/${payment.bankAccountId}/${payment.feePaidBy}`,
  )
  const planned = [...groups.values()].map(group => planTransfer(group, rules))
  const refusals = planned.flatMap(result => (result.ok ? [] : result.refusals))
  return refusals.length > 0 ? refused(...refusals) : ok(planned.flatMap(result => (result.ok ? [result.value] : [])))
}

function planTransfer(
  group: readonly PaymentToTransfer[],
  rules: TransferRules,
): Result<PlannedTransfer, TransferRefusal> {
  const first = group[0]!
  const { bankAccountId, dueOn, feePaidBy, payeeKind, payeeResidence } = first
  const data = { bankAccountId: bankAccountId.toString(), dueOn }
  const movedOn = rules.transferOn ?? dueOn
  const decisionOf = (payee: WithheldPayee) => withholdingDecision(payee, movedOn, rules.withholdingTable)
  const decision = decisionOf(first)
  const isSame = (payment: PaymentToTransfer) =>
    payment.payeeKind === payeeKind &&
    payment.payeeResidence === payeeResidence &&
    decisionOf(payment).nonResidentRate === decision.nonResidentRate &&
    decisionOf(payment).hasTreatyForm === decision.hasTreatyForm
  if (!group.every(isSame)) return refused(refusal('transfer/payee-kind-differs', [], data))
  const target = rules.branchOf(bankAccountId)
  if (!target) return refused(refusal('transfer/account-unknown', [], data))

  const paymentYen = sumBy(group, payment => payment.paymentYen)
  const paymentIncludingTaxYen = sumBy(group, payment => payment.paymentIncludingTaxYen)
  const withheldYen = withholdingYen(paymentYen, first, movedOn, rules.withholdingTable)
  const beforeFeeYen = paymentIncludingTaxYen - withheldYen
  const refuseAmount = (amountYen: bigint) =>
    refused(refusal('transfer/amount-not-positive', [], { ...data, amountYen: amountYen.toString() }))
  if (beforeFeeYen <= 0n) return refuseAmount(beforeFeeYen)
  const { limitYen = MAX_TRANSFER_LIMIT_YEN } = rules
  const feeOf = (amountYen: bigint) => transferFeeYen(rules.feeTable, rules.source, target, amountYen, movedOn)
  // The payer decides to split, so the payee bears only the fee of the first record.
  const firstFeeYen = feeOf(beforeFeeYen < limitYen ? beforeFeeYen : limitYen)
  if (firstFeeYen === undefined) return refused(refusal('transfer/fee-unknown', [], data))
  const feeBorneByPayeeYen = feePaidBy === 'publisher' ? firstFeeYen : 0n
  const transferAmountYen = beforeFeeYen - feeBorneByPayeeYen
  if (transferAmountYen <= 0n) return refuseAmount(transferAmountYen)
  if (countRecords(transferAmountYen, limitYen) > BigInt(MAX_RECORDS)) {
    const amounts = { amountYen: transferAmountYen.toString(), limitYen: limitYen.toString(), max: MAX_RECORDS }
    return refused(refusal('transfer/too-many-records', [], { ...data, ...amounts }))
  }
  const records: TransferRecord[] = []
  for (const [index, amountYen] of splitAmount(transferAmountYen, limitYen).entries()) {
    const feeYen = index === 0 ? firstFeeYen : feeOf(amountYen)
    if (feeYen === undefined) return refused(refusal('transfer/fee-unknown', [], data))
    records.push({ amountYen, feeYen })
  }
  const feeYen = sumBy(records, record => record.feeYen)
  return ok({
    bankAccountId,
    dueOn,
    feePaidBy,
    payeeKind,
    payeeResidence,
    ...decision,
    paymentYen,
    paymentIncludingTaxYen,
    withholdingYen: withheldYen,
    feeYen,
    feeBorneByPayeeYen,
    transferAmountYen,
    parts: partsOf(group, withheldYen, feeBorneByPayeeYen),
    records,
  })
}

/**
 * Splits withholding and fee, which belong to the transfer, over its payments by largest remainder. A payment bears no
 * more of the fee than withholding leaves of it; the excess is split over what the others have left. A statement of an
 * earlier rule version stays true as long as no payment of a later version joins the transfer.
 */
function partsOf(
  group: readonly PaymentToTransfer[],
  withheldYen: bigint,
  feeBorneByPayeeYen: bigint,
): readonly TransferPart[] {
  const withTax = group.some(payment => settlementRulesOf(payment).weighsPartsWithTax)
  const split = (totalYen: bigint, weightOf: (payment: PaymentToTransfer, index: number) => bigint) => {
    const claims = group.map((payment, index) => ({ id: payment.monthlyPaymentId, weight: weightOf(payment, index) }))
    const portions = allocate(totalYen, claims, compareBigints)
    if (!portions.ok) throw new RangeError('a transfer is positive')
    return portions.value.map(portion => portion.amountYen)
  }
  const weightOf = (payment: PaymentToTransfer) => (withTax ? payment.paymentIncludingTaxYen : payment.paymentYen)
  const withheld = split(withheldYen, weightOf)
  const room = group.map((payment, index) => payment.paymentIncludingTaxYen - withheld[index]!)
  const capped = split(feeBorneByPayeeYen, weightOf).map((yen, index) => smaller(yen, room[index]!))
  const restYen = feeBorneByPayeeYen - sumBy(capped, yen => yen)
  const rest = restYen === 0n ? undefined : split(restYen, (_, index) => room[index]! - capped[index]!)
  return group.map(({ monthlyPaymentId, paymentYen, paymentIncludingTaxYen }, index) => {
    const partFeeYen = capped[index]! + (rest?.[index] ?? 0n)
    return {
      monthlyPaymentId,
      paymentYen,
      paymentIncludingTaxYen,
      withholdingYen: withheld[index]!,
      feeBorneByPayeeYen: partFeeYen,
      transferAmountYen: room[index]! - partFeeYen,
    }
  })
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
