import { describe, expect, test } from 'vitest'
import { payableEntry } from '../journal/close-journal.ts'
import type { JournalLine } from '../journal/journal-entry.ts'
import { sumBy } from '../money/yen.ts'
import { day } from '../month/day.ts'
import type { YearMonth } from '../month/year-month.ts'
import { canonicalText, parseCanonicalText } from '../payment/canonical-text.ts'
import { type ChainLink, chainLink, verifyChain } from '../payment/snapshot-chain.ts'
import { randomMonth } from '../settlement/random-month.ts'
import {
  paymentOf,
  sampleAdjustment,
  sampleAgreement,
  sampleMonth,
  sampleRule,
  settled,
} from '../settlement/sample-month.ts'
import type { TransferPart } from '../transfer/transfer.ts'
import { sampleStatementWithReturns } from './sample-statement.ts'
import { type StatementFacts, statementNumber, statementNumberText, statementOf } from './statement.ts'
import { statementCsv } from './statement-csv.ts'

const carried = [{ generatedMonth: 202605 as YearMonth, amountYen: 1_000n }]
const qualified = { invoiceRegistrationNumber: 'T7123456789012', qualifiedMonths: [202605, 202606] as YearMonth[] }
const payment = paymentOf(
  settled(sampleMonth(202606, { agreements: [sampleAgreement(1n, [sampleRule(1n, 4_343n, { carried })], qualified)] })),
  1n,
)
const transfer: TransferPart = {
  monthlyPaymentId: 1n,
  paymentYen: 5_343n,
  paymentIncludingTaxYen: 5_877n,
  withholdingYen: 0n,
  feeBorneByPayeeYen: 0n,
  transferAmountYen: 5_877n,
}
const PERSON = { payeeKind: 'individual', payeeResidence: 'resident' } as const
const facts: StatementFacts = {
  number: 'S-202606-000001',
  revision: 0,
  revisionReason: null,
  issuedOn: day('2026-07-05'),
  payerName: '株式会社プラットフォーム',
  payerAddress: '東京都千代田区1-1',
  payerRegistrationNumber: 'T4011001098993',
  payee: { payeeKind: 'company', payeeResidence: 'resident' },
  payeeAddress: '',
  feePaidBy: 'product',
  isTransferMade: false,
  agreementName: '基本契約',
  agreementCode: 'AG-1',
  account: { bankName: 'みずほ', branchName: '東京営業部', typeName: '普通', number: '1234567', holder: 'ｶ)ｱｵｿﾞﾗ' },
  deemedConfirmationDays: 14,
  snapshotHash: 'abc',
}

