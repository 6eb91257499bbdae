import { sumBy } from '@pc/domain/money/yen.ts'
import type { Day } from '@pc/domain/month/day.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { followingMonth } from '@pc/domain/settlement/random-month.ts'
import { settleMonth } from '@pc/domain/settlement/settle-month.ts'
import type { MonthInput } from '@pc/domain/settlement/settlement-input.ts'
import { computeMonth } from '@pc/features/payments/core/server/compute-month.ts'
import { runManualOperation } from '@pc/features/payments/manual-operations/server/run-manual-operation.ts'
import { bookLateFigures } from '@pc/features/payments/month-close/server/late-figures.ts'
import { fixedClock } from '@pc/platform/clock.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import {
  bookManualOperations,
  changeAgreement,
  settlementBooks,
  writeAgreements,
  writeOwnAds,
  writeSettings,
  writeTransferFees,
} from '@pc/testing/books/settlement-books.ts'
import { type SystemUnderTest, startSystemUnderTest } from '@pc/testing/system/system-under-test.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { enterable, monthOfMedium } from './random-media.ts'

/**
 * What the payment queries answer over HTTP while months are entered, computed, computed again, closed and corrected:
 * each answer has to add up. A full run takes 10,000 answers: ANSWERS_WHILE_WRITING=10000.
 */
const ANSWERS = Number(process.env.ANSWERS_WHILE_WRITING ?? 100)
const MONTHS = 6
const READERS = 3
/** How often a month's figures change before it is closed. */
const CHANGES = 4
const SEED = 4_001

let system: SystemUnderTest
let books: Awaited<ReturnType<typeof settlementBooks>>
let tokens: readonly string[] = []
beforeAll(async () => {
  system = await startSystemUnderTest({}, { bookkeepingClock: fixedClock('2028-01-10T12:00:00+09:00') })
  books = await settlementBooks(system.dependencies.database, system.dependencies.stats)
  await system.dependencies.database.inScope(SYSTEM, async tx => {
    await writeSettings(tx, monthOfMedium(SEED, 0))
    await writeTransferFees(tx)
  })
})
afterAll(() => system?.close())

const PARTS = [
  ...(['productAdsRevenue', 'sspRevenue', 'videoSSPRevenue', 'liveSSPRevenue'] as const),
  ...(['fixedRevenueApplied', 'minimumTopUpRevenue'] as const),
]
const AMOUNTS = [
  ...PARTS,
  ...(['revenue', 'carriedOverRevenue', 'manualAdjustmentRevenue', 'cumulativeRevenue', 'payment'] as const),
  'carriedOverToNext' as const,
]
type Amounts = Readonly<Record<(typeof AMOUNTS)[number], number>>
interface Payment extends Amounts {
  readonly id: string
  readonly agreementId: string
  readonly revenueGeneratedAtMonth: string
  readonly hasBeenFinalized: boolean
  readonly paymentTax: number
  readonly paymentIncludingTax: number
  readonly inputTaxByMonth: readonly { amount: number; tax: number; taxRate: number }[] | null
}
interface PublisherPayment extends Amounts {
  readonly id: string
  readonly agreementId: string
  readonly publisherId: string
  readonly monthlyPaymentId: string
  readonly revenueGeneratedAtMonth: string
  readonly hasBeenFinalized: boolean
}
interface PaymentList {
  readonly total: number
  readonly sum: number
  readonly taxSum: number
  readonly sumWithoutTax: number
  readonly sumRevenueWithoutTax: number
  readonly sumManualAdjustment: number
  readonly nodes: readonly Payment[]
}
interface PublisherPaymentList extends Omit<PaymentList, 'nodes' | 'sum' | 'taxSum'> {
  readonly nodes: readonly PublisherPayment[]
}
interface Statement {
  readonly numberText: string
  readonly revision: number
  readonly total: number
  readonly totalTax: number
  readonly totalWithoutTax: number
  readonly taxLines: readonly { amount: number; tax: number; ratePercent: number }[]
}
interface StatementList {
  readonly total: number
  readonly nodes: readonly Statement[]
}

