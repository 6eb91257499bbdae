import { SHARDED_CLUSTER, startClickHouseEngine } from '@pc/testing/statistics/clickhouse-engine.ts'
import { openTestClickHouse, openTestDuckDb, STATS_ENGINES } from '@pc/testing/statistics/stats-engines.ts'
import { type FactRow, importFacts } from '@pc/testing/statistics/stats-rows.ts'
import { testDatabase } from '@pc/testing/test-database.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../clock.ts'
import { ClickHouseClient, type ClickHouseTransport } from './clickhouse-client.ts'
import { readCluster } from './clickhouse-cluster.ts'
import { ROW_FORMAT } from './clickhouse-dialect.ts'
import { clusterLayout, foreignTables } from './clickhouse-layout.ts'
import { clickHouseServer } from './clickhouse-server.ts'
import { openClickHouse } from './clickhouse-store.ts'
import type { StatsStore } from './port.ts'
import { ident, type Sql, sql, sumInt, table } from './sql.ts'
import { ROLL_UP_TABLES } from './tables.ts'
import { VersionLedger } from './version-ledger.ts'

const THREE = { name: 'three', shards: 3, replicas: 2 }

/** What a cluster without a fault answers, by a part of the question. */
const SOUND: Readonly<Record<string, readonly (readonly (string | number)[])[]>> = {
  'from system.clusters where': [
    ['shard_num', 'host_name', 'is_internal'],
    ['Int64', 'String', 'Int64'],
    [1, 'a', 1],
    [1, 'b', 1],
    [2, 'c', 1],
    [2, 'd', 1],
  ],
  'distinct cluster': [['cluster'], ['String'], ['one'], ['two']],
  'system.one': [
    ['host', 'port', 'server_version'],
    ['String', 'Int64', 'String'],
    ['a', 9000, '26.3.1.1'],
    ['b', 9000, '26.7.2.1'],
  ],
  'system.macros': [
    ['host', 'port', 'macro', 'substitution'],
    ['String', 'Int64', 'String', 'String'],
    ['a', 9000, 'shard', '1'],
    ['a', 9000, 'replica', 'a'],
    ['b', 9000, 'shard', '1'],
    ['b', 9000, 'replica', 'b'],
  ],
  'system.zookeeper': [['nodes'], ['Int64'], [3]],
}

/** A server that answers from such a list. */
function answering(answers: typeof SOUND, rights: (right: string) => boolean = () => true, hasKeeper = true) {
  const transport: ClickHouseTransport = {
    database: 'figures',
    async send(text, { format }) {
      if (text.startsWith('check grant')) return rights(text) ? '1\n' : '0\n'
      if (text.includes('system.zookeeper') && !hasKeeper) throw new Error('Code: 999. Connection loss')
      const found = Object.entries(answers).find(([part]) => text.includes(part))
      if (!found || format !== ROW_FORMAT) throw new Error(`no answer to ${text}`)
      return found[1].map(row => JSON.stringify(row)).join('\n')
    },
    loadParquet: async () => undefined,
    close: async () => undefined,
  }
  return new ClickHouseClient(transport)
}

