import { SAMPLE_HOLIDAYS_CSV } from '@pc/domain/month/sample-holidays.ts'
import { sampleAgreement, sampleMonth, sampleRule } from '@pc/domain/settlement/sample-month.ts'
import { fixedClock } from '@pc/platform/clock.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { closeMonth } from '@pc/testing/books/close-month.ts'
import { writeAgreements, writeOwnAds } from '@pc/testing/books/settlement-books.ts'
import { type Answer, type SystemUnderTest, startSystemUnderTest } from '@pc/testing/system/system-under-test.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { computeMonth } from '../../payments/core/server/compute-month.ts'

/** The settings over HTTP: dated, audited, not twice at once, and never into a month that is final. */
let system: SystemUnderTest
const token = new Map<string, string>()
const MEDIUM = 71n

beforeAll(async () => {
  const clock = fixedClock('2026-11-20T12:00:00+09:00')
  system = await startSystemUnderTest({}, { bookkeepingClock: clock })
  for (const role of ['insight:admin', 'insight:editor', 'insight:viewer', 'insight:publisher_admin'] as const) {
    token.set(role, await system.tokenOf(system.rows.users[role].email))
  }
})
afterAll(() => system?.close())

const ask = (query: string, variables: object = {}, as = 'insight:admin'): Promise<Answer> =>
  system.ask('insight', query, token.get(as), variables)
const codes = (answer: Answer) =>
  ((answer.json.errors?.[0]?.extensions.refusals ?? []) as readonly { code: string }[]).map(each => each.code)

const READ = `{ paymentSettings { lastFinalizedMonth revisions { section revision historyId }
  payout { validFromMonth payoutThreshold returnFee businessDayShift needsTwoPersons taxPeriodStartMonth inputTaxTiming sspWeight }
  consumptionTax { validFromMonth percent } inputTaxDeductions { validFromMonth percent }
  transferFees { sourceBankCode destination validFrom fromAmount fee }
  transferSources { validFromMonth clientName bankCode bankName branchName accountNumber hasLineBreaks resultPaidMarks }
  withholding { validFrom threshold rateUpToThreshold } journalAccounts { validFromMonth account label name subAccount department } returnsRule { firstMonth isProposed }
  holidays { firstYear lastYear days { day name } } } }`
interface Settings {
  readonly lastFinalizedMonth: string | null
  readonly revisions: readonly { section: string; revision: number; historyId: string }[]
  readonly payout: readonly { validFromMonth: string; payoutThreshold: number; needsTwoPersons: boolean }[]
  readonly consumptionTax: readonly { validFromMonth: string; percent: number }[]
  readonly transferFees: readonly { validFrom: string; destination: string; fee: number }[]
  readonly transferSources: readonly { validFromMonth: string; clientName: string; bankName: string }[]
  readonly withholding: readonly { validFrom: string; rateUpToThreshold: number }[]
  readonly journalAccounts: readonly {
    validFromMonth: string
    account: string
    name: string
    subAccount: string
    department: string
  }[]
  readonly returnsRule: { firstMonth: string; isProposed: boolean }
  readonly holidays: { firstYear: number; lastYear: number; days: readonly { day: string; name: string }[] } | null
}
async function read(as = 'insight:admin'): Promise<Settings> {
  const answer = await ask(READ, {}, as)
  expect(answer.json.errors, answer.text).toBeUndefined()
  return (answer.json.data as { paymentSettings: Settings }).paymentSettings
}
const revisionOf = async (section: string) =>
  (await read()).revisions.find(each => each.section === section)?.revision ?? 0

