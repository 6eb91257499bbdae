import { needsCleaning } from '../checking/column-checks.ts'
import { type ContentDataset, DATASET_COLUMNS } from '../checking/dataset-columns.ts'
import { arrayLiterals } from './array-literals.ts'
import { type EngineRow, type ReadingEngine, text } from './reading-engine.ts'

/** The good rows of a delivery of articles or videos in a Parquet file, numbered in the order of their ids. */
export interface ContentFile {
  readonly dataset: ContentDataset
  readonly file: string
  readonly rows: bigint
  /** At most {@link CONTENTS_AT_ONCE}; fewer where long rows would not fit into memory. */
  readonly rowsPerPage: bigint
}

export const CONTENT_IDS = { articles: 'article_id', videos: 'video_id' } as const satisfies Record<
  ContentDataset,
  string
>

/**
 * The most rows of a page, which is what one statement writes to PostgreSQL; a multiple of the 2,048 rows that the engine
 * works with. The file has row groups of the same size, so that a page does not unpack the rows of others.
 */
export const CONTENTS_AT_ONCE = 6144n
/** The engine and the driver hold some copies of a page, and the next page is read ahead. */
const PAGE_BYTES = 32n * 1024n * 1024n

/**
 * Writes the good rows, with texts in the form in which they are stored.
 * @param clean the stored form of the texts of a row, by column
 */
export async function writeContentFile(
  engine: ReadingEngine,
  dataset: ContentDataset,
  workDir: string,
  clean: (row: EngineRow) => Readonly<Record<string, string>>,
): Promise<ContentFile> {
  const file = `${workDir}/${dataset}.parquet`
  const id = CONTENT_IDS[dataset]
  const rowsPerPage = await countRowsPerPage(engine, dataset)
  const cleaned = await cleanTexts(engine, dataset, rowsPerPage, clean)
  const columns = DATASET_COLUMNS[dataset].map(({ name }) =>
    cleaned.includes(name) ? `coalesce(c.${name}, g.${name}) as ${name}` : `g.${name}`,
  )
  const from = cleaned.length > 0 ? 'good g left join cleaned c using (row_no)' : 'good g'
  const rows = await engine.count(
    `copy (select row_number() over (order by g.${id}) - 1 as place, ${columns.join(', ')} from ${from} order by g.${id}) ` +
      `to ${text(file)} (format parquet, row_group_size ${rowsPerPage})`,
  )
  return { dataset, file, rows, rowsPerPage }
}

/** How many rows fit into a page if all of them are as long as the longest. */
async function countRowsPerPage(engine: ReadingEngine, dataset: ContentDataset): Promise<bigint> {
  const lengths = DATASET_COLUMNS[dataset].map(({ name }) => `coalesce(strlen(cast(${name} as varchar)), 0)`)
  const longest = await engine.count(`select max(${lengths.join(' + ')}) from good`)
  const fitting = PAGE_BYTES / (longest + 1n)
  return fitting < 1n ? 1n : fitting > CONTENTS_AT_ONCE ? CONTENTS_AT_ONCE : fitting
}

/**
 * Makes the table `cleaned` of the rows whose texts are not stored as they were delivered. They are few, so only their
 * texts leave the engine.
 * @returns the columns of that table; none when all rows are clean
 */
async function cleanTexts(
  engine: ReadingEngine,
  dataset: ContentDataset,
  rowsPerPage: bigint,
  clean: Parameters<typeof writeContentFile>[3],
): Promise<readonly string[]> {
  const texts = DATASET_COLUMNS[dataset].flatMap(column => {
    const condition = needsCleaning(column)
    return condition === undefined ? [] : [{ name: column.name, condition }]
  })
  const names = texts.map(({ name }) => name)
  const conditions = texts.map(({ condition }) => `coalesce(${condition}, false)`)
  await engine.run(
    `create table unclean as select row_no, ${names.join(', ')} from good where ${conditions.join(' or ')}`,
  )
  const count = await engine.count('select count(*) from unclean')
  if (count === 0n) return []
  await engine.run(`create table cleaned (row_no bigint, ${names.map(name => `${name} varchar`).join(', ')})`)
  for (let from = 0n; from < count; from += rowsPerPage) {
    const rows = await engine.rows(`select * from unclean where rowid >= ${from} and rowid < ${from + rowsPerPage}`)
    await engine.append(
      'cleaned',
      rows.map(row => {
        const shown = clean(row)
        return [row.row_no as bigint, ...names.map(name => (row[name] === null ? null : shown[name]!))] as const
      }),
    )
  }
  return names
}

/** The columns of some rows as PostgreSQL array literals, by name. */
export type ContentPage = Readonly<Record<string, string>>

/**
 * The rows of the file in pages, in order. The next page is read while the caller works on
 * the current one.
 */
export async function* readContentFile(
  engine: ReadingEngine,
  { file, rows, rowsPerPage }: ContentFile,
  columns: Parameters<typeof arrayLiterals>[0],
): AsyncIterable<ContentPage> {
  const read = async (from: bigint) => {
    const relation = `read_parquet(${text(file)}) where place >= ${from} and place < ${from + rowsPerPage}`
    const [page] = await engine.rows(arrayLiterals(columns, relation, 'place'))
    return page as ContentPage
  }
  let next: Promise<ContentPage> | undefined = read(0n)
  try {
    for (let from = rowsPerPage; next; from += rowsPerPage) {
      const page = await next
      next = from < rows ? read(from) : undefined
      next?.catch(() => {}) // awaited later; meanwhile its rejection must not count as unhandled
      yield page
    }
  } finally {
    // The caller closes the engine next, so the read-ahead must have ended.
    await next?.catch(() => {})
  }
}