describe('what a cluster lacks is said at start', () => {
  const without = (part: string, isLeftOut: (row: readonly unknown[]) => boolean) => ({
    ...SOUND,
    [part]: SOUND[part]!.filter((row, index) => index < 2 || !isLeftOut(row)),
  })

  test('nothing', async () => {
    expect(await readCluster(answering(SOUND), 'two')).toEqual({ name: 'two', shards: 2, replicas: 2 })
  })

  test.each([
    [
      'an unknown name',
      answering(without('from system.clusters where', () => true)),
      /knows no cluster two; it knows one, two/,
    ],
    [
      'shards of different sizes',
      answering(without('from system.clusters where', row => row[1] === 'd')),
      /different numbers of replicas/,
    ],
    [
      'rows that are stored twice',
      answering({
        ...SOUND,
        'from system.clusters where': [...SOUND['from system.clusters where']!.slice(0, 5), [2, 'd', 0]],
      }),
      /internal_replication/,
    ],
    [
      'an old server',
      answering({ ...SOUND, 'system.one': [...SOUND['system.one']!, ['c', 9000, '25.8.1.1']] }),
      /c:9000 is ClickHouse 25\.8/,
    ],
    [
      'a macro',
      answering(without('system.macros', row => row[0] === 'b' && row[2] === 'replica')),
      /b:9000 lacks the macro \{replica\}/,
    ],
    [
      'all macros',
      answering(without('system.macros', row => row[0] === 'b')),
      /b:9000 lacks the macro \{shard\} and the macro \{replica\}/,
    ],
    [
      'macros of its own',
      answering({
        ...SOUND,
        'system.macros': SOUND['system.macros']!.map(row => (row[3] === 'b' ? [...row.slice(0, 3), 'a'] : row)),
      }),
      /a:9000 and b:9000 have the same macros/,
    ],
    [
      'rights',
      answering(SOUND, text => !/CLUSTER|CREATE DATABASE/.test(text)),
      /lacks rights: CREATE DATABASE ON figures\.\*, CREATE DATABASE ON figures_import_\*\.\*, CLUSTER ON \*\.\*\./,
    ],
    ['Keeper', answering(SOUND, undefined, false), /Keeper does not answer .* Connection loss/],
  ])('%s', async (_, client, sentence) => {
    const failing = readCluster(client, 'two')
    await expect(failing).rejects.toMatchObject({ name: 'StatsStoreError', reason: 'misconfigured' })
    await expect(failing).rejects.toThrow(sentence)
  })

  test('everything that is wrong at once, a sentence each', async () => {
    const client = answering(
      without('system.macros', () => true),
      () => false,
      false,
    )
    const error = await readCluster(client, 'two').catch((cause: Error) => cause)
    expect((error as Error).message.split('\n')).toHaveLength(1 + 2 + 1 + 1)
  })
})

describe('tables of another layout are refused', () => {
  const placed = (engine: string) => new Map([['article_day', engine]])
  const ours = "Distributed('three', 'figures', 'article_day_local', intHash64(publisher_id) % 3)"
  test.each([
    [
      'one server, and a cluster is named',
      placed('MergeTree PARTITION BY toYYYYMM(date)'),
      THREE,
      /those of one server/,
    ],
    ['a cluster, and none is named', placed(ours), undefined, /those of a cluster/],
    ['a cluster that has grown', placed(ours), { ...THREE, shards: 4 }, /has 4 shards/],
    ['a cluster of another name', placed(ours), { ...THREE, name: 'other' }, /were made as/],
    [
      'labels of one server',
      new Map([['article_label', 'MergeTree ORDER BY kind_no']]),
      THREE,
      /not one of this layout/,
    ],
  ])('%s', (_, tables, cluster, sentence) => {
    expect(foreignTables('figures', tables, cluster)).toMatch(sentence)
  })

  test('those of the same layout, and none, are not', () => {
    for (const [tables, cluster] of [
      [placed(ours), THREE],
      [placed('MergeTree'), undefined],
      [new Map(), THREE],
    ] as const)
      expect(foreignTables('figures', tables, cluster)).toBeUndefined()
  })
})

