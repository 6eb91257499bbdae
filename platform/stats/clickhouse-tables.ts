import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { ClickHouseClient } from './clickhouse-client.ts'
import { listStoredRows, type StoredRows } from './clickhouse-compaction.ts'
import { dimensionTable } from './clickhouse-dimensions.ts'
import { type ClickHouseCluster, foreignTables } from './clickhouse-layout.ts'
import { addedColumns, isFact, isRollUp, publishedDimension, stateDialect, VERSION } from './clickhouse-versions.ts'
import { inMonths, rollUp } from './publication.ts'
import { type Dialect, sql } from './sql.ts'
import { StatsStoreError } from './stats-store-error.ts'
import {
  DIMENSION_TABLES,
  FACT_TABLES,
  LIFE_TABLES,
  LIFETIMES,
  ROLL_UP_TABLES,
  ROLL_UPS,
  type RollUpTable,
  TABLES,
  type Table,
  type TableName,
} from './tables.ts'
import { PublicationConflict, type Version, type VersionKey, type VersionLedger } from './version-ledger.ts'

const VERSIONED: readonly TableName[] = [...FACT_TABLES, ...ROLL_UP_TABLES]

/**
 * Creates the database if missing.
 * @throws StatsStoreError when its tables have another layout; they are not changed
 */
export async function prepareDatabase(
  statements: ClickHouseClient,
  cluster: ClickHouseCluster | undefined,
): Promise<void> {
  const { database, layout } = statements
  const [known] = await statements.rows(`select name from system.databases where name = '${database}'`)
  if (known === undefined) {
    await statements.command(`create database if not exists ${database}${layout.onCluster}`)
    return
  }
  const tables = await statements.rows(`select name, engine_full from system.tables where database = '${database}'`)
  const engines = new Map(tables.map(row => [String(row.name), String(row.engine_full)]))
  const wrong = foreignTables(database, engines, cluster)
  if (wrong !== undefined) throw new StatsStoreError('misconfigured', wrong)
}

/**
 * Creates missing tables, adds new columns, and aligns the ledger with the stored rows. Safe in several processes at
 * once.
 */
export async function prepareTables(statements: ClickHouseClient, ledger: VersionLedger): Promise<void> {
  const { database, layout } = statements
  const origin = await ledger.readOrigin()
  const { until } = await ledger.read()
  const found = await statements.rows(`select table, name from system.columns where database = '${database}'`)
  const tables = Map.groupBy(found, row => String(row.table))
  const columnsOf = (name: string) => new Set(tables.get(name)?.map(row => String(row.name)))
  for (const name of VERSIONED) {
    const columns = columnsOf(name)
    if (columns.size === 0) {
      if (isRollUp(name)) await ledger.forgetTable(name, until) // its rows are computed again from the facts
      for (const text of tableDefinition(statements, name)) await statements.command(text)
      continue
    }
    const added = addedColumns(name).map(column => column.name)
    if ([...TABLES[name].columns.map(([column]) => column), ...added].every(column => columns.has(column))) continue
    if (!columns.has(VERSION)) await adopt(statements, ledger, name)
    for (const text of missingColumns(statements, name)) await statements.command(text)
  }
  for (const name of LIFE_TABLES) {
    if (tables.has(name)) continue // lifetime tables stay empty on ClickHouse
    const { columns, key } = LIFETIMES[name]
    await statements.command(layout.createWholeTable({ database, name }, rowDefinition(columns), { key }))
  }
  const { withoutMonth } = await ledger.read()
  // Only where there is no other: the list forgets version 0 when its table is dropped.
  const first = DIMENSION_TABLES.filter(name => !withoutMonth.has(name))
  await ledger.adopt(first.map(name => ({ table: name, month: 0, versionNo: 0n, batchNo: null })))
  const published = await ledger.read()
  for (const name of DIMENSION_TABLES) {
    const version = publishedDimension(name, published)
    if (!tables.has(version)) await statements.command(dimensionTable(statements, name, version))
  }
  if (await hasLaterRows(statements, until)) await alignWithLedger(statements, ledger)
  ledger.markAligned(origin)
  await restoreRollUps(statements, ledger, async published => monthsWithoutRollUp(published))
}

/**
 * Whether the store has later versions than the ledger, which means that PostgreSQL was restored. Unknown versions must
 * be hidden before numbers are assigned again.
 */
async function hasLaterRows(statements: ClickHouseClient, until: bigint): Promise<boolean> {
  const greatest = VERSIONED.map(name => `select max(${VERSION}) as no from ${statements.database}.${name}`)
  const [row] = await statements.rows(`select max(no) as greatest from (${greatest.join(' union all ')})`)
  return ((row?.greatest ?? 0n) as bigint) > until
}

/**
 * Hides rows that the ledger does not know, and rebuilds roll-ups that it lists but the store lacks. Both happen when
 * either of them was restored from an older copy.
 * @returns the stored versions
 */
export async function alignWithLedger(statements: ClickHouseClient, ledger: VersionLedger): Promise<StoredRows> {
  let stored: StoredRows = []
  await restoreRollUps(statements, ledger, async published => {
    // Read after the published versions: those have rows, and a writer registers in the ledger before it writes rows.
    stored = await listStoredRows(statements)
    await ledger.hideUnknown(stored)
    return monthsWithLostRollUp(published, stored)
  })
  return stored
}

