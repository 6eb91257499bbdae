import { describe, expect, test } from 'vitest'
import { day } from '../month/day.ts'
import { toAccountHolderKana } from './account-holder-kana.ts'
import { fromJisX0201, toJisX0201 } from './half-width-kana.ts'
import { maskedAccountNumber } from './masked-account-number.ts'
import { isWaiting, usableFrom } from './pending-bank-account.ts'
import { checkRegistrationNumber, corporateCheckDigit, isRegistrationNumberFormat } from './registration-number.ts'
import { RESULT_CSV_HEADER, readResultCsv } from './transfer-result-csv.ts'
import { DATA_LAYOUT, END_LAYOUT, readRecord, TRAILER_LAYOUT, writeRecord } from './zengin-layout.ts'
import {
  parseZenginFile,
  writeZenginFile,
  type ZenginClient,
  type ZenginFile,
  type ZenginTransfer,
} from './zengin-record.ts'
import { matchResult, type ResultLine, readZenginResult } from './zengin-result.ts'

/** Edges and paths of refusals: where a form shows a message, and the last value that is still right. */
const CLIENT: ZenginClient = {
  clientCode: '1234567890',
  clientName: 'ABC',
  bankCode: '0001',
  bankName: 'ミズホ',
  branchCode: '001',
  branchName: 'ホンテン',
  accountType: '1',
  accountNumber: '7654321',
}
const TRANSFER: ZenginTransfer = {
  bankCode: '0005',
  bankName: 'ミツビシ',
  branchCode: '012',
  branchName: 'シブヤ',
  accountType: '1',
  accountNumber: '1234567',
  holder: 'ｶ)ｱｵｿﾞﾗ',
  amountYen: 1n,
  transferNumber: 1n,
  recordNumber: 0,
}
const PLAIN = { withLineBreaks: false, extraAllowed: '' }
const file = (client: Partial<ZenginClient>, ...transfers: readonly Partial<ZenginTransfer>[]): ZenginFile => ({
  client: { ...CLIENT, ...client },
  transferOn: day('2026-01-05'),
  transfers: transfers.map(parts => ({ ...TRANSFER, ...parts })),
})
const refusalsOf = (content: ZenginFile, options = PLAIN) => {
  const written = writeZenginFile(content, options)
  return written.ok ? [] : written.refusals.map(({ code, path }) => [code, path.join('.')])
}
const textOf = (content: ZenginFile) => {
  const written = writeZenginFile(content, PLAIN)
  if (!written.ok) throw new Error(written.refusals[0]!.code)
  return written.value
}

describe('account holder', () => {
  test.each([
    ['', 'bank/holder-empty'],
    ['漢', 'bank/holder-character-not-allowed'],
    ['ｱ'.repeat(31), 'bank/holder-too-long'],
  ])('%j is refused at its field', (text, code) => {
    expect(toAccountHolderKana(text)).toMatchObject({ ok: false, refusals: [{ code, path: ['input', 'holder'] }] })
  })
})

describe('waiting of an account', () => {
  test('it is used on the third day after its approval, not before; over the end of a month too', () => {
    expect(usableFrom(day('2026-02-26'))).toBe('2026-03-01')
    expect(isWaiting(day('2026-03-01'), day('2026-02-28'))).toBe(true)
    expect(isWaiting(day('2026-03-01'), day('2026-03-01'))).toBe(false)
    expect(isWaiting(null, day('2026-03-01'))).toBe(false)
  })
})

describe('bytes', () => {
  test('both ends of both halves of the code', () => {
    expect([...toJisX0201('\u007f｡ﾟ')]).toEqual([0x7f, 0xa1, 0xdf])
    expect(fromJisX0201(Uint8Array.of(0x7f, 0xa1, 0xdf))).toBe('\u007f｡ﾟ')
    for (const outside of ['\u0080', '\uff60', '\uffa0']) expect(() => toJisX0201(outside), outside).toThrow(RangeError)
    for (const byte of [0x80, 0xa0, 0xe0]) expect(fromJisX0201(Uint8Array.of(byte)), String(byte)).toBeUndefined()
  })
})

