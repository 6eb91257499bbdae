import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseZenginFile, writeZenginFile } from '../bank/zengin-record.ts'
import { sumBy } from '../money/yen.ts'
import { day } from '../month/day.ts'
import { type TransferWithState, transferViolations } from '../payment/books-invariants.ts'
import { type PaymentToTransfer, planTransfers, type TransferRules } from './transfer.ts'
import { type TransferFeeTable, transferFeeYen } from './transfer-fee.ts'
import { STANDARD_WITHHOLDING_TABLE, type TreatyForm } from './withholding.ts'

const OWN_BANK = { bankCode: '0001', branchCode: '001' }
const FEES: TransferFeeTable = [
  { sourceBankCode: '0001', destination: 'same_branch', validFrom: day('2020-01-01'), fromAmountYen: 0n, feeYen: 0n },
  { sourceBankCode: '0001', destination: 'same_bank', validFrom: day('2020-01-01'), fromAmountYen: 0n, feeYen: 0n },
  { sourceBankCode: '0001', destination: 'other_bank', validFrom: day('2020-01-01'), fromAmountYen: 0n, feeYen: 440n },
  {
    sourceBankCode: '0001',
    destination: 'other_bank',
    validFrom: day('2020-01-01'),
    fromAmountYen: 30_000n,
    feeYen: 660n,
  },
  { sourceBankCode: '0001', destination: 'other_bank', validFrom: day('2027-04-01'), fromAmountYen: 0n, feeYen: 770n },
]
const RULES: TransferRules = {
  source: OWN_BANK,
  branchOf: id =>
    id === 404n
      ? undefined
      : id === 1n
        ? { bankCode: '0001', branchCode: '777' }
        : { bankCode: '0005', branchCode: '012' },
  feeTable: FEES,
  withholdingTable: STANDARD_WITHHOLDING_TABLE,
}

const TREATY: TreatyForm = { validFrom: day('2026-12-01'), validTo: day('2026-12-31'), rate: 1000 }

function toPay(
  monthlyPaymentId: bigint,
  paymentYen: bigint,
  parts: Partial<PaymentToTransfer> = {},
): PaymentToTransfer {
  return {
    monthlyPaymentId,
    bankAccountId: 2n,
    dueOn: day('2026-12-30'),
    feePaidBy: 'product',
    payeeKind: 'company',
    payeeResidence: 'resident',
    treatyForm: null,
    paymentYen,
    paymentIncludingTaxYen: paymentYen + paymentYen / 10n,
    rules: 'returns_per_rate',
    ...parts,
  }
}
function planned(payments: readonly PaymentToTransfer[]) {
  const result = planTransfers(payments, RULES)
  if (!result.ok) throw new Error(result.refusals[0]!.code)
  return result.value
}

