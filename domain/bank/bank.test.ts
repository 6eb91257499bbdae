import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { day } from '../month/day.ts'
import { toAccountHolderKana } from './account-holder-kana.ts'
import { forbiddenCharacters, fromJisX0201, toHalfWidthKana, toJisX0201 } from './half-width-kana.ts'
import { checkRegistrationNumber, corporateCheckDigit, normalizeRegistrationNumber } from './registration-number.ts'
import { RESULT_CSV_HEADER, readResultCsv } from './transfer-result-csv.ts'
import { parseZenginFile, writeZenginFile, type ZenginFile, type ZenginTransfer } from './zengin-record.ts'
import { matchResult, readZenginResult } from './zengin-result.ts'

describe('registration number', () => {
  test.each(['T7123456789012', 'T4011001098993', 'T7010705000725'])('%s is valid', text => {
    expect(checkRegistrationNumber(text, 'company').verdict).toBe('valid')
  })
  test.each([
    'T8123456789012',
    'T712345678901',
    '7123456789012',
    'T0123456789012',
    't7123456789012',
    'T7123456789012\n',
    'Ｔ7123456789012',
  ])('%s is invalid', text => expect(checkRegistrationNumber(text, 'company').verdict).toBe('invalid'))
  test('an individual with another check digit is only doubtful', () => {
    expect(checkRegistrationNumber('T8123456789012', 'individual').verdict).toBe('doubtful')
    expect(checkRegistrationNumber('T812345678901', 'individual').verdict).toBe('invalid')
  })
  test('the check digit cannot see 0 and 9 exchanged', () => {
    expect(corporateCheckDigit('123456789012')).toBe(7)
    expect(corporateCheckDigit('123456780012')).toBe(7)
  })
  test('it sees every other single wrong digit', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[0-9]{12}$/),
        fc.integer({ min: 0, max: 11 }),
        fc.integer({ min: 1, max: 9 }),
        (base, position, shift) => {
          const wrong = (Number(base[position]) + shift) % 10
          const isBlindSpot = [Number(base[position]), wrong].toSorted().join() === '0,9'
          const changed = base.slice(0, position) + wrong + base.slice(position + 1)
          expect(corporateCheckDigit(changed) === corporateCheckDigit(base)).toBe(isBlindSpot)
        },
      ),
    )
  })
  test('what people type', () => {
    expect(normalizeRegistrationNumber('ｔ７１２３－4567 89012')).toBe('T7123456789012')
  })
})