test('an account number shows its last three digits', () => {
  expect(maskedAccountNumber('1234567')).toBe('****567')
  expect(maskedAccountNumber('567')).toBe('567')
  expect(maskedAccountNumber('67')).toBe('67')
})

describe('registration number', () => {
  test('what exactly is wrong', () => {
    const of = (text: string, kind: 'company' | 'individual' = 'company') => checkRegistrationNumber(text, kind)
    expect(of('T7123456789012')).toEqual({ isFormatValid: true, isCheckDigitValid: true, verdict: 'valid' })
    expect(of('T8123456789012')).toEqual({ isFormatValid: true, isCheckDigitValid: false, verdict: 'invalid' })
    expect(of('712')).toEqual({ isFormatValid: false, isCheckDigitValid: false, verdict: 'invalid' })
    expect(isRegistrationNumberFormat('T7123456789012')).toBe(true)
    expect(isRegistrationNumberFormat('T0123456789012')).toBe(false)
  })
  test('a check digit belongs to twelve digits', () => {
    for (const base of ['12345678901', '1234567890123', '12345678901a'])
      expect(() => corporateCheckDigit(base), base).toThrow(RangeError)
  })
})

describe('records', () => {
  test('a value that does not fit its field is a fault', () => {
    expect(() => writeRecord(TRAILER_LAYOUT, { count: '1234567' })).toThrow('count does not fit')
    expect(() => writeRecord(TRAILER_LAYOUT, { count: '12a' })).toThrow('count does not fit')
    expect(() => writeRecord(END_LAYOUT, { recordKind: '99' })).toThrow(RangeError)
    expect(() => writeRecord(END_LAYOUT, { reserved: 'x'.repeat(120) })).toThrow(RangeError)
    expect(writeRecord(END_LAYOUT, { recordKind: '9', reserved: 'x'.repeat(119) })).toBe(`9${'x'.repeat(119)}`)
  })
  test('numbers are filled with zeros from the left and read as they stand, text with spaces that are not read', () => {
    const written = writeRecord(DATA_LAYOUT, { bankCode: '5', holder: 'ABC', ediFlag: 'Y', reserved: '  8' })
    expect(written).toHaveLength(120)
    expect(readRecord(DATA_LAYOUT, written)).toMatchObject({
      bankCode: '0005',
      customerCode2: '0000000000',
      clearingHouse: '0000',
      holder: 'ABC',
      ediFlag: 'Y',
      reserved: '  8',
    })
    expect(readRecord(DATA_LAYOUT, ' '.repeat(120))).toMatchObject({ bankCode: '    ', customerCode1: ' '.repeat(10) })
  })
})

