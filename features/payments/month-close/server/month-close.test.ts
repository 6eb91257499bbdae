import { day } from '@pc/domain/month/day.ts'
import { SAMPLE_HOLIDAYS_CSV } from '@pc/domain/month/sample-holidays.ts'
import { sampleAgreement, sampleMonth, sampleRule } from '@pc/domain/settlement/sample-month.ts'
import { systemActor } from '@pc/platform/audit/record-change.ts'
import { fixedClock } from '@pc/platform/clock.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { writeAgreements, writeOwnAds } from '@pc/testing/books/settlement-books.ts'
import { type Answer, type SystemUnderTest, startSystemUnderTest } from '@pc/testing/system/system-under-test.ts'
import { CANARY_B } from '@pc/testing/system/two-organizations.ts'
import { until, untilAnswered } from '@pc/testing/until.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { importHolidays } from '../../core/server/import-holidays.ts'

/** One month from red to paid over HTTP, with the real worker, many callers at once, and every kind of reader. */
let system: SystemUnderTest
const token = new Map<string, string>()
const clock = fixedClock('2026-11-20T12:00:00+09:00')
const MEDIUM = '21'
const MONTH = '2026-06'
const ROLES = [
  'insight:admin',
  'insight:editor',
  'insight:viewer',
  'insight:publisher_admin',
  'insight:publisher_editor',
  'ofB',
  'nobody',
] as const

beforeAll(async () => {
  system = await startSystemUnderTest({}, { bookkeepingClock: clock })
  for (const role of ROLES) token.set(role, await system.tokenOf(system.rows.users[role].email))
  const { database, stats } = system.dependencies
  const { a, b } = system.rows
  const rule = (id: bigint, yen: bigint) => ({
    ...sampleRule(id, yen, { share: { ownAdsRateUnits: 5000, sspRateUnits: 4000, isTargetForSspAllocation: true } }),
    mediumId: 21n,
  })
  const agreement = (id: bigint, organizationId: bigint, yen: bigint) => ({
    ...sampleAgreement(id, [rule(id + 500n, yen), rule(id + 600n, yen * 3n)]),
    mediumId: 21n,
    organizationId,
  })
  const agreements = [
    agreement(2101n, a.organizationId, 100_001n),
    agreement(2102n, a.organizationId, 70_003n),
    agreement(2103n, b.organizationId, 50_009n),
  ]
  await database.inScope(SYSTEM, async tx => {
    await importHolidays(tx, { name: 'sample', content: Buffer.from(SAMPLE_HOLIDAYS_CSV) }, systemActor('test'))
    await writeAgreements(tx, [{ mediumId: 21n, agreements }])
    const { uid } = system.rows.users['insight:publisher_editor']
    await tx.insertInto('userAgreements').values({ uid, agreementId: 2102n }).execute()
  })
  await writeOwnAds(stats, [{ ...sampleMonth(202606, { agreements }), mediumId: 21n }], 77n)
})
afterAll(() => system?.close())

const ask = (query: string, as: string, variables?: object): Promise<Answer> =>
  system.ask('insight', query, token.get(as), variables)
const codeOf = (answer: Answer) => answer.json.errors?.[0]?.extensions.code

const CREATE = `mutation ($key: String, $rows: [DividendRawRow!], $kind: DividendKind!, $amount: Long) {
  createDividend(idempotencyKey: $key, rawData: $rows,
    input: { mediumId: "${MEDIUM}", dividendMonth: "${MONTH}", kind: $kind, dividendMethod: payment, extraRevenue: $amount }) { id jobStatus }
}`
const weights = [2101, 2102, 2103].map(id => ({ agreementId: `${id}`, publisherId: `${id + 500}`, weight: '1' }))
const PAYMENTS = `query ($param: MonthlyPaymentsParam) {
  monthlyPayments(limit: 50, offset: 0, orderBy: ID_ASC, param: $param) { total sum taxSum nodes { id agreementId paymentStatus paymentIncludingTax } }
}`
interface Payments {
  readonly monthlyPayments: {
    readonly total: number
    readonly sum: number
    readonly nodes: readonly { id: string; agreementId: string; paymentStatus: string; paymentIncludingTax: number }[]
  }
}
const paymentsOf = async (as: string) =>
  ((await ask(PAYMENTS, as, { param: { mediumId: MEDIUM } })).json.data as Payments).monthlyPayments

