import type { DatasetColumn } from '../checking/dataset-columns.ts'
import { INGEST_MESSAGES } from '../ingest-messages.ts'
import { IngestRefusal } from '../ingest-refusal.ts'
import { HEAD_BYTES, withoutBom } from './content-format.ts'

/**
 * The column names of a CSV file, from its first bytes.
 * @throws IngestRefusal when the first line is not a readable header.
 */
export function csvHeader(head: Buffer): string[] {
  const bytes = withoutBom(head)
  const end = bytes.indexOf(0x0a)
  if (end < 0 && head.length >= HEAD_BYTES) throw new IngestRefusal('ingest/header', INGEST_MESSAGES.headerTooLong)
  const line = decoded(end < 0 ? bytes : bytes.subarray(0, end)).replace(/\r$/, '')
  return splitRecord(line).map(name => name.trim())
}

/** @throws IngestRefusal when the names are not those of the dataset. */
export function checkColumnNames(given: readonly string[], columns: readonly DatasetColumn[]): void {
  const problems = columnProblems(given, columns)
  if (problems.length) throw new IngestRefusal('ingest/header', problems.join(''))
}

/** Differences from the dataset's column names, as Japanese sentences; empty when there are none. */
export function columnProblems(given: readonly string[], columns: readonly DatasetColumn[]): string[] {
  const known = new Set(columns.map(column => column.name))
  const doubled = given.filter((name, at) => given.indexOf(name) !== at)
  const unknown = given.filter(name => !known.has(name))
  const missing = columns.filter(column => column.presence === 'column' && !given.includes(column.name))
  return [
    ...(missing.length ? [INGEST_MESSAGES.missingColumns(missing.map(column => column.name))] : []),
    ...(unknown.length ? [INGEST_MESSAGES.unknownColumns([...new Set(unknown)].slice(0, 10), [...known])] : []),
    ...(doubled.some(name => known.has(name))
      ? [INGEST_MESSAGES.doubledColumns([...new Set(doubled)].filter(name => known.has(name)))]
      : []),
  ]
}

function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new IngestRefusal('ingest/header', INGEST_MESSAGES.headerNotUtf8)
  }
}

/** Splits one CSV line. A quoted name with a line break is cut, and so becomes an unknown column. */
function splitRecord(line: string): string[] {
  const fields: string[] = []
  const field = /(?:"((?:[^"]|"")*)"|([^,]*))(,|$)/y
  while (field.lastIndex <= line.length) {
    const match = field.exec(line)
    if (!match) return [line]
    fields.push(match[1] === undefined ? (match[2] ?? '') : match[1].replaceAll('""', '"'))
    if (match[3] === '') break
  }
  return fields
}