const SAVE_PAYOUT = `mutation ($input: PayoutSettingInput!, $revision: Int) { savePayoutSetting(input: $input, expectedRevision: $revision) }`
const payout = (validFromMonth: string, more: object = {}) => ({
  ...{
    validFromMonth,
    payoutThreshold: 5_000,
    returnFee: 880,
    businessDayShift: 'next',
    needsTwoPersons: true,
    taxPeriodStartMonth: 4,
    inputTaxTiming: 'accrual',
  },
  ...{ sspWeight: 'article_watch', videoSspWeight: 'video_watch', liveSspWeight: 'live_click', ...more },
})
const SAVE_RETURNS = `mutation ($month: String!, $revision: Int) { saveReturnsFirstMonth(validFromMonth: $month, expectedRevision: $revision) }`
const SAVE_RATE = `mutation ($input: DatedRateInput!, $revision: Int) { saveDatedRate(input: $input, expectedRevision: $revision) }`
const REMOVE = `mutation ($section: DatedSettingSection!, $month: String!, $revision: Int) {
  removeDatedSetting(section: $section, validFromMonth: $month, expectedRevision: $revision) }`
const SAVE_FEES = `mutation ($input: TransferFeesInput!, $revision: Int) { saveTransferFees(input: $input, expectedRevision: $revision) }`
const SAVE_SOURCE = `mutation ($input: TransferSourceInput!, $revision: Int) { saveTransferSource(input: $input, expectedRevision: $revision) }`
const SAVE_WITHHOLDING = `mutation ($input: WithholdingRateInput!, $revision: Int) { saveWithholdingRate(input: $input, expectedRevision: $revision) }`
const REMOVE_WITHHOLDING = `mutation ($validFrom: Date!, $revision: Int) { removeWithholdingRate(validFrom: $validFrom, expectedRevision: $revision) }`
const SAVE_ACCOUNTS = `mutation ($input: JournalAccountsInput!, $revision: Int) { saveJournalAccounts(input: $input, expectedRevision: $revision) }`
const IMPORT = `mutation ($name: String!, $content: String!) { importHolidayFile(name: $name, content: $content) }`

describe('the holiday calendar', () => {
  test('a file that cannot be read changes nothing; a good one replaces the calendar', async () => {
    const rubbish = await ask(IMPORT, { name: 'x.csv', content: Buffer.from('a,b\nc,d').toString('base64') })
    expect(rubbish.json.errors?.[0]?.extensions.code).toBe('BAD_REQUEST')
    expect((await ask(IMPORT, { name: 'x.csv', content: '' })).json.errors?.[0]?.message).toContain('内閣府のCSV')
    expect((await read()).holidays).toBeNull()
    const content = Buffer.from(SAMPLE_HOLIDAYS_CSV).toString('base64')
    const imported = await ask(IMPORT, { name: 'syukujitsu.csv', content })
    expect(imported.json.errors, imported.text).toBeUndefined()
    const { holidays } = await read()
    expect((imported.json.data as { importHolidayFile: number }).importHolidayFile).toBe(holidays?.days.length)

    // Last year's file, from the folder of downloads: the years it does not know would be lost.
    const lines = SAMPLE_HOLIDAYS_CSV.split('\n').filter(line => !line.startsWith('2027/'))
    const older = Buffer.from(lines.join('\n')).toString('base64')
    const refusedFile = await ask(IMPORT, { name: 'syukujitsu (1).csv', content: older })
    expect(codes(refusedFile)).toEqual(['holiday-calendar/older'])
    expect((await read()).holidays).toEqual(holidays)
  })
})

