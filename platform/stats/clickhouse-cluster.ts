import type { ClickHouseClient } from './clickhouse-client.ts'
import type { ClickHouseCluster } from './clickhouse-layout.ts'
import type { Row } from './port.ts'
import { StatsStoreError } from './stats-store-error.ts'

/** Minimum version, as documented in docs/install.md. */
const MIN_VERSION = [26, 3]
const RIGHTS = ['SELECT', 'INSERT', 'CREATE DATABASE', 'DROP DATABASE', 'CREATE TABLE', 'DROP TABLE', 'ALTER DELETE']
const TABLE_CHANGES = 'ALTER ADD COLUMN'
const GLOBAL_RIGHTS = ['CLUSTER', 'REMOTE']

/**
 * Reads the servers of a cluster and checks them. Servers that do not answer are skipped, because the others may still
 * serve readers.
 * Tested by `platform/stats/clickhouse-cluster.test.ts`.
 * @throws StatsStoreError with one sentence for each problem
 */
export async function readCluster(statements: ClickHouseClient, name: string): Promise<ClickHouseCluster> {
  const lines = await statements.rows(
    `select cast(shard_num as Int64) as shard_num, host_name, cast(internal_replication as Int64) as is_internal
     from system.clusters where cluster = '${name}' order by shard_num, replica_num`,
  )
  if (lines.length === 0) throw misconfigured(name, [await unknownCluster(statements, name)])
  const perShard = [...Map.groupBy(lines, row => row.shard_num).values()]
  const replicas = perShard[0]!.length
  const wrong = [
    ...(perShard.every(each => each.length === replicas)
      ? []
      : ['Its shards have different numbers of replicas; an insert waits for the same number on each.']),
    ...(replicas === 1 || lines.every(row => row.is_internal === 1n)
      ? []
      : ['A shard lacks <internal_replication>true</internal_replication>: every row would be stored twice.']),
    ...(await wrongServers(statements, name)),
    ...(await missingRights(statements)),
    ...(await missingKeeper(statements, name)),
  ]
  if (wrong.length > 0) throw misconfigured(name, wrong)
  return { name, shards: perShard.length, replicas }
}

async function unknownCluster(statements: ClickHouseClient, name: string): Promise<string> {
  const known = await statements.rows('select distinct cluster from system.clusters order by cluster')
  const names = known.map(row => String(row.cluster)).join(', ')
  return `The server of CLICKHOUSE_URL knows no cluster ${name}; it knows ${names || 'none'} (<remote_servers>).`
}

const ofAll = (name: string, table: string) => `clusterAllReplicas('${name}', ${table})`
const hostOf = (row: Row) => `${row.host}:${row.port}`
const HOST = 'hostName() as host, cast(tcpPort() as Int64) as port'

async function wrongServers(statements: ClickHouseClient, name: string): Promise<string[]> {
  const answering = 'settings skip_unavailable_shards = 1'
  const servers = await statements.rows(
    `select distinct ${HOST}, version() as server_version from ${ofAll(name, 'system.one')} order by host, port ${answering}`,
  )
  const macros = await statements.rows(
    `select distinct ${HOST}, macro, substitution from ${ofAll(name, 'system.macros')} ${answering}`,
  )
  const macroOf = (host: string, macro: string) =>
    macros.find(row => hostOf(row) === host && row.macro === macro)?.substitution
  const wrong: string[] = []
  const places = new Map<string, string>()
  for (const server of servers) {
    const host = hostOf(server)
    const [major = 0, minor = 0] = String(server.server_version).split('.').map(Number)
    if (major < MIN_VERSION[0]! || (major === MIN_VERSION[0] && minor < MIN_VERSION[1]!))
      wrong.push(`${host} is ClickHouse ${server.server_version}; ${MIN_VERSION.join('.')} or later is needed.`)
    const missing = ['shard', 'replica'].filter(macro => !macroOf(host, macro))
    if (missing.length > 0) {
      wrong.push(`${host} lacks the ${missing.map(macro => `macro {${macro}}`).join(' and the ')} (<macros>).`)
      continue
    }
    const place = `shard ${macroOf(host, 'shard')}, replica ${macroOf(host, 'replica')}`
    if (places.has(place)) wrong.push(`${places.get(place)} and ${host} have the same macros: ${place}.`)
    places.set(place, host)
  }
  return wrong
}

async function missingRights(statements: ClickHouseClient): Promise<string[]> {
  const { database } = statements
  const wanted = [
    ...[database, `${database}_import_0`].flatMap(of => RIGHTS.map(right => ({ right, on: `${of}.*` }))),
    { right: TABLE_CHANGES, on: `${database}.*` },
    ...GLOBAL_RIGHTS.map(right => ({ right, on: '*.*' })),
  ]
  const missing: string[] = []
  for (const { right, on } of wanted) {
    if (await statements.isGranted(right, on)) continue
    missing.push(`${right} ON ${on.replace('_import_0.', '_import_*.')}`)
  }
  return missing.length === 0 ? [] : [`The user of CLICKHOUSE_URL lacks rights: ${missing.join(', ')}.`]
}

/** Reading needs no Keeper, but creating missing tables on the cluster does. */
async function missingKeeper(statements: ClickHouseClient, name: string): Promise<string[]> {
  try {
    await statements.rows(`select count(*) as nodes from ${ofAll(name, 'system.zookeeper')} where path = '/'
      settings skip_unavailable_shards = 1`)
    return []
  } catch (cause) {
    const said = cause instanceof Error ? cause.message.split('\n', 1)[0] : String(cause)
    return [`Keeper does not answer every server of it (<zookeeper>). ClickHouse says: ${said}`]
  }
}

function misconfigured(name: string, wrong: readonly string[]): StatsStoreError {
  return new StatsStoreError('misconfigured', [`CLICKHOUSE_CLUSTER=${name} cannot be used.`, ...wrong].join('\n'))
}
