import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { sql, table } from '@pc/platform/stats/sql.ts'
import { article, articles } from '@pc/testing/delivered-articles.ts'
import { ingestTestBed } from '@pc/testing/ingest-test-bed.ts'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { importBatch } from './import-batch.ts'
import { publishLabels } from './publish-labels.ts'
import { redoUnfinishedImports } from './redo-unfinished-imports.ts'
import { replayContents } from './replay-contents.ts'

/** Authors, section and tags of delivered articles. */
const bed = await ingestTestBed()
afterAll(() => bed.close())
beforeEach(() => bed.clear())

const read = <T>(work: Parameters<typeof bed.context.database.inScope<T>>[1]) =>
  bed.context.database.inScope(SYSTEM, work)
const take = async (content: string) => expect(await bed.take('articles', content)).toMatchObject({ kind: 'applied' })
const labels = async () =>
  (await read(tx => tx.selectFrom('articleLabels').select(['publisherId', 'kind', 'key', 'name']).execute()))
    .map(({ publisherId, kind, key, name }) => `${publisherId} ${kind} ${key} = ${name}`)
    .sort()
/** What the statistics store knows: article, kind and the label's key. */
const known = async () => {
  const ids = await read(tx => tx.selectFrom('articleLabels').select(['id', 'key']).execute())
  const keys = new Map(ids.map(({ id, key }) => [id, key]))
  const rows = await bed.context.stats.query(
    sql`select article_id, kind_no, label_id, batch_no from ${table('article_label')} order by article_id, kind_no, label_id`,
  )
  return rows.map(row => `${row.article_id} ${row.kind_no} ${keys.get(row.label_id as bigint) ?? '-'}`)
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
  expect(await replayContents(bed.context, 'articles')).toMatchObject({ differences: 0, rebuiltRows: 3 })
})

test('a later delivery takes labels away; the store follows, also one that lost everything', async () => {
  await take(articles(given(1, '山田', '国内', 'AI'), given(2, '鈴木', '', '')))
  await take(articles(given(1, '', '経済', '["AI","天気"]')))
  const now = ['1 2 経済', '1 3 AI', '1 3 天気', '2 1 鈴木', '2 2 -']
  expect((await known()).sort()).toEqual(now)
  await bed.replaceStore()
  expect(await known()).toEqual([])
  await redoUnfinishedImports(bed.context)
  expect((await known()).sort()).toEqual(now)
})

test('labels that a killed process did not publish come with the next import', async () => {
  const { stats } = bed.context
  const failing = {
    ...bed.context,
    stats: Object.assign(Object.create(stats), {
      putArticleLabels: async () => {
        throw new Error('gone')
      },
    }),
  }
  const request = { dataset: 'articles', quarantine: false, sourceName: '' } as const
  const input = async function* () {
    yield Buffer.from(articles(given(1, '山田', '', '')))
  }
  await expect(importBatch(failing, { ...request, input: input() })).rejects.toThrow('gone')
  const batches = await read(tx => tx.selectFrom('ingestBatches').select(['state', 'factRows']).execute())
  expect(batches).toEqual([{ state: 'applied', factRows: 1n }])
  expect((await bed.take('articles', articles(given(1, '山田', '', '')))).kind).toBe('unchanged')
  expect(await known()).toEqual(['1 1 山田', '1 2 -'])
  await publishLabels(bed.context)
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
  const outcome = await bed.take('articles', articles(article(1, '一', { [column]: value })))
  const rowErrors = outcome.kind === 'refused' ? outcome.refusal.rowErrors : []
  expect(rowErrors).toEqual([expect.objectContaining({ line: 2, column, message: expect.stringContaining(message) })])
})
