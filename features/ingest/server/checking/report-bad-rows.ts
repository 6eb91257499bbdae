import { type RowErrorCode, rowErrorMessage } from '../ingest-messages.ts'
import type { BadRow } from '../ingest-refusal.ts'
import { locateRecords } from '../reading/locate-records.ts'
import type { RowsRead } from '../reading/read-rows.ts'
import { type EngineRow, type ReadingEngine, text } from '../reading/reading-engine.ts'
import type { Source } from '../reading/source-files.ts'
import type { RowCheck } from './check-rows.ts'
import { ABSENT, quoted } from './column-checks.ts'
import type { DatasetColumn } from './dataset-columns.ts'

const REJECT_CODES: Readonly<Record<string, RowErrorCode>> = {
  'MISSING COLUMNS': 'line-columns-missing',
  'TOO MANY COLUMNS': 'line-columns-extra',
  'UNQUOTED VALUE': 'line-quote',
  'INVALID STATE': 'line-quote',
  'INVALID ENCODING': 'line-encoding',
  'LINE SIZE OVER MAXIMUM': 'line-too-long',
}
const SOURCE_TEXT_LENGTH = 500

/** The number of wrong rows; a row with several errors counts once. */
export async function countBadRows(engine: ReadingEngine, read: RowsRead): Promise<bigint> {
  return read.rejects + (await engine.count('select count(*) from parsed where bad <> 0'))
}

/** The first `limit` errors in the order of the file, at most one per line and column. */
export async function reportBadRows(
  engine: ReadingEngine,
  source: Source,
  read: RowsRead,
  checks: readonly RowCheck[],
  limit: number,
): Promise<BadRow[]> {
  const errors = await columnErrors(engine, read, checks, limit)
  const rejects = source.format === 'csv' ? await engine.rows(REJECTS) : []
  const place = placeRows(source, errors, rejects)
  const byName = new Map(read.columns.map(({ column }) => [column.name, column]))
  const wholeRow = read.columns[0]!.column
  const found = [
    ...errors.map(error =>
      badRow(place.line(error.row_no as bigint), error, byName.get(String(error.name)) ?? wholeRow),
    ),
    ...rejects.map((reject, at) => rejectedRow(place.rejectedLines[at] ?? 0, reject, wholeRow)),
  ]
  const isNew = new Set<string>()
  return found
    .sort((a, b) => a.line - b.line)
    .filter(({ line, column }) => !isNew.has(`${line} ${column}`) && isNew.add(`${line} ${column}`))
    .slice(0, limit)
}

const REJECTS =
  `select min_by(error_type::varchar, column_idx) as error_type, line_byte_position, any_value(csv_line) as csv_line ` +
  `from reject_errors group by line_byte_position order by line_byte_position`

async function columnErrors(
  engine: ReadingEngine,
  read: RowsRead,
  checks: readonly RowCheck[],
  limit: number,
): Promise<EngineRow[]> {
  // One row can hold an error per column: this many rows hold at least `limit` errors.
  await engine.run(
    `create or replace table bad_rows as select rowid as row_no, bad from parsed where bad <> 0 order by rowid limit ${limit}`,
  )
  await engine.run(
    `create or replace table bad_source as select s.*, b.bad from ` +
      `(select *, row_number() over () - 1 as row_no from ${read.relation}) s join bad_rows b using (row_no)`,
  )
  const present = read.columns.filter(({ raw }) => raw !== ABSENT)
  const sourceText = `to_json(struct_pack(${present.map(({ column, raw }) => `${quoted(column.name)} := ${raw}`).join(', ')}))`
  const select = (bit: number, column: DatasetColumn | undefined, code: string, value: string) =>
    `select row_no, ${text(column?.name ?? '')} as name, ${bit} as place, ${code} as code, coalesce(${value}, '') as value, ` +
    `cast(${sourceText} as varchar) as source_text from bad_source where (bad & ${2 ** bit}) <> 0`
  const parts = read.columns.map(({ column, code, raw }, at) => select(at, column, code, raw))
  for (const [at, check] of checks.entries()) {
    const sql = read.columns.find(({ column }) => column.name === check.column)
    parts.push(select(read.columns.length + at, sql?.column, text(check.code), sql?.raw ?? `''`))
  }
  // A line that is no JSON object has no value at all.
  const isNothing = present.map(({ raw }) => `${raw} is null`).join(' and ')
  return engine.rows(
    `with errors as (${parts.join(' union all ')}), nothing as (select row_no from bad_source where ${isNothing}) ` +
      `select row_no, case when n.row_no is null then name else '' end as name, value, source_text, ` +
      `case when n.row_no is null then code else 'line-json' end as code ` +
      `from errors left join nothing n using (row_no) order by row_no, place limit ${limit}`,
  )
}

function placeRows(source: Source, errors: readonly EngineRow[], rejects: readonly EngineRow[]) {
  if (source.format === 'parquet') return { line: (row: bigint) => Number(row) + 1, rejectedLines: [] }
  const rows = [...new Set(errors.map(error => error.row_no as bigint))]
  const isCsv = source.format === 'csv'
  const places = locateRecords(
    source.contentFile,
    { quotes: isCsv, header: isCsv },
    rows,
    rejects.map(reject => reject.line_byte_position as bigint),
  )
  return { line: (row: bigint) => places.lineOfRow.get(row) ?? 0, rejectedLines: places.rejectedLines }
}

function badRow(line: number, error: EngineRow, column: DatasetColumn): BadRow {
  const message = rowErrorMessage(error.code as RowErrorCode, column, String(error.value))
  return {
    rowNo: error.row_no as bigint,
    line,
    column: String(error.name),
    message,
    sourceText: shortened(String(error.source_text)),
  }
}

function rejectedRow(line: number, reject: EngineRow, column: DatasetColumn): BadRow {
  const code = REJECT_CODES[String(reject.error_type)] ?? 'line-unreadable'
  return {
    rowNo: null,
    line,
    column: '',
    message: rowErrorMessage(code, column, ''),
    sourceText: shortened(String(reject.csv_line)),
  }
}

/** PostgreSQL text cannot hold NUL. */
function shortened(value: string): string {
  return value.trim().replaceAll('\0', '�').slice(0, SOURCE_TEXT_LENGTH)
}
