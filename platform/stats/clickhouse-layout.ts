import { DIMENSIONS, LIFETIMES, TABLES } from './tables.ts'

/**
 * Where the tables of the store lie: on one server, or on the shards of a cluster. Statements differ by what this says and by
 * nothing else (docs/adr/0130).
 */
export interface ClickHouseLayout {
  /** Behind the name in every statement that makes, changes or drops something. */
  readonly onCluster: string
  /** Of every statement. */
  readonly settings: Readonly<Record<string, number | string>>
  /** Behind the name of a table that every server has whole, in an insert. */
  readonly wholeInsertSettings: string
  /** Statements that make a table whose rows are spread over the shards. `definition`: its columns. */
  createShardedTable(table: TableAddress, definition: string, order: TableOrder): string[]
  /** Statement that makes a table which every server has whole. */
  createWholeTable(table: TableAddress, definition: string, order: TableOrder): string
  /** The table that holds the rows of a sharded one on each server. */
  rowsTable(table: TableAddress): string
  /** What stands behind `from`: the rows that `select` gives on each shard, from its own. */
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
  /** Of each shard. */
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

/** Longest time that an insert waits for its replicas, and a change of tables for all servers. */
const CLUSTER_TIMEOUT_SECONDS = 60

/**
 * Rows are spread by the first column of their order: the publisher, or the medium where sums have no publisher. Rows
 * of a publisher then lie on one shard.
 *
 * An insert is acknowledged once every replica has it. A reader of any replica, which waits for nothing, then finds all rows
 * of what the ledger lists; a majority would leave a replica on which half of a publication is missing.
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
      // The server that is asked spreads the rows: sums by medium come from several shards and lie on one.
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
    // No key as third argument: inside of `in (select …)` its column would be that of the statement around it.
    rows: select => `cluster('${name}', view(${select}))`,
  }
}

const ROWS_SUFFIX = '_local'

/** As `system.tables` prints it, too. */
function distributed(cluster: string, { database, name }: TableAddress, place: string): string {
  return `Distributed('${cluster}', '${database}', '${name}', ${place})`
}

/**
 * What keeps a database's tables from being those of a layout, in a sentence; undefined: nothing.
 * @param found names of tables with their engines as `system.tables` prints them
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
