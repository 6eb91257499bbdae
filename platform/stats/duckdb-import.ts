import { BIGINT, DATE, type DuckDBConnection, DuckDBDataChunk, DuckDBDateValue } from '@duckdb/node-api'
import { countWrites } from './duckdb-compaction.ts'
import { duckDbDialect, epochDay, select } from './duckdb-dialect.ts'
import { duckDbError } from './duckdb-error.ts'
import { insertInPieces, keyOf, moveInPieces } from './duckdb-insert.ts'
import { saveLifetimes } from './duckdb-lifetimes.ts'
import type { ImportRun, ImportScope, Row } from './port.ts'
import { checkStaged, checksum, inMonths, replacedRows, rollUp } from './publication.ts'
import type { ReaderGate } from './reader-gate.ts'
import { type Dialect, render, type Sql, sql, table } from './sql.ts'
import { StatsStoreError } from './stats-store-error.ts'
import { FACT_TABLES, type FactTable, ROLL_UP_TABLES, ROLL_UPS, TABLES, type Table } from './tables.ts'

const stagedName = (name: string) => `temp.main.staged_${name}`
const STAGING = duckDbDialect(stagedName)
/** By month, then by the table's key, so that reports can skip row groups. */
const orderOf = (name: FactTable): Sql => sql`date_trunc('month', date), ${keyOf(name)}`
const CHUNK_ROWS = 2048

type Cell = bigint | string | null
type Filled = ReadonlyMap<FactTable, bigint>

/** Tested by `platform/stats/duckdb-store.test.ts`. */
export function columnDefinitions({ columns }: Table): string {
  return columns.map(([column, type, nullable]) => `${column} ${type}${nullable ? '' : ' not null'}`).join(', ')
}

/** An import run on its own connection: rows are staged in temporary tables and published in one transaction. */
export async function beginDuckDbImport(
  connection: DuckDBConnection,
  published: Dialect,
  gate: ReaderGate,
  scope: ImportScope,
  release: () => void,
): Promise<ImportRun> {
  let isOpen = true
  let lastStep: Promise<unknown> = Promise.resolve()
  /** True: the staged rows are sorted, because they come from a single file. */
  const isOrdered = new Map<FactTable, boolean>()

  for (const name of FACT_TABLES) {
    await connection.run(`create temp table staged_${name} (${columnDefinitions(TABLES[name])})`)
  }

  /** Runs the steps one after the other, because they share one connection and one transaction. */
  function inTurn<T>(step: () => Promise<T>): Promise<T> {
    const run = lastStep.then(async () => {
      if (!isOpen) throw new Error('the import has ended')
      try {
        return await step()
      } catch (cause) {
        throw duckDbError(cause)
      }
    })
    lastStep = run.catch(() => undefined)
    return run
  }

  function end(): void {
    isOpen = false
    connection.closeSync() // drops the temporary tables
    release()
  }

  return {
    append: (name, rows) =>
      inTurn(() => {
        isOrdered.set(name, false)
        return appendRows(connection, name, rows)
      }),
    load: (name, parquetFile) =>
      inTurn(async () => {
        const columns = TABLES[name].columns.map(([column]) => column).join(', ')
        const file = parquetFile.replaceAll("'", "''")
        isOrdered.set(name, !isOrdered.has(name))
        const order = render(orderOf(name), STAGING).text
        await connection.run(
          `insert into ${stagedName(name)} select ${columns} from read_parquet('${file}') order by ${order}`,
        )
      }),
    query: statement => inTurn(() => select(connection, statement, STAGING)),
    publish: () =>
      inTurn(async () => {
        const filled = await checkStaged(scope, FACT_TABLES, statement => select(connection, statement, STAGING))
        await connection.run('begin transaction')
        try {
          await moveRows(connection, published, scope, filled, name => isOrdered.get(name) === true)
          await countWrites(connection, published, scope.months)
          // In DuckDB 1.5.6, other transactions may see new rows beside the rows that they replace during a commit
          // (shown by the test of readers beside an import). So nobody reads meanwhile.
          await gate.write(async () => {
            await connection.run('commit')
            await confirmVisible(connection, published, scope, filled)
          })
        } catch (cause) {
          await connection.run('rollback').catch(() => undefined)
          throw cause
        }
        end()
      }),
    discard: async () => {
      await lastStep
      if (isOpen) end()
    },
  }
}