describe('dated lines', () => {
  test('a line is there from its month on, with its audit row; who saw an older state is refused', async () => {
    const revision = await revisionOf('payout')
    const saved = await ask(SAVE_PAYOUT, { input: payout('2026-12'), revision })
    expect(saved.json.data, saved.text).toEqual({ savePayoutSetting: revision + 1 })
    expect((await read()).payout[0]).toMatchObject({
      ...{
        validFromMonth: '2026-12',
        payoutThreshold: 5_000,
        returnFee: 880,
        businessDayShift: 'next',
        needsTwoPersons: true,
        taxPeriodStartMonth: 4,
        inputTaxTiming: 'accrual',
      },
      sspWeight: 'article_watch',
    })
    const late = await ask(SAVE_PAYOUT, { input: payout('2026-12', { payoutThreshold: 1 }), revision })
    expect(codes(late)).toEqual(['record/edited-by-other'])
    expect((await read()).payout[0]?.payoutThreshold).toBe(5_000)
    const history = await ask(
      '{ recordHistory(kind: dividend, id: "settings/payout", limit: 5, offset: 0) { total nodes { action actorEmail fields { name after } } } }',
    )
    expect(history.json.data, history.text).toMatchObject({
      recordHistory: { total: 1, nodes: [{ action: 'create', actorEmail: system.rows.users['insight:admin'].email }] },
    })
  })

  test('of many who save the same state at once one succeeds', async () => {
    const revision = await revisionOf('consumption_tax')
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        ask(SAVE_RATE, {
          input: { kind: 'consumption_tax', validFromMonth: '2027-04', percent: 11 + index },
          revision,
        }),
      ),
    )
    expect(answers.filter(answer => answer.json.errors === undefined)).toHaveLength(1)
    expect(await revisionOf('consumption_tax')).toBe(revision + 1)
    expect((await read()).consumptionTax[0]?.validFromMonth).toBe('2027-04')
  })

  test('rates outside of 0 to 100 % and negative thresholds are refused', async () => {
    const wrong = await ask(SAVE_RATE, {
      input: { kind: 'input_tax_deduction', validFromMonth: '2027-04', percent: 101 },
    })
    expect(codes(wrong)).toEqual(['payment-setting/percent-out-of-range'])
    expect(codes(await ask(SAVE_PAYOUT, { input: payout('2027-01', { payoutThreshold: -1 }) }))).toEqual([
      'payment-setting/amount-negative',
    ])
    for (const taxPeriodStartMonth of [0, 13])
      expect(codes(await ask(SAVE_PAYOUT, { input: payout('2027-01', { taxPeriodStartMonth }) }))).toEqual([
        'payment-setting/tax-period-month',
      ])
    expect(
      codes(await ask(SAVE_RATE, { input: { kind: 'consumption_tax', validFromMonth: 'x', percent: 1 } })),
    ).toEqual(['payment/month-invalid'])
    expect(
      codes(await ask(SAVE_RATE, { input: { kind: 'consumption_tax', validFromMonth: '0001-01', percent: 1 } })),
    ).toEqual(['payment-setting/month-past'])
  })

  test('a later line can be taken away, the first cannot', async () => {
    expect((await ask(REMOVE, { section: 'consumption_tax', month: '2027-04' })).json.errors).toBeUndefined()
    expect((await read()).consumptionTax[0]?.validFromMonth).toBe('2019-10')
    expect(codes(await ask(REMOVE, { section: 'consumption_tax', month: '2027-04' }))).toEqual([
      'payment-setting/not-found',
    ])
    expect(codes(await ask(REMOVE, { section: 'consumption_tax', month: '1989-04' }))).toEqual([
      'payment-setting/first-line',
    ])
  })
})

