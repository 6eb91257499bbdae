import { BIGINT, DATE, type DuckDBConnection, DuckDBDataChunk, DuckDBDateValue } from '@duckdb/node-api'
import { firstDayOf, lastDayOf, type YearMonth } from '@pc/domain/month/year-month.ts'
import { duckDbDialect, epochDay, select } from './duckdb-dialect.ts'
import { duckDbError } from './duckdb-error.ts'
import type { ImportRun, ImportScope, Row } from './port.ts'
import { checkStaged, checksum, inMonths, replacedRows, rollUp } from './publication.ts'
import type { ReaderGate } from './reader-gate.ts'
import { type Dialect, type Sql, sql, table } from './sql.ts'
import { FACT_TABLES, type FactTable, ROLL_UP_TABLES, TABLES } from './tables.ts'

const STAGING = duckDbDialect(name => `temp.main.staged_${name}`)
const CHUNK_ROWS = 2048

type Cell = bigint | string | null

export function columnDefinitions(name: keyof typeof TABLES): string {
  return TABLES[name].columns
    .map(([column, type, nullable]) => `${column} ${type}${nullable ? '' : ' not null'}`)
    .join(', ')
}

/** One import on a connection of its own: staged in temporary tables, published in one transaction. */
export async function beginDuckDbImport(
  connection: DuckDBConnection,
  published: Dialect,
  gate: ReaderGate,
  scope: ImportScope,
  release: () => void,
): Promise<ImportRun> {
  let isOpen = true
  let lastStep: Promise<unknown> = Promise.resolve()

  for (const name of FACT_TABLES) {
    await connection.run(`create temp table staged_${name} (${columnDefinitions(name)})`)
  }

  /** Steps of one run never overlap: they share one connection and one transaction. */
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
    append: (name, rows) => inTurn(() => appendRows(connection, name, rows)),
    load: (name, parquetFile) =>
      inTurn(async () => {
        const columns = TABLES[name].columns.map(([column]) => column).join(', ')
        const file = parquetFile.replaceAll("'", "''")
        await connection.run(`insert into temp.main.staged_${name} select ${columns} from read_parquet('${file}')`)
      }),
    query: statement => inTurn(() => select(connection, statement, STAGING)),
    publish: () =>
      inTurn(async () => {
        const filled = await checkStaged(scope, statement => select(connection, statement, STAGING))
        await connection.run('begin transaction')
        try {
          await moveRows(connection, published, scope, filled)
          // While DuckDB (1.5.6) commits rows that several threads inserted, other transactions already see them beside
          // the rows that they replace: measured, and shown by the test of readers beside an import. So nobody reads
          // during the commit itself.
          await gate.write(() => connection.run('commit').then(() => undefined))
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

async function moveRows(
  connection: DuckDBConnection,
  published: Dialect,
  scope: ImportScope,
  filled: ReadonlySet<FactTable>,
): Promise<void> {
  const run = (statement: Sql): Promise<Row[]> => select(connection, statement, published)
  const ledger = published.fragments.table('import_ledger')
  await connection.run(
    `delete from ${ledger} where batch_no in (${[scope.batchNo, ...scope.replacesBatchNos].join(', ')})`,
  )
  for (const name of FACT_TABLES) {
    await run(sql`delete from ${table(name)} where ${replacedRows(scope)}`)
    if (!filled.has(name)) continue
    await insertByMonth(connection, published, name, scope.months)
    const [content] = await select(
      connection,
      sql`select count(*) as row_count, ${checksum(name)} as content from ${table(name)}`,
      STAGING,
    )
    await connection.run(
      `insert into ${ledger} values (${scope.batchNo}, '${name}', ${content!.row_count}, ${content!.content})`,
    )
  }
  for (const name of ROLL_UP_TABLES) {
    await run(sql`delete from ${table(name)} where ${inMonths(scope.months)}`)
    await run(sql`insert into ${table(name)} ${rollUp(name, inMonths(scope.months))}`)
  }
}

/**
 * Month after month, each in the order of the table's key: so a report skips the months and publishers that it does not
 * ask for, and sorting needs the memory of one month only.
 */
async function insertByMonth(
  connection: DuckDBConnection,
  published: Dialect,
  name: FactTable,
  months: readonly YearMonth[],
): Promise<void> {
  const into = published.fragments.table(name)
  const order = TABLES[name].key.join(', ')
  for (const month of [...new Set(months)].sort((a, b) => a - b)) {
    const days = `date between date '${firstDayOf(month)}' and date '${lastDayOf(month)}'`
    await connection.run(`insert into ${into} select * from temp.main.staged_${name} where ${days} order by ${order}`)
  }
}

/** Writes whole chunks of column vectors, which is several times faster than value by value. */
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