/** Applies the changes in the open transaction. Readers do not see them yet. */
async function moveRows(
  connection: DuckDBConnection,
  published: Dialect,
  scope: ImportScope,
  filled: Filled,
  isOrdered: (name: FactTable) => boolean,
): Promise<void> {
  const run = (statement: Sql, dialect = published): Promise<Row[]> => select(connection, statement, dialect)
  const ledger = published.fragments.table('import_ledger')
  const batches = [scope.batchNo, ...scope.replacesBatchNos]
  await connection.run(`delete from ${ledger} where batch_no in (${batches.join(', ')})`)
  const changed = new Set<FactTable>()
  for (const name of FACT_TABLES) {
    const [deleted] = await run(sql`delete from ${table(name)} where ${replacedRows(scope)}`)
    if (filled.has(name) || deleted?.Count !== 0n) changed.add(name)
    if (!filled.has(name)) continue
    if (isOrdered(name)) await moveInPieces(connection, published, name, stagedName(name))
    else {
      const ordered = sql`select * from ${table(name)} order by ${orderOf(name)}`
      await insertInPieces(connection, published, name, ordered, STAGING)
    }
    const [content] = await run(
      sql`select count(*) as row_count, ${checksum(name)} as content from ${table(name)}`,
      STAGING,
    )
    const entry = `${scope.batchNo}, '${name}', ${content!.row_count}, ${content!.content}`
    await connection.run(`insert into ${ledger} values (${entry})`)
  }
  for (const name of ROLL_UP_TABLES) {
    if (!changed.has(ROLL_UPS[name].of)) continue
    await saveLifetimes(connection, published, name, inMonths(scope.months), async () => {
      await run(sql`delete from ${table(name)} where ${inMonths(scope.months)}`)
      await insertInPieces(connection, published, name, rollUp(name, inMonths(scope.months)), published)
    })
  }
}

/**
 * Checks that committed rows are visible; if not, runs a checkpoint before readers continue. Works around the fault
 * described in `duckdb-insert.ts`.
 * @throws StatsStoreError
 */
async function confirmVisible(
  connection: DuckDBConnection,
  published: Dialect,
  scope: ImportScope,
  filled: Filled,
): Promise<void> {
  const missing = async (): Promise<FactTable | undefined> => {
    for (const [name, staged] of filled) {
      const own = sql`select count(*) as n from ${table(name)} where ${inMonths(scope.months)} and batch_no = ${scope.batchNo}`
      if ((await select(connection, own, published))[0]!.n !== staged) return name
    }
    return undefined
  }
  if ((await missing()) === undefined) return
  await connection.run('checkpoint')
  const name = await missing()
  if (name === undefined) return
  throw new StatsStoreError('damaged', `Rows of batch ${scope.batchNo} in ${name} are not there after their commit.`)
}

/** Appends whole column vectors, several times faster than single values. */
async function appendRows(
  connection: DuckDBConnection,
  name: FactTable,
  rows: readonly (readonly Cell[])[],
): Promise<void> {
  const columns = TABLES[name].columns
  const types = columns.map(([, type]) => (type === 'Date' ? DATE : BIGINT))
  const days = new Map<Cell | undefined, DuckDBDateValue>()
  const dayValue = (text: Cell | undefined): DuckDBDateValue => {
    const known = days.get(text) ?? new DuckDBDateValue(epochDay(String(text)))
    days.set(text, known)
    return known
  }
  const appender = await connection.createAppender(`staged_${name}`, 'main', 'temp')
  try {
    for (let start = 0; start < rows.length; start += CHUNK_ROWS) {
      const slice = rows.slice(start, start + CHUNK_ROWS)
      const chunk = DuckDBDataChunk.create(types, slice.length)
      columns.forEach(([column, type, nullable], index) => {
        const values = slice.map(row => row[index])
        if (!nullable && values.some(value => value === null)) throw new RangeError(`${name}.${column} is null`)
        chunk.setColumnValues(index, type === 'Date' ? values.map(dayValue) : (values as (bigint | null)[]))
      })
      appender.appendDataChunk(chunk)
    }
  } finally {
    appender.closeSync()
  }
}