interface Board {
  readonly monthCloseBoard: readonly {
    mediumId: string
    state: string
    canFinalize: boolean
    monthlyDividendManualOperationId: string | null
    checks: { kind: string; state: string; detail: string; link: string | null }[]
  }[]
}
const boardRow = async () => {
  const answer = await ask(
    `query { monthCloseBoard(month: "${MONTH}") { mediumId state canFinalize monthlyDividendManualOperationId checks { kind state detail link } } }`,
    'insight:admin',
  )
  return (answer.json.data as Board).monthCloseBoard.find(row => row.mediumId === MEDIUM)!
}

describe('entering', () => {
  test('the preview marks the rows that are wrong and writes nothing', async () => {
    const rows = [
      { agreementId: '2101', publisherId: '2601', amount: '=1+1' },
      { agreementId: '9', publisherId: '9', amount: '100' },
      { agreementId: '2101', publisherId: '2601', amount: '-500', reason: 'invalid_traffic' },
    ]
    const answer = await ask(
      `query ($rows: [DividendRawRow!]) { previewDividend(rawData: $rows, input: { mediumId: "${MEDIUM}", dividendMonth: "${MONTH}", kind: csv, dividendMethod: payment }) { isAcceptable errors { line field message } } }`,
      'insight:editor',
      { rows },
    )
    const { previewDividend } = answer.json.data as {
      previewDividend: { errors: { line: number; field: string; message: string }[] }
    }
    expect(previewDividend).toMatchObject({
      isAcceptable: false,
      errors: [
        { line: 1, field: 'amount' },
        { line: 2, field: 'publisherId' },
      ],
    })
    const refused = await ask(CREATE, 'insight:editor', { kind: 'csv', rows })
    expect(codeOf(refused)).toBe('BAD_REQUEST')
    const counted = await system.dependencies.database.inScope(SYSTEM, tx =>
      tx.selectFrom('dividends').select('id').execute(),
    )
    expect(counted).toEqual([])
  })

  test('50 times the same submission is one dividend; others meanwhile are refused', async () => {
    const variables = { key: 'pool-of-june', kind: 'ssp', amount: 30_001, rows: weights }
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => untilAnswered(() => ask(CREATE, 'insight:editor', variables))),
    )
    const ids = answers.map(
      answer => (answer.json.data as { createDividend: { id: string } } | null)?.createDividend.id,
    )
    expect(new Set(ids).size).toBe(1)
    const others = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        untilAnswered(() => ask(CREATE, 'insight:editor', { ...variables, key: `other-${index}` })),
      ),
    )
    expect(new Set(others.map(codeOf))).toEqual(new Set(['BAD_REQUEST']))
    const rows = await system.dependencies.database.inScope(SYSTEM, tx =>
      tx.selectFrom('dividends').select('id').execute(),
    )
    expect(rows).toHaveLength(1)
  })
})

/** How far the money of the medium has come: payments to be sent, sent, paid, returned; statements not yet notified. */
const progressOf = async () => {
  const answer = await ask(
    `query { monthCloseBoard(month: "${MONTH}") { mediumId previousPaymentIncludingTax returnedPayments
      progress { scheduledPayments exportedPayments paidPayments unnotifiedStatements statementsWithoutRecipient } } }`,
    'insight:viewer',
  )
  const { monthCloseBoard } = answer.json.data as { monthCloseBoard: { mediumId: string }[] }
  const { mediumId: _, ...progress } = monthCloseBoard.find(row => row.mediumId === MEDIUM)!
  return progress
}
const consequencesOf = (as: string, mediumIds: readonly string[]) =>
  ask(
    `query ($mediumIds: [ID!]!) { monthCloseConsequences(month: "${MONTH}", mediumIds: $mediumIds) { statements payees recipients payeesWithoutRecipient payeesWithoutRecipientCount } }`,
    as,
    { mediumIds },
  )