describe('writing a file', () => {
  test('the largest values go in, the next ones are refused where they stand', () => {
    const largest = { amountYen: 9_999_999_999n, transferNumber: 9_999_999_999n, holder: 'ｱ'.repeat(30) }
    expect(refusalsOf(file({ clientName: 'A'.repeat(40), accountNumber: '1' }, largest))).toEqual([])
    expect(refusalsOf(file({}, { ...largest, amountYen: 10_000_000_000n }))).toEqual([
      ['bank/amount-out-of-range', 'transfers.0.amountYen'],
    ])
    expect(refusalsOf(file({}, { ...largest, transferNumber: 10_000_000_000n }))).toEqual([
      ['bank/code-wrong', 'transfers.0.transferNumber'],
    ])
    expect(refusalsOf(file({}, {}, { holder: 'ｱ'.repeat(31), transferNumber: 2n }))).toEqual([
      ['bank/holder-too-long', 'transfers.1.holder'],
    ])
  })
  test.each<[string, string, Partial<ZenginClient>]>([
    ['bank/code-wrong', 'client.clientCode', { clientCode: '' }],
    ['bank/code-wrong', 'client.clientCode', { clientCode: '12345678901' }],
    ['bank/code-wrong', 'client.clientCode', { clientCode: '12a' }],
    ['bank/client-name-not-allowed', 'client.clientName', { clientName: ' ' }],
    ['bank/client-name-not-allowed', 'client.clientName', { clientName: 'A'.repeat(41) }],
    ['bank/code-wrong', 'client.accountType', { accountType: '4' }],
    ['bank/code-wrong', 'client.accountType', { accountType: '3' as '1' }],
    ['bank/code-wrong', 'client.bankCode', { bankCode: '00001' }],
    ['bank/code-wrong', 'client.branchCode', { branchCode: '1' }],
    ['bank/account-number-wrong', 'client.accountNumber', { accountNumber: '' }],
  ])('%s at %s', (code, place, parts) => expect(refusalsOf(file(parts, {}))).toEqual([[code, place]]))
  test.each<[string, string, Partial<ZenginTransfer>]>([
    ['bank/holder-empty', 'transfers.0.holder', { holder: ' ' }],
    ['bank/holder-character-not-allowed', 'transfers.0.holder', { holder: '漢' }],
    ['bank/amount-out-of-range', 'transfers.0.amountYen', { amountYen: 0n }],
    ['bank/code-wrong', 'transfers.0.transferNumber', { transferNumber: 0n }],
    ['bank/code-wrong', 'transfers.0.accountType', { accountType: '3' as '1' }],
    ['bank/account-number-wrong', 'transfers.0.accountNumber', { accountNumber: '1234567a' }],
  ])('%s at %s', (code, place, parts) => expect(refusalsOf(file({}, parts))).toEqual([[code, place]]))

  test('twice the same number, nothing at all, and a sum of more than twelve digits', () => {
    expect(refusalsOf(file({}, {}, {}))).toEqual([['bank/transfer-twice', 'transfers']])
    expect(refusalsOf(file({}))).toEqual([['bank/file-empty', '']])
    const many = (count: number, last: bigint) =>
      file(
        {},
        ...Array.from({ length: count }, (_, n) => ({ amountYen: 9_999_999_999n, transferNumber: BigInt(n + 1) })),
        { amountYen: last, transferNumber: 99_999n },
      )
    // 100 × 9,999,999,999 is 100 less than 10^12.
    expect(refusalsOf(many(100, 99n))).toEqual([])
    expect(refusalsOf(many(100, 100n))).toEqual([['bank/total-out-of-range', 'transfers']])
  })
  test('a name of a bank that cannot be written is left out, a long one is shortened, since its code says the same', () => {
    const text = textOf(file({ bankName: '漢字', branchName: 'ナガイナマエノシテンデス' }, {}))
    expect(text.slice(62, 77)).toBe(' '.repeat(15))
    expect(text.slice(80, 95)).toBe('ﾅｶﾞｲﾅﾏｴﾉｼﾃﾝﾃﾞｽ'.slice(0, 15).padEnd(15))
  })
  test('signs that only this bank accepts', () => {
    expect(refusalsOf(file({ clientName: 'A,B' }, { holder: 'A,B' }))).toEqual([
      ['bank/client-name-not-allowed', 'client.clientName'],
      ['bank/holder-character-not-allowed', 'transfers.0.holder'],
    ])
    expect(refusalsOf(file({ clientName: 'A,B' }, { holder: 'A,B' }), { ...PLAIN, extraAllowed: ',' })).toEqual([])
  })
})

