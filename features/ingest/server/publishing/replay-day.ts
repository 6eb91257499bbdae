import type { Day } from '@pc/domain/month/day.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { ident, joined, sql, table } from '@pc/platform/stats/sql.ts'
import { FACT_TABLES, FACTS, type FactTable } from '@pc/platform/stats/tables.ts'
import { type ContentDataset, FACT_DATASETS } from '../checking/dataset-columns.ts'
import type { IngestContext } from '../ingest-context.ts'
import { listLiveBatches } from '../ingest-store.ts'
import { ReadingEngine, text } from '../reading/reading-engine.ts'
import { withAcceptedRows } from './publish-batch.ts'

export interface ReplayReport {
  /** The day, or the dataset of articles or videos. */
  readonly of: Day | ContentDataset
  readonly batchIds: readonly string[]
  /** Rows of the day over all fact tables, or of the dataset, in the store and as rebuilt. */
  readonly storedRows: number
  readonly rebuiltRows: number
  /** The number of differing cells; `listed` has the first of them. */
  readonly differences: number
  readonly listed: readonly CellDifference[]
}

export interface CellDifference {
  readonly table: string
  readonly key: string
  readonly column: string
  readonly stored: string | null
  readonly rebuilt: string | null
}

const INSERT_CHUNK = 5000
/** Differences that a report lists; all are counted. */
export const MAX_LISTED_DIFFERENCES = 50

/** Rebuilds a day from the kept sources and compares every cell with the statistics store. Changes nothing. */
export function replayDay(context: IngestContext, day: Day): Promise<ReplayReport> {
  return context.withImportLock(async () => {
    const batches = await context.database.inScope(SYSTEM, tx => listLiveBatches(tx, FACT_DATASETS, day, day))
    const engine = await ReadingEngine.open(context.engine, [context.workFolder], context.workFolder)
    try {
      for (const name of FACT_TABLES) await loadStored(context, engine, name, day)
      for (const batch of batches) {
        await withAcceptedRows(context, batch, async ({ facts }) => {
          for (const { table: name, file } of facts) {
            const columns = columnsOf(name).join(', ')
            await engine.run(
              `insert into rebuilt_${name} select ${columns} from read_parquet(${text(file)}) where date = date ${text(day)}`,
            )
          }
        })
      }
      const rows = { stored: 0n, rebuilt: 0n }
      const found: { count: number; listed: CellDifference[] } = { count: 0, listed: [] }
      for (const name of FACT_TABLES) {
        rows.stored += await engine.count(`select count(*) from stored_${name}`)
        rows.rebuilt += await engine.count(`select count(*) from rebuilt_${name}`)
        await compare(engine, name, found)
      }
      return {
        of: day,
        batchIds: batches.map(({ batchId }) => batchId),
        storedRows: Number(rows.stored),
        rebuiltRows: Number(rows.rebuilt),
        differences: found.count,
        listed: found.listed,
      }
    } finally {
      engine.close()
    }
  })
}

function columnsOf(name: FactTable): string[] {
  return FACTS[name].columns.map(([column]) => column)
}

async function loadStored(context: IngestContext, engine: ReadingEngine, name: FactTable, day: Day): Promise<void> {
  const columns = columnsOf(name)
  const definition = FACTS[name].columns.map(([column, type]) => `${column} ${type === 'Date' ? 'date' : 'bigint'}`)
  for (const side of ['stored', 'rebuilt']) await engine.run(`create table ${side}_${name} (${definition.join(', ')})`)
  const rows = await context.stats.query(
    sql`select ${joined(columns.map(ident), sql`, `)} from ${table(name)} where date = ${day}`,
  )
  for (let at = 0; at < rows.length; at += INSERT_CHUNK) {
    const values = rows
      .slice(at, at + INSERT_CHUNK)
      .map(
        row =>
          `(${columns.map(column => (column === 'date' ? text(String(row.date)) : `${row[column] ?? 'null'}`)).join(', ')})`,
      )
    await engine.run(`insert into stored_${name} values ${values.join(', ')}`)
  }
}

/**
 * Joins both sides over every id, the day and the batch: a fact has one row for each (`platform/stats/tables.ts`), so no
 * row meets two.
 */
async function compare(
  engine: ReadingEngine,
  name: FactTable,
  found: { count: number; listed: CellDifference[] },
): Promise<void> {
  const columns = columnsOf(name)
  const keys = columns.filter(column => column === 'date' || column === 'batch_no' || column.endsWith('_id'))
  const key = `concat_ws(' ', ${keys.map(column => `'${column}=' || ${column}`).join(', ')})`
  const joinedSides = `(select *, true as here from stored_${name}) s full join (select *, true as here from rebuilt_${name}) r using (${keys.join(', ')})`
  for (const column of columns.filter(candidate => !keys.includes(candidate))) {
    const differs = `s.${column} is distinct from r.${column} or s.here is distinct from r.here`
    const rows = await engine.rows(
      `select ${key} as key, cast(s.${column} as varchar) as stored, cast(r.${column} as varchar) as rebuilt, ` +
        `count(*) over () as total from ${joinedSides} where ${differs} order by key limit ${MAX_LISTED_DIFFERENCES}`,
    )
    found.count += Number(rows[0]?.total ?? 0n)
    for (const row of rows.slice(0, MAX_LISTED_DIFFERENCES - found.listed.length)) {
      found.listed.push({
        table: name,
        key: String(row.key),
        column,
        stored: row.stored as string | null,
        rebuilt: row.rebuilt as string | null,
      })
    }
  }
}