describe('closing', () => {
  test('red: refused with every reason in Japanese', async () => {
    const row = await boardRow()
    expect(row.canFinalize).toBe(false)
    expect(row.checks.filter(check => check.state === 'red').map(check => check.kind)).toEqual(['jobs', 'agreements'])
    const refused = await finalize()
    expect(codeOf(refused)).toBe('BAD_REQUEST')
    const message = refused.json.errors?.[0]?.message ?? ''
    expect(message).toContain('まだ計算されていません。')
    expect(message).toContain('待機中の処理が1件')
    expect(message).not.toContain(`メディア${MEDIUM}：`)
  })

  test('of several media, every reason begins with the one that it is about', async () => {
    const refused = await ask(
      `mutation ($id: ID!) { finalizeMonthlyDividendManualOperation(id: $id, mediumIds: ["${MEDIUM}", "1"]) { id } }`,
      'insight:admin',
      { id: (await boardRow()).monthlyDividendManualOperationId },
    )
    const lines = (refused.json.errors?.[0]?.message ?? '').split('\n')
    expect(lines).toEqual(expect.arrayContaining(['メディア1：まだ計算されていません。計算してから確定してください。']))
    expect(lines.filter(line => !/^メディア(21|1)：/.test(line))).toEqual([])
    expect(new Set(lines).size).toBe(lines.length)
  })

  test('the worker books the pool, computes the month and checks it', async () => {
    await system.dependencies.jobs.work(system.dependencies.jobHandlers)
    await until(async () =>
      (await boardRow()).checks.every(check => check.state !== 'red' && check.state !== 'waiting') ? true : undefined,
    )
    expect((await boardRow()).canFinalize).toBe(true)
    expect((await paymentsOf('insight:viewer')).nodes.map(node => node.paymentStatus)).toEqual([
      'computed',
      'computed',
      'computed',
    ])
  })

  test('before the close it says whom it would write to: each person once, and payees without anybody by name', async () => {
    const { database } = system.dependencies
    const enable = (enabled: boolean) =>
      database.inScope(SYSTEM, tx =>
        tx.updateTable('users').set({ enabled }).where('email', '=', system.rows.users.ofB.email).execute(),
      )
    const { json } = await consequencesOf('insight:viewer', [MEDIUM, MEDIUM, '999'])
    expect(json.data).toEqual({
      monthCloseConsequences: {
        statements: 3,
        payees: 2,
        recipients: 2,
        payeesWithoutRecipient: [],
        payeesWithoutRecipientCount: 0,
      },
    })
    await enable(false)
    try {
      const { json: without } = await consequencesOf('insight:viewer', [MEDIUM])
      expect(without.data).toMatchObject({
        monthCloseConsequences: {
          statements: 3,
          payees: 2,
          recipients: 1,
          payeesWithoutRecipient: [`${CANARY_B} 株式会社`],
          payeesWithoutRecipientCount: 1,
        },
      })
    } finally {
      await enable(true)
    }
    expect((await consequencesOf('insight:viewer', [])).json.data).toMatchObject({
      monthCloseConsequences: { statements: 0, payees: 0, recipients: 0 },
    })
    expect(codeOf(await consequencesOf('insight:publisher_admin', [MEDIUM]))).toBe('FORBIDDEN')
    // Nothing is final yet, and there was no month before.
    expect(await progressOf()).toEqual({
      ...{ previousPaymentIncludingTax: null, returnedPayments: 0 },
      progress: {
        scheduledPayments: 0,
        exportedPayments: 0,
        paidPayments: 0,
        unnotifiedStatements: 0,
        statementsWithoutRecipient: 0,
      },
    })
  })

  test('while the month is not over, what is computed of it is an estimate, in the list and for the filter', async () => {
    const shown = async (paymentStatuses: readonly string[]) =>
      ((await ask(PAYMENTS, 'insight:viewer', { param: { mediumId: MEDIUM, paymentStatuses } })).json.data as Payments)
        .monthlyPayments.total
    const part = `query { monthlyPublisherPayments(limit: 1, offset: 0, param: { mediumId: "${MEDIUM}" }) { nodes { paymentStatusLabel } } }`
    const label = async () => JSON.stringify((await ask(part, 'insight:viewer')).json.data)
    expect([await shown(['computed']), await shown(['accruing'])]).toEqual([3, 0])
    expect(await label()).toContain('計算済み')
    clock.set('2026-06-30T23:59:00+09:00')
    try {
      expect(new Set((await paymentsOf('insight:viewer')).nodes.map(node => node.paymentStatus))).toEqual(
        new Set(['accruing']),
      )
      expect([await shown(['computed']), await shown(['accruing'])]).toEqual([0, 3])
      expect(await label()).toContain('未確定')
      clock.set('2026-07-01T00:00:00+09:00')
      expect([await shown(['computed']), await shown(['accruing'])]).toEqual([3, 0])
    } finally {
      clock.set('2026-11-20T12:00:00+09:00')
    }
  })

  test('what if: the difference by payee, and nothing is written', async () => {
    const { database } = system.dependencies
    const stored = () =>
      database.inScope(SYSTEM, tx =>
        tx.selectFrom('monthlyPayments').selectAll().where('month', '=', 202606).orderBy('id').execute(),
      )
    const before = await stored()
    const answer = await ask(
      `{ whatIfMonth(month: "${MONTH}", mediumId: "${MEDIUM}", change: { rates: [{ agreementId: "2101", publisherId: "2601", paymentRate: 6000 }] }) { paymentChange payees { agreementId paymentChange } } }`,
      'insight:editor',
    )
    expect(answer.json.data).toEqual({
      whatIfMonth: { paymentChange: 10_000, payees: [{ agreementId: '2101', paymentChange: 10_000 }] },
    })
    expect(await stored()).toEqual(before)
  })

  test('before the close no publisher sees a row', async () => {
    for (const as of ['insight:publisher_admin', 'insight:publisher_editor', 'ofB']) {
      expect((await paymentsOf(as)).total).toBe(0)
      expect(await payoutsOf(as)).toEqual([])
    }
  })

  test('who may not close, may not', async () => {
    for (const as of ['insight:editor', 'insight:viewer', 'insight:publisher_admin', 'nobody']) {
      expect(codeOf(await finalize(as))).toBe('FORBIDDEN')
    }
  })

  test('changed terms make the draft stale, and the close is refused', async () => {
    const { database } = system.dependencies
    const disable = (isPaymentDisabled: boolean) =>
      database.inScope(SYSTEM, tx =>
        tx.updateTable('agreements').set({ isPaymentDisabled }).where('id', '=', 2103n).execute(),
      )
    await disable(true)
    const refused = await finalize()
    expect(refused.json.errors?.[0]?.message).toContain('計算し直してから')
    expect((await boardRow()).checks.find(check => check.kind === 'agreements')?.state).toBe('red')
    await disable(false)
    expect((await boardRow()).canFinalize).toBe(true)
  })

  test('a month that changes whenever it is read is refused after three attempts, and the person may try again', async () => {
    const { database, stats } = system.dependencies
    await boardRow()
    const query = stats.query.bind(stats)
    vi.spyOn(stats, 'query').mockImplementation(async (...args) => {
      await database.inScope(SYSTEM, tx => tx.updateTable('agreements').set({ updatedAt: new Date() }).execute())
      return query(...args)
    })
    const scopes = vi.spyOn(database, 'inScope')
    const refused = await finalize()
    expect(refused.json.errors?.[0]?.extensions).toMatchObject({
      isConflict: true,
      refusals: [{ code: 'payment/changed-while-closing' }],
    })
    expect(scopes.mock.calls.filter(([, , options]) => options?.isolation === 'repeatable read')).toHaveLength(3)
  })

  test('50 at the same time: one closes, the others are refused', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => untilAnswered(() => finalize())))
    const closed = answers.filter(answer => !answer.json.errors)
    expect(closed).toHaveLength(1)
    const refusals = answers.filter(answer => answer.json.errors).map(codeOf)
    expect(new Set(refusals)).toEqual(new Set(['BAD_REQUEST']))
    const log = await system.dependencies.database.inScope(SYSTEM, tx =>
      tx.selectFrom('monthCloseLog').select('id').where('action', '=', 'finalized').execute(),
    )
    expect(log).toHaveLength(1)
    const audit = await system.dependencies.database.inScope(SYSTEM, tx =>
      tx.selectFrom('auditLog').select('seq').where('action', '=', 'finalize').execute(),
    )
    expect(audit).toHaveLength(1)
  })

  test('its money waits to be sent, and its payees are written to', async () => {
    const notified = await until(async () => {
      const found = await progressOf()
      return JSON.stringify(found).includes('"unnotifiedStatements":0') ? found : undefined
    })
    expect(notified).toMatchObject({
      progress: { scheduledPayments: 3, exportedPayments: 0, paidPayments: 0, unnotifiedStatements: 0 },
    })
  })

  test('afterwards everybody sees the own rows and nothing else', async () => {
    const seen = async (as: string) => (await paymentsOf(as)).nodes.map(node => node.agreementId)
    expect(await seen('insight:viewer')).toEqual(['2101', '2102', '2103'])
    expect(await seen('insight:publisher_admin')).toEqual(['2101', '2102'])
    expect(await seen('insight:publisher_editor')).toEqual(['2102'])
    expect(await seen('ofB')).toEqual(['2103'])
    expect(codeOf(await ask(PAYMENTS, 'nobody', { param: {} }))).toBe('FORBIDDEN')
    // The way of the month to its payee: each their own, and the parts of all are the whole.
    const payments = async (as: string) =>
      (await paymentsOf(as)).nodes.reduce((sum, row) => sum + row.paymentIncludingTax, 0)
    for (const [as, count] of [
      ['insight:viewer', 3],
      ['insight:publisher_admin', 2],
      ['insight:publisher_editor', 1],
      ['ofB', 1],
    ] as const) {
      const total = await payments(as)
      expect(await payoutsOf(as)).toEqual([
        {
          ...{ month: MONTH, payments: count, total, scheduled: total, exported: 0, paid: 0, returned: 0 },
          ...{ dueOn: expect.any(String), paidOn: null },
        },
      ])
    }
    expect(await payoutsOf('nobody')).toBe('FORBIDDEN')
  })

  test('words are found in any kana and width, each of them somewhere in agreement, payee or publisher', async () => {
    const { database } = system.dependencies
    await database.inScope(SYSTEM, tx =>
      tx.updateTable('publishers').set({ name: 'アケボノ写真館' }).where('id', '=', 2602n).execute(),
    )
    const find = async (list: string, field: string, q: string) => {
      const { json } = await ask(
        `query ($q: String) { ${list}(limit: 9, offset: 0, orderBy: ID_ASC, q: $q) { total nodes { ${field} } } }`,
        'insight:admin',
        { q },
      )
      const found = json.data as Record<string, { total: number; nodes: Record<string, string>[] }>
      const { total, nodes } = found[list]!
      expect(total).toBe(nodes.length)
      return nodes.map(node => node[field])
    }
    const payments = (q: string) => find('monthlyPayments', 'agreementId', q)
    const dependencies = (q: string) => find('monthlyPublisherPayments', 'publisherId', q)
    expect(await payments('ａｌｐｈａ')).toEqual(['2101', '2102'])
    expect(await payments('c-2102　株式会社')).toEqual(['2102'])
    expect(await payments('%')).toEqual([])
    expect(await payments('C-2102 canary')).toEqual([])
    expect(await dependencies('ｱｹﾎﾞﾉ')).toEqual(['2602'])
    expect(await dependencies('alpha あけぼの')).toEqual(['2602'])
    expect(await dependencies('canary あけぼの')).toEqual([])
  })

  test('totals belong to the filter, not to the page', async () => {
    const query = (limit: number, offset: number) =>
      ask(
        `{ monthlyPayments(limit: ${limit}, offset: ${offset}, param: { mediumId: "${MEDIUM}" }) { total sum sumWithoutTax taxSum sumRevenue sumRevenueTax sumRevenueWithoutTax sumManualAdjustment } }`,
        'insight:admin',
      )
    const [first, second, beyond] = await Promise.all([query(1, 0), query(2, 1), query(1, 40)])
    expect(second!.json).toEqual(first!.json)
    expect(beyond!.json).toEqual(first!.json)
  })
})

