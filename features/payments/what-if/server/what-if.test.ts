import { SAMPLE_HOLIDAYS_CSV } from '@pc/domain/month/sample-holidays.ts'
import { sampleAgreement, sampleMonth, sampleRule } from '@pc/domain/settlement/sample-month.ts'
import { systemActor } from '@pc/platform/audit/record-change.ts'
import { fixedClock } from '@pc/platform/clock.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { bookManualOperations, writeAgreements, writeOwnAds } from '@pc/testing/books/settlement-books.ts'
import { cpuMs } from '@pc/testing/processor-time.ts'
import { type Answer, type SystemUnderTest, startSystemUnderTest } from '@pc/testing/system/system-under-test.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { importHolidays } from '../../core/server/import-holidays.ts'

/** The preview of a close over HTTP: 500 agreements, every kind of change, drafts, and not a row of the books touched. */
let system: SystemUnderTest
const token = new Map<string, string>()
const MEDIUM = 61n
const MONTH = '2026-06'
const FIRST = 61_001n
const AGREEMENTS = 500

beforeAll(async () => {
  system = await startSystemUnderTest({}, { bookkeepingClock: fixedClock('2026-11-20T12:00:00+09:00') })
  for (const role of ['insight:admin', 'insight:editor', 'insight:viewer', 'insight:publisher_admin'] as const) {
    token.set(role, await system.tokenOf(system.rows.users[role].email))
  }
  const { database, stats, money } = system.dependencies
  const share = { ownAdsRateUnits: 5_000, sspRateUnits: 4_000, isTargetForSspAllocation: true }
  const agreements = Array.from({ length: AGREEMENTS }, (_, index) => {
    const id = FIRST + BigInt(index)
    const rules = [
      { ...sampleRule(id * 10n, 1_000n + BigInt(index), { share }), mediumId: MEDIUM },
      { ...sampleRule(id * 10n + 1n, 500n, { share: { ownAdsRateUnits: 5_000 } }), mediumId: MEDIUM },
    ]
    const { organizationId } = system.rows.a
    return { ...sampleAgreement(id, rules), mediumId: MEDIUM, organizationId }
  })
  const pool = {
    ...{ jobId: 1n, kind: 'ssp' as const, method: 'payment' as const, poolYen: 100_000n },
    weights: agreements.map(({ agreementId }) => ({ agreementId, publisherId: agreementId * 10n, weight: 1n })),
  }
  const month = { ...sampleMonth(202606, { agreements, poolJobs: [pool] }), mediumId: MEDIUM }
  await database.inScope(SYSTEM, async tx => {
    await importHolidays(tx, { name: 'sample', content: Buffer.from(SAMPLE_HOLIDAYS_CSV) }, systemActor('test'))
    await writeAgreements(tx, [month])
  })
  await writeOwnAds(stats, [month], 77n)
  await bookManualOperations(
    { manualOperations: money.manualOperations, userUid: system.rows.users['insight:editor'].uid },
    month,
  )
})
afterAll(() => system?.close())

const ask = (query: string, variables: object = {}, as = 'insight:editor'): Promise<Answer> =>
  system.ask('insight', query, token.get(as), { month: MONTH, mediumId: MEDIUM.toString(), ...variables })
const WHAT_IF = `query ($month: String!, $mediumId: ID!, $change: WhatIfInput!) {
  whatIfMonth(month: $month, mediumId: $mediumId, change: $change) {
    paymentChange revenueChange retainedChange
    before { payees paid payment paymentIncludingTax retained } after { payees paid payment paymentIncludingTax retained }
    checks { state label detail }
    payees { agreementId partnerName paymentChange before { payment outcome } after { payment outcome } }
  }
}`
interface Result {
  readonly paymentChange: number
  readonly retainedChange: number
  readonly before: { payees: number; paid: number; payment: number; retained: number }
  readonly after: { payees: number; paid: number; payment: number; retained: number }
  readonly checks: readonly { state: string; detail: string }[]
  readonly payees: readonly { agreementId: string; paymentChange: number; after: { outcome: string } }[]
}
async function whatIf(change: object): Promise<Result> {
  const answer = await ask(WHAT_IF, { change })
  expect(answer.json.errors, answer.text).toBeUndefined()
  return (answer.json.data as { whatIfMonth: Result }).whatIfMonth
}

