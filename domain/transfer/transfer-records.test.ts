import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { imbalanceYen } from '../journal/journal-entry.ts'
import { recordEntries } from '../journal/transfer-journal.ts'
import { sumBy } from '../money/yen.ts'
import { day } from '../month/day.ts'
import { type PaymentToTransfer, planTransfers, type TransferRules } from './transfer.ts'
import { transferFeeYen } from './transfer-fee.ts'
import {
  countRecords,
  MAX_TRANSFER_LIMIT_YEN,
  MIN_TRANSFER_LIMIT_YEN,
  recordName,
  splitAmount,
} from './transfer-records.ts'
import { STANDARD_WITHHOLDING_TABLE } from './withholding.ts'

const limits = fc.bigInt({ min: MIN_TRANSFER_LIMIT_YEN, max: MAX_TRANSFER_LIMIT_YEN })

describe('splitting an amount', () => {
  test.each([
    [1n, 1_000_000n, [1n]],
    [1_000_000n, 1_000_000n, [1_000_000n]],
    [1_000_001n, 1_000_000n, [1_000_000n, 1n]],
    [2_000_000n, 1_000_000n, [1_000_000n, 1_000_000n]],
    [10_000_000_000n, 9_999_999_999n, [9_999_999_999n, 1n]],
    [250_000_000n, 100_000_000n, [100_000_000n, 100_000_000n, 50_000_000n]],
  ])('%s by %s', (amountYen, limitYen, expected) => {
    expect(splitAmount(amountYen, limitYen)).toEqual(expected)
  })
  test('as few as possible, full ones first, the rest last, and never more or less than the amount', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 12n }), limits, (amountYen, limitYen) => {
        fc.pre(countRecords(amountYen, limitYen) <= 10_000n)
        const amounts = splitAmount(amountYen, limitYen)
        expect(sumBy(amounts, each => each)).toBe(amountYen)
        expect(amounts.slice(0, -1).every(each => each === limitYen)).toBe(true)
        expect(amounts.at(-1)! > 0n && amounts.at(-1)! <= limitYen).toBe(true)
        // One record fewer could not hold it.
        expect(BigInt(amounts.length - 1) * limitYen < amountYen).toBe(true)
        expect(BigInt(amounts.length)).toBe(countRecords(amountYen, limitYen))
        expect(splitAmount(amountYen, limitYen)).toEqual(amounts)
      }),
      { numRuns: 1_000 },
    )
  })
  test('names', () => {
    expect([recordName(12n, 0), recordName(12n, 3)]).toEqual(['12', '12-3'])
  })
})

const SOURCE = { bankCode: '0001', branchCode: '001' }
const TARGET = { bankCode: '0005', branchCode: '012' }
const RULES: TransferRules = {
  source: SOURCE,
  branchOf: () => TARGET,
  feeTable: [
    [0n, 440n],
    [30_000n, 660n],
    [2_000_000n, 880n],
  ].map(([fromAmountYen, feeYen]) => ({
    sourceBankCode: '0001',
    destination: 'other_bank' as const,
    validFrom: day('2020-01-01'),
    fromAmountYen: fromAmountYen!,
    feeYen: feeYen!,
  })),
  withholdingTable: STANDARD_WITHHOLDING_TABLE,
}
const LIMIT = 2_000_000n
function planOf(paymentYen: bigint, parts: Partial<PaymentToTransfer> = {}, limitYen = LIMIT) {
  const payment: PaymentToTransfer = {
    ...{
      monthlyPaymentId: 1n,
      bankAccountId: 2n,
      dueOn: day('2026-12-30'),
      feePaidBy: 'product',
      payeeKind: 'company',
      payeeResidence: 'resident',
      treatyForm: null,
    },
    ...{ paymentYen, paymentIncludingTaxYen: paymentYen, rules: 'returns_per_rate' },
    ...parts,
  }
  const result = planTransfers([payment], { ...RULES, limitYen })
  if (!result.ok) throw new Error(result.refusals[0]!.code)
  return result.value[0]!
}

describe('a transfer above the limit', () => {
  test('the bank charges for each record, by its own amount', () => {
    expect(planOf(4_010_000n)).toMatchObject({
      ...{ transferAmountYen: 4_010_000n, feeYen: 880n + 880n + 440n, feeBorneByPayeeYen: 0n },
      records: [
        { amountYen: 2_000_000n, feeYen: 880n },
        { amountYen: 2_000_000n, feeYen: 880n },
        { amountYen: 10_000n, feeYen: 440n },
      ],
    })
  })
  test('the payee bears the fee of the first record only', () => {
    expect(planOf(4_010_000n, { feePaidBy: 'publisher' })).toMatchObject({
      ...{ transferAmountYen: 4_009_120n, feeYen: 2_200n, feeBorneByPayeeYen: 880n },
      parts: [{ feeBorneByPayeeYen: 880n, transferAmountYen: 4_009_120n }],
    })
  })
  test('a fee that brings the amount down to the limit leaves one record', () => {
    expect(planOf(2_000_880n, { feePaidBy: 'publisher' })).toMatchObject({
      ...{ transferAmountYen: 2_000_000n, feeYen: 880n, feeBorneByPayeeYen: 880n },
      records: [{ amountYen: 2_000_000n, feeYen: 880n }],
    })
  })
  test('tax is withheld from the whole, once', () => {
    const [whole, split] = [
      planOf(3_000_000n, { payeeKind: 'individual' }, MAX_TRANSFER_LIMIT_YEN),
      planOf(3_000_000n, { payeeKind: 'individual' }),
    ]
    expect(split.withholdingYen).toBe(whole.withholdingYen)
    expect(split.transferAmountYen).toBe(whole.transferAmountYen)
    expect([whole.records.length, split.records.length]).toEqual([1, 2])
  })
  test('whatever the amount, records and fees sum up, and below the limit nothing is different', () => {
    const payer = fc.constantFrom('product' as const, 'publisher' as const)
    const kind = fc.constantFrom('company' as const, 'individual' as const)
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1_000n, max: 10n ** 9n }),
        limits,
        payer,
        kind,
        (yen, limitYen, feePaidBy, payeeKind) => {
          fc.pre(countRecords(yen, limitYen) <= 900n)
          const plan = planOf(yen, { feePaidBy, payeeKind }, limitYen)
          expect(sumBy(plan.records, each => each.amountYen)).toBe(plan.transferAmountYen)
          expect(sumBy(plan.records, each => each.feeYen)).toBe(plan.feeYen)
          expect(plan.records.map(each => each.amountYen)).toEqual(splitAmount(plan.transferAmountYen, limitYen))
          expect(plan.feeBorneByPayeeYen).toBe(feePaidBy === 'publisher' ? plan.records[0]!.feeYen : 0n)
          const beforeFeeYen = yen - plan.withholdingYen
          if (beforeFeeYen > limitYen) return
          expect(plan.feeYen).toBe(transferFeeYen(RULES.feeTable, SOURCE, TARGET, beforeFeeYen, day('2026-12-30')))
        },
      ),
      { numRuns: 500 },
    )
  })
})

