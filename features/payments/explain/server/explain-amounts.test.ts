import { PAYMENT_COLUMNS, PUBLISHER_COLUMNS } from '@pc/domain/explain/explain-column.ts'
import { STANDARD_TAX_TABLE } from '@pc/domain/money/consumption-tax.ts'
import { SAMPLE_HOLIDAYS_CSV } from '@pc/domain/month/sample-holidays.ts'
import { formatYearMonth, lastDayOf, type YearMonth } from '@pc/domain/month/year-month.ts'
import { followingMonth, randomMonth } from '@pc/domain/settlement/random-month.ts'
import { settled } from '@pc/domain/settlement/sample-month.ts'
import type { MonthInput } from '@pc/domain/settlement/settlement-input.ts'
import { systemActor } from '@pc/platform/audit/record-change.ts'
import { fixedClock } from '@pc/platform/clock.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { TABLES } from '@pc/platform/stats/tables.ts'
import { closeMonth } from '@pc/testing/books/close-month.ts'
import {
  bookManualOperations,
  changeAgreement,
  writeAgreements,
  writeOwnAds,
  writeSettings,
  writeTransferFees,
} from '@pc/testing/books/settlement-books.ts'
import { type FactRow, importFacts } from '@pc/testing/statistics/stats-rows.ts'
import { type SystemUnderTest, startSystemUnderTest } from '@pc/testing/system/system-under-test.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { computeMonth } from '../../core/server/compute-month.ts'
import { importHolidays } from '../../core/server/import-holidays.ts'

/**
 * Explain every yen over HTTP: from every amount of two closed months of random agreements down every branch to the
 * articles, for staff and for the people of a publisher.
 */
const MONTHS = [202601, 202602] as YearMonth[]
const MEDIUM = 41n
let system: SystemUnderTest
let input: MonthInput
const token = new Map<string, string>()

beforeAll(async () => {
  system = await startSystemUnderTest({}, { bookkeepingClock: fixedClock('2028-01-10T12:00:00+09:00') })
  for (const role of ['insight:admin', 'insight:publisher_admin', 'ofB'] as const) {
    token.set(role, await system.tokenOf(system.rows.users[role].email))
  }
  const { database, stats, money } = system.dependencies
  const { uid: userUid } = system.rows.users['insight:editor']
  const seed = Array.from({ length: 100 }, (_, index) => index).find(each => isInformative(entered(randomMonth(each))))
  if (seed === undefined) throw new Error('no seed has a pool, a carry and an opening balance')
  let next: MonthInput | null = entered(randomMonth(seed))
  input = next
  await database.inScope(SYSTEM, async tx => {
    await importHolidays(tx, { name: 'sample', content: Buffer.from(SAMPLE_HOLIDAYS_CSV) }, systemActor('test'))
    await writeSettings(tx, input)
    await writeAgreements(tx, [input])
    await writeTransferFees(tx)
  })
  for (const [index, month] of MONTHS.entries()) {
    if (!next) throw new Error('the seed ends too early; take another one')
    const now: MonthInput = next
    await writeOwnAds(stats, [now], BigInt(500 + index))
    if (index > 0) {
      await database.inScope(SYSTEM, async tx => {
        for (const agreement of now.agreements) await changeAgreement(tx, agreement)
      })
    }
    await bookManualOperations({ manualOperations: money.manualOperations, userUid }, now)
    const key = { mediumId: MEDIUM, month }
    const computed = await computeMonth(money.payments, key)
    if (!computed.ok) throw new Error(JSON.stringify(computed.refusals))
    const closed = await closeMonth(money, key, userUid)
    if (!closed.ok) throw new Error(JSON.stringify(closed.refusals))
    const following = followingMonth(17, now, settled(now))
    next = following && enterable(following)
  }
  await writeArticles()
})
afterAll(() => system?.close())