describe('price lists', () => {
  const lines = [
    { destination: 'same_branch', fromAmount: 0, fee: 0 },
    { destination: 'same_bank', fromAmount: 0, fee: 110 },
    { destination: 'other_bank', fromAmount: 0, fee: 440 },
    { destination: 'other_bank', fromAmount: 30_000, fee: 660 },
  ]
  test('a whole list of a bank from a day on; gaps, doubles and back-dated changes are refused', async () => {
    const input = { sourceBankCode: '0001', validFrom: '2020-12-01', lines }
    expect((await ask(SAVE_FEES, { input })).json.errors).toBeUndefined()
    expect((await read()).transferFees).toHaveLength(4)
    const gap = await ask(SAVE_FEES, { input: { ...input, validFrom: '2026-12-01', lines: lines.slice(0, 2) } })
    expect(codes(gap)).toEqual(['payment-setting/fee-line-missing'])
    const double = await ask(SAVE_FEES, {
      input: { ...input, validFrom: '2026-12-01', lines: [...lines, lines[0]] },
    })
    expect(codes(double)).toEqual(['payment-setting/fee-line-twice'])
    const past = await ask(SAVE_FEES, { input: { ...input, validFrom: '2026-01-01' } })
    expect(codes(past)).toEqual(['payment-setting/fee-day-past'])
    const bank = await ask(SAVE_FEES, { input: { ...input, sourceBankCode: '12' } })
    expect(codes(bank)).toContain('payment-setting/bank-code-invalid')
    const dearer = lines.map(line => ({ ...line, fee: line.fee + 10 }))
    expect(
      (await ask(SAVE_FEES, { input: { ...input, validFrom: '2099-04-01', lines: dearer } })).json.errors,
    ).toBeUndefined()
    expect((await read()).transferFees.filter(each => each.validFrom === '2099-04-01')).toHaveLength(4)
    expect((await read()).transferFees.filter(each => each.validFrom === '2020-12-01')).toHaveLength(4)
  })
})

describe('the account that money leaves', () => {
  const source = (parts: object = {}) => ({
    ...{
      validFromMonth: '2020-12',
      clientCode: '12345',
      clientName: 'カ）テスト',
      bankCode: '0001',
      branchCode: '100',
    },
    ...{ accountType: 'ordinary', accountNumber: '7654321', hasLineBreaks: true, ...parts },
  })

  test('is entered once, with the names of the bank master, in the kana of bank files; its number is masked in the log', async () => {
    const revision = await revisionOf('transfer_source')
    const wrong = await ask(SAVE_SOURCE, {
      input: source({ clientCode: 'x', accountNumber: '12', clientName: '漢字', branchCode: '999' }),
      revision,
    })
    expect(codes(wrong)).toEqual([
      'payment-setting/client-code-invalid',
      'payment-setting/not-in-bank-file',
      'payment-setting/account-number-invalid',
      'payment-setting/bank-unknown',
    ])
    // A bank file has one byte for each character: such a sign would fail when the file is written.
    for (const extraCharacters of ['株', '・', 'ー', 'ｰ', 'ｦ', 'ｧ', 'a', ' ', '\n', '/é']) {
      const refused = await ask(SAVE_SOURCE, { input: source({ extraCharacters }), revision })
      expect(codes(refused), extraCharacters).toEqual(['payment-setting/not-a-sign'])
    }
    const marks = { resultMarkOffset: 6, resultMarkLength: 2, resultPaidMarks: ['00'], resultReturnedMarks: ['08'] }
    for (const bad of [
      marks,
      { ...marks, resultMarkOffset: 0, resultReturnedMarks: ['00'] },
      { resultMarkOffset: 1 },
    ]) {
      expect(codes(await ask(SAVE_SOURCE, { input: source(bad), revision }))).toEqual([
        'payment-setting/result-marks-invalid',
      ])
    }
    const saved = await ask(SAVE_SOURCE, { input: source({ ...marks, resultMarkOffset: 0 }), revision })
    expect(saved.json.data, saved.text).toEqual({ saveTransferSource: revision + 1 })
    expect((await read()).transferSources).toMatchObject([
      {
        validFromMonth: '2020-12',
        clientName: 'ｶ)ﾃｽﾄ',
        bankCode: '0001',
        accountNumber: '7654321',
        resultPaidMarks: ['00'],
      },
    ])
    expect(codes(await ask(SAVE_SOURCE, { input: source(), revision }))).toEqual(['record/edited-by-other'])
    const history = await ask(
      '{ recordHistory(kind: dividend, id: "settings/transfer_source", limit: 5, offset: 0) { nodes { fields { name after } } } }',
    )
    expect(history.text).toContain('****321')
    expect(history.text).not.toContain('7654321')
  })

  test('a later line begins this month or later, and goes as long as it has not begun', async () => {
    expect(codes(await ask(SAVE_SOURCE, { input: source({ validFromMonth: '2026-10' }) }))).toEqual([
      'payment-setting/month-past',
    ])
    for (const validFromMonth of ['2026-11', '2027-01']) {
      expect((await ask(SAVE_SOURCE, { input: source({ validFromMonth }) })).json.errors).toBeUndefined()
    }
    const remove = async (month: string) => codes(await ask(REMOVE, { section: 'transfer_source', month }))
    expect(await remove('2020-12')).toEqual(['payment-setting/first-line'])
    expect(await remove('2026-11')).toEqual(['payment-setting/line-in-use'])
    expect(await remove('2027-01')).toEqual([])
    expect((await read()).transferSources.map(each => each.validFromMonth)).toEqual(['2026-11', '2020-12'])
  })
})

