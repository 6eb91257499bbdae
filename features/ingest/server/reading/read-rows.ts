import { absentColumnSql, type ColumnSql, columnSql, quoted, type Today } from '../checking/column-checks.ts'
import type { DatasetColumn } from '../checking/dataset-columns.ts'
import type { IngestLimits } from '../ingest-limits.ts'
import { INGEST_MESSAGES } from '../ingest-messages.ts'
import { IngestRefusal } from '../ingest-refusal.ts'
import { checkColumnNames, csvHeader } from './csv-header.ts'
import { locateRecords } from './locate-records.ts'
import { type ReadingEngine, text } from './reading-engine.ts'
import type { Source } from './source-files.ts'

/** The delivery as tables of the reading engine. */
export interface RowsRead {
  /** In the order of the dataset's columns; bit n of `parsed.bad` stands for column n. */
  readonly columns: readonly ColumnSql[]
  /** The delivery as it came, for the texts of wrong rows; its rows are those of `parsed`, in the same order. */
  readonly relation: string
  readonly rows: bigint
  /** CSV records that the engine could not split into columns; they are not in `parsed`. */
  readonly rejects: bigint
}

/**
 * Reads a delivery into the table `parsed`: one typed column per dataset column, and `bad`, the columns that are wrong.
 * Its row numbers (`rowid`, from 0) follow the file.
 * @param now absent when a batch that was accepted once is read again
 * @throws IngestRefusal when the file as a whole is not of the dataset.
 */
export async function readRows(
  engine: ReadingEngine,
  source: Source,
  columns: readonly DatasetColumn[],
  now: Today | undefined,
  limits: IngestLimits,
): Promise<RowsRead> {
  const call = await readCallOf(engine, source, columns, limits)
  const sqls = columns.map(column => {
    const type = call.types.get(column.name)
    if (type === undefined) return absentColumnSql(column)
    const sql = columnSql(column, type, now)
    if (!sql) throw new IngestRefusal('ingest/parquet-type', INGEST_MESSAGES.parquetType(column, type))
    return sql
  })
  // One bit of a 32-bit number for each column; no dataset has more (`checking/column-tables.test.ts`).
  const bits = sqls.map((sql, at) => `case when ${sql.isWrong} then ${2 ** at} else 0 end`)
  const values = sqls.map(sql => `${sql.value} as ${quoted(sql.column.name)}`)
  await readable(() =>
    engine.run(
      `create table parsed as select ${values.join(', ')}, cast(${bits.join(' + ')} as uinteger) as bad from ${call.read}`,
    ),
  )
  const rows = await engine.count('select count(*) from parsed')
  const rejects = source.format === 'csv' ? await countRejectedRecords(engine, source) : 0n
  return { columns: sqls, relation: call.again, rows, rejects }
}

/** Counts records rather than error rows: the engine may report one wrongly quoted record in several pieces. */
async function countRejectedRecords(engine: ReadingEngine, source: Source): Promise<bigint> {
  const pieces = await engine.rows(
    'select distinct line_byte_position as starts_at from reject_errors order by starts_at',
  )
  if (pieces.length === 0) return 0n
  const positions = pieces.map(({ starts_at: startsAt }) => startsAt as bigint)
  const { rejectedLines } = locateRecords(source.contentFile, { quotes: true, header: true }, [], positions)
  return BigInt(new Set(rejectedLines).size)
}

interface ReadCall {
  /** The engine's table function that reads the file, and the same for a second pass. */
  readonly read: string
  readonly again: string
  /** Engine types of the columns that the delivery has. */
  readonly types: ReadonlyMap<string, string>
}

async function readCallOf(
  engine: ReadingEngine,
  source: Source,
  columns: readonly DatasetColumn[],
  limits: IngestLimits,
): Promise<ReadCall> {
  const file = text(source.contentFile)
  const given = await columnsOf(engine, source, limits)
  const names = given.map(({ name }) => name)
  checkColumnNames(names, columns)
  const types = new Map(given.map(({ name, type }) => [name, type]))
  if (source.format === 'parquet') return { read: `read_parquet(${file})`, again: `read_parquet(${file})`, types }
  const shape = names.map(name => `${text(name)}: 'VARCHAR'`).join(', ')
  if (source.format === 'ndjson') {
    const read = `read_json(${file}, format = 'newline_delimited', compression = 'uncompressed', columns = {${shape}}, ignore_errors = true, maximum_object_size = ${limits.recordBytes})`
    return { read, again: read, types }
  }
  const csv = (rejects: string) =>
    `read_csv(${file}, auto_detect = false, header = true, delim = ',', quote = '"', escape = '"', comment = '', ` +
    `compression = 'uncompressed', columns = {${shape}}, max_line_size = ${limits.recordBytes}, ${rejects})`
  return {
    read: csv('store_rejects = true'),
    // Not `ignore_errors`: it stops at a wrong quote, where `store_rejects` goes on with the next record.
    again: csv("store_rejects = true, rejects_table = 'reject_errors_again', rejects_scan = 'reject_scans_again'"),
    types,
  }
}

export interface GivenColumn {
  readonly name: string
  /** The engine's. */
  readonly type: string
}

/**
 * The columns of a delivery in the order of the file; a name may occur twice.
 * @param maxObjects the number of NDJSON objects whose keys are read; absent: all
 */
export async function columnsOf(
  engine: ReadingEngine,
  source: Source,
  limits: IngestLimits,
  maxObjects?: number,
): Promise<GivenColumn[]> {
  const file = text(source.contentFile)
  if (source.format === 'parquet') {
    const described = await readable(() => engine.rows(`describe select * from read_parquet(${file})`))
    return described.map(row => ({ name: String(row.column_name), type: String(row.column_type) }))
  }
  const names = source.format === 'csv' ? csvHeader(source.head) : await ndjsonKeys(engine, file, limits, maxObjects)
  return names.map(name => ({ name, type: 'VARCHAR' }))
}

/** Every key that any object of the file has, so that a misspelt key is reported and not silently ignored. */
async function ndjsonKeys(
  engine: ReadingEngine,
  file: string,
  limits: IngestLimits,
  maxObjects: number | undefined,
): Promise<string[]> {
  const objects = `read_ndjson_objects(${file}, compression = 'uncompressed', ignore_errors = true, maximum_object_size = ${limits.recordBytes})`
  const some = maxObjects === undefined ? objects : `(select json from ${objects} limit ${maxObjects})`
  const rows = await readable(() =>
    engine.rows(
      `select distinct unnest(keys) as name from (select distinct json_keys(json) as keys from ${some} where json_type(json) = 'OBJECT')`,
    ),
  )
  return rows.map(row => String(row.name))
}

/** Turns an error of the engine into a refusal: a file that it cannot read is the sender's fault. */
async function readable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Error) || /out of memory|no space|could not write|disk/i.test(error.message)) throw error
    const [what = ''] = error.message.split('\n')
    throw new IngestRefusal('ingest/damaged', INGEST_MESSAGES.unreadable(withoutPaths(what)))
  }
}

function withoutPaths(message: string): string {
  return message.replace(/["']?\/[^\s"':,]+["']?/g, 'file').slice(0, 200)
}