/** Two shards that ClickHouse plans as such, in one process and without replicas (`tools/clickhouse-engine/emulated-shards.ts`). */
describe.runIf(STATS_ENGINES.includes('clickhouse') && !process.env.CLICKHOUSE_URL)(
  'on two shards',
  { timeout: 300_000 },
  () => {
    let engine: Awaited<ReturnType<typeof startClickHouseEngine>>
    let store: StatsStore
    const drops: (() => Promise<void>)[] = []
    beforeAll(async () => {
      engine = await startClickHouseEngine({ hasShards: true })
      const ledger = await testDatabase()
      store = await openTestClickHouse(`${engine.url}/figures`, ledger.url, systemClock, SHARDED_CLUSTER)
      drops.push(() => store.close(), () => ledger.drop(), () => engine.stop()) // biome-ignore format: one line
    }, 300_000)
    afterAll(async () => {
      for (const drop of drops) await drop()
    })

    test('roll-ups of several publications, corrections and reports are those of DuckDB', async () => {
      const duckdb = await openTestDuckDb()
      drops.push(() => duckdb.drop())
      const row = (date: string, batchNo: bigint, publisherId: bigint, articleId: bigint): FactRow => ({
        ...{
          date,
          medium_id: 1n + (articleId % 2n),
          publisher_id: publisherId,
          article_id: articleId,
          batch_no: batchNo,
        },
        ...{
          impression: 3n * articleId,
          click: articleId,
          watch: 1n,
          ads_revenue_micro_yen: 5n,
          publisher_revenue_micro_yen: 2n,
        },
      })
      const rows = (batchNo: bigint, date: string) =>
        Array.from({ length: 40 }, (_, index) => row(date, batchNo, BigInt(index % 7), BigInt(index)))
      for (const each of [store, duckdb.store]) {
        await importFacts(each, 1n, { article_day: rows(1n, '2026-01-10') })
        await importFacts(each, 2n, { article_day: [...rows(2n, '2026-01-11'), row('2026-02-01', 2n, 3n, 5n)] })
        await importFacts(
          each,
          3n,
          { article_day: [row('2026-01-11', 3n, 6n, 1n), row('2026-01-11', 3n, 2n, 1n)] },
          [2n],
          [202601, 202602] as never,
        )
        await each.putDimension('article_moment', (async function* () {
        yield Array.from({ length: 40 }, (_, index) => [BigInt(index), 1n, 1n, 1n])
      })()) // biome-ignore format: one block
      }
      const sums = (from: Sql, key: string) =>
        sql`select ${ident(key)} as owner, count(*) as n, ${sumInt(ident('click'))} as clicks from ${from} group by ${ident(key)} order by owner`
      const statements = [
        ...ROLL_UP_TABLES.filter(name => name.includes('article')).flatMap(name => [
          sums(table(name), 'medium_id'),
          sums(sql`${table(name)} where date between ${'2026-01-01' as never} and ${'2026-01-31' as never}`, 'date'),
        ]),
        sums(table('article_day'), 'article_id'),
        sums(sql`${table('article_day')} where publisher_id = ${3n}`, 'article_id'),
        sums(
          sql`(select article_id, click from ${table('article_month')} union all select article_id, click from ${table('article_day')}) both_rows`,
          'article_id',
        ),
        sums(
          sql`${table('article_day')} where article_id in (select article_id from ${table('article_moment')} where article_id < 9)`,
          'publisher_id',
        ),
        sums(
          sql`${table('article_day')} where publisher_id in (select publisher_id from ${table('article_month')} where click > 20)`,
          'publisher_id',
        ),
      ]
      for (const statement of statements)
        expect(await store.query(statement)).toEqual(await duckdb.store.query(statement))
      expect(await store.publishedBatches()).toEqual(await duckdb.store.publishedBatches())
    })

    test('publishers lie on both shards, and each shard adds up its own rows', async () => {
      const transport = clickHouseServer(`${engine.url}/figures`)
      const ask = (text: string) => transport.send(text, { settings: {}, format: 'TSV' })
      const layout = clusterLayout({ name: SHARDED_CLUSTER, shards: 2, replicas: 1 })
      const from = layout.rows('select publisher_id, click from figures.article_day_local')
      const perShard = (await ask(`select shardNum() as shard, count() as n from ${from} group by shard`)).trim()
      expect(perShard.split('\n')).toHaveLength(2)
      const plan = await ask(`explain select publisher_id, sum(click) as clicks from ${from} group by publisher_id`)
      expect(plan.match(/MergingAggregated/g)).toHaveLength(1)
      expect(plan.match(/\bAggregating\b/g)).toHaveLength(2)
      await transport.close()
    })

    test('a store of a cluster is not opened as that of one server', async () => {
      const ledger = await testDatabase()
      drops.push(() => ledger.drop())
      const opening = openClickHouse(clickHouseServer(`${engine.url}/figures`), {
        ledger: new VersionLedger(ledger.url, systemClock),
        clock: systemClock,
      })
      await expect(opening).rejects.toThrow(/set CLICKHOUSE_CLUSTER/)
    })
  },
)