let operationId: string | null = null
const payoutsOf = async (as: string) => {
  const answer = await ask(
    '{ payoutMonths { month payments total scheduled exported paid returned dueOn paidOn } }',
    as,
  )
  return (answer.json.data as { payoutMonths: Record<string, unknown>[] } | null)?.payoutMonths ?? codeOf(answer)
}
const finalize = async (as = 'insight:admin') => {
  operationId ??= (await boardRow()).monthlyDividendManualOperationId
  return ask(
    `mutation ($id: ID!) { finalizeMonthlyDividendManualOperation(id: $id, mediumIds: ["${MEDIUM}"]) { id } }`,
    as,
    { id: operationId },
  )
}

describe('explaining', () => {
  interface Node {
    readonly id: string
    readonly amount: string
    readonly inputs: readonly { readonly name: string }[]
    readonly children: readonly { readonly id: string; readonly amount: string; readonly hasChildren: boolean }[]
  }
  const explain = async (as: string, id: string, path?: string) =>
    (
      (
        await ask(
          'query ($id: ID!, $path: String) { explainAmount(kind: payment, id: $id, path: $path) { id amount inputs { name } children { id amount hasChildren } } }',
          as,
          { id, path },
        )
      ).json.data as { explainAmount: Node | null }
    ).explainAmount

  /** Yen with decimals as an exact integer. */
  const exact = (text: string) => {
    const [whole = '0', decimals = ''] = text.replaceAll(',', '').replace('−', '-').split('.')
    const sign = whole.startsWith('-') ? -1n : 1n
    return BigInt(whole) * 10n ** 10n + sign * BigInt(decimals.padEnd(10, '0').slice(0, 10))
  }

  async function walk(as: string, id: string, path?: string): Promise<readonly Node[]> {
    const node = await explain(as, id, path)
    if (!node) throw new Error(`no node at ${path}`)
    if (node.children.length > 0) {
      expect(node.children.reduce((sum, child) => sum + exact(child.amount), 0n)).toBe(exact(node.amount))
    }
    const below = []
    for (const child of node.children) if (child.hasChildren) below.push(...(await walk(as, id, child.id)))
    return [node, ...below]
  }

  test('every level sums to the one above, for staff and for the publisher', async () => {
    const [payment] = (await paymentsOf('insight:publisher_admin')).nodes
    const staff = await walk('insight:admin', payment!.id)
    const publisher = await walk('insight:publisher_admin', payment!.id)
    expect(staff.length).toBeGreaterThan(publisher.length)
    const names = (nodes: readonly Node[]) => new Set(nodes.flatMap(node => node.inputs.map(input => input.name)))
    expect([...names(staff)]).toContain('広告収益（分配前）')
    for (const secret of ['広告収益（分配前）', '重み', '配分額']) expect([...names(publisher)]).not.toContain(secret)
  })

  test("another organisation's payment and a missing one have the same answer", async () => {
    const [foreign] = (await paymentsOf('ofB')).nodes
    expect(await explain('insight:publisher_admin', foreign!.id)).toBeNull()
    expect(await explain('insight:publisher_admin', '999999')).toBeNull()
  })

  test('input tax and dividends are for staff', async () => {
    const detail = await ask(
      '{ monthlyPayments(limit: 1, offset: 0) { nodes { inputTaxByMonth { tax } } } }',
      'insight:publisher_admin',
    )
    expect(detail.json.data).toMatchObject({ monthlyPayments: { nodes: [{ inputTaxByMonth: null }] } })
    expect(codeOf(detail)).toBe('FORBIDDEN')
    const dividends = await ask(
      '{ monthlyDividendManualOperations(limit: 1, offset: 0) { total } }',
      'insight:publisher_admin',
    )
    expect(codeOf(dividends)).toBe('FORBIDDEN')
  })
})

