import { ARTICLE_LABEL_NOS } from '@pc/domain/report/article-label.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import type { DimensionRow } from '@pc/platform/stats/port.ts'
import { sql as statement, table } from '@pc/platform/stats/sql.ts'
import type { DimensionTable } from '@pc/platform/stats/tables.ts'
import { type RawBuilder, sql } from 'kysely'
import type { ContentDataset } from '../checking/dataset-columns.ts'
import { CONTENT_TABLES } from '../content-store.ts'
import type { IngestContext } from '../ingest-context.ts'
import { isUnavailable } from './complete-batch.ts'

/** Contents per statement; an article may have 71 labels. A statement that times out is repeated with half as many. */
const CONTENTS_AT_ONCE = 8_000
/** Least contents per transaction of the store. An interrupted run continues after the last complete portion. */
const CONTENTS_PER_PORTION = 200_000
/** PostgreSQL's code for a statement that reached its time limit. */
const QUERY_CANCELED = '57014'
/** A batch number below all others: contents without a delivery count as batch 0. */
const NOTHING = -1n
const MAX_ID = 2n ** 63n - 1n

interface Content {
  readonly id: bigint
  readonly batchNo: bigint
}

/** A dimension table of the statistics store and how its rows are read from PostgreSQL. */
interface Dimension<Read extends Content> {
  readonly name: DimensionTable
  readonly dataset: ContentDataset
  /** Columns to select besides the id and batch; the content's alias is `a`. */
  readonly columns: RawBuilder<unknown>
  readonly join?: RawBuilder<unknown>
  rowsOf(content: Read): DimensionRow[]
}

interface LabelledArticle extends Content {
  readonly publisherId: bigint
  /** Label ids; null when the article has none of the kind. */
  readonly authors: readonly bigint[] | null
  readonly sections: readonly bigint[] | null
  readonly tags: readonly bigint[] | null
}
const LABELS: Dimension<LabelledArticle> = {
  name: 'article_label',
  dataset: 'articles',
  columns: sql`a.publisher_id, named.authors, named.sections, named.tags`,
  // One grouped join for all articles: a lateral join per article would compare each name with all labels of the publisher.
  // Names repeat, so each is brought into its normal form once.
  join: sql`left join (
    with n as materialized (
      select a.id, a.publisher_id, 'author' as kind, x.name from a cross join jsonb_array_elements_text(a.authors) x (name)
      union all select a.id, a.publisher_id, 'section', a.section from a where a.section <> ''
      union all select a.id, a.publisher_id, 'tag', x.name from a cross join jsonb_array_elements_text(a.tags) x (name)),
    label as materialized (
      select given.publisher_id, given.kind, given.name, l.id
      from (select publisher_id, kind, name, app.label_key(name) as key from n group by publisher_id, kind, name) given
      join article_labels l on l.publisher_id = given.publisher_id and l.kind = given.kind and l.key = given.key)
    select n.id,
      array_agg(distinct label.id) filter (where n.kind = 'author') as authors,
      array_agg(distinct label.id) filter (where n.kind = 'section') as sections,
      array_agg(distinct label.id) filter (where n.kind = 'tag') as tags
    from n join label using (publisher_id, kind, name)
    group by n.id) named on named.id = a.id`,
  rowsOf({ id, publisherId, batchNo, authors, sections, tags }) {
    const rows = (kindNo: bigint, labelIds: readonly bigint[] | null) =>
      (labelIds ?? []).map(labelId => [publisherId, id, kindNo, labelId, batchNo])
    return [
      ...rows(ARTICLE_LABEL_NOS.author, authors),
      // Section 0 for articles without one: the store then has a row, and so a batch number, of every article.
      ...rows(ARTICLE_LABEL_NOS.section, sections?.length ? sections : [0n]),
      ...rows(ARTICLE_LABEL_NOS.tag, tags),
    ]
  },
}

