import { CONTENT_KEYS, type ContentConflict, type ContentKeys } from '../content-store.ts'
import type { RowErrorCode } from '../ingest-messages.ts'
import { arrayLiterals } from '../reading/array-literals.ts'
import { type ReadingEngine, text } from '../reading/reading-engine.ts'
import { quoted } from './column-checks.ts'
import {
  type ContentDataset,
  DATASET_COLUMNS,
  DATASET_KEYS,
  type Dataset,
  type DatasetColumn,
  isContentDataset,
} from './dataset-columns.ts'
import { MAX_COUNT } from './figure-limits.ts'

/** The master data and contents that a delivery's rows are checked against. */
export interface KnownIds {
  readonly media: readonly bigint[]
  readonly publishers: readonly bigint[]
  /** Keys that contradict stored articles or videos, for example an id that belongs to another medium. */
  findConflicts(dataset: ContentDataset, keys: ContentKeys): Promise<readonly ContentConflict[]>
}

/** A check over whole rows. Its bit in `parsed.bad` follows those of the columns, in the order of the list. */
export interface RowCheck {
  /** Empty: the row as a whole. */
  readonly column: string
  readonly code: RowErrorCode
  /** True where the row is wrong; over `parsed`. */
  readonly condition: string
}

/**
 * Marks rows of `parsed` whose values are valid one by one but wrong as a row: unknown master data, wrong cells,
 * contradictions, duplicate keys. Also creates the table `<column>_cells` of every cell column.
 * @param known absent when a batch that was accepted once is read again
 */
export async function checkRows(
  engine: ReadingEngine,
  dataset: Dataset,
  known: KnownIds | undefined,
): Promise<RowCheck[]> {
  const columns = DATASET_COLUMNS[dataset]
  const checks: RowCheck[] = []
  const mark = async (check: RowCheck) => {
    const bit = 2 ** (columns.length + checks.length)
    checks.push(check)
    // Counts first: usually nothing is wrong, and an update would rewrite the column.
    const isNew = `(bad & ${bit}) = 0 and (${check.condition})`
    if ((await engine.count(`select count(*) from parsed where ${isNew}`)) > 0n) {
      await engine.run(`update parsed set bad = bad | ${bit} where ${isNew}`)
    }
  }
  if (known) {
    for (const check of await knownIdChecks(engine, columns, known)) await mark(check)
  }
  for (const column of columns) {
    if (column.type.kind === 'cells')
      for (const check of await cellChecks(engine, column, known !== undefined)) await mark(check)
  }
  for (const check of FIGURE_CHECKS[dataset] ?? []) await mark(check)
  if (isContentDataset(dataset)) {
    for (const check of doubledIdChecks(dataset)) await mark(check)
    if (known) for (const check of await conflictChecks(engine, dataset, known)) await mark(check)
    return checks
  }
  const doubled = await doubledKeyCheck(engine, dataset)
  if (doubled) await mark(doubled)
  return checks
}

async function knownIdChecks(
  engine: ReadingEngine,
  columns: readonly DatasetColumn[],
  known: KnownIds,
): Promise<RowCheck[]> {
  const lists = { medium: known.media, publisher: known.publishers }
  const checks: RowCheck[] = []
  for (const { name, type } of columns) {
    if (type.kind !== 'id' || !type.known) continue
    const table = `known_${type.known}`
    await engine.run(`create table ${table} as select unnest([${lists[type.known].join(', ')}]::bigint[]) as id`)
    checks.push({
      column: name,
      code: `unknown-${type.known}`,
      condition: `${name} >= 1 and ${name} not in (select id from ${table})`,
    })
  }
  return checks
}

/** A row's list of cells must be JSON, of known ids and whole counts, each combination of ids once. */
async function cellChecks(engine: ReadingEngine, column: DatasetColumn, isNew: boolean): Promise<RowCheck[]> {
  if (column.type.kind !== 'cells') return []
  const { ids, counts } = column.type
  const max = isNew ? MAX_COUNT : Number.MAX_SAFE_INTEGER
  const name = quoted(column.name)
  const source = quoted(`${column.name}_source`)
  const cells = quoted(`${column.name}_cells`)
  // Materialised first: the engine must not parse what the condition excludes.
  await engine.run(
    `create table ${source} as select rowid as row_no, ${name} as cells, coalesce(json_valid(${name}), false) as is_json from parsed where ${name} is not null`,
  )
  await engine.run(`update ${source} set is_json = false where is_json and json_type(cells) <> 'ARRAY'`)
  const fields = [...Object.keys(ids), ...counts]
  const shape = JSON.stringify([Object.fromEntries(fields.map(field => [field, 'VARCHAR']))])
  const integer = (field: string) => {
    const given = `cell.${quoted(field)}`
    return `case when cast(try_cast(${given} as bigint) as varchar) = ${given} then try_cast(${given} as bigint) end as ${quoted(field)}`
  }
  await engine.run(
    `create table ${cells} as select row_no, ${fields.map(integer).join(', ')} ` +
      `from (select row_no, unnest(from_json(cells, ${text(shape)})) as cell from ${source} where is_json)`,
  )
  const wrong = [
    ...Object.entries(ids).map(([id, max]) => `coalesce(${quoted(id)} not between 0 and ${max}, true)`),
    ...counts.map(count => `coalesce(${quoted(count)} not between 0 and ${max}, true)`),
  ].join(' or ')
  const key = ['row_no', ...Object.keys(ids).map(quoted)].join(', ')
  const badRows = quoted(`${column.name}_bad`)
  await engine.run(
    `create table ${badRows} as select distinct row_no from ${cells} where ${wrong} ` +
      `union select row_no from ${cells} group by ${key} having count(*) > 1`,
  )
  const inRows = (rows: string) => `parsed.rowid in (${rows})`
  return [
    { column: column.name, code: 'cells-json', condition: inRows(`select row_no from ${source} where not is_json`) },
    { column: column.name, code: 'cells-value', condition: inRows(`select row_no from ${badRows}`) },
  ]
}