describe('reading a file', () => {
  const records = () => textOf(file({}, {}, { transferNumber: 2n, amountYen: 5n })).match(/.{120}/gs) as string[]
  const changed = (index: number, from: number, text: string) =>
    records()
      .map((record, at) => (at === index ? record.slice(0, from) + text + record.slice(from + text.length) : record))
      .join('')
  const refusal = (text: string) => {
    const read = parseZenginFile(text)
    return read.ok ? 'ok' : { code: read.refusals[0]!.code, data: read.refusals[0]!.data, path: read.refusals[0]!.path }
  }
  test('who sent it, and every field of a transfer', () => {
    const read = parseZenginFile(records().join(''))
    expect(read).toMatchObject({
      ok: true,
      value: {
        client: { ...CLIENT, bankName: 'ﾐｽﾞﾎ', branchName: 'ﾎﾝﾃﾝ' },
        transferDate: '0105',
        count: 2,
        totalYen: 6n,
      },
    })
    expect(read.ok && read.value.transfers[0]).toEqual({
      ...TRANSFER,
      bankName: 'ﾐﾂﾋﾞｼ',
      branchName: 'ｼﾌﾞﾔ',
      reserved: '',
    })
  })
  test.each([
    ['a letter in an amount', 1, 80, 'x', { code: 'bank/record-unreadable', data: { record: 2 } }],
    ['a letter in the number', 2, 91, 'x', { code: 'bank/record-unreadable', data: { record: 3 } }],
    ['an unknown kind of account', 1, 42, '3', { code: 'bank/record-unreadable', data: { record: 2 } }],
    ['a letter in the count', 3, 1, 'x', { code: 'bank/record-unreadable', data: { record: 4 } }],
    ['a letter in the total', 3, 7, 'x', { code: 'bank/record-unreadable', data: { record: 4 } }],
    ['another count', 3, 6, '3', { code: 'bank/trailer-differs', data: { count: 3, total: '6' } }],
    ['another total', 3, 18, '7', { code: 'bank/trailer-differs', data: { count: 2, total: '7' } }],
    ['an unknown kind of record', 2, 0, '5', { code: 'bank/record-order-wrong', data: { kinds: '12589' } }],
  ] as const)('%s', (_what, index, from, text, expected) => {
    expect(refusal(changed(index, from, text))).toMatchObject(expected)
  })
  test('a number that stands empty is none, and any kind of sending account is read', () => {
    const without = parseZenginFile(changed(1, 91, ' '.repeat(10)))
    expect(without.ok && without.value.transfers.map(each => each.transferNumber)).toEqual([0n, 2n])
    for (const kind of ['1', '2', '4', '9'] as const) {
      const read = parseZenginFile(changed(0, 95, kind))
      expect(read.ok && read.value.client.accountType).toBe(kind)
    }
    const unknown = parseZenginFile(changed(0, 95, '7'))
    expect(unknown.ok && unknown.value.client.accountType).toBe('9')
  })
  test('a length that is no multiple of a record says how long it is', () => {
    expect(refusal(records().join('').slice(1))).toMatchObject({
      code: 'bank/record-length-wrong',
      data: { bytes: 599 },
    })
    expect(refusal('')).toMatchObject({ data: { bytes: 0 } })
  })
  test('the order of many records is recognised by its beginning', () => {
    const [header, data] = records()
    const answer = refusal(header + data!.repeat(60))
    expect(answer).toMatchObject({ code: 'bank/record-order-wrong', data: { kinds: `1${'2'.repeat(39)}` } })
  })
})

describe('the bank’s answer', () => {
  const layout = { markOffset: 2, markLength: 2, paidMarks: ['00'], returnedMarks: ['08'] }
  const marked = (mark: string) => {
    const [header, data, trailer, end] = textOf(file({}, {})).match(/.{120}/gs) as [string, string, string, string]
    return header + data.slice(0, 113) + mark.padEnd(7) + trailer + end
  }
  const lineOf = (mark: string): ResultLine => {
    const read = readZenginResult(marked(mark), layout)
    if (!read.ok) throw new Error(read.refusals[0]!.code)
    return read.value[0]!
  }
  test('the mark stands where the setting says, as long as it says', () => {
    expect(lineOf('  00')).toMatchObject({ outcome: 'paid', mark: '00', reason: '' })
    expect(lineOf('  08x')).toMatchObject({ outcome: 'returned', mark: '08' })
    expect(lineOf('00')).toMatchObject({ outcome: 'unknown', mark: '  ' })
    expect(lineOf('')).toMatchObject({ mark: '  ', account: { bankCode: '0005', branchCode: '012' } })
  })
  test('each part of the account must be that of the transfer', () => {
    const exported = { ...TRANSFER, accountNumber: '1234567', batchId: 1n }
    const problem = (parts: Partial<ZenginTransfer>) =>
      matchResult([lineOf('  00')], [{ ...exported, ...parts }])[0]!.problem
    expect(problem({})).toBeNull()
    for (const parts of [{ bankCode: '0006' }, { branchCode: '013' }, { accountNumber: '1234568' }])
      expect(problem(parts)).toMatchObject({ code: 'bank/result-account-differs', data: { transferNumber: '1' } })
    const [without] = matchResult([{ ...lineOf('  00'), account: undefined }], [exported])
    expect(without!.problem).toBeNull()
  })
})

