import { SAMPLE_HOLIDAYS_CSV } from '@pc/domain/month/sample-holidays.ts'
import { sampleAgreement, sampleMonth, sampleRule } from '@pc/domain/payment/sample-month.ts'
import { computeMonth } from '@pc/features/payments/server/compute-month.ts'
import { finalizeMonth } from '@pc/features/payments/server/finalize-month.ts'
import { fixedClock } from '@pc/platform/clock.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { writeAgreements, writeOwnAds } from '@pc/testing/settlement-books.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type SystemUnderTest, startSystemUnderTest } from './system-under-test.ts'

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
  payout { validFromMonth payoutThreshold businessDayShift needsTwoPersons sspWeight }
  consumptionTax { validFromMonth percent } inputTaxDeductions { validFromMonth percent }
  transferFees { sourceBankCode destination validFrom fromAmount fee } holidays { firstYear lastYear days { day name } } } }`
interface Settings {
  readonly lastFinalizedMonth: string | null
  readonly revisions: readonly { section: string; revision: number; historyId: string }[]
  readonly payout: readonly { validFromMonth: string; payoutThreshold: number; needsTwoPersons: boolean }[]
  readonly consumptionTax: readonly { validFromMonth: string; percent: number }[]
  readonly transferFees: readonly { validFrom: string; destination: string; fee: number }[]
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
  ...{ validFromMonth, payoutThreshold: 5_000, businessDayShift: 'next', needsTwoPersons: true },
  ...{ sspWeight: 'article_watch', videoSspWeight: 'video_watch', liveSspWeight: 'live_click', ...more },
})
const SAVE_RATE = `mutation ($input: DatedRateInput!, $revision: Int) { saveDatedRate(input: $input, expectedRevision: $revision) }`
const REMOVE = `mutation ($section: DatedSettingSection!, $month: String!, $revision: Int) {
  removeDatedSetting(section: $section, validFromMonth: $month, expectedRevision: $revision) }`
const SAVE_FEES = `mutation ($input: TransferFeesInput!, $revision: Int) { saveTransferFees(input: $input, expectedRevision: $revision) }`
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
  })
})

describe('dated lines', () => {
  test('a line is there from its month on, with its audit row; who saw an older state is refused', async () => {
    const revision = await revisionOf('payout')
    const saved = await ask(SAVE_PAYOUT, { input: payout('2026-12'), revision })
    expect(saved.json.data, saved.text).toEqual({ savePayoutSetting: revision + 1 })
    expect((await read()).payout[0]).toMatchObject({
      ...{ validFromMonth: '2026-12', payoutThreshold: 5_000, businessDayShift: 'next', needsTwoPersons: true },
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
    expect(
      codes(await ask(SAVE_RATE, { input: { kind: 'consumption_tax', validFromMonth: 'x', percent: 1 } })),
    ).toEqual(['payment/month-invalid'])
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

describe('a month that is final', () => {
  test('no line begins in it, none of its lines goes, and its figures stay', async () => {
    const { database, stats, money } = system.parts
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
    const closed = await finalizeMonth(money.payments, key, uid)
    if (!closed.ok) throw new Error(JSON.stringify(closed.refusals))
    expect((await read()).lastFinalizedMonth).toBe('2026-06')
    const into = await ask(SAVE_PAYOUT, { input: payout('2026-06') })
    expect(codes(into)).toEqual(['payment-setting/month-finalized'])
    expect(into.json.errors?.[0]?.message).toContain('2026-07以降')
    expect(codes(await ask(REMOVE, { section: 'input_tax_deduction', month: '2023-10' }))).toEqual([
      'payment-setting/month-finalized',
    ])
    expect((await ask(SAVE_PAYOUT, { input: payout('2026-07', { payoutThreshold: 999 }) })).json.errors).toBeUndefined()
    const paid = await database.inScope(SYSTEM, tx =>
      tx.selectFrom('monthlyPayments').select('paymentYen').where('agreementId', '=', 71_001n).execute(),
    )
    expect(paid).toEqual([{ paymentYen: 10_000n }])
  }, 60_000)
})

describe('who may', () => {
  test('staff read, administrators change, people of publishers see nothing', async () => {
    for (const as of ['insight:editor', 'insight:viewer']) {
      expect((await read(as)).payout.length).toBeGreaterThan(0)
      for (const answer of [
        await ask(SAVE_PAYOUT, { input: payout('2027-05') }, as),
        await ask(IMPORT, { name: 'x', content: 'eA==' }, as),
      ]) {
        expect(answer.json.errors?.[0]?.extensions.code).toBe('FORBIDDEN')
      }
    }
    const outside = await ask(READ, {}, 'insight:publisher_admin')
    expect(outside.json.errors?.[0]?.extensions.code).toBe('FORBIDDEN')
  })
})