describe('account holder', () => {
  const holder = (text: string) => {
    const result = toAccountHolderKana(text)
    return result.ok ? result.value : result.refusals[0]!.code
  }
  test.each([
    ['アオゾラ　タロウ', 'ｱｵｿﾞﾗ ﾀﾛｳ'],
    ['あおぞら たろう', 'ｱｵｿﾞﾗ ﾀﾛｳ'],
    ['ｱｵｿﾞﾗ ﾀﾛｳ', 'ｱｵｿﾞﾗ ﾀﾛｳ'],
    ['キャリー・', 'bank/holder-character-not-allowed'],
    ['キャッシュ', 'ｷﾔﾂｼﾕ'],
    ['ｷｬｯｼｭ', 'ｷﾔﾂｼﾕ'],
    ['データセンター', 'ﾃﾞ-ﾀｾﾝﾀ-'],
    ['ミツビシユ－エフジエイ', 'ﾐﾂﾋﾞｼﾕ-ｴﾌｼﾞｴｲ'],
    ['ヲタク', 'ｵﾀｸ'],
    ['ｦﾀｸ', 'ｵﾀｸ'],
    ['パピプペポ', 'ﾊﾟﾋﾟﾌﾟﾍﾟﾎﾟ'],
    ['ヴィヰヱヮヵヶ', 'ｳﾞｲｲｴﾜｶｹ'],
    ['ハ゛ト゜', 'ﾊﾞﾄﾟ'],
    ['ａｂｃ（１２）．－', 'ABC(12).-'],
    // Signs of EDI text, which banks refuse in a name.
    ['アオゾラ／タロウ', 'bank/holder-character-not-allowed'],
    ['カブシキガイシャ　アオゾラ', 'ｶ)ｱｵｿﾞﾗ'],
    ['アオゾラカブシキガイシャ', 'ｱｵｿﾞﾗ(ｶ'],
    ['株式会社アオゾラ', 'ｶ)ｱｵｿﾞﾗ'],
    ['㈱アオゾラ', 'ｶ)ｱｵｿﾞﾗ'],
    ['カ）アオゾラ', 'ｶ)ｱｵｿﾞﾗ'],
    ['ユウゲンガイシャアオゾラ', 'ﾕ)ｱｵｿﾞﾗ'],
    ['ゴウドウガイシャアオゾラ', 'ﾄﾞ)ｱｵｿﾞﾗ'],
    ['イッパンシャダンホウジン アオゾラ', 'ｼﾔ)ｱｵｿﾞﾗ'],
    ['トクテイヒエイリカツドウホウジン アオゾラ', 'ﾄｸﾋ)ｱｵｿﾞﾗ'],
    ['青空太郎', 'bank/holder-character-not-allowed'],
    ['アオゾラ,', 'bank/holder-character-not-allowed'],
    ['アオゾラ😀', 'bank/holder-character-not-allowed'],
    ['　 ', 'bank/holder-empty'],
    ['ア'.repeat(30), 'ｱ'.repeat(30)],
    ['ア'.repeat(31), 'bank/holder-too-long'],
    ['ガ'.repeat(16), 'bank/holder-too-long'],
  ])('%s → %s', (text, expected) => expect(holder(text)).toBe(expected))

  test('a bank that takes more signs has a setting for it', () => {
    expect(toAccountHolderKana('アオゾラ／タロウ', '/')).toEqual({ ok: true, value: 'ｱｵｿﾞﾗ/ﾀﾛｳ' })
  })
  test('whatever is accepted holds allowed characters only, fits 30 bytes, and stays the same when converted again', () => {
    const anyText = fc.string({
      unit: fc.oneof(
        fc.constantFrom(...'アガパァッャヲーあがぱぁっゃをｱｶﾞﾊﾟｧｯｰｦＡａ１（）．－ 　゛ﾞ'),
        fc.string({ minLength: 1, maxLength: 1, unit: 'grapheme' }),
      ),
      maxLength: 40,
    })
    fc.assert(
      fc.property(anyText, text => {
        const result = toAccountHolderKana(text)
        if (!result.ok) return
        expect(forbiddenCharacters(result.value)).toEqual([])
        expect(toJisX0201(result.value).length).toBeLessThanOrEqual(30)
        expect(toAccountHolderKana(result.value)).toEqual(result)
        expect(fromJisX0201(toJisX0201(result.value))).toBe(result.value)
      }),
      { numRuns: 3000 },
    )
  })

  test('a bank may accept more signs', () => {
    expect(toAccountHolderKana('アオゾラ,', ',')).toEqual({ ok: true, value: 'ｱｵｿﾞﾗ,' })
  })
  test('bytes outside the code are not text', () => {
    expect(fromJisX0201(Uint8Array.of(0x41, 0xe0))).toBeUndefined()
    expect(() => toJisX0201('漢')).toThrow(RangeError)
    expect([...toJisX0201('ｱﾟ')]).toEqual([0xb1, 0xdf])
    expect(toHalfWidthKana('ヾ')).toBe('ヽﾞ')
  })
})

const CLIENT = {
  clientCode: '123',
  clientName: 'ﾊﾟﾌﾞﾘﾂｼﾔ-ｾﾝﾀ-',
  bankCode: '0001',
  bankName: 'ミズホ',
  branchCode: '001',
  branchName: 'トウキヨウエイギヨウブ',
  accountType: '2' as const,
  accountNumber: '7654321',
}
const TRANSFERS: readonly ZenginTransfer[] = [
  {
    bankCode: '0005',
    bankName: 'ミツビシユ－エフジエイ',
    branchCode: '012',
    branchName: 'シブヤ',
    accountType: '1',
    accountNumber: '12345',
    holder: 'ｶ)ｱｵｿﾞﾗ',
    amountYen: 129_031n,
    transferNumber: 42n,
    recordNumber: 0,
  },
  {
    bankCode: '0036',
    bankName: 'ラクテン',
    branchCode: '251',
    branchName: 'ダイイチエイギヨウ',
    accountType: '4',
    accountNumber: '1000001',
    holder: 'ﾔﾏﾀﾞ ﾊﾅｺ',
    amountYen: 81_160n,
    transferNumber: 43n,
    recordNumber: 0,
  },
]
const FILE: ZenginFile = { client: CLIENT, transferOn: day('2026-12-30'), transfers: TRANSFERS }
const PLAIN = { withLineBreaks: false, extraAllowed: '' }