describe('the answer as a table', () => {
  const table = (header: readonly string[], ...rows: string[]) => `${header.join(',')}\n${rows.join('\n')}`
  test.each(['支払済み', '支払済', '振込済み', '振込済', '済'])('%s is paid', word => {
    expect(readResultCsv(table(RESULT_CSV_HEADER, `1,,,,1,${word},`))).toMatchObject({ value: [{ outcome: 'paid' }] })
  })
  test.each(['組戻し', '組戻', '不能', '振込不能'])('%s came back', word => {
    expect(readResultCsv(table(RESULT_CSV_HEADER, `1,,,,1, ${word} ,`))).toMatchObject({
      value: [{ outcome: 'returned', mark: word }],
    })
  })
  test('the columns are found by their names, also with spaces and in another order; the reason may be missing', () => {
    expect(readResultCsv(table([' 結果 ', '振込額', '振込番号'], '済,"1,000",7', ',1,8'))).toEqual({
      ok: true,
      value: [
        {
          transferNumber: 7n,
          recordNumber: 0,
          amountYen: 1_000n,
          account: undefined,
          outcome: 'paid',
          mark: '済',
          reason: '',
        },
      ],
    })
    for (const missing of ['結果', '振込額', '振込番号'])
      expect(
        readResultCsv(
          table(
            RESULT_CSV_HEADER.filter(name => name !== missing),
            '1',
          ),
        ),
      ).toMatchObject({
        refusals: [{ code: 'bank/result-csv-header-missing', data: { columns: '振込番号、振込額、結果' } }],
      })
  })
  test('a line may end early; the last line needs no end', () => {
    expect(readResultCsv(table(RESULT_CSV_HEADER, '1', '2,,,,5,済'))).toMatchObject({
      value: [{ transferNumber: 2n, reason: '' }],
    })
    expect(readResultCsv(table(RESULT_CSV_HEADER, '2,,,,5,組戻し,口座なし'))).toMatchObject({
      value: [{ outcome: 'returned', reason: '口座なし' }],
    })
  })
  test('numbers have up to fifteen digits; what is none fits no transfer', () => {
    const numbers = (cell: string) => {
      const read = readResultCsv(table(RESULT_CSV_HEADER, `${cell},,,,${cell},済,`))
      return read.ok ? [read.value[0]!.transferNumber, read.value[0]!.amountYen] : []
    }
    expect(numbers('123456789012345')).toEqual([123_456_789_012_345n, 123_456_789_012_345n])
    for (const none of ['1234567890123456', '-1', '1.5', '一', '']) expect(numbers(none), none).toEqual([0n, 0n])
    expect(numbers(' 12 ')).toEqual([12n, 12n])
  })
  test('quotes hold commas, line breaks and quotes; empty lines are skipped; a long reason is cut', () => {
    const text = `\uFEFF${RESULT_CSV_HEADER.join(',')}\r\r\n\r\n ,\r\n1,"a,\nb","""q""",,5,済,"${'理'.repeat(300)}"`
    const read = readResultCsv(text)
    expect(read.ok && read.value).toHaveLength(1)
    expect(read.ok && read.value[0]).toMatchObject({ transferNumber: 1n, amountYen: 5n })
    expect(read.ok && read.value[0]!.reason).toBe('理'.repeat(200))
  })
})