/** Ids of a medium of its own; a balance below the threshold is carried. */
function entered(random: MonthInput): MonthInput {
  const shift = MEDIUM * 1_000n
  const { a, b } = system.rows
  const moved = <T extends { agreementId: bigint; publisherId: bigint }>(row: T): T => ({
    ...row,
    agreementId: row.agreementId + shift,
    publisherId: row.publisherId + shift,
  })
  return enterable({
    ...random,
    mediumId: MEDIUM,
    month: MONTHS[0]!,
    settings: { payoutThresholdYen: 5_000n, businessDayShift: 'previous', rules: 'returns_per_rate' },
    taxTable: STANDARD_TAX_TABLE,
    agreements: random.agreements.map((agreement, index) => ({
      ...agreement,
      mediumId: MEDIUM,
      organizationId: index % 2 === 0 ? a.organizationId : b.organizationId,
      agreementId: agreement.agreementId + shift,
      accounts: agreement.accounts.map(each => ({ ...each, bankAccountId: each.bankAccountId + shift * 100n })),
      rules: agreement.rules.map(rule => ({
        ...rule,
        mediumId: MEDIUM,
        ruleId: rule.ruleId + shift * 10n,
        publisherId: rule.publisherId + shift,
      })),
    })),
    poolJobs: random.poolJobs.map(job => ({ ...job, weights: job.weights.map(moved) })),
    adjustments: random.adjustments.map(row => ({ ...moved(row), originMonth: null })),
  })
}

/** Both organisations, a pool that pays, and a balance that is carried into a following month. */
function isInformative(month: MonthInput): boolean {
  const { payments } = settled(month)
  return (
    payments.length > 1 &&
    followingMonth(17, month, settled(month)) !== null &&
    payments.some(payment => payment.sspRevenueYen > 0n) &&
    payments.some(payment => payment.carriedOverToNextYen > 0n && !payment.isTerminated) &&
    month.agreements.some(each => each.rules.some(rule => rule.ownAdsMicroYen > 1_000_000_000n)) &&
    payments.some(payment => payment.carriedOverRevenueYen > 0n)
  )
}

function enterable(month: MonthInput): MonthInput {
  return {
    ...month,
    adjustments: month.adjustments
      .filter(row => row.amountYen !== 0n)
      .map(row => ({ ...row, originMonth: null }))
      .toSorted((x, y) => Number(x.jobId - y.jobId) || x.method.localeCompare(y.method) || x.line - y.line),
    poolJobs: month.poolJobs.filter(job => job.weights.some(weight => weight.weight > 0n)),
  }
}

/** 60 articles and a video of the same number on a day that has figures: more than are named one by one. */
async function writeArticles(): Promise<void> {
  const rule = input.agreements.flatMap(each => each.rules).find(each => each.ownAdsMicroYen > 1_000_000_000n)
  if (!rule) throw new Error('no publisher with figures')
  const day = lastDayOf(MONTHS[0]!)
  const common = { date: day, medium_id: MEDIUM, publisher_id: rule.publisherId, batch_no: 900n }
  await importFacts(system.dependencies.stats, 900n, {
    article_day: Array.from({ length: 60 }, (_, index) => ({
      ...zeros('article_day'),
      ...common,
      article_id: BigInt(index + 1),
      ads_revenue_micro_yen: BigInt(1_000 + index),
    })),
    video_day: [{ ...zeros('video_day'), ...common, video_id: 60n, ads_revenue_micro_yen: 5_000n }],
  })
}

function zeros(table: 'article_day' | 'video_day'): FactRow {
  return Object.fromEntries(TABLES[table].columns.map(([name]) => [name, 0n]))
}

