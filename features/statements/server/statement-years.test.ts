import { day } from '@pc/domain/month/day.ts'
import { sampleAgreement, sampleRule } from '@pc/domain/settlement/sample-month.ts'
import { codeOf, type IssuedStatement, month, startStatementFixture } from '@pc/testing/system/statement-fixture.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** A year of statements by payee, what the tax office asks about it, and what is due next: to the yen, and to nobody else. */
const { system, ask, closedMonth, entered, enter, inBooks } = await startStatementFixture()
afterAll(() => system.close())
const { a, b } = system.rows
let ofA: readonly IssuedStatement[]
let ofB: readonly IssuedStatement[]
const sumOf = (statements: readonly IssuedStatement[]) => statements.reduce((sum, each) => sum + each.total, 0)

beforeAll(async () => {
  ofA = await closedMonth(61n, 202606, [100_000n, 23_456n])
  ofB = await closedMonth(62n, 202606, [77_777n], b)
  // July is computed and not closed: due at the end of August.
  const agreements = await entered(63n, a.organizationId, [
    sampleAgreement(1n, [sampleRule(101n, 10_000n, { share: { ownAdsRateUnits: 10_000 } })]),
  ])
  await enter(month(63n, 202607, { agreements }))
})

interface Year {
  readonly total: number
  readonly totalTax: number
  readonly unpaid: number
  readonly nodes: readonly { organizationId: string; statements: number; total: number; unpaid: number }[]
}
const YEAR = `query ($year: Int!) { statementYear(year: $year) { total totalTax unpaid nodes { organizationId statements total unpaid } } }`
async function yearOf(as: string, year = 2026): Promise<Year> {
  const answer = await ask(YEAR, as, { year })
  expect(answer.json.errors, answer.text).toBeUndefined()
  return (answer.json.data as { statementYear: Year }).statementYear
}

test('staff has every payee, each with the sums of its statements', async () => {
  const year = await yearOf('insight:viewer')
  expect(year.total).toBe(sumOf([...ofA, ...ofB]))
  expect(year.unpaid).toBe(year.total)
  expect(year.nodes).toEqual([
    { organizationId: `${a.organizationId}`, statements: 2, total: sumOf(ofA), unpaid: sumOf(ofA) },
    { organizationId: `${b.organizationId}`, statements: 1, total: sumOf(ofB), unpaid: sumOf(ofB) },
  ])
  expect(await yearOf('insight:viewer', 2025)).toMatchObject({ total: 0, nodes: [] })
})

test('a publisher has its own year; a year that is none is refused', async () => {
  const year = await yearOf('insight:publisher_admin')
  expect(year.nodes.map(each => each.organizationId)).toEqual([`${a.organizationId}`])
  expect(year.total).toBe(sumOf(ofA))
  expect((await yearOf('ofB')).total).toBe(sumOf(ofB))
  expect(codeOf(await ask(YEAR, 'insight:admin', { year: 1999 }))).toBe('BAD_REQUEST')
})

test('what the tax office asks: individuals above the amount, and payees without a registration; for staff only', async () => {
  const TAX = `query ($year: Int!) { payeeTaxYear(year: $year) { organizationId payeeKind total needsPaymentRecord unregistered aboveLimit } }`
  const answer = await ask(TAX, 'insight:viewer', { year: 2026 })
  expect((answer.json.data as { payeeTaxYear: unknown[] }).payeeTaxYear).toEqual([
    {
      organizationId: `${a.organizationId}`,
      payeeKind: 'company',
      total: sumOf(ofA),
      needsPaymentRecord: false,
      unregistered: sumOf(ofA),
      aboveLimit: 0,
    },
    {
      organizationId: `${b.organizationId}`,
      payeeKind: 'company',
      total: sumOf(ofB),
      needsPaymentRecord: false,
      unregistered: sumOf(ofB),
      aboveLimit: 0,
    },
  ])
  expect(codeOf(await ask(TAX, 'insight:publisher_admin', { year: 2026 }))).toBe('FORBIDDEN')

  // Books that begin in July: June belongs to the period before.
  await inBooks(tx => tx.updateTable('paymentSettings').set({ taxPeriodStartMonth: 7 }).execute())
  const ofYear = async (year: number) =>
    ((await ask(TAX, 'insight:viewer', { year })).json.data as { payeeTaxYear: unknown[] }).payeeTaxYear
  expect(await ofYear(2026)).toMatchObject([
    { total: sumOf(ofA), unregistered: 0 },
    { total: sumOf(ofB), unregistered: 0 },
  ])
  expect(await ofYear(2025)).toMatchObject([
    { total: 0, unregistered: sumOf(ofA) },
    { total: 0, unregistered: sumOf(ofB) },
  ])
  expect(await ofYear(2024)).toEqual([])

  // From July 2026 on they begin in July, before it in January: nothing is left out, nothing counts twice.
  await inBooks(async tx => {
    await tx.updateTable('paymentSettings').set({ taxPeriodStartMonth: 1 }).execute()
    await sql`insert into payment_settings (valid_from_month, payout_threshold_yen, business_day_shift, tax_period_start_month)
      values (202607, 1, 'previous', 7)`.execute(tx)
  })
  expect(await ofYear(2025)).toEqual([])
  expect(await ofYear(2026)).toMatchObject([
    { total: sumOf(ofA), unregistered: sumOf(ofA) },
    { total: sumOf(ofB), unregistered: sumOf(ofB) },
  ])
  expect(await ofYear(2027)).toEqual([])
  await inBooks(tx => sql`delete from payment_settings where valid_from_month = 202607`.execute(tx))
  await inBooks(tx => tx.updateTable('paymentSettings').set({ taxPeriodStartMonth: 1 }).execute())
})

interface Forecast {
  readonly overdue: number
  readonly dueDates: readonly { dueOn: string; confirmed: number; draft: number }[]
  readonly payees: readonly { organizationId: string; overdue: number; total: number }[]
}
async function forecastOf(as: string): Promise<Forecast> {
  const answer = await ask(
    '{ cashForecast { overdue dueDates { dueOn confirmed draft } payees { organizationId overdue total } } }',
    as,
  )
  expect(answer.json.errors, answer.text).toBeUndefined()
  return (answer.json.data as { cashForecast: Forecast }).cashForecast
}

test('what is due next: finalised payments and drafts for staff, its own final ones for a payee', async () => {
  const staff = await forecastOf('insight:viewer')
  // June was due on the last day of July, and today is 5 August.
  expect(staff.overdue).toBe(sumOf([...ofA, ...ofB]))
  expect(staff.dueDates).toEqual([{ dueOn: '2026-08-31', confirmed: 0, draft: 11_000 }])
  expect(staff.payees).toEqual([
    { organizationId: `${a.organizationId}`, overdue: sumOf(ofA), total: sumOf(ofA) + 11_000 },
    { organizationId: `${b.organizationId}`, overdue: sumOf(ofB), total: sumOf(ofB) },
  ])
  const own = await forecastOf('insight:publisher_admin')
  expect(own.dueDates).toEqual([])
  expect(own.payees).toEqual([{ organizationId: `${a.organizationId}`, overdue: sumOf(ofA), total: sumOf(ofA) }])
  await inBooks(tx =>
    tx
      .updateTable('monthlyPayments')
      .set({ paymentStatus: 'paid', paidOn: day('2026-08-04'), paidAtMonth: 202608 })
      .where('mediumId', '=', 62n)
      .execute(),
  )
  expect((await forecastOf('insight:viewer')).overdue).toBe(sumOf(ofA))
  expect((await yearOf('insight:viewer')).nodes[1]!.unpaid).toBe(0)
})
