import { DIMENSIONS, LIFETIMES, TABLES } from './tables.ts'

/**
 * Placement of the tables: one server, or the shards of a cluster. All differences between the two are here
 * (docs/adr/0130).
 */
export interface ClickHouseLayout {
  /** Clause for CREATE, ALTER and DROP: ` on cluster …`, or empty. */
  readonly onCluster: string
  /** Settings for every statement. */
  readonly settings: Readonly<Record<string, number | string>>
  /** SETTINGS clause for inserts into a table that every server has in full. */
  readonly wholeInsertSettings: string
  /** Statements that create a table whose rows are distributed over the shards. `definition`: its columns. */
  createShardedTable(table: TableAddress, definition: string, order: TableOrder): string[]
  /** Statement that creates a table of which every server has a full copy. */
  createWholeTable(table: TableAddress, definition: string, order: TableOrder): string
  /** The local table with a shard's own rows. */
  rowsTable(table: TableAddress): string
  /** FROM expression: the results of `select` on each shard, over its own rows. */
  rows(select: string): string
}

export interface TableAddress {
  readonly database: string
  readonly name: string
}
export interface TableOrder {
  readonly key: readonly string[]
  readonly partition?: string
}

export interface ClickHouseCluster {
  readonly name: string
  readonly shards: number
  /** Replicas of each shard. */
  readonly replicas: number
}

const qualified = ({ database, name }: TableAddress) => `${database}.${name}`

const ordered = (engine: string, { key, partition }: TableOrder) =>
  `engine = ${engine}${partition === undefined ? '' : ` partition by ${partition}`} order by (${key.join(', ')})`

export const ONE_SERVER: ClickHouseLayout = {
  onCluster: '',
  settings: {},
  wholeInsertSettings: '',
  createShardedTable: (table, definition, order) => [
    `create table if not exists ${qualified(table)} (${definition}) ${ordered('MergeTree', order)}`,
  ],
  createWholeTable: (table, definition, order) =>
    `create table if not exists ${qualified(table)} (${definition}) ${ordered('MergeTree', order)}`,
  rowsTable: qualified,
  rows: select => `(${select})`,
}

/** Time limit for replicated inserts and for DDL on all servers. */
const CLUSTER_TIMEOUT_SECONDS = 60

/**
 * Rows are distributed by the first column of the table's order: the publisher, or the medium where there is none, so
 * that a publisher's rows are on one shard. An insert waits for every replica. With a majority, a reader of another
 * replica would see half of a publication that the ledger already lists.
 */
export function clusterLayout({ name, shards, replicas }: ClickHouseCluster): ClickHouseLayout {
  const onCluster = ` on cluster '${name}'`
  const placeOf = (column: string) => `intHash64(${column}) % ${shards}`
  const replicated = ({ database, name: table }: TableAddress, path: string, replica: string) =>
    `ReplicatedMergeTree('/clickhouse/tables/${database}/${table}/${path}', '${replica}')`
  const rowsOf = (table: TableAddress) => ({ ...table, name: `${table.name}${ROWS_SUFFIX}` })
  return {
    onCluster,
    settings: {
      insert_quorum: replicas,
      insert_quorum_timeout: CLUSTER_TIMEOUT_SECONDS * 1000,
      insert_distributed_sync: 1,
      // The queried server distributes the rows: sums by medium come from several shards but belong on one.
      parallel_distributed_insert_select: 0,
      distributed_ddl_task_timeout: CLUSTER_TIMEOUT_SECONDS,
      distributed_ddl_output_mode: 'none',
      distributed_product_mode: 'global',
    },
    wholeInsertSettings: ` settings insert_quorum = ${shards * replicas}`,
    createShardedTable: (table, definition, order) => {
      const rows = rowsOf(table)
      return [
        `create table if not exists ${qualified(rows)}${onCluster} (${definition}) ${ordered(replicated(rows, '{shard}', '{replica}'), order)}`,
        `create table if not exists ${qualified(table)}${onCluster} (${definition})
          engine = ${distributed(name, rows, placeOf(order.key[0]!))}`,
      ]
    },
    createWholeTable: (table, definition, order) =>
      `create table if not exists ${qualified(table)}${onCluster} (${definition}) ${ordered(replicated(table, 'all', '{shard}-{replica}'), order)}`,
    rowsTable: table => qualified(rowsOf(table)),
    // Without a sharding key: inside of `in (select …)` ClickHouse would resolve its column in the outer statement.
    rows: select => `cluster('${name}', view(${select}))`,
  }
}

const ROWS_SUFFIX = '_local'

/** Engine of a distributed table, spelled as in `system.tables`. */
function distributed(cluster: string, { database, name }: TableAddress, place: string): string {
  return `Distributed('${cluster}', '${database}', '${name}', ${place})`
}

/**
 * Says in a sentence why existing tables do not fit the layout; undefined: they fit.
 * @param found engines by table name, as `system.tables` prints them
 */
export function foreignTables(
  database: string,
  found: ReadonlyMap<string, string>,
  cluster: ClickHouseCluster | undefined,
): string | undefined {
  const other = 'name another database in CLICKHOUSE_URL, which is filled again from the kept deliveries'
  for (const [name, { key }] of Object.entries(TABLES)) {
    const engine = found.get(name)
    if (engine === undefined) continue
    const isDistributed = engine.startsWith('Distributed(')
    if (cluster === undefined) {
      if (isDistributed) return `The tables of ${database} are those of a cluster: set CLICKHOUSE_CLUSTER, or ${other}.`
      continue
    }
    if (!isDistributed)
      return `The tables of ${database} are those of one server: unset CLICKHOUSE_CLUSTER, or ${other}.`
    const rows = { database, name: `${name}${ROWS_SUFFIX}` }
    const expected = distributed(cluster.name, rows, `intHash64(${key[0]}) % ${cluster.shards}`)
    if (!engine.startsWith(expected))
      return `The tables of ${database} were made as ${engine}, the cluster ${cluster.name} has ${cluster.shards} shards: ${other}.`
  }
  const whole = [...Object.keys(LIFETIMES), ...Object.keys(DIMENSIONS)].find(name => {
    const engine = found.get(name)
    return engine !== undefined && engine.startsWith('Replicated') !== (cluster !== undefined)
  })
  if (whole !== undefined) return `The table ${database}.${whole} is not one of this layout: ${other}.`
  return undefined
}