/** One number for every table of the books, over every row of it. */
async function checksums(): Promise<Readonly<Record<string, string>>> {
  return system.dependencies.database.inScope(SYSTEM, async tx => {
    const { rows: tables } = await sql<{ name: string }>`select c.relname::text as name from pg_class c
      join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public' and c.relkind = 'r'
        and c.relname not in ('what_if_drafts', 'audit_log', 'idempotency_keys')
        and c.relname not like 'idp\\_%' order by 1`.execute(tx)
    const sums: Record<string, string> = {}
    for (const { name } of tables) {
      const { rows } = await sql<{ sum: string | null }>`
        select md5(string_agg(t::text, '|' order by t::text)) as sum from ${sql.table(name)} t`.execute(tx)
      sums[name] = rows[0]?.sum ?? ''
    }
    return sums
  })
}

describe('what if', () => {
  test('every kind of change answers its difference by payee, and no row of any table of the books changes', async () => {
    const before = await checksums()
    expect(Object.keys(before).length).toBeGreaterThan(30)
    const first = FIRST.toString()
    const [publisherId, second] = [`${FIRST * 10n}`, `${FIRST * 10n + 1n}`]
    const rate = await whatIf({ rates: [{ agreementId: first, publisherId, paymentRate: 6_000 }] })
    expect(rate).toMatchObject({ paymentChange: 100, payees: [{ agreementId: first, paymentChange: 100 }] })
    expect(rate.after.payment - rate.before.payment).toBe(100)
    expect(rate.before.payees).toBe(AGREEMENTS)
    const fixed = await whatIf({ rates: [{ agreementId: first, publisherId: second, fixedRevenue: 777 }] })
    expect(fixed.paymentChange).toBe(777)
    const minimum = await whatIf({
      agreements: [{ agreementId: first, minimumRevenue: 10_000, minimumRevenueType: 'by_agreement' }],
    })
    expect(minimum.payees[0]?.paymentChange).toBe(10_000 - (500 + 250 + 80))
    const flag = await whatIf({ rates: [{ agreementId: first, publisherId, isTargetForSspAllocation: false }] })
    expect(flag.payees.find(each => each.agreementId === first)?.paymentChange).toBe(-80)
    const pool = await poolId()
    const bigger = await whatIf({ pools: [{ dividendId: pool, extraRevenue: 200_000 }] })
    expect(bigger.payees).toHaveLength(AGREEMENTS)
    expect(bigger.paymentChange + bigger.retainedChange).toBe(100_000)
    const disabled = await whatIf({ agreements: [{ agreementId: first, isPaymentDisabled: true }] })
    expect(disabled.payees).toMatchObject([{ agreementId: first, paymentChange: -830, after: { outcome: 'held' } }])
    expect(disabled.checks).toEqual([{ state: 'amber', label: '支払', detail: '支払がなくなる契約が1件あります。' }])
    const ended = await whatIf({ agreements: [{ agreementId: first, terminatedOn: '2026-05-31' }] })
    expect(ended.payees.some(each => each.agreementId === first)).toBe(true)
    const threshold = await whatIf({ payoutThreshold: 1_000_000 })
    expect(threshold.after).toMatchObject({ paid: 0, payment: 0 })
    expect(await checksums()).toEqual(before)
  })

  test('500 agreements take less than 10 s of the processor', async () => {
    const begun = process.cpuUsage()
    await whatIf({ payoutThreshold: 1_000 })
    expect(cpuMs(begun)).toBeLessThan(10_000)
  })

  test('what is not in the month is refused, a rate that is none too', async () => {
    const unknown = await ask(WHAT_IF, { change: { agreements: [{ agreementId: '1', fixedRevenue: 5 }] } })
    expect(unknown.json.errors?.[0]?.message).toContain('契約1は、この媒体・月の計算に含まれていません')
    const pool = await ask(WHAT_IF, { change: { pools: [{ dividendId: '999999', extraRevenue: 5 }] } })
    expect(pool.json.errors?.[0]?.message).toContain('分配の処理999999')
    const rate = { agreementId: FIRST.toString(), publisherId: `${FIRST * 10n}`, paymentRate: 10_001 }
    const wrong = await ask(WHAT_IF, { change: { rates: [rate] } })
    expect(wrong.json.errors?.[0]?.message).toContain('0%から100%')
  })

  test('only who prepares months may ask', async () => {
    for (const as of ['insight:viewer', 'insight:publisher_admin']) {
      const answer = await ask(WHAT_IF, { change: {} }, as)
      expect(answer.json.errors?.[0]?.extensions.code).toBe('FORBIDDEN')
    }
  })

  test('the basis: found by name, with rates and pools', async () => {
    const answer = await ask(
      `query ($month: String!, $mediumId: ID!) { whatIfBasis(month: $month, mediumId: $mediumId, q: "契約61001") {
        total payoutThreshold pools { kind extraRevenue } agreements { agreementId rules { paymentRate isTargetForSspAllocation } } } }`,
    )
    expect(answer.json.data).toEqual({
      whatIfBasis: {
        ...{ total: 1, payoutThreshold: 1, pools: [{ kind: 'ssp', extraRevenue: 100_000 }] },
        agreements: [
          {
            agreementId: '61001',
            rules: [
              { paymentRate: 5_000, isTargetForSspAllocation: true },
              { paymentRate: 5_000, isTargetForSspAllocation: false },
            ],
          },
        ],
      },
    })
  })
})