describe('rates withheld, and names of accounts', () => {
  test('a rate begins today or later and goes before it has begun', async () => {
    const rates = { rateUpToThreshold: 1000, rateAboveThreshold: 2000, rateNonResident: 2000 }
    const input = { validFrom: '2038-01-01', threshold: 1_000_000, ...rates }
    const revision = await revisionOf('withholding')
    expect((await ask(SAVE_WITHHOLDING, { input, revision })).json.data).toEqual({ saveWithholdingRate: revision + 1 })
    expect((await read()).withholding.map(each => [each.validFrom, each.rateUpToThreshold])).toEqual([
      ['2038-01-01', 1000],
      ['2013-01-01', 1021],
    ])
    expect(codes(await ask(SAVE_WITHHOLDING, { input, revision }))).toEqual(['record/edited-by-other'])
    const past = { ...input, validFrom: '2026-11-19', rateUpToThreshold: 10_001 }
    expect(codes(await ask(SAVE_WITHHOLDING, { input: past }))).toEqual([
      'payment-setting/day-past',
      'payment-setting/rate-out-of-range',
    ])
    const remove = async (validFrom: string) => codes(await ask(REMOVE_WITHHOLDING, { validFrom }))
    expect(await remove('2013-01-01')).toEqual(['payment-setting/first-line'])
    expect(await remove('2038-01-01')).toEqual([])
    expect(await remove('2038-01-01')).toEqual(['payment-setting/not-found'])
  })

  test('all names together, from an open month on', async () => {
    const accounts = [...new Set((await read()).journalAccounts.map(each => each.account))]
    expect(accounts).toHaveLength(8)
    const names = accounts.map(account =>
      account === 'payable'
        ? { account, name: '買掛金', subAccount: ' 記事 ', department: '編集部' }
        : { account, name: `科目${account}` },
    )
    const input = { validFromMonth: '2027-04', names }
    const revision = await revisionOf('journal_account')
    expect((await ask(SAVE_ACCOUNTS, { input, revision })).json.data).toEqual({ saveJournalAccounts: revision + 1 })
    const saved = (await read()).journalAccounts.filter(each => each.validFromMonth === '2027-04')
    expect(saved).toHaveLength(8)
    expect(saved.find(each => each.account === 'payable')).toMatchObject({
      ...{ name: '買掛金', subAccount: '記事', department: '編集部' },
    })
    expect(saved.find(each => each.account === 'bank')).toMatchObject({ subAccount: '', department: '' })
    const tooLong = names.map(each => ({ ...each, department: '部'.repeat(51) }))
    expect(codes(await ask(SAVE_ACCOUNTS, { input: { ...input, names: tooLong } }))).toHaveLength(8)
    expect(codes(await ask(SAVE_ACCOUNTS, { input: { ...input, names: names.slice(1) } }))).toEqual([
      'payment-setting/account-name-missing',
    ])
    expect(codes(await ask(REMOVE, { section: 'journal_account', month: '2020-12' }))).toEqual([
      'payment-setting/first-line',
    ])
    expect(codes(await ask(REMOVE, { section: 'journal_account', month: '2027-04' }))).toEqual([])
  })
})

