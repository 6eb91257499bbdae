import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Day, day } from '../month/day.ts'
import { type TransferDestination, type TransferFeeLine, transferFeeYen } from './transfer-fee.ts'

const SOURCE = { bankCode: '0001', branchCode: '001' }
const TARGETS = {
  same_branch: SOURCE,
  same_bank: { bankCode: '0001', branchCode: '002' },
  other_bank: { bankCode: '0005', branchCode: '002' },
} as const

function line(destination: TransferDestination, validFrom: string, fromAmountYen: bigint, feeYen: bigint) {
  return { sourceBankCode: '0001', destination, validFrom: day(validFrom), fromAmountYen, feeYen }
}

describe('where the money goes', () => {
  const table = [
    line('same_branch', '2020-01-01', 0n, 1n),
    line('same_bank', '2020-01-01', 0n, 110n),
    line('other_bank', '2020-01-01', 0n, 440n),
  ]
  const feeTo = (target: { bankCode: string; branchCode: string }) =>
    transferFeeYen(table, SOURCE, target, 1_000n, day('2026-12-30'))

  test('the same branch, another branch of the bank and another bank have prices of their own', () => {
    expect(feeTo(TARGETS.same_branch)).toBe(1n)
    expect(feeTo(TARGETS.same_bank)).toBe(110n)
    expect(feeTo(TARGETS.other_bank)).toBe(440n)
  })

  test('a branch of another bank that has the same number is no branch of ours', () => {
    expect(feeTo({ bankCode: '0005', branchCode: SOURCE.branchCode })).toBe(440n)
  })
})

test('the line of the latest day holds, and of that day the one of the highest amount, in whatever order they stand', () => {
  const table = [
    line('other_bank', '2020-01-01', 0n, 440n),
    line('other_bank', '2020-01-01', 30_000n, 660n),
    // The price list of a later day replaces all lines of the earlier one.
    line('other_bank', '2027-04-01', 0n, 770n),
    line('other_bank', '2027-04-01', 50_000n, 880n),
  ]
  for (const lines of [table, table.toReversed(), [table[1]!, table[3]!, table[0]!, table[2]!]]) {
    const feeOf = (amountYen: bigint, onDay: string) =>
      transferFeeYen(lines, SOURCE, TARGETS.other_bank, amountYen, day(onDay))
    expect([29_999n, 30_000n].map(amountYen => feeOf(amountYen, '2027-03-31'))).toEqual([440n, 660n])
    expect([29_999n, 30_000n, 49_999n, 50_000n].map(amountYen => feeOf(amountYen, '2027-04-01'))).toEqual([
      ...[770n, 770n, 770n, 880n],
    ])
  }
})

test('a bank, a destination, a day or an amount without a line has no fee: nothing is guessed', () => {
  const table = [line('other_bank', '2026-04-01', 1_000n, 440n)]
  const feeOf = (target: { bankCode: string; branchCode: string }, amountYen: bigint, onDay: string) =>
    transferFeeYen(table, SOURCE, target, amountYen, day(onDay))
  expect(feeOf(TARGETS.other_bank, 1_000n, '2026-04-01')).toBe(440n)
  expect(feeOf(TARGETS.other_bank, 999n, '2026-04-01')).toBeUndefined()
  expect(feeOf(TARGETS.other_bank, 1_000n, '2026-03-31')).toBeUndefined()
  expect(feeOf(TARGETS.same_bank, 1_000n, '2026-04-01')).toBeUndefined()
  const elsewhere = { bankCode: '0009', branchCode: '001' }
  expect(transferFeeYen(table, elsewhere, TARGETS.other_bank, 1_000n, day('2026-04-01'))).toBeUndefined()
})

test('the fee is the one that the list says when it is read from the newest and highest line down', () => {
  const days: readonly Day[] = ['2026-01-01', '2026-04-01', '2026-07-01'].map(day)
  const lines = fc.uniqueArray(
    fc.record({
      sourceBankCode: fc.constantFrom('0001', '0009'),
      destination: fc.constantFrom<TransferDestination>('same_branch', 'same_bank', 'other_bank'),
      validFrom: fc.constantFrom(...days),
      fromAmountYen: fc.constantFrom(0n, 10_000n, 30_000n),
      feeYen: fc.bigInt({ min: 0n, max: 990n }),
    }),
    { selector: one => `${one.sourceBankCode}/${one.destination}/${one.validFrom}/${one.fromAmountYen}` },
  )
  const newestFirst = (a: TransferFeeLine, b: TransferFeeLine) =>
    a.validFrom === b.validFrom ? Number(b.fromAmountYen - a.fromAmountYen) : a.validFrom < b.validFrom ? 1 : -1
  fc.assert(
    fc.property(
      lines,
      fc.constantFrom(...Object.keys(TARGETS)) as fc.Arbitrary<TransferDestination>,
      fc.constantFrom(0n, 9_999n, 10_000n, 29_999n, 30_000n, 1_000_000n),
      fc.constantFrom(...(['2025-12-31', '2026-01-01', '2026-05-31', '2026-12-31'].map(day) as [Day, ...Day[]])),
      (table, destination, amountYen, onDay) => {
        const wanted = table
          .toSorted(newestFirst)
          .find(
            one =>
              one.sourceBankCode === '0001' &&
              one.destination === destination &&
              one.validFrom <= onDay &&
              one.fromAmountYen <= amountYen,
          )
        expect(transferFeeYen(table, SOURCE, TARGETS[destination], amountYen, onDay)).toBe(wanted?.feeYen)
      },
    ),
    { numRuns: 2_000 },
  )
})