const ARTICLE_CHECKS: readonly RowCheck[] = [
  { column: 'engaged_time_ms', code: 'without-watches', condition: 'engaged_time_ms > 0 and watch = 0 and bad = 0' },
  { column: 'completion', code: 'more-than-watches', condition: 'completion > watch and bad = 0' },
]
const EVENT_CHECKS: readonly RowCheck[] = [
  { column: 'article_id', code: 'needed-for-kind', condition: `kind = 'article' and article_id is null and bad = 0` },
  { column: 'video_id', code: 'needed-for-kind', condition: `kind = 'video' and video_id is null and bad = 0` },
  { column: 'article_id', code: 'not-for-kind', condition: `kind in ('video', 'live') and article_id is not null` },
  { column: 'video_id', code: 'not-for-kind', condition: `kind = 'article' and video_id is not null` },
  { column: 'watched_ms', code: 'watch-only', condition: `type <> 'watch' and watched_ms is not null` },
]

const FIGURE_CHECKS: Readonly<Partial<Record<Dataset, readonly RowCheck[]>>> = {
  'article-daily': ARTICLE_CHECKS,
  events: EVENT_CHECKS,
}

/** Every row with a duplicate name is wrong, as with duplicate keys below. */
function doubledIdChecks(dataset: ContentDataset): RowCheck[] {
  const doubled = (column: string, key: string, code: RowErrorCode): RowCheck => ({
    column,
    code,
    condition: `bad = 0 and (${key}) in (select (${key}) from parsed where bad = 0 group by all having count(*) > 1)`,
  })
  return dataset === 'articles'
    ? [
        doubled('article_id', 'article_id', 'doubled-id'),
        doubled('medium_article_id', 'medium_id, medium_article_id', 'doubled-own-id'),
      ]
    : [doubled('video_id', 'video_id', 'doubled-id')]
}

/** Keys that are compared with PostgreSQL in one statement. */
const KEYS_AT_ONCE = 5000n

async function conflictChecks(engine: ReadingEngine, dataset: ContentDataset, known: KnownIds): Promise<RowCheck[]> {
  await engine.run('create table conflicts (row_no bigint, code varchar)')
  const isArticles = dataset === 'articles'
  const count = await engine.count('select count(*) from parsed')
  for (let from = 0n; from < count; from += KEYS_AT_ONCE) {
    const rows = `parsed where bad = 0 and rowid >= ${from} and rowid < ${from + KEYS_AT_ONCE}`
    const [keys] = await engine.rows(arrayLiterals(CONTENT_KEYS[dataset], rows, 'rowid'))
    if (keys === undefined || keys.row_no === null) continue
    const found = await known.findConflicts(dataset, keys as ContentKeys)
    if (found.length > 0) {
      const values = found.map(({ rowNo, code }) => `(${rowNo}, ${text(code)})`)
      await engine.run(`insert into conflicts values ${values.join(', ')}`)
    }
  }
  const check = (column: string, code: ContentConflict['code']): RowCheck => ({
    column,
    code,
    condition: `rowid in (select row_no from conflicts where code = ${text(code)})`,
  })
  return [
    check('medium_id', 'other-medium'),
    check('publisher_id', 'other-publisher'),
    ...(isArticles
      ? [
          check('publisher_id', 'removed-of-other'),
          check('medium_article_id', 'own-id-taken'),
          check('feed_id', 'unknown-feed'),
          check('feed_id', 'feed-of-others'),
        ]
      : []),
  ]
}

/** All rows that share a key are wrong: nothing tells which one is right. */
async function doubledKeyCheck(engine: ReadingEngine, dataset: Dataset): Promise<RowCheck | undefined> {
  const keys = DATASET_KEYS[dataset]
  if (keys.length === 0) return undefined
  await engine.run(
    `create table doubled_keys as select ${keys.join(', ')} from parsed where bad = 0 group by all having count(*) > 1`,
  )
  if ((await engine.count('select count(*) from doubled_keys')) === 0n) return undefined
  const same = keys.map(key => `d.${key} = parsed.${key}`).join(' and ')
  return {
    column: '',
    code: 'doubled-key',
    condition: `bad = 0 and exists (select 1 from doubled_keys d where ${same})`,
  }
}
