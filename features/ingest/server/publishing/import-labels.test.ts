import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { ident, sql, table } from '@pc/platform/stats/sql.ts'
import { article, articles, VIDEO, video } from '@pc/testing/statistics/delivered-contents.ts'
import { csv, ingestFixture } from '@pc/testing/statistics/ingest-fixture.ts'
import { sql as postgres } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { importBatch } from '../import-batch.ts'
import { publishDimensions } from './publish-dimensions.ts'
import { redoUnfinishedImports } from './redo-unfinished-imports.ts'
import { replayContents } from './replay-contents.ts'

/** Authors, section and tags of delivered articles. */
const fixture = await ingestFixture()
afterAll(() => fixture.close())
beforeEach(() => fixture.clear())

const read = <T>(work: Parameters<typeof fixture.context.database.inScope<T>>[1]) =>
  fixture.context.database.inScope(SYSTEM, work)
const take = async (content: string) =>
  expect(await fixture.take('articles', content)).toMatchObject({ kind: 'applied' })
const labels = async () =>
  (await read(tx => tx.selectFrom('articleLabels').select(['publisherId', 'kind', 'key', 'name']).execute()))
    .map(({ publisherId, kind, key, name }) => `${publisherId} ${kind} ${key} = ${name}`)
    .sort()
/** What the statistics store knows: article, kind and the label's key. */
const known = async () => {
  const ids = await read(tx => tx.selectFrom('articleLabels').select(['id', 'key']).execute())
  const keys = new Map(ids.map(({ id, key }) => [id, key]))
  const rows = await fixture.context.stats.query(
    sql`select article_id, kind_no, label_id, batch_no from ${table('article_label')} order by article_id, kind_no, label_id`,
  )
  return rows.map(row => `${row.article_id} ${row.kind_no} ${keys.get(row.label_id as bigint) ?? '-'}`)
}
/** Id, created and updated in microseconds: in the statistics store, and in PostgreSQL. */
const timestamps = async (dataset: 'articles' | 'videos') => {
  const [id, name] =
    dataset === 'articles' ? (['article_id', 'article_moment'] as const) : (['video_id', 'video_moment'] as const)
  const rows = await fixture.context.stats.query(
    sql`select ${ident(id)} as id, created_at, updated_at from ${table(name)} order by ${ident(id)}`,
  )
  return rows.map(row => [row.id, row.created_at, row.updated_at])
}
const storedTimestamps = async (dataset: 'articles' | 'videos') => {
  const [id, name] = dataset === 'articles' ? ['article_id', 'medium_articles'] : ['video_id', 'videos']
  const { rows } = await read(tx =>
    postgres<Record<'id' | 'created' | 'updated', bigint>>`
      select ${postgres.raw(id)} as id, (extract(epoch from created_at) * 1000000)::bigint as created,
        (extract(epoch from updated_at) * 1000000)::bigint as updated
      from ${postgres.raw(name)} order by 1`.execute(tx),
  )
  return rows.map(row => [row.id, row.created, row.updated])
}
const given = (id: number, authors: string, section: string, tags: string) =>
  article(id, `記事${id}`, { authors, section, tags })

test('a list or a single name; shown as delivered, grouped without width and white space', async () => {
  await take(
    articles(
      given(1, '山田　花子', ' 国内 ', '["選挙", "ＡＩ"]'),
      given(2, '["山田 花子","鈴木\u200B一郎"]', '国内', 'AI'),
      given(3, '', '', ''),
    ),
  )
  expect(await labels()).toEqual([
    '2 author 山田 花子 = 山田　花子',
    '2 author 鈴木一郎 = 鈴木一郎',
    '2 section 国内 = 国内',
    '2 tag AI = ＡＩ',
    '2 tag 選挙 = 選挙',
  ])
  const rows = await read(tx =>
    tx.selectFrom('mediumArticles').select(['authors', 'section', 'tags']).orderBy('articleId').execute(),
  )
  expect(rows).toEqual([
    { authors: ['山田　花子'], section: '国内', tags: ['選挙', 'ＡＩ'] },
    { authors: ['山田 花子', '鈴木一郎'], section: '国内', tags: ['AI'] },
    { authors: [], section: '', tags: [] },
  ])
  expect((await known()).sort()).toEqual(
    [
      '1 1 山田 花子',
      '1 2 国内',
      '1 3 AI',
      '1 3 選挙',
      '2 1 山田 花子',
      '2 1 鈴木一郎',
      '2 2 国内',
      '2 3 AI',
      '3 2 -',
    ].sort(),
  )
  expect(await replayContents(fixture.context, 'articles')).toMatchObject({ differences: 0, rebuiltRows: 3 })
})

test('of spellings in one article the one that it names first is shown', async () => {
  await take(articles(given(1, '["Ｂ","B","D","Ｄ"]', '', '["Ｂ","B"]'), given(2, '["B","Ｄ"]', '', '["B"]')))
  const found = (await labels()).filter(label => /(B|D) = /.test(label))
  expect(found).toEqual(['2 author B = Ｂ', '2 author D = D', '2 tag B = Ｂ'])
})

