import type { ClickHouseClient } from './clickhouse-client.ts'
import { dimensionTableName, publishedDimension } from './clickhouse-versions.ts'
import type { DimensionRow } from './port.ts'
import { DIMENSIONS, type DimensionTable } from './tables.ts'
import type { VersionLedger } from './version-ledger.ts'

/** SQL that creates a dimension table. Every server has a full copy, so that joins need no network. */
export function dimensionTable(
  { database, layout }: ClickHouseClient,
  dimension: DimensionTable,
  name: string,
): string {
  const { columns, key } = DIMENSIONS[dimension]
  const definitions = columns.map(([column, type]) => `${column} ${type}`)
  return layout.createWholeTable({ database, name }, definitions.join(', '), { key })
}

/**
 * Each version is a table of its own: the new rows and the published rows about other contents. Readers of the previous
 * version keep using its table (docs/adr/0128), which `compact` drops when no snapshot needs it.
 */
export async function putClickHouseDimension(
  statements: ClickHouseClient,
  ledger: VersionLedger,
  name: DimensionTable,
  rows: AsyncIterable<readonly DimensionRow[]>,
): Promise<void> {
  const { database, layout } = statements
  const { of } = DIMENSIONS[name]
  const whole = { table: name, month: 0 }
  const version = { ...whole, batchNo: null }
  const state = await ledger.read()
  const tableOf = (versionNo: bigint) => `${database}.${dimensionTableName(name, versionNo)}`
  let next: bigint | undefined
  try {
    for await (const some of rows) {
      if (some.length === 0) continue
      if (next === undefined) {
        next = await ledger.begin(`dimension ${name}`, [version])
        await statements.command(`drop table if exists ${tableOf(next)}${layout.onCluster} sync`) // of a number taken before a restore
        await statements.command(dimensionTable(statements, name, dimensionTableName(name, next)))
      }
      await statements.command(
        `insert into ${tableOf(next)}${layout.wholeInsertSettings} format JSONCompactEachRow`,
        some.map(lineOf).join('\n'),
      )
    }
    if (next === undefined) return
    const into = tableOf(next)
    await statements.command(
      `insert into ${into}${layout.wholeInsertSettings} select * from ${database}.${publishedDimension(name, state)} where ${of} not in (select ${of} from ${into})`,
    )
    const replaces = state.withoutMonth.get(name) ?? []
    await ledger.publish(next, { versions: 1, replaces, whole: [whole], changesAnswers: true })
  } catch (cause) {
    if (next !== undefined) await ledger.abandon(next, [version]).catch(() => undefined) // unfinished it is hidden as well
    throw cause
  }
}

const lineOf = (row: DimensionRow) => `[${row.join(',')}]`