const FIELDS = `id agreementId revenueGeneratedAtMonth hasBeenFinalized ${AMOUNTS.join(' ')}`
const SUMS = 'total sumWithoutTax sumRevenueWithoutTax sumManualAdjustment'
const page = 'limit: 200, offset: 0'
const PAYMENTS = (param: string) =>
  `monthlyPayments(${page}, param: ${param}) { ${SUMS} sum taxSum nodes { ${FIELDS} paymentTax paymentIncludingTax inputTaxByMonth { amount tax taxRate } } }`
const PUBLISHERS = (param: string) =>
  `monthlyPublisherPayments(${page}, param: ${param}) { ${SUMS} nodes { ${FIELDS} publisherId monthlyPaymentId } }`
const STATEMENTS = (medium: bigint) =>
  `statements(${page}, param: { mediumId: "${medium}" }) { total nodes { numberText revision total totalTax totalWithoutTax taxLines { amount tax ratePercent } } }`
/** Each as a screen would ask, the third with both lists beside each other. */
const QUESTIONS: readonly ((medium: bigint) => string)[] = [
  medium => PAYMENTS(`{ mediumId: "${medium}" }`),
  medium => PUBLISHERS(`{ mediumId: "${medium}" }`),
  medium =>
    `${PAYMENTS(`{ mediumId: "${medium}", hasBeenFinalized: true }`)} ${PUBLISHERS(`{ mediumId: "${medium}", hasBeenFinalized: true }`)}`,
  medium => STATEMENTS(medium),
  () => PAYMENTS('{ paymentStatuses: [scheduled, carried_over, held] }'),
]

const broken: string[] = []
const checked = new Map<string, number>()
/** Final rows as they were seen first: they never change again. */
const finals = new Map<string, string>()