/** Written by hand from the published layout, not from the program. Fields are separated by |. */
const GOLDEN = [
  `1|21|0|0000000123|${'ﾊﾟﾌﾞﾘﾂｼﾔ-ｾﾝﾀ-'.padEnd(40)}|1230|0001|${'ﾐｽﾞﾎ'.padEnd(15)}|001|${'ﾄｳｷﾖｳｴｲｷﾞﾖｳﾌﾞ'.padEnd(15)}|2|7654321|${' '.repeat(17)}`,
  `2|0005|${'ﾐﾂﾋﾞｼﾕ-ｴﾌｼﾞｴｲ'.padEnd(15)}|012|${'ｼﾌﾞﾔ'.padEnd(15)}|0000|1|0012345|${'ｶ)ｱｵｿﾞﾗ'.padEnd(30)}|0000129031|0|0000000042|0000000000|7| |${' '.repeat(7)}`,
  `2|0036|${'ﾗｸﾃﾝ'.padEnd(15)}|251|${'ﾀﾞｲｲﾁｴｲｷﾞﾖｳ'.padEnd(15)}|0000|4|1000001|${'ﾔﾏﾀﾞ ﾊﾅｺ'.padEnd(30)}|0000081160|0|0000000043|0000000000|7| |${' '.repeat(7)}`,
  `8|000002|000000210191|${' '.repeat(101)}`,
  `9|${' '.repeat(119)}`,
].map(record => record.replaceAll('|', ''))

describe('general transfer file', () => {
  test('golden file: every record has 120 bytes', () => {
    const written = writeZenginFile(FILE, PLAIN)
    expect(written).toEqual({ ok: true, value: GOLDEN.join('') })
    for (const record of GOLDEN) expect(toJisX0201(record).length).toBe(120)
    expect(writeZenginFile(FILE, { ...PLAIN, withLineBreaks: true })).toEqual({
      ok: true,
      value: GOLDEN.map(record => `${record}\r\n`).join(''),
    })
  })

  test('the parser reads it back, with and without line breaks', () => {
    for (const text of [
      GOLDEN.join(''),
      GOLDEN.map(record => `${record}\r\n`).join(''),
      `${GOLDEN.join('\n')}\u001a`,
    ]) {
      const file = parseZenginFile(text)
      if (!file.ok) throw new Error(file.refusals[0]!.code)
      expect(file.value).toMatchObject({ transferDate: '1230', count: 2, totalYen: 210_191n })
      expect(
        file.value.transfers.map(each => [each.transferNumber, each.amountYen, each.holder, each.accountNumber]),
      ).toEqual([
        [42n, 129_031n, 'ｶ)ｱｵｿﾞﾗ', '0012345'],
        [43n, 81_160n, 'ﾔﾏﾀﾞ ﾊﾅｺ', '1000001'],
      ])
    }
  })

  test('any transfers survive writing and reading', () => {
    const transfer = fc.record({
      bankCode: fc.stringMatching(/^[0-9]{4}$/),
      bankName: fc.constantFrom('ミズホ', 'ナガイナマエノシンヨウキンコ', '漢字'),
      branchCode: fc.stringMatching(/^[0-9]{3}$/),
      branchName: fc.constant('ホンテン'),
      accountType: fc.constantFrom('1' as const, '2' as const, '4' as const, '9' as const),
      accountNumber: fc.stringMatching(/^[0-9]{1,7}$/),
      holder: fc.stringMatching(/^[A-Zｱ-ﾝ][A-Z0-9ｱ-ﾝﾞﾟ ().-]{0,28}[A-Zｱ-ﾝ]$/),
      amountYen: fc.bigInt({ min: 1n, max: 9_999_999_999n }),
      transferNumber: fc.bigInt({ min: 1n, max: 9_999_999_999n }),
      recordNumber: fc.nat(99_999),
    })
    fc.assert(
      fc.property(
        fc.uniqueArray(transfer, { minLength: 1, maxLength: 20, selector: each => each.transferNumber }),
        fc.boolean(),
        (transfers, withLineBreaks) => {
          const written = writeZenginFile({ ...FILE, transfers }, { ...PLAIN, withLineBreaks })
          if (!written.ok) throw new Error(written.refusals[0]!.code)
          const read = parseZenginFile(written.value)
          if (!read.ok) throw new Error(read.refusals[0]!.code)
          expect(
            read.value.transfers.map(each => [
              each.holder,
              each.amountYen,
              each.transferNumber,
              each.recordNumber,
              each.accountType,
            ]),
          ).toEqual(
            transfers.map(each => [
              each.holder,
              each.amountYen,
              each.transferNumber,
              each.recordNumber,
              each.accountType,
            ]),
          )
        },
      ),
      { numRuns: 300 },
    )
  })

  const withTransfer = (parts: Partial<ZenginTransfer>): ZenginFile => ({
    ...FILE,
    transfers: [{ ...TRANSFERS[0]!, ...parts }],
  })
  test.each<[string, ZenginFile]>([
    ['bank/file-empty', { ...FILE, transfers: [] }],
    ['bank/code-wrong', withTransfer({ bankCode: '5' })],
    ['bank/code-wrong', withTransfer({ branchCode: '0１2' })],
    ['bank/code-wrong', withTransfer({ transferNumber: 0n })],
    ['bank/account-number-wrong', withTransfer({ accountNumber: '12345678' })],
    ['bank/holder-empty', withTransfer({ holder: ' ' })],
    ['bank/holder-character-not-allowed', withTransfer({ holder: 'ｷｬｼｭ' })],
    ['bank/holder-character-not-allowed', withTransfer({ holder: 'ｱｵｿﾞﾗ/ﾀﾛｳ' })],
    ['bank/holder-too-long', withTransfer({ holder: 'ｱ'.repeat(31) })],
    ['bank/amount-out-of-range', withTransfer({ amountYen: 0n })],
    ['bank/amount-out-of-range', withTransfer({ amountYen: -5n })],
    ['bank/amount-out-of-range', withTransfer({ amountYen: 10_000_000_000n })],
    ['bank/transfer-twice', { ...FILE, transfers: [TRANSFERS[0]!, TRANSFERS[0]!] }],
    ['bank/client-name-not-allowed', { ...FILE, client: { ...CLIENT, clientName: '株式会社' } }],
  ])('%s', (code, file) => {
    const result = writeZenginFile(file, PLAIN)
    expect(result.ok ? [] : result.refusals.map(each => each.code)).toContain(code)
  })

  test('broken files are refused', () => {
    const codeOf = (records: readonly string[]) => {
      const result = parseZenginFile(records.join(''))
      return result.ok ? 'ok' : result.refusals[0]!.code
    }
    const [header, first, second, trailer, end] = GOLDEN as [string, string, string, string, string]
    expect(codeOf([header, first.slice(0, -1), second, trailer, end])).toBe('bank/record-length-wrong')
    expect(codeOf([])).toBe('bank/record-length-wrong')
    expect(codeOf([first, header, trailer, end])).toBe('bank/record-order-wrong')
    expect(codeOf([header, first, trailer, end])).toBe('bank/trailer-differs')
    expect(codeOf([header, first.replace('0000129031', '00001290 1'), second, trailer, end])).toBe(
      'bank/record-unreadable',
    )
  })
})