interface Child {
  readonly id: string
  readonly label: string
  readonly amount: string
  readonly formula: string
  readonly hasChildren: boolean
  readonly inputs: readonly { readonly name: string; readonly value: string }[]
  readonly continuesAt: { readonly kind: string; readonly id: string; readonly column: string } | null
}
interface Node extends Child {
  readonly children: readonly Child[]
  readonly childrenSum: string
  readonly trail: readonly { readonly id: string }[]
  readonly snapshot: { readonly id: string; readonly isFinal: boolean; readonly hash: string | null } | null
}
const QUERY = `query ($kind: ExplainKind!, $id: ID!, $column: ExplainColumn, $path: String) {
  explainAmount(kind: $kind, id: $id, column: $column, path: $path) {
    id label amount formula childrenSum inputs { name value } trail { id } snapshot { id isFinal hash }
    children { id label amount formula hasChildren inputs { name value } continuesAt { kind id column } }
  }
}`
async function explain(as: string, variables: object): Promise<Node | null> {
  const answer = await system.ask('insight', QUERY, token.get(as), variables)
  expect(answer.json.errors, answer.text).toBeUndefined()
  return (answer.json.data as { explainAmount: Node | null }).explainAmount
}

/** Every amount of a row, and everything below it. @returns all that was seen */
async function walk(as: string, start: { kind: string; id: string; column?: string }): Promise<readonly Node[]> {
  const seen: Node[] = []
  const open: { path?: string; parents: readonly string[] }[] = [{ parents: [] }]
  for (let step = open.pop(); step; step = open.pop()) {
    const node = await explain(as, { ...start, ...(step.path === undefined ? {} : { path: step.path }) })
    if (!node) throw new Error(`no node ${JSON.stringify(start)} ${step.path}`)
    expect(node.trail.map(each => each.id)).toEqual(step.parents)
    // The children are the parent, to the last decimal.
    if (node.children.length > 0) expect(node.childrenSum, node.id).toBe(node.amount)
    expect(new Set(node.children.map(child => child.id)).size).toBe(node.children.length)
    seen.push(node)
    const parents = [...step.parents, node.id]
    for (const child of node.children) if (child.hasChildren) open.push({ path: child.id, parents })
  }
  return seen
}

interface Rows {
  readonly monthlyPayments: { readonly nodes: readonly Record<string, number & string>[] }
  readonly monthlyPublisherPayments: { readonly nodes: readonly Record<string, number & string>[] }
}
async function rowsOf(as: string, month: YearMonth): Promise<Rows> {
  const range = { monthFrom: formatYearMonth(month), monthTo: formatYearMonth(month), mediumId: MEDIUM.toString() }
  const answer = await system.ask(
    'insight',
    `query ($p: MonthlyPaymentsParam, $q: MonthlyPublisherPaymentsParam) {
      monthlyPayments(limit: 100, offset: 0, param: $p) { nodes { id ${PAYMENT_COLUMNS.join(' ')} } }
      monthlyPublisherPayments(limit: 500, offset: 0, param: $q) { nodes { id ${PUBLISHER_COLUMNS.join(' ')} } }
    }`,
    token.get(as),
    { p: range, q: range },
  )
  expect(answer.json.errors, answer.text).toBeUndefined()
  return answer.json.data as Rows
}

const yen = (amount: number) => amount.toLocaleString('en-US')