interface DatedContent extends Content {
  readonly createdUs: bigint
  readonly updatedUs: bigint
}
function timestamps(name: DimensionTable, dataset: ContentDataset): Dimension<DatedContent> {
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
  { dataset: 'articles', publish: context => publishDimension(context, timestamps('article_moment', 'articles')) },
  { dataset: 'videos', publish: context => publishDimension(context, timestamps('video_moment', 'videos')) },
]

/**
 * Copies attributes of articles and videos that were written since the last call to the statistics store (`DIMENSIONS`):
 * labels of articles, and when contents were delivered. The greatest batch number in the store tells where to continue,
 * because batches are numbered in the order in which they write. Call it under the import lock; idempotent.
 * Tested by `features/ingest/server/publishing/import-labels.test.ts`.
 */
export async function publishDimensions(context: Context, of?: ContentDataset): Promise<void> {
  for (const { dataset, publish } of PUBLISHING) if (of === undefined || of === dataset) await publish(context)
}

/** Reports a failure instead of throwing: figures do not depend on dimensions, and the next delivery or start tries again. */
export async function publishDimensionsIfPossible(context: IngestContext, of?: ContentDataset): Promise<void> {
  try {
    await publishDimensions(context, of)
  } catch (error) {
    if (isUnavailable(error)) throw error
    context.reportFailure?.(error, {})
  }
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
  let until = knownUntil
  while (newest !== undefined && newest.batchNo > until) {
    const portion = { after: until, until }
    await stats.putDimension(dimension.name, readPortion(database, dimension, portion))
    if (portion.until === until) return
    until = portion.until
  }
}

function sourceOf({ dataset }: { readonly dataset: ContentDataset }) {
  return { table: sql.raw(CONTENT_TABLES[dataset]), id: sql.raw(dataset === 'articles' ? 'article_id' : 'video_id') }
}

/** Yields whole batches only, so that the greatest batch number in the store is complete. Sets `until` to the last one. */
async function* readPortion<Read extends Content>(
  database: Database,
  dimension: Dimension<Read>,
  portion: { readonly after: bigint; until: bigint },
): AsyncIterable<DimensionRow[]> {
  let after: Content = { batchNo: portion.after, id: MAX_ID }
  let limit = CONTENTS_AT_ONCE
  let count = 0
  for (;;) {
    const read = await readPage(database, dimension, after, limit).catch(error => {
      if (limit === 1 || (error as { code?: unknown }).code !== QUERY_CANCELED) throw error
      return undefined
    })
    if (read === undefined) {
      limit = Math.ceil(limit / 2)
      continue
    }
    const isFull = count >= CONTENTS_PER_PORTION
    const taken = isFull ? read.filter(({ batchNo }) => batchNo === portion.until) : read
    const last = taken.at(-1)
    if (last !== undefined) {
      after = last
      portion.until = last.batchNo
      count += taken.length
      yield taken.flatMap(content => dimension.rowsOf(content))
    }
    if (read.length === 0 || taken.length < read.length) return
  }
}

function readPage<Read extends Content>(
  database: Database,
  dimension: Dimension<Read>,
  after: Content,
  limit: number,
): Promise<Read[]> {
  const { table: contents, id } = sourceOf(dimension)
  return database.inScope(SYSTEM, async tx => {
    // The planner underestimates the names in the JSON arrays: the nested loop that it would choose takes minutes.
    await sql`select set_config('enable_nestloop', 'off', true)`.execute(tx)
    const page = sql<Read>`
      with a as materialized (
        select a.${id} as id, coalesce(a.batch_no, 0) as batch, a.* from ${contents} a
        where (coalesce(a.batch_no, 0), a.${id}) > (${after.batchNo}::bigint, ${after.id}::bigint)
        order by coalesce(a.batch_no, 0), a.${id} limit ${limit})
      select a.id, a.batch as batch_no, ${dimension.columns} from a ${dimension.join ?? sql``} order by a.batch, a.id`
    return (await page.execute(tx)).rows
  })
}