describe('the journal of a transfer with several records', () => {
  const [first, later] = [day('2026-12-30'), day('2027-01-08')]
  const transfer = {
    ...{ transferId: 5n, partnerName: '青空', paymentIncludingTaxYen: 4_209_120n, withholdingYen: 199_120n },
    ...{ feeYen: 2_200n, feeBorneByPayeeYen: 880n, transferAmountYen: 4_009_120n, returnedOn: null },
  }
  const record = (
    number: number,
    amountYen: bigint,
    feeYen: bigint,
    paidOn: typeof first | null,
    returnedOn: typeof first | null = null,
  ) => ({ number, amountYen, feeYen, paidOn, returnedOn })
  const sumOf = (entries: ReturnType<typeof recordEntries>, account: string) =>
    sumBy(
      entries.flatMap(entry => entry.lines).filter(line => line.account === account),
      line => (line.side === 'debit' ? 1n : -1n) * (line.amountYen + line.deductibleTaxYen + line.nonDeductibleTaxYen),
    )

  test('one entry for each debit of the bank; what is owed is settled once', () => {
    const records = [
      record(1, 2_000_000n, 880n, first),
      record(2, 2_000_000n, 880n, first),
      record(3, 9_120n, 440n, first),
    ]
    const entries = recordEntries(transfer, records, () => 10)
    expect(entries.map(entry => [entry.reference, entry.on, sumOf([entry], 'bank')])).toEqual([
      ['transfer:5-1', first, -2_000_880n],
      ['transfer:5-2', first, -2_000_880n],
      ['transfer:5-3', first, -9_560n],
    ])
    expect(entries.map(imbalanceYen)).toEqual([0n, 0n, 0n])
    expect(sumOf(entries, 'payable')).toBe(4_209_120n)
    expect(sumOf(entries, 'withholding_payable')).toBe(-199_120n)
    expect(sumOf(entries, 'bank_fee')).toBe(1_320n)
  })
  test('a record that came back and went again', () => {
    const records = [
      record(1, 2_000_000n, 880n, first, later),
      ...[record(2, 2_000_000n, 880n, first), record(3, 9_120n, 440n, first), record(4, 2_000_000n, 880n, later)],
    ]
    const entries = recordEntries(transfer, records, () => 10)
    expect(entries.map(entry => `${entry.reference} ${entry.on}`)).toEqual([
      ...['transfer:5-1 2026-12-30', 'transfer:5-2 2026-12-30', 'transfer:5-3 2026-12-30'],
      ...['transfer:5-4 2027-01-08', 'transfer:5-1 2027-01-08'],
    ])
    expect(entries.every(entry => imbalanceYen(entry) === 0n)).toBe(true)
    expect(sumOf(entries, 'payable')).toBe(4_209_120n)
    expect(sumOf(entries, 'bank_fee')).toBe(2_200n)
  })
  test('nothing is left of it: what was withheld and charged is taken back', () => {
    const records = [
      record(1, 2_000_000n, 880n, first, later),
      record(2, 2_000_000n, 880n, first, later),
      record(3, 9_120n, 440n, null, later),
    ]
    const entries = recordEntries({ ...transfer, returnedOn: later }, records, () => 10)
    expect(entries.every(entry => imbalanceYen(entry) === 0n)).toBe(true)
    expect([sumOf(entries, 'payable'), sumOf(entries, 'withholding_payable')]).toEqual([0n, 0n])
    // The bank keeps its fees.
    expect(sumOf(entries, 'bank_fee')).toBe(1_760n)
  })
  test('the smallest record is paid first: the fee that the payee bore is more than what the bank charged yet', () => {
    const entries = recordEntries(
      transfer,
      [record(3, 9_120n, 440n, first), record(1, 2_000_000n, 880n, later)],
      () => 10,
    )
    expect(entries.map(imbalanceYen)).toEqual([0n, 0n])
    expect(sumOf(entries, 'bank_fee')).toBe(440n)
    expect(entries.flatMap(entry => entry.lines).every(line => line.amountYen > 0n)).toBe(true)
  })
})
