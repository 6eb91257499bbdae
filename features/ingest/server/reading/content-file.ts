import { type ContentDataset, DATASET_COLUMNS } from '../checking/dataset-columns.ts'
import { type EngineRow, type ReadingEngine, text } from './reading-engine.ts'

/** The good rows of a delivery of articles or videos in a Parquet file, numbered in the order of their ids. */
export interface ContentFile {
  readonly dataset: ContentDataset
  readonly file: string
  readonly rows: bigint
}

export const CONTENT_IDS = { articles: 'article_id', videos: 'video_id' } as const satisfies Record<
  ContentDataset,
  string
>

/** Rows per statement, both when they are read here and when they are written to PostgreSQL. */
export const CONTENTS_AT_ONCE = 5000n

export async function writeContentFile(
  engine: ReadingEngine,
  dataset: ContentDataset,
  workDir: string,
): Promise<ContentFile> {
  const file = `${workDir}/${dataset}.parquet`
  const id = CONTENT_IDS[dataset]
  const columns = DATASET_COLUMNS[dataset].map(({ name }) => name)
  const rows = await engine.count(
    `copy (select row_number() over (order by ${id}) - 1 as place, ${columns.join(', ')} from good order by ${id}) ` +
      `to ${text(file)} (format parquet)`,
  )
  return { dataset, file, rows }
}

/**
 * The rows of the file in pages of {@link CONTENTS_AT_ONCE}, in order. The next page is read while the caller works on
 * the current one.
 */
export async function* readContentFile(engine: ReadingEngine, { file, rows }: ContentFile): AsyncIterable<EngineRow[]> {
  const read = (from: bigint) =>
    engine.rows(
      `select * exclude (place) from read_parquet(${text(file)}) ` +
        `where place >= ${from} and place < ${from + CONTENTS_AT_ONCE} order by place`,
    )
  let next: Promise<EngineRow[]> | undefined = read(0n)
  try {
    for (let from = CONTENTS_AT_ONCE; next; from += CONTENTS_AT_ONCE) {
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
