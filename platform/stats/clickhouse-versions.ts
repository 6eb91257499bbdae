import type { ClickHouseClient } from './clickhouse-client.ts'
import { clickHouseDialect } from './clickhouse-dialect.ts'
import { followerOf, LAST_KNOWN_FOLLOWER } from './last-known-followers.ts'
import { type Dialect, render, type Sql, sql } from './sql.ts'
import {
  DIMENSION_TABLES,
  type DimensionTable,
  FACT_TABLES,
  FACTS,
  type FactTable,
  ROLL_UP_TABLES,
  ROLL_UPS,
  type RollUpTable,
  type TableName,
} from './tables.ts'
import type { PublishedState, VersionKey } from './version-ledger.ts'

/** How the rows of one published state are named in a statement. */

/** The number of the publication that wrote a row. */
export const VERSION = 'version_no'
/**
 * Beside the followers of a month, the day from which they are known: rows of several versions can then be merged.
 * The same integer as {@link LAST_KNOWN_FOLLOWER}.
 */
const LAST_KNOWN = 'last_known_follower'

export interface AddedColumn {
  readonly name: string
  readonly definition: string
  /** Over the rows of which a roll-up is the sum. */
  readonly value?: Sql
}

/** Columns that the port does not know, behind its own. Rows of a store without versions keep their batch's number, negative. */
export function addedColumns(name: TableName): readonly AddedColumn[] {
  const version = { name: VERSION, definition: `Int64 default ${isFact(name) ? '-batch_no' : '0'}` }
  if (!hasLastKnown(name)) return [version]
  return [{ name: LAST_KNOWN, definition: 'Nullable(Int64)', value: LAST_KNOWN_FOLLOWER }, version]
}

export const isFact = (name: string): name is FactTable => (FACT_TABLES as readonly string[]).includes(name)
export const isRollUp = (name: string): name is RollUpTable => (ROLL_UP_TABLES as readonly string[]).includes(name)
const isDimension = (name: string): name is DimensionTable => (DIMENSION_TABLES as readonly string[]).includes(name)

/** Followers are a level: of a month the last one known counts, which the month's row alone does not say. */
const hasLastKnown = (name: TableName) =>
  isRollUp(name) && ROLL_UPS[name].per === 'month' && ROLL_UPS[name].columns.some(([column]) => column === 'follower')

/** The tables of one published state, each as the rows of its visible versions. */
export function stateDialect(place: Place, state: PublishedState): Dialect {
  const { database, layout } = place
  return clickHouseDialect(name => {
    if (isFact(name)) return layout.rows(visibleRows(place, name, state))
    if (isRollUp(name)) return layout.rows(rollUpRows(place, name, state))
    return `${database}.${isDimension(name) ? dimensionTableName(name, state.wholeTables.get(name) ?? 0n) : name}`
  })
}

/** 0: as a store without versions has it. */
export function dimensionTableName(name: DimensionTable, versionNo: bigint): string {
  return versionNo === 0n ? name : `${name}_${versionNo}`
}

const namesOf = (name: TableName): string[] => (isFact(name) ? FACTS[name] : ROLL_UPS[name]).columns.map(([c]) => c)

function visible(name: TableName, { until, hidden }: PublishedState): string {
  const pairs = (hidden.get(name) ?? []).map(({ month, versionNo }) => `(${month}, ${versionNo})`)
  const isHidden = pairs.length === 0 ? '' : ` and (toYYYYMM(date), ${VERSION}) not in (${pairs.join(', ')})`
  return `${VERSION} <= ${until}${isHidden}`
}

/** The database of the store and where it lies. */
type Place = Pick<ClickHouseClient, 'database' | 'layout'>

function visibleRows({ database, layout }: Place, name: TableName, state: PublishedState): string {
  return `select ${namesOf(name).join(', ')} from ${layout.rowsTable({ database, name })} where ${visible(name, state)}`
}

/** One row per key: months that several publications have written are added up as they are read. */
function rollUpRows(place: Place, name: RollUpTable, state: PublishedState): string {
  const divided = state.divided.get(name) ?? []
  const whole = visibleRows(place, name, state)
  if (divided.length === 0) return whole
  const columns = mergedColumns(name).filter(({ isAdded }) => !isAdded)
  return `${whole} and toYYYYMM(date) not in (${divided.join(', ')})
    union all ${mergedRows(place, name, columns, state, divided)}`
}

interface MergedColumn {
  readonly name: string
  readonly value: string
  readonly isAdded: boolean
}

function mergedRows(
  { database, layout }: Place,
  name: RollUpTable,
  columns: readonly MergedColumn[],
  state: PublishedState,
  months: readonly number[],
): string {
  const keys = ROLL_UPS[name].key.map(key => `t.${key}`)
  return `select ${columns.map(column => `${column.value} as ${column.name}`).join(', ')} from ${layout.rowsTable({ database, name })} t
    where ${visible(name, state)} and toYYYYMM(date) in (${months.join(', ')}) group by ${keys.join(', ')}`
}

function mergedColumns(name: RollUpTable): readonly MergedColumn[] {
  const { columns, key } = ROLL_UPS[name]
  const value = (column: string): string => {
    if ((key as readonly string[]).includes(column)) return `t.${column}`
    if (column === 'first_on' || column === 'is_lone') return `min(t.${column})`
    if (column === 'last_on' || column === LAST_KNOWN) return `max(t.${column})`
    if (column === 'follower' && hasLastKnown(name)) return textOf(followerOf(sql`max(t.last_known_follower)`))
    return `sum(t.${column})`
  }
  const own = columns.map(([column]) => ({ name: column, value: value(column), isAdded: false }))
  return hasLastKnown(name) ? [...own, { name: LAST_KNOWN, value: value(LAST_KNOWN), isAdded: true }] : own
}

const textOf = (statement: Sql): string =>
  render(statement, { ...clickHouseDialect(name => name), param: (_position, given) => String(given) }).text

/** A month as readers see it, as rows of one version. */
export function mergeStatement(
  place: Place,
  name: RollUpTable,
  state: PublishedState,
  month: number,
  versionNo: bigint,
): string {
  const merged = mergedColumns(name)
  const into = [...merged.map(column => column.name), VERSION].join(', ')
  const rows = place.layout.rows(mergedRows(place, name, merged, state, [month]))
  return `insert into ${place.database}.${name} (${into}) select *, ${versionNo} from ${rows}`
}

/** The state that a publication makes, for its writer alone. */
export function afterPublication(
  state: PublishedState,
  versionNo: bigint,
  replaces: readonly VersionKey[],
): PublishedState {
  const isOwn = (key: VersionKey) => key.versionNo === versionNo
  const shown = [...state.hidden.values()].flat().filter(key => !isOwn(key))
  return { ...state, hidden: Map.groupBy([...shown, ...replaces], ({ table }) => table) }
}