test('every amount of both lists is explained by its own figure, and every node by its children', async () => {
  let amounts = 0
  const openings = new Set<string>()
  for (const month of MONTHS) {
    const { monthlyPayments, monthlyPublisherPayments } = await rowsOf('insight:admin', month)
    expect(monthlyPayments.nodes.length).toBeGreaterThan(1)
    for (const row of monthlyPayments.nodes) {
      for (const column of PAYMENT_COLUMNS) {
        const node = await explain('insight:admin', { kind: 'payment', id: row.id!, column })
        expect(node?.amount.replace('−', '-'), `${column} of ${row.id}`).toBe(yen(row[column]!))
        if (row[column] !== 0) expect(node?.childrenSum).toBe(node?.amount)
        expect(node?.snapshot).toMatchObject({ isFinal: true, hash: expect.stringMatching(/^[0-9a-f]{64}$/) })
        amounts += 1
      }
      for (const { children } of await walk('insight:admin', { kind: 'payment', id: row.id! })) {
        for (const { label, amount } of children) if (label.startsWith('期首残高（')) openings.add(`${label} ${amount}`)
      }
    }
    for (const row of monthlyPublisherPayments.nodes) {
      for (const column of PUBLISHER_COLUMNS) {
        const node = await explain('insight:admin', { kind: 'publisher_payment', id: row.id!, column })
        expect(node?.amount.replace('−', '-'), `${column} of part ${row.id}`).toBe(yen(row[column]!))
        amounts += 1
      }
    }
  }
  expect(amounts).toBeGreaterThan(50)
  const recorded = input.agreements.flatMap(({ rules }) => rules.flatMap(rule => rule.opening ?? []))
  expect(openings.size).toBe(new Set(recorded.map(each => `${each.generatedMonth} ${each.amountYen}`)).size)
}, 240_000)

test('a carry goes on in the month before, a share of a pool in the pool', async () => {
  const { monthlyPublisherPayments } = await rowsOf('insight:admin', MONTHS[1]!)
  const carried = monthlyPublisherPayments.nodes.filter(row => row.carriedOverRevenue !== 0)
  expect(carried.length).toBeGreaterThan(0)
  for (const row of carried) {
    const node = await explain('insight:admin', {
      kind: 'publisher_payment',
      id: row.id!,
      column: 'carriedOverRevenue',
    })
    const on = node?.children.find(child => child.continuesAt)?.continuesAt
    expect(on?.column).toBe('carriedOverToNext')
    const before = await explain('insight:admin', { ...on })
    expect(before?.amount).toBe(node?.amount)
  }
  const first = await rowsOf('insight:admin', MONTHS[0]!)
  const all = [...monthlyPublisherPayments.nodes, ...first.monthlyPublisherPayments.nodes]
  const withPool = all.filter(row => row.sspRevenue !== 0)
  expect(withPool.length).toBeGreaterThan(0)
  for (const row of withPool.slice(0, 3)) {
    const node = await explain('insight:admin', { kind: 'publisher_payment', id: row.id!, column: 'sspRevenue' })
    const pool = node?.children.find(child => child.continuesAt?.kind === 'pool')?.continuesAt
    const nodes = await walk('insight:admin', { kind: 'pool', id: pool!.id })
    expect(nodes.flatMap(each => each.children.map(child => child.label))).toContain('当社留保分')
  }
})

test('the people of a publisher walk the same tree without pool and margin, and only their own', async () => {
  const own = await rowsOf('insight:publisher_admin', MONTHS[0]!)
  const foreign = await rowsOf('ofB', MONTHS[0]!)
  expect(own.monthlyPayments.nodes.length).toBeGreaterThan(0)
  expect(foreign.monthlyPayments.nodes.length).toBeGreaterThan(0)
  for (const row of own.monthlyPayments.nodes) {
    const nodes = await walk('insight:publisher_admin', { kind: 'payment', id: row.id! })
    const words = JSON.stringify(nodes)
    expect(words).not.toMatch(/分配前|重み|留保|原資|最大剰余|比例配分/)
    expect(nodes.flatMap(node => node.children).some(child => child.continuesAt?.kind === 'pool')).toBe(false)
    const ofStaff = await walk('insight:admin', { kind: 'payment', id: row.id! })
    const amounts = new Map(ofStaff.map(node => [node.id, node.amount]))
    for (const node of nodes) expect(node.amount).toBe(amounts.get(node.id))
    expect(await explain('ofB', { kind: 'payment', id: row.id! })).toBeNull()
  }
  for (const row of own.monthlyPublisherPayments.nodes) {
    expect(await explain('ofB', { kind: 'publisher_payment', id: row.id!, column: 'revenue' })).toBeNull()
  }
  const refused = await system.ask('insight', QUERY, token.get('insight:publisher_admin'), { kind: 'pool', id: '1' })
  expect(refused.json.errors?.[0]?.extensions.code).toBe('FORBIDDEN')
})

