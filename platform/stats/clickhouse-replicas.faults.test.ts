import {
  hasReplicatedServers,
  REPLICATED_CLUSTER,
  type ReplicatedServers,
  startReplicatedServers,
  until,
} from '@pc/testing/statistics/replicated-servers.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dimensionTable } from './clickhouse-dimensions.ts'
import { clusterLayout } from './clickhouse-layout.ts'
import { tableDefinition } from './clickhouse-tables.ts'

/**
 * What an old server (18.16) with ZooKeeper can show of a cluster: our tables on two shards of two replicas, inserts that are
 * acknowledged by all replicas, sums of all shards, and replicas that die and return. `apt-get install clickhouse-server zookeeper`.
 */
const layout = clusterLayout(REPLICATED_CLUSTER)
const place = { database: 'figures', layout } as Parameters<typeof dimensionTable>[0]
const { insert_quorum, insert_distributed_sync } = layout.settings
/** Those of the driver that a server of that version knows; it waits for a missing replica no longer than a test. */
const INSERT = {
  insert_quorum: insert_quorum!,
  insert_distributed_sync: insert_distributed_sync!,
  insert_quorum_timeout: 10_000,
}
const PUBLISHED = 'select count(), sum(click) from figures.article_day where version_no in (1, 4)'

describe.runIf(hasReplicatedServers())('a cluster of 18.16', { timeout: 180_000 }, () => {
  let cluster: ReplicatedServers
  beforeAll(async () => {
    cluster = await startReplicatedServers()
    const [first] = cluster.servers
    await first!.ask(`create database figures${layout.onCluster}`)
    const tables = [...tableDefinition(place, 'article_day'), dimensionTable(place, 'article_moment', 'article_moment')]
    for (const text of tables) await first!.ask(text)
  }, 180_000)
  afterAll(() => cluster?.stop())

  const insert = (versionNo: number, articles: number) =>
    `insert into figures.article_day (date, medium_id, publisher_id, article_id, batch_no, click, version_no)
      select toDate('2026-01-10'), 1, number % 100, number, ${versionNo}, 1, ${versionNo} from numbers(${articles})`
  const ofEach = (text: string) => Promise.all(cluster.servers.map(server => server.ask(text)))
  const ownRows = (versionNo: number) =>
    ofEach(`select count() from figures.article_day_local where version_no = ${versionNo}`).then(counts =>
      counts.map(Number),
    )

  test('an insert is on every replica of its shard when it is acknowledged; every server sums all', async () => {
    await cluster.servers[2]!.ask(insert(1, 10_000), INSERT)
    const [one, two, three, four] = await ownRows(1)
    expect([one, three]).toEqual([two, four])
    expect(one! + three!).toBe(10_000)
    expect(Math.min(one!, three!)).toBeGreaterThan(2_000)
    expect(await ofEach(PUBLISHED)).toEqual(Array.from({ length: 4 }, () => '10000\t10000'))
    const perShard = await ofEach('select uniqExact(publisher_id) from figures.article_day_local')
    expect(Number(perShard[0]) + Number(perShard[2])).toBe(100) // each publisher on one shard
  })

  test('a dimension is on every server when it is acknowledged', async () => {
    const settings = { insert_quorum: /\d+/.exec(layout.wholeInsertSettings)![0] }
    await cluster.servers[0]!.ask(
      'insert into figures.article_moment (article_id) select number from numbers(50)',
      settings,
    )
    expect(await ofEach('select count() from figures.article_moment')).toEqual(['50', '50', '50', '50'])
  })

  test('without a replica reports go on and an import is refused; rows that it leaves are of a version that no list names', async () => {
    const [, dead, working, last] = cluster.servers
    await dead!.kill()
    for (const server of [working!, last!]) expect(await server.ask(PUBLISHED)).toBe('10000\t10000')
    await until(() =>
      working!.ask(insert(2, 1_000), INSERT).then(
        () => false,
        error => /Code: 285/.test(String(error)),
      ),
    )
    const partial = Number(await last!.ask('select count() from figures.article_day_local where version_no = 2'))
    expect(partial).toBeGreaterThan(0)
    expect(await working!.ask(PUBLISHED)).toBe('10000\t10000')
  })

  test('a replica that returns has what was published; the import is made again under another number', async () => {
    const [, dead, working] = cluster.servers
    await dead!.start()
    expect(await dead!.ask(PUBLISHED)).toBe('10000\t10000')
    await until(() => working!.ask(insert(4, 1_000), INSERT).then(() => true))
    expect(await ofEach(PUBLISHED)).toEqual(Array.from({ length: 4 }, () => '11000\t11000'))
  })

  test('rows of a replaced version go from all servers by one statement', async () => {
    const rows = layout.rowsTable({ database: 'figures', name: 'article_day' })
    await cluster.servers[0]!.ask(`alter table ${rows}${layout.onCluster} delete where version_no in (1, 2)`)
    await until(async () => (await ownRows(1)).concat(await ownRows(2)).every(count => count === 0))
    expect(await ofEach(PUBLISHED)).toEqual(Array.from({ length: 4 }, () => '1000\t1000'))
  })

  test('without Keeper reports go on and nothing is written; afterwards imports go on', async () => {
    await cluster.keeper.kill()
    expect(await cluster.servers[0]!.ask(PUBLISHED)).toBe('1000\t1000')
    await expect(cluster.servers[0]!.ask(insert(5, 1_000), INSERT)).rejects.toThrow()
    expect(await cluster.servers[3]!.ask(PUBLISHED)).toBe('1000\t1000')
    await cluster.keeper.start()
    await until(() => cluster.servers[0]!.ask(insert(6, 500), INSERT).then(() => true))
    expect(
      await cluster.servers[3]!.ask(
        'select max(n) from (select count() as n from figures.article_day where version_no = 6)',
      ),
    ).not.toBe('0')
  })
})
