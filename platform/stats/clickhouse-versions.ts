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

/** Restricts statements to the rows of one published state. */

/** Column: number of the publication that wrote the row. */
export const VERSION = 'version_no'
/**
 * Column beside a month's followers: the day on which they were known, so that rows of several versions can be merged.
 * Encoded as {@link LAST_KNOWN_FOLLOWER}.
 */
const LAST_KNOWN = 'last_known_follower'

export interface AddedColumn {
  readonly name: string
  readonly definition: string
  /** Expression over the source rows, for roll-ups. */
  readonly value?: Sql
}

/**
 * ClickHouse-specific columns after those of the port. Rows from before versions existed have the negative batch number
 * as version.
 */
export function addedColumns(name: TableName): readonly AddedColumn[] {
  const version = { name: VERSION, definition: `Int64 default ${isFact(name) ? '-batch_no' : '0'}` }
  if (!hasLastKnown(name)) return [version]
  return [{ name: LAST_KNOWN, definition: 'Nullable(Int64)', value: LAST_KNOWN_FOLLOWER }, version]
}

export const isFact = (name: string): name is FactTable => (FACT_TABLES as readonly string[]).includes(name)
export const isRollUp = (name: string): name is RollUpTable => (ROLL_UP_TABLES as readonly string[]).includes(name)
const isDimension = (name: string): name is DimensionTable => (DIMENSION_TABLES as readonly string[]).includes(name)

/** Followers are a level and not summed: the last known value of the month counts, for which the row needs its day. */
const hasLastKnown = (name: TableName) =>
  isRollUp(name) && ROLL_UPS[name].per === 'month' && ROLL_UPS[name].columns.some(([column]) => column === 'follower')

/** A dialect in which each table is the visible rows of a published state. */
export function stateDialect(place: Place, state: PublishedState): Dialect {
  const { database, layout } = place
  return clickHouseDialect(name => {
    if (isFact(name)) return layout.rows(visibleRows(place, name, state))
    if (isRollUp(name)) return layout.rows(rollUpRows(place, name, state))
    return `${database}.${isDimension(name) ? publishedDimension(name, state) : name}`
  })
}

/** Version 0 is the table from before versions existed. */
export function dimensionTableName(name: DimensionTable, versionNo: bigint): string {
  return versionNo === 0n ? name : `${name}_${versionNo}`
}

/** Name of the table with the published rows. */
export const publishedDimension = (name: DimensionTable, { withoutMonth }: PublishedState): string =>
  dimensionTableName(name, withoutMonth.get(name)?.at(-1)?.versionNo ?? 0n)

const namesOf = (name: TableName): string[] => (isFact(name) ? FACTS[name] : ROLL_UPS[name]).columns.map(([c]) => c)

function visible(name: TableName, { until, hidden }: PublishedState): string {
  const pairs = (hidden.get(name) ?? []).map(({ month, versionNo }) => `(${month}, ${versionNo})`)
  const isHidden = pairs.length === 0 ? '' : ` and (toYYYYMM(date), ${VERSION}) not in (${pairs.join(', ')})`
  return `${VERSION} <= ${until}${isHidden}`
}

/** Database and layout of the store. */
type Place = Pick<ClickHouseClient, 'database' | 'layout'>

function visibleRows({ database, layout }: Place, name: TableName, state: PublishedState): string {
  return `select ${namesOf(name).join(', ')} from ${layout.rowsTable({ database, name })} where ${visible(name, state)}`
}

/** One row for each key. Months with several versions are summed while reading. */
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

/** Inserts a month, as readers see it, as the rows of one new version. */
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

/** The state that a publication will create, for reads by its writer. */
export function afterPublication(
  state: PublishedState,
  versionNo: bigint,
  replaces: readonly VersionKey[],
): PublishedState {
  const isOwn = (key: VersionKey) => key.versionNo === versionNo
  const shown = [...state.hidden.values()].flat().filter(key => !isOwn(key))
  return { ...state, hidden: Map.groupBy([...shown, ...replaces], ({ table }) => table) }
}
