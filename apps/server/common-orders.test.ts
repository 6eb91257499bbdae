import fs from 'node:fs'
import path from 'node:path'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { type SystemUnderTest, startSystemUnderTest } from '@pc/testing/system/system-under-test.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** Orders that every list has: ID, CREATEDAT and UPDATEDAT in both directions. */
const COMMON = ['ID', 'CREATEDAT', 'UPDATEDAT'].flatMap(name => [`${name}_ASC`, `${name}_DESC`])
const schemaOf = (api: string) =>
  fs.readFileSync(path.resolve(import.meta.dirname, `../../schemas/${api}.graphql`), 'utf8')

test.each(['insight', 'iam'])('%s: every list that can be ordered has the common orders', api => {
  const found = [...schemaOf(api).matchAll(/enum (\w+OrderBy) \{([^}]*)\}/g)].map(([, name, values]) => [
    name,
    COMMON.filter(order => !values!.split(/\s+/).includes(order)),
  ])
  expect(found.length).toBeGreaterThan(1)
  expect(found.filter(([, missing]) => missing!.length > 0)).toEqual([])
})

test('every list of the API can be ordered', () => {
  const lists = [
    ...['agreements', 'announcements', 'articleStats', 'bankAccounts', 'bankBranches', 'banks', 'feeds'],
    ...['mediumArticles', 'monthlyDividendManualOperations', 'monthlyPayments', 'monthlyPublisherPayments'],
    ...['publishers', 'publisherRank', 'stagingFeeds', 'stagingPublishers', 'summaryStats', 'videoStats'],
  ]
  const query = /^type Query \{[\s\S]*?^\}/m.exec(schemaOf('insight'))?.[0] ?? ''
  const argumentsOf = (name: string) => new RegExp(`^  ${name}\\(([^)]*)\\)`, 'm').exec(query)?.[1]
  expect(lists.filter(name => !/orderBy: \w+OrderBy/.test(argumentsOf(name) ?? ''))).toEqual([])
})

describe('in the order of what the rows are', () => {
  let system: SystemUnderTest
  beforeAll(async () => {
    system = await startSystemUnderTest()
    await system.dependencies.database.inScope(SYSTEM, async tx => {
      await sql`insert into dividend_operations (month, created_at) values
        (202501, '2026-03-03'), (202502, '2026-03-01'), (202503, '2026-03-02'), (202504, '2026-03-01')`.execute(tx)
      // The month whose operation is the oldest has the newest booking.
      await sql`insert into dividends (operation_id, medium_id, month, kind, method, extra_revenue_yen, extra_revenue_month,
          job_status, created_at, completed_at)
        select id, 1, month, 'ssp', 'payment', 1, month, 'success', '2026-03-04', '2026-03-05'
        from dividend_operations where month = 202502`.execute(tx)
      await sql`update organizations set created_at = '2026-01-01'::timestamptz + (7 - id % 3) * interval '1 day',
        updated_at = '2026-02-01'::timestamptz + (id % 2) * interval '1 day'`.execute(tx)
    })
  })
  afterAll(() => system?.close())

  const ids = async (api: 'insight' | 'iam', field: string, orderBy: string) => {
    const token = await system.tokenOf(system.rows.users.admin.email)
    const { json } = await system.ask(
      api,
      `{ ${field}(limit: 100, offset: 0, orderBy: ${orderBy}) { nodes { id } } }`,
      token,
    )
    return (json.data as Record<string, { nodes: { id: string }[] }>)[field]!.nodes.map(({ id }) => id)
  }
  const sorted = async (from: string, by: string, way: string) => {
    const { rows } = await system.dependencies.database.inScope(SYSTEM, tx =>
      sql<{
        id: bigint
      }>`select id from ${sql.raw(from)} order by ${sql.raw(by)} ${sql.raw(way)}, id ${sql.raw(way)}`.execute(tx),
    )
    return rows.map(({ id }) => String(id))
  }

  test.each(COMMON)('organisations %s', async order => {
    const [name = '', way = ''] = order.split('_')
    const by = { ID: 'id', CREATEDAT: 'created_at', UPDATEDAT: 'updated_at' }[name] ?? ''
    expect(await ids('iam', 'organizations', order)).toEqual(await sorted('organizations', by, way))
  })

  test('operations of dividends: booking is a change', async () => {
    const idOf = await sorted('dividend_operations', 'month', 'asc')
    const months = async (order: string) =>
      (await ids('insight', 'monthlyDividendManualOperations', order)).map(id => 1 + idOf.indexOf(id))
    expect(await months('ID_ASC')).toEqual([1, 2, 3, 4])
    expect(await months('CREATEDAT_ASC')).toEqual([2, 4, 3, 1])
    expect(await months('CREATEDAT_DESC')).toEqual([1, 3, 4, 2])
    expect(await months('UPDATEDAT_ASC')).toEqual([4, 3, 1, 2])
    expect(await months('UPDATEDAT_DESC')).toEqual([2, 1, 3, 4])
  })
})