interface Change {
  readonly sentence: string
  readonly steps: readonly {
    readonly name: string
    readonly amount: number
    readonly level: number
    readonly lines: readonly { readonly label: string; readonly amount: number }[]
  }[]
}
async function changeOf(as: string, kind: string, id: string): Promise<Change | null> {
  const answer = await system.ask(
    'insight',
    `query ($kind: EstimateBridgeKind!, $id: ID!) { paymentChange(kind: $kind, id: $id) {
      month monthBefore sentence steps { name amount level lines { label amount } } } }`,
    token.get(as),
    { kind, id },
  )
  expect(answer.json.errors, answer.text).toBeUndefined()
  return (answer.json.data as { paymentChange: Change | null }).paymentChange
}

test('why a payment is another one than the month before: parts that sum in yen, of the own rows alone', async () => {
  const sum = (amounts: readonly { readonly amount: number }[]) => amounts.reduce((all, each) => all + each.amount, 0)
  const expectSums = ({ steps }: Change, now: number) => {
    const changes = steps.slice(1, -1)
    expect(steps.at(-1)).toMatchObject({ name: 'now', amount: now })
    expect(steps[0]!.amount + sum(changes)).toBe(now)
    for (const { lines, amount } of changes) if (lines.length > 0) expect(sum(lines)).toBe(amount)
  }
  const names = new Set<string>()
  const { monthlyPayments, monthlyPublisherPayments } = await rowsOf('insight:admin', MONTHS[1]!)
  for (const row of monthlyPayments.nodes) {
    const change = await changeOf('insight:admin', 'payment', row.id!)
    expectSums(change!, row.paymentIncludingTax!)
    for (const { name } of change!.steps) names.add(name)
  }
  for (const row of monthlyPublisherPayments.nodes) {
    const change = await changeOf('insight:admin', 'publisher_payment', row.id!)
    if (change) expectSums(change, row.payment!)
  }
  expect([...names]).toEqual(expect.arrayContaining(['own_ads', 'ssp', 'carried_to_next', 'tax']))
  const own = await rowsOf('insight:publisher_admin', MONTHS[1]!)
  for (const row of own.monthlyPayments.nodes) {
    const [change, ofStaff] = [
      await changeOf('insight:publisher_admin', 'payment', row.id!),
      await changeOf('insight:admin', 'payment', row.id!),
    ]
    expectSums(change!, row.paymentIncludingTax!)
    // A rate of a pool tells what the pool was.
    expect(JSON.stringify(change!.steps)).not.toMatch(/SSP（.*%/)
    expect(change!.steps[0]).toEqual(ofStaff!.steps[0])
    expect(await changeOf('ofB', 'payment', row.id!)).toBeNull()
  }
  // Before the first month there is none.
  const [first] = (await rowsOf('insight:admin', MONTHS[0]!)).monthlyPayments.nodes
  expect(await changeOf('insight:admin', 'payment', first!.id!)).toBeNull()
})

test('a day is its largest articles and videos, the rest a line of its own', async () => {
  const { monthlyPublisherPayments } = await rowsOf('insight:admin', MONTHS[0]!)
  const path = `/revenue/own-ads/${lastDayOf(MONTHS[0]!)}`
  for (const row of monthlyPublisherPayments.nodes) {
    const top = await explain('insight:admin', { kind: 'publisher_payment', id: row.id! })
    const day = top && (await explain('insight:admin', { kind: 'publisher_payment', id: row.id!, path: top.id + path }))
    if (!day || day.children.length < 10) continue
    expect(day.children).toHaveLength(51)
    expect(day.children.at(-1)?.label).toBe('その他')
    expect(day.childrenSum).toBe(day.amount)
    return
  }
  throw new Error('no day with articles was found')
})