function hold(name: string, isTrue: boolean, what: unknown): void {
  checked.set(name, (checked.get(name) ?? 0) + 1)
  if (!isTrue && broken.length < 20) broken.push(`${name}: ${JSON.stringify(what).slice(0, 600)}`)
}
function holdOfRow(row: Payment | PublisherPayment): void {
  hold(
    'integers',
    AMOUNTS.every(name => Number.isSafeInteger(row[name])),
    row,
  )
  hold('revenue is the sum of its parts', row.revenue === sum(PARTS.map(part => row[part])), row)
  const { cumulativeRevenue, carriedOverRevenue, revenue, manualAdjustmentRevenue } = row
  hold('cumulative', cumulativeRevenue === carriedOverRevenue + revenue + manualAdjustmentRevenue, row)
  hold('what is not paid is carried over', row.carriedOverToNext === row.cumulativeRevenue - row.payment, row)
}
function holdOfPayments(list: PaymentList): void {
  const { nodes } = list
  for (const row of nodes) {
    holdOfRow(row)
    hold('with tax', row.paymentIncludingTax === row.payment + row.paymentTax, row)
    hold('never negative', row.payment >= 0 && row.paymentTax >= 0, row)
    if (row.inputTaxByMonth && row.hasBeenFinalized) {
      const byRate = Map.groupBy(row.inputTaxByMonth, month => month.taxRate)
      const once = [...byRate].map(([rate, months]) => Math.floor((sum(months.map(each => each.amount)) * rate) / 100))
      hold('tax once per agreement and rate', row.paymentTax === sum(once), row)
    }
    if (row.hasBeenFinalized) holdFinal(row)
  }
  holdTotals(list)
  hold('total with tax', list.sum === sum(nodes.map(row => row.paymentIncludingTax)), list)
  hold('total of tax', list.taxSum === sum(nodes.map(row => row.paymentTax)), list)
  const keys = nodes.map(row => `${row.agreementId} ${row.revenueGeneratedAtMonth}`)
  hold('one payment per agreement and month', new Set(keys).size === keys.length, keys)
  holdChain(nodes, row => row.agreementId)
}
function holdOfPublishers(list: PublisherPaymentList): void {
  for (const row of list.nodes) {
    holdOfRow(row)
    if (row.hasBeenFinalized) holdFinal(row)
  }
  holdTotals(list)
  const keys = list.nodes.map(row => `${row.monthlyPaymentId} ${row.publisherId}`)
  hold('one part per publisher', new Set(keys).size === keys.length, keys)
  holdChain(list.nodes, row => `${row.agreementId} ${row.publisherId}`)
}
function holdTotals(list: PaymentList | PublisherPaymentList): void {
  const rows: readonly Amounts[] = list.nodes
  hold('number of rows', list.total === rows.length, list.total)
  hold('total without tax', list.sumWithoutTax === sum(rows.map(row => row.payment)), list)
  hold('total of revenue', list.sumRevenueWithoutTax === sum(rows.map(row => row.revenue)), list)
  hold('total of adjustments', list.sumManualAdjustment === sum(rows.map(row => row.manualAdjustmentRevenue)), list)
}
/** A month begins with what the month before it has left. */
function holdChain<Row extends Payment | PublisherPayment>(rows: readonly Row[], ownerOf: (row: Row) => string): void {
  for (const [owner, own] of Map.groupBy(rows, ownerOf)) {
    const months = own.toSorted((a, b) => (a.revenueGeneratedAtMonth < b.revenueGeneratedAtMonth ? -1 : 1))
    for (const [index, row] of months.entries()) {
      const before = months[index - 1]
      if (!before || !isNext(before.revenueGeneratedAtMonth, row.revenueGeneratedAtMonth)) continue
      hold('carry-over chain', row.carriedOverRevenue === before.carriedOverToNext, { owner, before, row })
    }
  }
}
function holdFinal(row: Payment | PublisherPayment): void {
  const name = `${'publisherId' in row ? 'publisher' : 'payment'} ${row.id}`
  const now = JSON.stringify(AMOUNTS.map(each => row[each]))
  if (!finals.has(name)) finals.set(name, now)
  hold('what is final stays', finals.get(name) === now, row)
}
/** Of final months both lists show the same: the parts of a payment are the payment. */
function holdTogether(payments: PaymentList, publishers: PublisherPaymentList): void {
  const dependencies = Map.groupBy(publishers.nodes, row => row.monthlyPaymentId)
  for (const row of payments.nodes) {
    const own = dependencies.get(row.id)
    if (!own) continue // closed between the two lists
    for (const name of AMOUNTS) hold('parts of a payment', sum(own.map(part => part[name])) === row[name], { row, own })
  }
}
function holdOfStatements({ total, nodes }: StatementList): void {
  hold('number of statements', total === nodes.length, total)
  for (const each of nodes) {
    hold('statement with tax', each.total === each.totalWithoutTax + each.totalTax, each)
    hold('statement by rate', sum(each.taxLines.map(line => line.tax)) === each.totalTax, each)
    const rates = each.taxLines.map(line => line.ratePercent)
    hold('one line per rate', new Set(rates).size === rates.length, each)
    for (const line of each.taxLines)
      hold('statement tax', line.tax === Math.floor((line.amount * line.ratePercent) / 100), each)
  }
}
const sum = (numbers: readonly number[]) => Number(sumBy(numbers, each => BigInt(each)))
const isNext = (month: string, next: string) => {
  const count = (text: string) => Number(text.slice(0, 4)) * 12 + Number(text.slice(5))
  return count(next) === count(month) + 1
}

let answers = 0
let isWriting = true
let medium = 101n
async function read(reader: number): Promise<void> {
  for (let turn = reader; isWriting; turn += 1) {
    const question = QUESTIONS[turn % QUESTIONS.length]
    const { json, text, status } = await system.ask(
      'insight',
      `{ ${question?.(medium)} }`,
      tokens[turn % tokens.length],
    )
    if (status === 503) continue // too busy: it is told to come back
    const data = (json.data ?? {}) as {
      monthlyPayments?: PaymentList
      monthlyPublisherPayments?: PublisherPaymentList
      statements?: StatementList
    }
    // What people of publishers may not see is null there, with its error.
    if (json.errors?.some(error => error.extensions.code !== 'FORBIDDEN')) broken.push(text.slice(0, 300))
    const { monthlyPayments, monthlyPublisherPayments, statements } = data
    if (monthlyPayments) holdOfPayments(monthlyPayments)
    if (monthlyPublisherPayments) holdOfPublishers(monthlyPublisherPayments)
    if (monthlyPayments && monthlyPublisherPayments) holdTogether(monthlyPayments, monthlyPublisherPayments)
    if (statements) holdOfStatements(statements)
    answers += 1
  }
}