test('a later delivery takes labels away; the store follows, also one that lost everything', async () => {
  await take(articles(given(1, '山田', '国内', 'AI'), given(2, '鈴木', '', '')))
  await take(articles(given(1, '', '経済', '["AI","天気"]')))
  const now = ['1 2 経済', '1 3 AI', '1 3 天気', '2 1 鈴木', '2 2 -']
  expect((await known()).sort()).toEqual(now)
  await fixture.replaceStore()
  expect(await known()).toEqual([])
  await redoUnfinishedImports(fixture.context)
  expect((await known()).sort()).toEqual(now)
})

test('an article that goes to another publisher takes its labels and its moment along, also when nothing else is new', async () => {
  await take(articles(given(1, '山田', '国内', ''), given(2, '鈴木', '', '')))
  await take(articles(article(1, '記事1', { authors: '山田', section: '国内', tags: '', publisher_id: 3 })))
  const rows = await fixture.context.stats.query(
    sql`select article_id, kind_no, publisher_id from ${table('article_label')} order by article_id, kind_no`,
  )
  expect(rows.map(row => `${row.article_id} ${row.kind_no} ${row.publisher_id}`)).toEqual([
    ...['1 1 3', '1 2 3', '2 1 2', '2 2 2'],
  ])
  expect(await timestamps('articles')).toEqual(await storedTimestamps('articles'))
})

test('the store knows when articles and videos were delivered first and changed last, and so does one that is new', async () => {
  await take(articles(article(1, '一'), article(2, '二')))
  await take(articles(article(2, '二改'), article(3, '三')))
  for (const titles of [
    ['一', '二'],
    ['一', '二改'],
  ]) {
    const rows = titles.map((title, index) => video(index + 1, title))
    expect(await fixture.take('videos', csv(VIDEO, rows))).toMatchObject({ kind: 'applied' })
  }
  for (const dataset of ['articles', 'videos'] as const) {
    const known = await storedTimestamps(dataset)
    expect(known.find(([id]) => id === 2n)).toSatisfy(([, created, updated]: bigint[]) => created! < updated!)
    expect(await timestamps(dataset)).toEqual(known)
  }
  await fixture.replaceStore()
  expect(await timestamps('videos')).toEqual([])
  await redoUnfinishedImports(fixture.context)
  expect(await timestamps('articles')).toEqual(await storedTimestamps('articles'))
  expect(await timestamps('videos')).toEqual(await storedTimestamps('videos'))
})

test('labels that a killed process did not publish come with the next import', async () => {
  const { stats } = fixture.context
  const failing = {
    ...fixture.context,
    stats: Object.assign(Object.create(stats), {
      putDimension: async () => {
        throw new Error('gone')
      },
    }),
  }
  const request = { dataset: 'articles', quarantine: false, sourceName: '' } as const
  const input = async function* () {
    yield Buffer.from(articles(given(1, '山田', '', '')))
  }
  // The articles are there: what the store was not told is reported, and no reason to refuse them.
  expect(await importBatch(failing, { ...request, input: input() })).toMatchObject({ kind: 'applied' })
  expect(await known()).toEqual([])
  const batches = await read(tx => tx.selectFrom('ingestBatches').select(['state', 'factRows']).execute())
  expect(batches).toEqual([{ state: 'applied', factRows: 1n }])
  expect((await fixture.take('articles', articles(given(1, '山田', '', '')))).kind).toBe('unchanged')
  expect(await known()).toEqual(['1 1 山田', '1 2 -'])
  await publishDimensions(fixture.context)
  expect(await known()).toEqual(['1 1 山田', '1 2 -'])
})

test.each([
  ['authors', '["山田"', 'JSON を読めません'],
  ['authors', '[1]', 'JSON を読めません'],
  ['authors', '[速報] 山田', 'JSON を読めません'],
  ['authors', '["山田",""]', '100文字以内の文字列を、20個まで'],
  ['authors', ' ', '100文字以内'],
  ['authors', 'あ'.repeat(101), '100文字以内'],
  ['authors', JSON.stringify(Array.from({ length: 21 }, (_, at) => `著者${at}`)), '20個まで'],
  ['tags', JSON.stringify(Array.from({ length: 51 }, (_, at) => `タグ${at}`)), '50個まで'],
  ['section', 'あ'.repeat(101), '100文字以内'],
])('%s: %j is refused', async (column, value, message) => {
  const outcome = await fixture.take('articles', articles(article(1, '一', { [column]: value })))
  const rowErrors = outcome.kind === 'refused' ? outcome.refusal.rowErrors : []
  expect(rowErrors).toEqual([expect.objectContaining({ line: 2, column, message: expect.stringContaining(message) })])
})