describe('paying', () => {
  const mark = (as: string, ids: readonly string[]) =>
    ask('mutation ($ids: [ID!]!, $on: Date!) { markPaid(ids: $ids, paidOn: $on) }', as, { ids, on: day('2026-07-31') })

  test('50 at the same time: one effect', async () => {
    const ids = (await paymentsOf('insight:admin')).nodes.map(node => node.id)
    expect(codeOf(await mark('insight:editor', ids))).toBe('FORBIDDEN')
    const answers = await Promise.all(Array.from({ length: 50 }, () => untilAnswered(() => mark('insight:admin', ids))))
    expect(answers.filter(answer => !answer.json.errors)).toHaveLength(1)
    expect((await boardRow()).state).toBe('paid')
    const nodes = (await paymentsOf('insight:publisher_admin')).nodes
    expect(nodes.map(node => node.paymentStatus)).toEqual(['paid', 'paid'])
    expect(await payoutsOf('insight:publisher_admin')).toMatchObject([
      {
        scheduled: 0,
        paid: nodes.reduce((sum, row) => sum + row.paymentIncludingTax, 0),
        dueOn: null,
        paidOn: '2026-07-31',
      },
    ])
  })

  test('the bank returns one', async () => {
    const [payment] = (await paymentsOf('insight:admin')).nodes
    const answer = await ask(
      `mutation { markReturned(ids: ["${payment!.id}"], reason: "口座名義相違") }`,
      'insight:admin',
    )
    expect(answer.json.data).toEqual({ markReturned: 1 })
    expect((await paymentsOf('insight:admin')).nodes[0]?.paymentStatus).toBe('returned')
    expect(await progressOf()).toMatchObject({
      returnedPayments: 1,
      progress: { scheduledPayments: 0, paidPayments: 2 },
    })
  })
})
