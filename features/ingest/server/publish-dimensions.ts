import { ARTICLE_LABEL_NOS } from '@pc/domain/report/article-label.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import type { DimensionRow } from '@pc/platform/stats/port.ts'
import { sql as statement, table } from '@pc/platform/stats/sql.ts'
import type { DimensionTable } from '@pc/platform/stats/tables.ts'
import { type RawBuilder, sql } from 'kysely'
import { CONTENT_TABLES } from './content-store.ts'
import type { ContentDataset } from './dataset-columns.ts'
import type { IngestContext } from './ingest-context.ts'

const CONTENTS_AT_ONCE = 5_000
/** Before the first batch: contents that came by no delivery count as batch 0. */
const NOTHING = -1n
const MOST_ID = 2n ** 63n - 1n

interface Content {
  readonly id: bigint
  readonly batchNo: bigint
}

/** What the statistics store is told of the contents of a dataset. */
interface Dimension<Read extends Content> {
  readonly name: DimensionTable
  readonly dataset: ContentDataset
  /** Columns of the content `a` beside its id and its batch. */
  readonly columns: RawBuilder<unknown>
  rowsOf(content: Read): DimensionRow[]
}

interface LabelledArticle extends Content {
  readonly publisherId: bigint
  /** Null: none was delivered. */
  readonly authors: readonly bigint[] | null
  readonly sections: readonly bigint[] | null
  readonly tags: readonly bigint[] | null
}
const LABELS: Dimension<LabelledArticle> = {
  name: 'article_label',
  dataset: 'articles',
  columns: sql`a.publisher_id,
    case when a.authors <> '[]' then app.article_label_ids(a.publisher_id, 'author', a.authors) end as authors,
    case when a.section <> '' then app.article_label_ids(a.publisher_id, 'section', jsonb_build_array(a.section)) end
      as sections,
    case when a.tags <> '[]' then app.article_label_ids(a.publisher_id, 'tag', a.tags) end as tags`,
  rowsOf({ id, publisherId, batchNo, authors, sections, tags }) {
    const rows = (kindNo: bigint, labelIds: readonly bigint[] | null) =>
      (labelIds ?? []).map(labelId => [publisherId, id, kindNo, labelId, batchNo])
    return [
      ...rows(ARTICLE_LABEL_NOS.author, authors),
      // Without a section as well: the store knows every article, and until which batch.
      ...rows(ARTICLE_LABEL_NOS.section, sections?.length ? sections : [0n]),
      ...rows(ARTICLE_LABEL_NOS.tag, tags),
    ]
  },
}

interface DatedContent extends Content {
  readonly createdUs: bigint
  readonly updatedUs: bigint
}
function moments(name: DimensionTable, dataset: ContentDataset): Dimension<DatedContent> {
  const microseconds = (column: string) => sql`(extract(epoch from a.${sql.raw(column)}) * 1000000)::bigint`
  return {
    name,
    dataset,
    columns: sql`${microseconds('created_at')} as created_us, ${microseconds('updated_at')} as updated_us`,
    rowsOf: ({ id, createdUs, updatedUs, batchNo }) => [[id, createdUs, updatedUs, batchNo]],
  }
}

type Context = Pick<IngestContext, 'database' | 'stats'>
const PUBLISHING: readonly {
  readonly dataset: ContentDataset
  readonly publish: (context: Context) => Promise<void>
}[] = [
  { dataset: 'articles', publish: context => publishDimension(context, LABELS) },
  { dataset: 'articles', publish: context => publishDimension(context, moments('article_moment', 'articles')) },
  { dataset: 'videos', publish: context => publishDimension(context, moments('video_moment', 'videos')) },
]

/**
 * Tells the statistics store what it keeps of the contents that batches have written since it was told last (`DIMENSIONS`):
 * authors, sections and tags of articles, and when articles and videos were delivered. It knows them up to the greatest
 * batch number in it, because batches get their numbers in the order in which they write. To be called inside of a turn to
 * import; repeating it changes nothing.
 */
export async function publishDimensions(context: Context, of?: ContentDataset): Promise<void> {
  for (const { dataset, publish } of PUBLISHING) if (of === undefined || of === dataset) await publish(context)
}

async function publishDimension<Read extends Content>(
  { database, stats }: Context,
  dimension: Dimension<Read>,
): Promise<void> {
  const [row] = await stats.query(statement`select max(batch_no) as known_until from ${table(dimension.name)}`)
  const knownUntil = (row?.known_until ?? NOTHING) as bigint
  const { table: contents, id } = sourceOf(dimension)
  const [newest] = await database.inScope(SYSTEM, async tx => {
    const found = sql<{ batchNo: bigint }>`select coalesce(batch_no, 0) as batch_no from ${contents}
      order by coalesce(batch_no, 0) desc, ${id} desc limit 1`
    return (await found.execute(tx)).rows
  })
  if (newest === undefined || newest.batchNo <= knownUntil) return
  await stats.putDimension(dimension.name, readRows(database, dimension, knownUntil))
}

function sourceOf({ dataset }: { readonly dataset: ContentDataset }) {
  return { table: sql.raw(CONTENT_TABLES[dataset]), id: sql.raw(dataset === 'articles' ? 'article_id' : 'video_id') }
}

async function* readRows<Read extends Content>(
  database: Database,
  dimension: Dimension<Read>,
  knownUntil: bigint,
): AsyncIterable<DimensionRow[]> {
  const { table: contents, id } = sourceOf(dimension)
  let after: Content = { batchNo: knownUntil, id: MOST_ID }
  for (;;) {
    const read = await database.inScope(SYSTEM, async tx => {
      const page = sql<Read>`
        select a.${id} as id, coalesce(a.batch_no, 0) as batch_no, ${dimension.columns} from ${contents} a
        where (coalesce(a.batch_no, 0), a.${id}) > (${after.batchNo}::bigint, ${after.id}::bigint)
        order by coalesce(a.batch_no, 0), a.${id} limit ${CONTENTS_AT_ONCE}`
      return (await page.execute(tx)).rows
    })
    const last = read.at(-1)
    if (last === undefined) return
    after = last
    yield read.flatMap(content => dimension.rowsOf(content))
  }
}