describe('transfer', () => {
  test('E1: the platform bears the fee', () => {
    expect(planned([toPay(1n, 73_782n, { paymentIncludingTaxYen: 81_160n })])).toMatchObject([
      { transferAmountYen: 81_160n, feeYen: 660n, feeBorneByPayeeYen: 0n },
    ])
  })
  test('withholding above the total is not a matter of prices', () => {
    const returned = { payeeKind: 'individual', paymentIncludingTaxYen: 80n } as const
    expect(planTransfers([toPay(1n, 1_000n, returned)], RULES)).toMatchObject({
      refusals: [{ code: 'transfer/amount-not-positive', data: { bankAccountId: '2', amountYen: '-22' } }],
    })
  })
  test('E8: the payee bears the fee, at another bank and at our own', () => {
    const payment = toPay(1n, 117_901n, { paymentIncludingTaxYen: 129_691n, feePaidBy: 'publisher' })
    expect(planned([payment])).toMatchObject([{ transferAmountYen: 129_031n, feeYen: 660n, feeBorneByPayeeYen: 660n }])
    expect(planned([{ ...payment, bankAccountId: 1n }])).toMatchObject([{ transferAmountYen: 129_691n, feeYen: 0n }])
  })
  test('two agreements to one account on one day are one transfer, withheld on their sum', () => {
    const [transfer, ...others] = planned([
      toPay(2n, 700_000n, { payeeKind: 'individual', feePaidBy: 'publisher' }),
      toPay(1n, 800_000n, { payeeKind: 'individual', feePaidBy: 'publisher' }),
    ])
    expect(others).toEqual([])
    expect(transfer).toMatchObject({
      paymentYen: 1_500_000n,
      withholdingYen: 204_200n,
      transferAmountYen: 1_650_000n - 204_200n - 660n,
    })
    expect(transfer!.parts.map(part => [part.monthlyPaymentId, part.withholdingYen, part.feeBorneByPayeeYen])).toEqual([
      [1n, 108_907n, 352n],
      [2n, 95_293n, 308n],
    ])
  })
  test('withholding is decided per transfer: the same payments apart stay below the threshold each', () => {
    const apart = planned([
      toPay(1n, 800_000n, { payeeKind: 'individual' }),
      toPay(2n, 700_000n, { payeeKind: 'individual', feePaidBy: 'publisher' }),
    ])
    expect(apart.map(each => each.withholdingYen)).toEqual([81_680n, 71_470n])
    const together = planned([
      toPay(1n, 800_000n, { payeeKind: 'individual' }),
      toPay(2n, 700_000n, { payeeKind: 'individual' }),
    ])
    expect(together.map(each => each.withholdingYen)).toEqual([204_200n])
  })
  test('a non-resident is withheld from the whole amount, by what the day of the transfer says of its treaty form', () => {
    const abroad = { payeeResidence: 'non_resident', treatyForm: TREATY } as const
    expect(planned([toPay(1n, 1_000_000n, abroad), toPay(2n, 500_000n, abroad)])).toMatchObject([
      { payeeResidence: 'non_resident', nonResidentRate: 1000, hasTreatyForm: true, withholdingYen: 150_000n },
    ])
    const later = planTransfers([toPay(1n, 1_500_000n, abroad)], { ...RULES, transferOn: day('2027-01-01') })
    expect(later).toMatchObject({
      value: [{ nonResidentRate: 2042, hasTreatyForm: false, withholdingYen: 306_300n }],
    })
    expect(later.ok && later.value.every(each => !('treatyForm' in each))).toBe(true)
    expect(planned([toPay(1n, 1_000n)])).toMatchObject([{ nonResidentRate: null, hasTreatyForm: false }])
  })
  test('another account, day or fee payer is another transfer; nothing to pay is none', () => {
    const payments = [
      toPay(1n, 1_000n),
      toPay(2n, 1_000n, { bankAccountId: 3n }),
      toPay(3n, 1_000n, { dueOn: day('2026-11-30') }),
      toPay(4n, 1_000n, { feePaidBy: 'publisher' }),
      toPay(5n, 0n),
    ]
    expect(planned(payments).map(transfer => transfer.parts.map(part => part.monthlyPaymentId))).toEqual([
      [3n],
      [1n],
      [4n],
      [2n],
    ])
  })
  test.each<[string, readonly PaymentToTransfer[]]>([
    ['transfer/amount-not-positive', [toPay(1n, 400n, { feePaidBy: 'publisher' })]],
    ['transfer/payment-twice', [toPay(1n, 400n), toPay(1n, 400n)]],
    ['transfer/payee-kind-differs', [toPay(1n, 400n), toPay(2n, 400n, { payeeKind: 'individual' })]],
    ['transfer/payee-kind-differs', [toPay(1n, 400n), toPay(2n, 400n, { payeeResidence: 'non_resident' })]],
    [
      'transfer/payee-kind-differs',
      [400n, 500n].map((yen, index) =>
        toPay(yen, yen, {
          payeeResidence: 'non_resident',
          treatyForm: index === 0 ? TREATY : { ...TREATY, rate: 500 },
        }),
      ),
    ],
    [
      'transfer/payee-kind-differs',
      // The same rate for another reason.
      [400n, 500n].map((yen, index) =>
        toPay(yen, yen, { payeeResidence: 'non_resident', treatyForm: index === 0 ? { ...TREATY, rate: 2042 } : null }),
      ),
    ],
    ['transfer/account-unknown', [toPay(1n, 400n, { bankAccountId: 404n })]],
    ['transfer/fee-unknown', [toPay(1n, 400n, { dueOn: day('2019-12-30') })]],
    ['transfer/too-many-records', [toPay(1n, 10n ** 15n)]],
  ])('%s', (code, payments) => {
    expect(planTransfers(payments, RULES)).toMatchObject({ ok: false, refusals: [{ code }] })
  })
  test('a payment that is named twice is reported, and no other', () => {
    const result = planTransfers([toPay(1n, 400n), toPay(2n, 400n), toPay(1n, 400n), toPay(3n, 400n)], RULES)
    if (result.ok) throw new Error('it was taken')
    expect(result.refusals.map(({ data }) => data)).toEqual([{ monthlyPaymentId: '1' }])
  })
  test('the fee table by day and amount', () => {
    const other = { bankCode: '0005', branchCode: '001' }
    expect(transferFeeYen(FEES, OWN_BANK, other, 29_999n, day('2026-12-30'))).toBe(440n)
    expect(transferFeeYen(FEES, OWN_BANK, other, 30_000n, day('2026-12-30'))).toBe(660n)
    expect(transferFeeYen(FEES, OWN_BANK, other, 30_000n, day('2027-04-01'))).toBe(770n)
    expect(transferFeeYen(FEES, OWN_BANK, OWN_BANK, 30_000n, day('2026-12-30'))).toBe(0n)
  })

  const randomPayments = fc.uniqueArray(
    fc
      .record({
        monthlyPaymentId: fc.bigInt({ min: 1n, max: 10_000n }),
        bankAccountId: fc.bigInt({ min: 1n, max: 4n }),
        dueOn: fc.constantFrom(day('2026-11-30'), day('2026-12-30')),
        feePaidBy: fc.constantFrom('product' as const, 'publisher' as const),
        payeeKind: fc.constant('individual' as const),
        paymentYen: fc.bigInt({ min: 0n, max: 3_000_000n }),
      })
      .map(each => ({
        ...each,
        payeeResidence: each.bankAccountId > 2n ? ('non_resident' as const) : ('resident' as const),
        treatyForm: each.bankAccountId === 4n ? TREATY : null,
      })),
    { maxLength: 20, selector: each => each.monthlyPaymentId },
  )
  test('withholding and fee leave no part below nought, however small the payments are', () => {
    const small = [1n, 2n, 3n].map(id =>
      toPay(id, 1n, { paymentIncludingTaxYen: 1n, payeeKind: 'individual', feePaidBy: 'publisher' }),
    )
    const rules: TransferRules = {
      ...RULES,
      feeTable: FEES.map(line => ({ ...line, feeYen: 1n })),
      withholdingTable: STANDARD_WITHHOLDING_TABLE.map(line => ({ ...line, rateUpToThreshold: 4_000 })),
    }
    const result = planTransfers(small, rules)
    expect(result.ok && result.value[0]!.parts.map(part => [part.withholdingYen, part.feeBorneByPayeeYen])).toEqual([
      [1n, 0n],
      [0n, 1n],
      [0n, 0n],
    ])
  })
  const smallPayments = fc.uniqueArray(
    fc.record({
      monthlyPaymentId: fc.bigInt({ min: 1n, max: 100n }),
      paymentYen: fc.bigInt({ min: 1n, max: 12n }),
      taxYen: fc.bigInt({ min: 0n, max: 2n }),
    }),
    { minLength: 1, maxLength: 8, selector: each => each.monthlyPaymentId },
  )
  test.each(['offset_across_rates', 'returns_per_rate'] as const)(
    'parts are never negative and sum to the transfer: %s',
    version => {
      const fees = fc.bigInt({ min: 0n, max: 40n })
      fc.assert(
        fc.property(smallPayments, fees, fc.integer({ min: 0, max: 9_000 }), (list, feeYen, rateUpToThreshold) => {
          const payments = list.map(({ taxYen, ...each }) =>
            toPay(each.monthlyPaymentId, each.paymentYen, {
              ...{ paymentIncludingTaxYen: each.paymentYen + taxYen, rules: version },
              ...{ payeeKind: 'individual', feePaidBy: 'publisher' },
            }),
          )
          const result = planTransfers(payments, {
            ...RULES,
            feeTable: FEES.map(line => ({ ...line, feeYen })),
            withholdingTable: STANDARD_WITHHOLDING_TABLE.map(line => ({ ...line, rateUpToThreshold })),
          })
          if (!result.ok) return
          const [transfer] = result.value
          const { parts } = transfer!
          for (const amount of ['withholdingYen', 'feeBorneByPayeeYen', 'transferAmountYen'] as const) {
            expect(sumBy(parts, part => part[amount])).toBe(transfer![amount])
            expect(parts.every(part => part[amount] >= 0n)).toBe(true)
          }
        }),
      )
    },
  )
  test('I19: every payment is in exactly one transfer, parts sum up, order does not matter', () => {
    fc.assert(
      fc.property(randomPayments, list => {
        const payments = list.map(each => ({
          ...each,
          paymentIncludingTaxYen: each.paymentYen + each.paymentYen / 10n,
          rules: 'returns_per_rate' as const,
        }))
        const result = planTransfers(payments, RULES)
        if (!result.ok) {
          expect(result.refusals.every(each => each.code === 'transfer/amount-not-positive')).toBe(true)
          return
        }
        const standing = result.value.map(
          (transfer, index): TransferWithState => ({ ...transfer, transferId: BigInt(index), state: 'planned' }),
        )
        const scheduled = payments.filter(each => each.paymentYen > 0n).map(each => each.monthlyPaymentId)
        expect(transferViolations(standing, scheduled)).toEqual([])
        expect(sumBy(standing, each => each.paymentIncludingTaxYen)).toBe(
          sumBy(payments, each => each.paymentIncludingTaxYen),
        )
        expect(planTransfers(payments.toReversed(), RULES)).toEqual(result)
      }),
    )
  })
  test('the bank file: its total is Σ transfers is Σ statements − withholding − fees of the payees', () => {
    fc.assert(
      fc.property(randomPayments, fc.boolean(), (list, withLineBreaks) => {
        const payments = list.map(each => ({
          ...each,
          paymentIncludingTaxYen: each.paymentYen + each.paymentYen / 10n,
          rules: 'returns_per_rate' as const,
        }))
        const planned = planTransfers(payments, { ...RULES, transferOn: day('2026-12-30') })
        if (!planned.ok || planned.value.length === 0) return
        const account = { bankCode: '0005', bankName: 'ﾋﾞ', branchCode: '012', branchName: '', holder: 'ｱ' } as const
        const transfers = planned.value.map((transfer, index) => ({
          ...account,
          accountType: '1' as const,
          accountNumber: '1234567',
          amountYen: transfer.transferAmountYen,
          transferNumber: BigInt(index + 1),
          recordNumber: 0,
        }))
        const client = { ...account, accountType: '1', accountNumber: '1', clientCode: '1', clientName: 'ｱ' } as const
        const written = writeZenginFile(
          { client, transferOn: day('2026-12-30'), transfers },
          { withLineBreaks, extraAllowed: '' },
        )
        if (!written.ok) throw new Error(written.refusals[0]!.code)
        for (const record of written.value.match(/.{120}(\r\n)?/gs) ?? []) {
          expect(record.length).toBe(withLineBreaks ? 122 : 120)
        }
        const file = parseZenginFile(written.value)
        if (!file.ok) throw new Error(file.refusals[0]!.code)
        const { value } = planned
        expect(file.value.totalYen).toBe(sumBy(value, each => each.transferAmountYen))
        expect(file.value.totalYen).toBe(
          sumBy(payments, each => each.paymentIncludingTaxYen) -
            sumBy(value, each => each.withholdingYen) -
            sumBy(value, each => each.feeBorneByPayeeYen),
        )
        // Tax and fee are those of the day on which the money moves, not of the due day.
        expect(value.every(each => each.feeYen === 440n || each.feeYen === 660n || each.bankAccountId === 1n)).toBe(
          true,
        )
      }),
    )
  })
})