/** They live ten minutes; many answers take longer. */
async function renewTokens(): Promise<void> {
  const roles = ['insight:admin', 'insight:viewer', 'insight:publisher_admin'] as const
  tokens = await Promise.all(roles.map(role => system.tokenOf(system.rows.users[role].email)))
}
const inBooks = <T>(work: Parameters<typeof system.dependencies.database.inScope<T>>[1]) =>
  system.dependencies.database.inScope<T>(SYSTEM, work)
let batchNo = 0n
let corrections = 0
/** A medium's months, one after the other: entered, computed again and again, closed, and corrected after that. */
async function writeMonths(index: number): Promise<void> {
  const { stats } = system.dependencies
  const { payments } = books
  await renewTokens()
  let input: MonthInput | null = enterable(monthOfMedium(SEED, index))
  medium = input.mediumId
  await inBooks(tx => writeAgreements(tx, [input as MonthInput]))
  for (let step = 0; step < MONTHS && input && answers < ANSWERS; step += 1) {
    const now: MonthInput = input
    const key = { mediumId: now.mediumId, month: now.month }
    await inBooks(async tx => {
      for (const agreement of now.agreements) await changeAgreement(tx, agreement)
    })
    batchNo += 1n
    await writeOwnAds(stats, [now], batchNo)
    expect(await computeMonth(payments, key)).toMatchObject({ ok: true })
    await bookManualOperations(books, now)
    for (let more = 0; more < CHANGES; more += 1) {
      batchNo += 1n
      await writeOwnAds(stats, [now], batchNo) // as much again
      expect(await computeMonth(payments, key)).toMatchObject({ ok: true })
    }
    await close(key)
    batchNo += 1n
    await writeOwnAds(stats, [now], batchNo) // too late
    await arrived(key.month)
    if (await bookLateFigures(system.dependencies.money.payments, key)) corrections += 1
    for (const { id } of await inBooks(tx =>
      tx.selectFrom('dividends').select('id').where('jobStatus', '=', 'pending').execute(),
    ))
      await runManualOperation(books.manualOperations, id)
    const settled = settleMonth(now)
    const following = settled.ok && followingMonth(SEED + index * 31 + step, now, settled.value)
    input = following ? enterable(following) : null
  }
}
/** As ingest notes it: the month's figures are others than those that it was closed with. */
const arrived = (month: YearMonth) => {
  const day = `${Math.trunc(month / 100)}-${String(month % 100).padStart(2, '0')}-01` as Day
  const days = { firstDay: day, lastDay: day }
  const batch = { dataset: 'events', batchId: `late-${batchNo}`, contentSha256: `${batchNo}`, state: 'applied' }
  return inBooks(tx =>
    tx
      .insertInto('ingestBatches')
      .values({ ...batch, ...days })
      .execute(),
  )
}
async function close({ mediumId, month }: { readonly mediumId: bigint; readonly month: number }): Promise<void> {
  const { id } = await inBooks(tx =>
    tx.selectFrom('dividendOperations').select('id').where('month', '=', month).executeTakeFirstOrThrow(),
  )
  const mutation = `mutation ($id: ID!, $media: [ID!]!) { finalizeMonthlyDividendManualOperation(id: $id, mediumIds: $media) { id } }`
  const { json, text } = await system.ask('insight', mutation, tokens[0], { id: `${id}`, media: [`${mediumId}`] })
  expect(json.errors, text).toBeUndefined()
}

test(`${ANSWERS} answers while months are written: each adds up`, { timeout: 3_600_000 }, async () => {
  await renewTokens()
  const readers = Promise.all(Array.from({ length: READERS }, (_, index) => read(index)))
  try {
    for (let index = 0; answers < ANSWERS; index += 1) await writeMonths(index)
  } finally {
    isWriting = false
    await readers
  }
  expect(broken).toEqual([])
  const counts = [...checked].map(([name, count]) => `${name} ${count}`)
  console.warn(
    `${answers} answers, ${corrections} corrections, ${finals.size} final rows, ${checked.size} invariants: ${counts.join(', ')}`,
  )
  expect(answers).toBeGreaterThanOrEqual(ANSWERS)
  expect(checked.size).toBeGreaterThanOrEqual(20)
  expect(corrections).toBeGreaterThan(0)
})