describe('the first month of the rules for returns', () => {
  test('a new installation has them from the start; a month is chosen, and who saw an older state is refused', async () => {
    expect((await read()).returnsRule).toEqual({ firstMonth: '2020-12', isProposed: false })
    const revision = await revisionOf('settlement_rule')
    expect(codes(await ask(SAVE_RETURNS, { month: '2026-13', revision }))).toEqual(['payment/month-invalid'])
    const saved = await ask(SAVE_RETURNS, { month: '2026-08', revision })
    expect(saved.json.data, saved.text).toEqual({ saveReturnsFirstMonth: revision + 1 })
    expect((await read()).returnsRule).toEqual({ firstMonth: '2026-08', isProposed: false })
    expect(codes(await ask(SAVE_RETURNS, { month: '2026-09', revision }))).toEqual(['record/edited-by-other'])
    expect(codes(await ask(SAVE_RETURNS, { month: '2026-05' }))).toEqual([])
  })
})

describe('a month that is final', () => {
  test('no line begins in it, none of its lines goes, and its figures stay', async () => {
    const { database, stats, money } = system.dependencies
    const rules = [{ ...sampleRule(7_101n, 10_000n), mediumId: MEDIUM }]
    const agreement = {
      ...sampleAgreement(71_001n, rules),
      mediumId: MEDIUM,
      organizationId: system.rows.a.organizationId,
    }
    const month = { ...sampleMonth(202606, { agreements: [agreement] }), mediumId: MEDIUM }
    await database.inScope(SYSTEM, tx => writeAgreements(tx, [month]))
    await writeOwnAds(stats, [month], 71n)
    const key = { mediumId: MEDIUM, month: month.month }
    const computed = await computeMonth(money.payments, key)
    if (!computed.ok) throw new Error(JSON.stringify(computed.refusals))
    const { uid } = system.rows.users['insight:admin']
    const closed = await closeMonth(money, key, uid)
    if (!closed.ok) throw new Error(JSON.stringify(closed.refusals))
    expect((await read()).lastFinalizedMonth).toBe('2026-06')
    const into = await ask(SAVE_PAYOUT, { input: payout('2026-06') })
    expect(codes(into)).toEqual(['payment-setting/month-finalized'])
    expect(into.json.errors?.[0]?.message).toContain('2026-07以降')
    expect(codes(await ask(REMOVE, { section: 'input_tax_deduction', month: '2023-10' }))).toEqual([
      'payment-setting/month-finalized',
    ])
    // June was closed by the rules that begin in May: neither goes back any more.
    for (const month of ['2026-07', '2020-12']) {
      expect(codes(await ask(SAVE_RETURNS, { month }))).toEqual(['payment-setting/returns-begun'])
    }
    expect((await ask(SAVE_PAYOUT, { input: payout('2026-07', { payoutThreshold: 999 }) })).json.errors).toBeUndefined()
    const paid = await database.inScope(SYSTEM, tx =>
      tx.selectFrom('monthlyPayments').select('paymentYen').where('agreementId', '=', 71_001n).execute(),
    )
    expect(paid).toEqual([{ paymentYen: 10_000n }])
  })
})

describe('who may', () => {
  test('staff read, administrators change, people of publishers see nothing', async () => {
    for (const as of ['insight:editor', 'insight:viewer']) {
      expect((await read(as)).payout.length).toBeGreaterThan(0)
      for (const answer of [
        await ask(SAVE_PAYOUT, { input: payout('2027-05') }, as),
        await ask(IMPORT, { name: 'x', content: 'eA==' }, as),
        await ask(REMOVE_WITHHOLDING, { validFrom: '2038-01-01' }, as),
      ]) {
        expect(answer.json.errors?.[0]?.extensions.code).toBe('FORBIDDEN')
      }
    }
    const outside = await ask(READ, {}, 'insight:publisher_admin')
    expect(outside.json.errors?.[0]?.extensions.code).toBe('FORBIDDEN')
  })
})