async function poolId(): Promise<string> {
  const answer = await ask(
    'query ($month: String!, $mediumId: ID!) { whatIfBasis(month: $month, mediumId: $mediumId, agreementIds: []) { pools { dividendId } } }',
  )
  return (answer.json.data as { whatIfBasis: { pools: { dividendId: string }[] } }).whatIfBasis.pools[0]!.dividendId
}

describe('drafts', () => {
  const SAVE = `mutation ($input: WhatIfDraftInput!, $revision: Int) {
    saveWhatIfDraft(input: $input, expectedRevision: $revision) { id name change revision createdByEmail } }`
  const LIST = `query ($month: String!, $mediumId: ID!) { whatIfDrafts(month: $month, mediumId: $mediumId) { id name revision } }`
  const input = (more: object) => ({
    ...{ month: MONTH, mediumId: MEDIUM.toString(), name: '料率60%案' },
    change: {
      payoutThreshold: 5_000,
      rates: [{ agreementId: FIRST.toString(), publisherId: '1', paymentRate: 6_000 }],
    },
    ...more,
  })

  test('kept, changed, refused when somebody else was faster, removed; each with its audit row', async () => {
    const saved = await ask(SAVE, { input: input({}) })
    expect(saved.json.errors, saved.text).toBeUndefined()
    const draft = (saved.json.data as { saveWhatIfDraft: { id: string; change: string } }).saveWhatIfDraft
    expect(JSON.parse(draft.change)).toMatchObject({ payoutThreshold: 5_000, rates: [{ paymentRate: 6_000 }] })
    const renamed = await ask(SAVE, { input: input({ id: draft.id, name: '改訂案' }), revision: 1 }, 'insight:admin')
    expect(renamed.json.data).toMatchObject({ saveWhatIfDraft: { name: '改訂案', revision: 2 } })
    const late = await ask(SAVE, { input: input({ id: draft.id, name: '遅い' }), revision: 1 })
    expect(late.json.errors?.[0]?.extensions.refusals).toMatchObject([{ code: 'record/edited-by-other' }])
    const nameless = await ask(SAVE, { input: input({ name: ' ' }) })
    expect(nameless.json.errors?.[0]?.message).toContain('試算の名前を入力してください。')
    const hidden = await ask(SAVE, { input: input({ name: '料率\u206660%\u2069案' }) })
    expect(hidden.json.errors?.[0]?.extensions.refusals).toMatchObject([
      { code: 'name/hidden-characters', path: ['input', 'name'] },
    ])
    expect((await ask(LIST)).json.data).toEqual({ whatIfDrafts: [{ id: draft.id, name: '改訂案', revision: 2 }] })
    expect((await ask(LIST, {}, 'insight:viewer')).json.errors?.[0]?.extensions.code).toBe('FORBIDDEN')
    await ask('mutation ($id: ID!) { deleteWhatIfDraft(id: $id) }', { id: draft.id })
    expect((await ask(LIST)).json.data).toEqual({ whatIfDrafts: [] })
    const log = await system.dependencies.database.inScope(SYSTEM, tx =>
      tx.selectFrom('auditLog').select('action').where('rowId', '=', `what-if/${draft.id}`).orderBy('seq').execute(),
    )
    expect(log.map(each => each.action)).toEqual(['create', 'update', 'delete'])
  })
})