describe('transfer result', () => {
  const layout = { markOffset: 0, markLength: 1, paidMarks: ['0'], returnedMarks: ['8'] }
  const exported = TRANSFERS.map(({ transferNumber, bankCode, branchCode, accountNumber, amountYen }) => ({
    transferNumber,
    recordNumber: 0,
    batchId: 1n,
    bankCode,
    branchCode,
    accountNumber,
    amountYen,
  }))
  const marked = (...marks: string[]) =>
    GOLDEN.map((record, index) =>
      record.startsWith('2') ? record.slice(0, 113) + marks[index - 1]!.padEnd(7) : record,
    ).join('')

  const matched = (text: string, transfers: typeof exported) => {
    const lines = readZenginResult(text, layout)
    if (!lines.ok) throw new Error(lines.refusals[0]!.code)
    return matchResult(lines.value, transfers)
  }
  const problems = (transfers: typeof exported) =>
    matched(marked('0', '0'), transfers).map(line => line.problem?.code ?? null)

  test('marks are read as the setting says, others stay unknown', () => {
    expect(matched(marked('0', '8'), exported)).toMatchObject([
      { transferNumber: 42n, outcome: 'paid', mark: '0', problem: null },
      { transferNumber: 43n, outcome: 'returned', mark: '8', problem: null },
    ])
    expect(matched(marked('', '7'), exported)).toMatchObject([{ outcome: 'unknown' }, { outcome: 'unknown' }])
    expect(readZenginResult('12', layout)).toMatchObject({ ok: false })
  })

  test('a line that does not fit its transfer says why', () => {
    expect(problems(exported)).toEqual([null, null])
    expect(problems(exported.slice(1))).toEqual(['bank/result-transfer-unknown', null])
    expect(problems(exported.map(each => ({ ...each, amountYen: 1n })))[0]).toBe('bank/result-amount-differs')
    expect(problems(exported.map(each => ({ ...each, accountNumber: '1' })))[0]).toBe('bank/result-account-differs')
    const line = matched(marked('0', '0'), exported)[0]!
    expect(matchResult([line, line], [exported[0]!])[1]!.problem?.code).toBe('bank/result-transfer-twice')
  })

  describe('of a transfer that was sent in several records', () => {
    const record = (recordNumber: number, amountYen: bigint, batchId = 1n) => ({
      ...{ transferNumber: 7n, recordNumber, batchId, amountYen },
      ...{ bankCode: '0005', branchCode: '012', accountNumber: '12345' },
    })
    const records = [record(1, 100n), record(2, 100n), record(3, 50n)]
    const line = (recordNumber: number, amountYen: bigint) => ({
      ...{ transferNumber: 7n, recordNumber, amountYen, account: undefined, mark: '0', reason: '' },
      outcome: 'paid' as const,
    })
    const named = (lines: readonly ReturnType<typeof line>[], exportedRecords = records) =>
      matchResult(lines, exportedRecords).map(each => each.problem?.code ?? each.recordNumber)

    test('two equal ones differ by the number of the record', () => {
      expect(named([line(2, 100n), line(1, 100n)])).toEqual([2, 1])
      expect(named([line(2, 100n), line(2, 100n)])).toEqual([2, 'bank/result-transfer-twice'])
      expect(named([line(3, 100n)])).toEqual(['bank/result-amount-differs'])
    })
    test('or by their order, where the bank does not give it back and all of them are there', () => {
      expect(named([line(0, 100n), line(0, 100n), line(0, 50n)])).toEqual([1, 2, 3])
    })
    test('otherwise it is ambiguous', () => {
      const unclear = 'bank/result-record-unclear'
      expect(named([line(0, 100n)])).toEqual([unclear])
      expect(named([line(0, 50n), line(0, 100n), line(0, 100n)])).toEqual([unclear, unclear, unclear])
      expect(named([line(9, 100n)])).toEqual([unclear])
      // One of them was sent again.
      const again = [...records, record(4, 50n, 2n)]
      expect(named([line(0, 100n), line(0, 100n), line(0, 50n), line(0, 50n)], again)).toEqual(Array(4).fill(unclear))
    })
    test('what is in customer code 2 of any other transfer says nothing', () => {
      const account = { bankCode: '0005', branchCode: '012', accountNumber: '0012345' }
      const whole = [record(0, 100n)]
      expect(matchResult([{ ...line(5, 100n), account }], whole)).toMatchObject([{ recordNumber: 0, problem: null }])
      expect(named([line(5, 100n)], whole)).toEqual(['bank/result-record-unclear'])
    })
    test('a table names them as the screens do', () => {
      const csv = `${RESULT_CSV_HEADER.join(',')}\n7-2,,,,100,組戻し,\n7－3,,,,50,支払済み,\n7-x,,,,1,支払済み,`
      expect(readResultCsv(csv)).toMatchObject({
        value: [
          { transferNumber: 7n, recordNumber: 2 },
          { transferNumber: 7n, recordNumber: 3 },
          { transferNumber: 0n, recordNumber: 0 },
        ],
      })
    })
  })

  test('the same as a table that people fill in', () => {
    const csv = (...rows: string[]) => `\uFEFF${RESULT_CSV_HEADER.join(',')}\r\n${rows.join('\r\n')}\r\n`
    const read = readResultCsv(
      csv('42,"取引先, 1",銀行,支店,"129,031",支払済み,', '43,a,b,c,81160,組戻し,"名義 ""相違"""', '44,,,,1,,'),
    )
    if (!read.ok) throw new Error(read.refusals[0]!.code)
    expect(matchResult(read.value, exported)).toMatchObject([
      { transferNumber: 42n, outcome: 'paid', problem: null },
      { transferNumber: 43n, outcome: 'returned', reason: '名義 "相違"', problem: null },
    ])
    expect(readResultCsv(csv('4２,,,,x,たぶん,'))).toMatchObject({
      value: [{ transferNumber: 0n, outcome: 'unknown' }],
    })
    expect(readResultCsv('振込番号,金額\n1,2')).toMatchObject({
      refusals: [{ code: 'bank/result-csv-header-missing' }],
    })
    expect(readResultCsv(csv('42,,,,1,,'))).toMatchObject({ refusals: [{ code: 'bank/result-csv-empty' }] })
  })
})
