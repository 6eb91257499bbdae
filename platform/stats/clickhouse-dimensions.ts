import type { DimensionRow } from './port.ts'
import type { ReaderGate } from './reader-gate.ts'
import { DIMENSIONS, type DimensionTable } from './tables.ts'

export function dimensionTable(dimension: DimensionTable, name: string): string {
  const { columns, key } = DIMENSIONS[dimension]
  const definitions = columns.map(([column, type]) => `${column} ${type}`)
  return `create table if not exists ${name} (${definitions.join(', ')}) engine = MergeTree order by (${key.join(', ')})`
}

/**
 * The table as it shall be is made beside the one that is read: what is new, and what stays of the old one. Then the two
 * change their names in one step of the server.
 */
export async function putClickHouseDimension(
  database: string,
  command: (text: string, rows?: string) => Promise<void>,
  gate: ReaderGate,
  name: DimensionTable,
  rows: AsyncIterable<readonly DimensionRow[]>,
): Promise<void> {
  const { of } = DIMENSIONS[name]
  const [now, next] = [`${database}.${name}`, `${database}.${name}_next`]
  await command(`drop table if exists ${next} sync`)
  await command(dimensionTable(name, next))
  let isAny = false
  for await (const some of rows) {
    if (some.length === 0) continue
    isAny = true
    await command(`insert into ${next} format JSONCompactEachRow`, some.map(lineOf).join('\n'))
  }
  if (isAny) {
    await command(`insert into ${next} select * from ${now} where ${of} not in (select ${of} from ${next})`)
    await gate.write(() => command(`exchange tables ${now} and ${next}`))
  }
  await command(`drop table ${next} sync`)
}

const lineOf = (row: DimensionRow) => `[${row.join(',')}]`