/** Before a write: a running process must repeat the start-up alignment if PostgreSQL was restored meanwhile. */
export async function alignIfReplaced(statements: ClickHouseClient, ledger: VersionLedger): Promise<void> {
  const origin = await ledger.readOrigin()
  if (ledger.isAligned(origin)) return
  await alignWithLedger(statements, ledger)
  ledger.markAligned(origin)
}

function monthsWithLostRollUp(published: readonly Version[], stored: StoredRows): RollUpMonth[] {
  const keyOf = ({ table, month, versionNo }: VersionKey) => `${table} ${month} ${versionNo}`
  const storedKeys = new Set(stored.map(keyOf))
  const hasRows = new Set(
    published.filter(one => storedKeys.has(keyOf(one))).map(({ table, month }) => `${table} ${month}`),
  )
  const lost = new Map<string, RollUpMonth>()
  for (const version of published) {
    const { table, month } = version
    if (!isRollUp(table) || storedKeys.has(keyOf(version)) || !hasRows.has(`${ROLL_UPS[table].of} ${month}`)) continue
    lost.set(`${table} ${month}`, { table, month: month as YearMonth, batchNo: null })
  }
  return [...lost.values()]
}

/** Registers rows from before versions existed as published: facts by batch, roll-ups by month. */
async function adopt(statements: ClickHouseClient, ledger: VersionLedger, name: TableName): Promise<void> {
  const batch = isFact(name) ? ', batch_no' : ''
  const rows = await statements.rows(
    `select distinct cast(toYYYYMM(date) as Int64) as month_no${batch} from ${statements.database}.${name}`,
  )
  const versions = rows.map(row => {
    const batchNo = (row.batch_no ?? null) as bigint | null
    return { table: name, month: Number(row.month_no), versionNo: -(batchNo ?? 0n), batchNo }
  })
  await ledger.adopt(versions)
}

interface RollUpMonth {
  readonly table: RollUpTable
  readonly month: YearMonth
  readonly batchNo: null
}

/** Computes roll-ups again from all facts of their months and publishes them. */
async function restoreRollUps(
  statements: ClickHouseClient,
  ledger: VersionLedger,
  find: (published: readonly Version[]) => Promise<readonly RollUpMonth[]>,
): Promise<void> {
  for (;;) {
    const all = await ledger.listPublished()
    const missing = await find(all)
    if (missing.length === 0) return
    const replaces = all.filter(({ table, month }) => missing.some(one => one.table === table && one.month === month))
    const versionNo = await ledger.begin('restore', missing)
    const published = stateDialect(statements, await ledger.read())
    for (const { table, month } of missing) await insertRollUp(statements, table, [month], published, versionNo)
    const change = { versions: missing.length, replaces, whole: missing, changesAnswers: true }
    try {
      return await ledger.publish(versionNo, change)
    } catch (cause) {
      if (!(cause instanceof PublicationConflict)) throw cause // another process has done it
    }
  }
}

/**
 * Months with facts but without one of their roll-ups, because an earlier version without this roll-up published them.
 */
function monthsWithoutRollUp(published: readonly Version[]): RollUpMonth[] {
  const months = Map.groupBy(published, ({ table }) => table)
  const monthsOf = (name: TableName) => new Set(months.get(name)?.map(({ month }) => month))
  return ROLL_UP_TABLES.flatMap(table => {
    const own = monthsOf(table)
    const lacking = [...monthsOf(ROLL_UPS[table].of)].filter(month => !own.has(month))
    return lacking.map(month => ({ table, month: month as YearMonth, batchNo: null }))
  })
}

/** Inserts the sums of the facts of these months, as one version of the roll-up. */
export async function insertRollUp(
  statements: ClickHouseClient,
  name: RollUpTable,
  months: readonly YearMonth[],
  facts: Dialect,
  versionNo: bigint,
): Promise<void> {
  const added = addedColumns(name)
  const columns = [...TABLES[name].columns.map(([column]) => column), ...added.map(column => column.name)].join(', ')
  const others = added.flatMap(({ value }) => (value ? [sql`${value} as added_value`] : []))
  await statements.insert(
    `insert into ${statements.database}.${name} (${columns}) select *, ${versionNo} from (`,
    rollUp(name, inMonths(months), others),
    facts,
    ')',
  )
}

const columnDefinition = ([column, type, nullable]: Table['columns'][number]): string =>
  `${column} ${nullable ? `Nullable(${type})` : type}`

function columnDefinitions(name: TableName): string[] {
  const added = addedColumns(name).map(column => `${column.name} ${column.definition}`)
  return [...TABLES[name].columns.map(columnDefinition), ...added]
}

export const rowDefinition = (columns: Table['columns']): string => columns.map(columnDefinition).join(', ')

export function tableDefinition({ database, layout }: Pick<ClickHouseClient, 'database' | 'layout'>, name: TableName) {
  const order = { key: TABLES[name].key, partition: 'toYYYYMM(date)' }
  return layout.createShardedTable({ database, name }, columnDefinitions(name).join(', '), order)
}

/**
 * Adds columns to a table of an earlier version. They stay empty for published months until those are published again.
 * No answer depends on that (`is_lone`, lifetime totals), or no delivery had the value (reading time).
 */
function missingColumns({ database, layout }: ClickHouseClient, name: TableName): string[] {
  const added = columnDefinitions(name).map(definition => `add column if not exists ${definition}`)
  const tables = new Set([layout.rowsTable({ database, name }), `${database}.${name}`])
  return [...tables].map(table => `alter table ${table}${layout.onCluster} ${added.join(', ')}`)
}
