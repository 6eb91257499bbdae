import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { sampleAgreement, sampleMonth, sampleRule } from '@pc/domain/settlement/sample-month.ts'
import { computeMonth } from '@pc/features/payments/core/server/compute-month.ts'
import { monthCloseBoard } from '@pc/features/payments/month-close/server/close-board.ts'
import { checkChains } from '@pc/features/payments/month-close/server/verify-chains.ts'
import { SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { withClient } from '@pc/platform/postgres/roles.ts'
import { withSignal } from '@pc/platform/request-signal.ts'
import { closeMonth } from '@pc/testing/books/close-month.ts'
import { openBooks } from '@pc/testing/books/open-books.ts'
import { writeAgreements, writeOwnAds, writeSettings } from '@pc/testing/books/settlement-books.ts'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'

/**
 * The board of a month and the check of the hash chain take long: concurrent requests share one run, and no result is
 * out of date.
 */
const { tested, stats, database, books } = await openBooks({ maxConnections: 4 })
const MONTH = 202607 as YearMonth
const KEY = { mediumId: 1n, month: MONTH }
const input = sampleMonth(MONTH, { agreements: [sampleAgreement(1n, [sampleRule(101n, 70_000n)])] })
let drawn = 0
let running = 0
let mostAtOnce = 0
const parts = {
  ...books.payments,
  async statementReasons() {
    drawn += 1
    running += 1
    mostAtOnce = Math.max(mostAtOnce, running)
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate) // long enough for others to come
    running -= 1
    return []
  },
}
const board = (month = MONTH, uid = books.userUid) => monthCloseBoard(parts, month, uid)
const stateOf = async (kind: string) => (await board())[0]?.checks.find(check => check.kind === kind)?.state
const change = (statement: (tx: Transaction) => Promise<unknown>) => database.inScope(SYSTEM, statement)

beforeAll(async () => {
  await database.inScope(SYSTEM, async tx => {
    await writeSettings(tx, input)
    await writeAgreements(tx, [input])
  })
  await writeOwnAds(stats.store, [input], 1n)
  expect(await computeMonth(parts, KEY)).toMatchObject({ ok: true })
})

test('many who look at boards at once leave connections for others, and get what one alone gets', async () => {
  const alone = await board()
  drawn = 0
  const together = await Promise.all(Array.from({ length: 20 }, () => board()))
  for (const each of together) expect(each).toEqual(alone)
  expect(drawn).toBe(2) // one for the first, one for all who came later
  const months = Array.from({ length: 9 }, (_, n) => (MONTH + 1 + (n % 5)) as YearMonth)
  await Promise.all([...months.map(month => board(month)), database.inScope(SYSTEM, tx => sql`select 1`.execute(tx))])
  expect(mostAtOnce).toBeLessThanOrEqual(2)
})

test('the second person is checked for each of them', async () => {
  await change(tx => sql`update payment_settings set needs_two_persons = true`.execute(tx))
  await change(tx => sql`update month_states set computed_by_uid = ${books.userUid}`.execute(tx))
  const other = '00000000-0000-7000-8000-00000000ffff'
  const [own, others] = await Promise.all([board(), board(MONTH, other)])
  const person = (rows: typeof own) => rows[0]?.checks.find(check => check.kind === 'second_person')?.state
  expect([person(own), person(others)]).toEqual(['red', 'green'])
  await change(tx => sql`update payment_settings set needs_two_persons = false`.execute(tx))
})

test('what was touched is seen at the next look, and so is what was taken back', async () => {
  expect(await computeMonth(parts, KEY)).toMatchObject({ ok: true })
  expect(await stateOf('agreements')).toBe('green')
  for (const round of [1, 2]) {
    await change(tx => sql`update agreements set fixed_revenue_yen = fixed_revenue_yen + 1000`.execute(tx))
    expect([await stateOf('agreements'), await stateOf('agreements')], `${round}`).toEqual(['red', 'red'])
    await change(tx => sql`update agreements set fixed_revenue_yen = fixed_revenue_yen - 1000`.execute(tx))
    expect([await stateOf('agreements'), await stateOf('agreements')], `${round}`).toEqual(['green', 'green'])
  }
})

test('a finalised row that is changed behind the back of the program is found at once, a month that was checked too', async () => {
  expect(await closeMonth(books, KEY, books.userUid)).toMatchObject({ ok: true })
  const chains = () => checkChains(parts, undefined)
  const whole = [{ mediumId: 1n, mediumName: 'メディア1', months: 1, breaks: [] }]
  expect(await Promise.all(Array.from({ length: 6 }, chains))).toEqual(Array(6).fill(whole))
  expect(await checkChains(parts, 2n)).toEqual([])
  const tamper = (text: string) =>
    withClient(tested.adminUrl, client => client.query(`set session_replication_role = replica; ${text}`))
  for (const [text, back] of [
    ['update monthly_payments set due_on = due_on + 1', 'update monthly_payments set due_on = due_on - 1'],
    [`update month_states set hash = 'x' || hash`, 'update month_states set hash = substr(hash, 2)'],
    [
      `update monthly_snapshot_inputs set hash = 'x' || hash`,
      'update monthly_snapshot_inputs set hash = substr(hash, 2)',
    ],
  ] as const) {
    await tamper(text)
    const [found] = await chains()
    expect(found?.breaks.length, text).toBeGreaterThan(0)
    await tamper(back)
    expect(await chains(), back).toEqual(whole)
  }
})

test('a check that nobody waits for any more stops, and does not block the next one', async () => {
  const caller = new AbortController()
  const gone = withSignal(caller.signal, () => board())
  caller.abort(new Error('gone'))
  await expect(gone).rejects.toThrow('gone')
  expect(await board()).toHaveLength(1)
})