describe('statement', () => {
  test('withholding and fee may take the whole payment, and no more', () => {
    const part = (feeBorneByPayeeYen: bigint): TransferPart => ({
      ...transfer,
      feeBorneByPayeeYen,
      transferAmountYen: transfer.paymentIncludingTaxYen - feeBorneByPayeeYen,
    })
    expect(statementOf(payment, part(5_877n), facts)).toMatchObject({ value: { transferAmountYen: 0n } })
    expect(statementOf(payment, part(5_878n), facts)).toMatchObject({
      refusals: [{ code: 'transfer/amount-not-positive', data: { payee: '取引先1', amountYen: '-1' } }],
    })
  })
  test('has every field, and its lines sum to the payment', () => {
    const result = statementOf(payment, transfer, facts)
    if (!result.ok) throw new Error(result.refusals[0]!.code)
    const statement = result.value
    expect(statement).toMatchObject({
      heading: '支払通知書 兼 仕入明細書',
      payeeRegistration: 'T7123456789012',
      totalWithoutTaxYen: 5_343n,
      totalTaxYen: 534n,
      totalYen: 5_877n,
      transferAmountYen: 5_877n,
      dueOn: '2026-07-31',
      confirmationDeemedOn: '2026-07-19',
      generatedMonths: [
        { month: 202605, amountYen: 1_000n, ratePercent: 10, taxYen: 100n },
        { month: 202606, amountYen: 4_343n, ratePercent: 10, taxYen: 434n },
      ],
      taxLines: [{ ratePercent: 10, amountYen: 5_343n, taxYen: 534n }],
    })
    // Only lines with an amount, with their labels.
    expect(statement.lines).toEqual([
      { label: '配信収益（自社広告）', amountYen: 4_343n },
      { label: '前月繰越', amountYen: 1_000n },
    ])
    expect(statement.account.bankName).toBe('みずほ銀行')
    expect(sumBy(statement.lines, line => line.amountYen)).toBe(statement.totalWithoutTaxYen)
    expect(statement.account.number).toBe('****567')
    expect(statement.confirmationClause).toContain('2026年7月19日')
  })
  test('returns stand as months of their own with rate and tax, and sum to the tax of the payment (E13)', () => {
    const input = sampleMonth(202610, {
      agreements: [
        sampleAgreement(1n, [
          sampleRule(1n, 100_000n, { carried: [{ generatedMonth: 201909 as YearMonth, amountYen: 20_000n }] }),
        ]),
      ],
      adjustments: [sampleAdjustment(1n, 1n, -25_000n, { originMonth: 202608 as YearMonth })],
    })
    const paid = paymentOf(settled(input), 1n)
    const part = { ...transfer, paymentYen: 95_000n, paymentIncludingTaxYen: 104_100n, transferAmountYen: 104_100n }
    const made = statementOf(paid, part, facts)
    if (!made.ok) throw new Error(made.refusals[0]!.code)
    expect(made.value.generatedMonths).toEqual([
      { month: 201909, amountYen: 20_000n, ratePercent: 8, taxYen: 1_600n },
      { month: 202608, amountYen: -25_000n, ratePercent: 10, taxYen: -2_500n },
      { month: 202610, amountYen: 100_000n, ratePercent: 10, taxYen: 10_000n },
    ])
    expect(sumBy(made.value.generatedMonths, each => each.taxYen ?? 0n)).toBe(made.value.totalTaxYen)
    // The example of the manual.
    const { generatedMonths, lines, taxLines, totalWithoutTaxYen, totalTaxYen, totalYen } = sampleStatementWithReturns()
    expect(made.value).toMatchObject({ generatedMonths, lines, taxLines, totalWithoutTaxYen, totalTaxYen, totalYen })
    expect(statementCsv(made.value, 'ab')).toContain(',返還,2026-08,10,-25000,-2500,-27500,')
    // The journal books the same tax, and so does the rule: rounded down once per rate.
    const sign = (line: JournalLine) => (line.side === 'debit' ? 1n : -1n)
    const booked = sumBy(
      payableEntry(paid, day('2026-11-10'), () => 'finalising')!.lines,
      line => sign(line) * (line.deductibleTaxYen + line.nonDeductibleTaxYen),
    )
    expect([booked, totalTaxYen]).toEqual([9_100n, (75_000n * 10n) / 100n + (20_000n * 8n) / 100n])
  })
  test.each([
    ['みずほ', 'みずほ銀行'],
    ['三菱ＵＦＪ信託', '三菱ＵＦＪ信託銀行'],
    ['ゆうちょ', 'ゆうちょ銀行'],
    ['日本銀行', '日本銀行'],
    ['城南信金', '城南信用金庫'],
    ['大東京信組', '大東京信用組合'],
    ['中央労金', '中央労働金庫'],
    ['商工中金', '商工組合中央金庫'],
    ['東京都信連', '東京都信連'],
  ])('the bank %s is written %s', (short, full) => {
    const made = statementOf(payment, transfer, { ...facts, account: { ...facts.account, bankName: short } })
    expect(made.ok && made.value.account.bankName).toBe(full)
  })
  test('the number names month and agreement, a revision keeps it', () => {
    const number = statementNumber(202606 as YearMonth, 2101n)
    expect(number).toBe('202606-002101')
    expect(statementNumber(202606 as YearMonth, 12_345_678n)).toBe('202606-12345678')
    expect([0, 2].map(revision => statementNumberText({ number, revision }))).toEqual([number, `${number}（改訂2）`])
  })
  test('what is taken off is planned while other payments can join the transfer; a total without it is certain', () => {
    const planned = (parts: Partial<StatementFacts>) => {
      const made = statementOf(payment, transfer, { ...facts, ...parts })
      return made.ok && made.value.isTransferPlanned
    }
    expect(planned({})).toBe(false)
    expect(planned({ feePaidBy: 'publisher' })).toBe(true)
    expect(planned({ payee: PERSON })).toBe(true)
    expect(planned({ payee: PERSON, isTransferMade: true })).toBe(false)
    expect(planned({ payee: { payeeKind: 'company', payeeResidence: 'non_resident' } })).toBe(true)
  })
  test('a payee without registration gets no 仕入明細書', () => {
    const result = statementOf({ ...payment, qualifiedInvoiceIssuer: false }, transfer, facts)
    expect(result).toMatchObject({ ok: true, value: { heading: '支払通知書', payeeRegistration: '登録なし' } })
  })
  test.each<[string, Partial<StatementFacts>, string]>([
    ['statement/field-missing', { number: '' }, 'number'],
    ['statement/field-missing', { payerName: ' ' }, 'payerName'],
    ['statement/field-missing', { agreementCode: '' }, 'agreementCode'],
    ['statement/field-missing', { account: { ...facts.account, holder: '' } }, 'holder'],
    ['statement/field-missing', { snapshotHash: '' }, 'snapshotHash'],
    ['statement/field-missing', { revision: 1 }, 'revisionReason'],
    ['statement/field-missing', { revision: -1 }, 'revision'],
    ['statement/field-missing', { revision: 0.5, revisionReason: '住所の訂正' }, 'revision'],
    ['statement/field-missing', { deemedConfirmationDays: 0 }, 'deemedConfirmationDays'],
    ['statement/field-missing', { deemedConfirmationDays: 1.5 }, 'deemedConfirmationDays'],
    ['statement/number-invalid', { payerRegistrationNumber: '' }, 'payerRegistrationNumber'],
  ])('%s', (code, parts, field) => {
    expect(statementOf(payment, transfer, { ...facts, ...parts })).toMatchObject({
      ok: false,
      refusals: [{ code, path: [field] }],
    })
  })
  test('one day is enough to object; a person is 様, a company 御中', () => {
    const made = (parts: Partial<StatementFacts>) => {
      const result = statementOf(payment, transfer, { ...facts, ...parts })
      return result.ok ? [result.value.confirmationDeemedOn, result.value.payeeHonorific] : result.refusals
    }
    expect(made({ deemedConfirmationDays: 1 })).toEqual(['2026-07-06', '御中'])
    expect(made({ payee: PERSON })).toEqual(['2026-07-19', '様'])
  })
  test('a payment without tax lines, or a registered payee without a valid number, is refused', () => {
    for (const [parts, code, field] of [
      [{ taxLines: [] }, 'statement/field-missing', 'taxLines'],
      [{ invoiceRegistrationNumber: null }, 'statement/number-invalid', 'invoiceRegistrationNumber'],
      [{ invoiceRegistrationNumber: 'T1' }, 'statement/number-invalid', 'invoiceRegistrationNumber'],
    ] as const)
      expect(statementOf({ ...payment, ...parts }, transfer, facts)).toMatchObject({
        ok: false,
        refusals: [{ code, path: [field] }],
      })
  })
  test('amounts that do not tie are refused', () => {
    expect(statementOf({ ...payment, adsRevenueYen: 1n }, transfer, facts)).toMatchObject({
      ok: false,
      refusals: [{ code: 'statement/total-differs', path: ['lines'] }],
    })
    // Withholding and the payee's fee are deducted. A yen more or less is refused, and so is a transfer of another
    // payment.
    const taken = { ...transfer, withholdingYen: 545n, feeBorneByPayeeYen: 440n, transferAmountYen: 4_892n }
    expect(statementOf(payment, taken, facts)).toMatchObject({
      ok: true,
      value: { withholdingYen: 545n, feeYen: 440n, transferAmountYen: 4_892n, totalYen: 5_877n },
    })
    for (const wrong of [
      { ...transfer, transferAmountYen: 1n },
      { ...taken, transferAmountYen: 4_891n },
      { ...taken, transferAmountYen: 4_893n },
      { ...transfer, paymentIncludingTaxYen: 5_878n, transferAmountYen: 5_878n },
    ])
      expect(statementOf(payment, wrong, facts)).toMatchObject({
        ok: false,
        refusals: [{ code: 'statement/total-differs', path: ['transferAmountYen'] }],
      })
    expect(statementOf({ ...payment, paymentYen: 0n }, transfer, facts)).toMatchObject({
      ok: false,
      refusals: [{ code: 'statement/nothing-paid' }],
    })
    expect(statementOf({ ...payment, partnerName: '' }, transfer, facts)).toMatchObject({
      ok: false,
      refusals: [{ path: ['payeeName'] }],
    })
    expect(statementOf({ ...payment, invoiceRegistrationNumber: null }, transfer, facts)).toMatchObject({
      ok: false,
      refusals: [{ code: 'statement/number-invalid' }],
    })
  })
})

describe('canonical text', () => {
  test('gives every value back', () => {
    const value = { b: 10n, a: [1, '10n', '~10n', 'x', null, true], m: new Map([['k', -5n]]), empty: '' }
    expect(canonicalText(value)).toBe(
      '{"a":[1,"~10n","~~10n","x",null,true],"b":"10n","empty":"","m":{"$map":[["k","-5n"]]}}',
    )
    expect(parseCanonicalText(canonicalText(value))).toEqual(value)
  })
  test('a stored input settles to the same bytes', () => {
    for (let seed = 0; seed < 50; seed += 1) {
      const input = randomMonth(seed)
      const again = parseCanonicalText(canonicalText(input)) as typeof input
      expect(canonicalText(settled(again))).toBe(canonicalText(settled(input)))
    }
  })
  test('what cannot be stored exactly is a fault', () => {
    for (const value of [0.5, Number.NaN, undefined, () => 1, { a: undefined }, new globalThis.Date(0), { $map: 1 }]) {
      expect(() => canonicalText(value)).toThrow(RangeError)
    }
  })
})

describe('hash chain', () => {
  /** FNV-1a in place of SHA-256: here different texts only need different hashes. */
  const hash = (text: string) => {
    let value = 0xcbf29ce484222325n
    for (const character of text)
      value = ((value ^ BigInt(character.codePointAt(0)!)) * 0x100000001b3n) & 0xffffffffffffffffn
    return value.toString(16).padStart(16, '0')
  }
  const contents = new Map<string, unknown>()
  const keyOf = (month: number, agreementId: bigint | null) => `${month}/${agreementId}`
  let previousHash: string | null = null
  const links: ChainLink[] = [202605, 202606, 202607].map(month => {
    const head = { month, settings: { payoutThresholdYen: 1n } }
    const snapshots = [2n, 1n].map(agreementId => ({ agreementId, content: { month, agreementId, paymentYen: 100n } }))
    contents.set(keyOf(month, null), head)
    for (const each of snapshots) contents.set(keyOf(month, each.agreementId), each.content)
    const link = chainLink({ mediumId: 1n, month: month as YearMonth, head }, snapshots, previousHash, hash)
    previousHash = link.hash
    return link
  })
  const read = (source: ReadonlyMap<string, unknown>) => (link: ChainLink, agreementId: bigint | null) =>
    source.get(keyOf(link.month, agreementId))

  test('an untouched chain verifies', () => expect(verifyChain(links, read(contents), hash)).toEqual([]))
  test('a changed snapshot, head, hash or order is found where it is', () => {
    const changed = new Map(contents).set(keyOf(202606, 2n), { month: 202606, agreementId: 2n, paymentYen: 101n })
    expect(verifyChain(links, read(changed), hash)).toEqual([
      { mediumId: 1n, month: 202606, kind: 'content-altered', agreementId: 2n },
    ])
    const head = new Map(contents).set(keyOf(202605, null), {})
    expect(verifyChain(links, read(head), hash)).toMatchObject([
      { month: 202605, kind: 'content-altered', agreementId: null },
    ])
    const gone = new Map(contents)
    gone.delete(keyOf(202607, 1n))
    expect(verifyChain(links, read(gone), hash)).toMatchObject([{ kind: 'snapshot-missing', agreementId: 1n }])
    const relinked = links.map(link => (link.month === 202605 ? { ...link, hash: hash('forged') } : link))
    expect(verifyChain(relinked, read(contents), hash).map(each => [each.month, each.kind])).toEqual([
      [202605, 'link-altered'],
      [202606, 'previous-differs'],
    ])
    expect(verifyChain([links[0]!, links[2]!], read(contents), hash).map(each => each.kind)).toEqual([
      'previous-differs',
    ])
    expect(verifyChain(links.slice(1), read(contents), hash).map(each => each.kind)).toEqual(['previous-differs'])
  })
})
