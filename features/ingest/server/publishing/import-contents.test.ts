import zlib from 'node:zlib'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { article, articles, VIDEO, video } from '@pc/testing/statistics/delivered-contents.ts'
import { csv, ingestFixture, parquet } from '@pc/testing/statistics/ingest-fixture.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CONTENTS_AT_ONCE } from '../reading/content-file.ts'
import { redoUnfinishedImports } from './redo-unfinished-imports.ts'
import { replayContents } from './replay-contents.ts'

const fixture = await ingestFixture()
const taken = (
  content: string | Buffer,
  more: Parameters<typeof fixture.taken>[2] = {},
  dataset: 'articles' | 'videos' = 'articles',
) => fixture.taken(dataset, content, more)
afterAll(() => fixture.close())
let feedId: bigint
let uid: string
beforeAll(async () => {
  await fixture.context.database.inScope(SYSTEM, async tx => {
    const feed = { publisherId: 2n, mediumId: 1n, name: 'フィード', url: 'https://news.example/feed', type: 'gnf2' }
    feedId = (await tx.insertInto('feeds').values(feed).returning('id').executeTakeFirstOrThrow()).id
    uid = (await tx.insertInto('users').values({ email: 'a@example.jp' }).returning('uid').executeTakeFirstOrThrow())
      .uid
  })
})
beforeEach(() => fixture.clear())

const read = <T>(work: (tx: Parameters<Parameters<typeof fixture.context.database.inScope>[1]>[0]) => Promise<T>) =>
  fixture.context.database.inScope(SYSTEM, work)
const titles = async () => {
  const rows = await read(tx =>
    tx.selectFrom('mediumArticles').select(['articleId', 'title']).orderBy('articleId').execute(),
  )
  return rows.map(row => `${row.articleId} ${row.title}`)
}
const states = async () => {
  const rows = await read(tx =>
    tx.selectFrom('ingestBatches').select(['batchId', 'state', 'factRows']).orderBy('batchNo').execute(),
  )
  return rows.map(row => `${row.batchId} ${row.state} ${row.factRows}`)
}
async function errors(content: string, dataset: 'articles' | 'videos' = 'articles') {
  const outcome = await fixture.take(dataset, content)
  if (outcome.kind !== 'refused') throw new Error(outcome.kind)
  return outcome.refusal.rowErrors.map(({ line, column, message }) => `${line} ${column}: ${message}`)
}

describe('a later delivery wins', () => {
  test('rows are added and changed by their ids; the rest stays', async () => {
    await taken(articles(article(1, '一'), article(2, '二', { feed_id: feedId })))
    const first = await read(tx => tx.selectFrom('mediumArticles').selectAll().orderBy('articleId').execute())
    expect(first[1]).toMatchObject({
      articleId: 2n,
      mediumId: 1n,
      mediumArticleId: 'a2',
      publisherId: 2n,
      feedId,
      enabled: true,
      title: '二',
      url: 'https://news.example/2?q=日本',
      publishedAt: new Date('2026-11-01T00:00:00Z'),
    })
    await taken(articles(article(2, '二改', { medium_article_id: 'b2' }), article(3, '三')))
    expect(await titles()).toEqual(['1 一', '2 二改', '3 三'])
    const second = await read(tx => tx.selectFrom('mediumArticles').selectAll().orderBy('articleId').execute())
    expect(second[0]).toEqual(first[0])
    expect(second[1]).toMatchObject({ mediumArticleId: 'b2', feedId: null })
  })

  test('the same delivery twice, and an older one again, change nothing', async () => {
    const [old, fresh] = [articles(article(1, '旧')), articles(article(1, '新'))]
    await taken(old)
    await taken(fresh)
    const rows = await read(tx => tx.selectFrom('mediumArticles').selectAll().execute())
    for (const again of [fresh, old, zlib.gzipSync(old)]) expect((await taken(again)).kind).toBe('unchanged')
    expect(await read(tx => tx.selectFrom('mediumArticles').selectAll().execute())).toEqual(rows)
  })

  test('under a new name, an earlier content is a delivery of its own: titles return', async () => {
    const [old, fresh] = [articles(article(1, '旧')), articles(article(1, '新'))]
    await taken(old, { batchId: 'monday' })
    await taken(fresh, { batchId: 'tuesday' })
    expect((await taken(old, { batchId: 'wednesday' })).kind).toBe('applied')
    expect(await titles()).toEqual(['1 旧'])
    expect((await taken(old)).kind).toBe('unchanged')
  })

  test('a revision of a batch adds and changes; what only its predecessor named stays', async () => {
    await taken(articles(article(1, '一'), article(2, '二')), { batchId: 'x' })
    const outcome = await taken(articles(article(2, '二改')), { batchId: 'x' })
    expect(outcome).toMatchObject({ kind: 'applied', replaced: { revision: 1 } })
    expect(await titles()).toEqual(['1 一', '2 二改'])
    expect(await states()).toEqual(['x replaced 2', 'x applied 1'])
  })

  test('rows that say the same are not written again', async () => {
    await taken(articles(article(1, '一'), article(2, '二')))
    const stamps = () =>
      read(tx =>
        sql<{ xmin: string }>`select xmin::text, updated_at from medium_articles order by article_id`.execute(tx),
      )
    const before = (await stamps()).rows
    await taken(articles(article(1, '一'), article(2, '二改')))
    const after = (await stamps()).rows
    expect(after[0]).toEqual(before[0])
    expect(after[1]).not.toEqual(before[1])
  })

  test('of more rows than one statement writes, each keeps its own values, and only the changed one is written again', async () => {
    const rows = Array.from({ length: 2 * Number(CONTENTS_AT_ONCE) + 1 }, (_, at) => video(at + 1, `動画${at + 1}`))
    const { batch } = await taken(csv(VIDEO, rows), {}, 'videos')
    const stored = () => read(tx => tx.selectFrom('videos').select(['videoId', 'title', 'url', 'batchNo']).execute())
    expect(new Set((await stored()).map(row => Object.values(row).join(' ')))).toEqual(
      new Set(rows.map(([id, , , title, url]) => `${id} ${title} ${url} ${batch.batchNo}`)),
    )
    const last = rows.length
    const next = await taken(csv(VIDEO, [...rows.slice(0, -1), video(last, '改')]), {}, 'videos')
    expect((await stored()).filter(row => row.batchNo !== batch.batchNo)).toEqual([
      { videoId: BigInt(last), title: '改', url: `https://v.example/${last}`, batchNo: next.batch.batchNo },
    ])
  })

  test('a batch of a smaller number does not overwrite a greater one', async () => {
    await taken(articles(article(1, '新')))
    await read(tx => sql`update medium_articles set batch_no = 9000000000`.execute(tx))
    await taken(articles(article(1, '旧', { medium_article_id: 'old' })))
    expect(await read(tx => tx.selectFrom('mediumArticles').select(['title', 'mediumArticleId']).execute())).toEqual([
      { title: '新', mediumArticleId: 'a1' },
    ])
  })

  test('a removed article does not come back', async () => {
    await taken(articles(article(1, '一')))
    await read(tx =>
      sql`insert into medium_article_removals (article_id, publisher_id, reason, removed_by, removed_at, undo_until)
        values (1, 2, '誤配信', ${uid}, now(), now())`.execute(tx),
    )
    await taken(articles(article(1, '一改')))
    const { rows } = await read(tx => sql<{ n: bigint }>`select app.count_medium_articles(null, null) as n`.execute(tx))
    expect(rows[0]!.n).toBe(0n)
    const open = await read(tx => tx.selectFrom('mediumArticleRemovals').select('restoredAt').execute())
    expect(open).toEqual([{ restoredAt: null }])
  })

  test('videos', async () => {
    await taken(csv(VIDEO, [video(1, '動画', 'https://i.example/1.jpg'), video(2, '動画2')]), {}, 'videos')
    await taken(
      csv(
        VIDEO.filter(name => name !== 'thumbnail_url'),
        [video(1, '改').toSpliced(5, 1)],
      ),
      {},
      'videos',
    )
    const rows = await read(tx =>
      tx
        .selectFrom('videos')
        .select(['videoId', 'title', 'thumbnailUrl', 'durationSeconds'])
        .orderBy('videoId')
        .execute(),
    )
    expect(rows).toEqual([
      { videoId: 1n, title: '改', thumbnailUrl: '', durationSeconds: 61 },
      { videoId: 2n, title: '動画2', thumbnailUrl: '', durationSeconds: 61 },
    ])
  })
})

/** A day's figures of an article for a publisher; the same batch again corrects them. */
const figures = async (articleId: number, publisherId: number) =>
  expect(
    await fixture.take(
      'article-daily',
      csv(
        ['date', 'medium_id', 'publisher_id', 'article_id', 'impression', 'click', 'publisher_revenue_micro_yen'],
        [['2026-11-02', 1, publisherId, articleId, 10, 1, 5_000_000]],
      ),
      { batchId: `figures-of-${articleId}` },
    ),
  ).toMatchObject({ kind: 'applied' })

describe('another publisher', () => {
  const owners = async () => {
    const rows = await read(tx =>
      tx.selectFrom('mediumArticles').select(['articleId', 'publisherId', 'title']).orderBy('articleId').execute(),
    )
    return rows.map(row => `${row.articleId} ${row.publisherId} ${row.title}`)
  }
  const counted = async (publisherId: number) => {
    const { rows } = await read(tx =>
      sql<{ n: bigint }>`select app.count_medium_articles(null, ${publisherId}) as n`.execute(tx),
    )
    return rows[0]!.n
  }

  test('is taken while nobody has figures of it; counts, search copy and ledger follow', async () => {
    await taken(articles(article(1, '一', { feed_id: feedId }), article(2, '二')))
    await taken(articles(article(1, '一改', { publisher_id: 3 }), article(2, '二')), { batchId: 'moves' })
    expect(await owners()).toEqual(['1 3 一改', '2 2 二'])
    expect([await counted(2), await counted(3)]).toEqual([1n, 1n])
    const searched = await read(tx =>
      sql<{ articleId: bigint }>`select article_id from app.find_medium_articles(
        '{一改}', '', null, 3, null, null, null, false, 'ID_ASC', 10, 0)`.execute(tx),
    )
    expect(searched.rows).toEqual([{ articleId: 1n }])
    const { movedRows } = await read(tx =>
      tx.selectFrom('ingestBatches').select('movedRows').where('batchId', '=', 'moves').executeTakeFirstOrThrow(),
    )
    expect(movedRows).toBe(1n)
    expect(await replayContents(fixture.context, 'articles')).toMatchObject({ differences: 0, storedRows: 2 })
  })

  test('of another organisation takes the article without the feed that it had', async () => {
    await taken(articles(article(1, '一', { feed_id: feedId })))
    const publisherId = await read(async tx => {
      const added = tx.insertInto('organizations').values({ name: '別の組織' }).returning('id')
      const { id: organizationId } = await added.executeTakeFirstOrThrow()
      const publisher = tx.insertInto('publishers').values({ organizationId, name: '別の新聞' }).returning('id')
      return (await publisher.executeTakeFirstOrThrow()).id
    })
    await taken(articles(article(1, '一', { publisher_id: publisherId })))
    const rows = await read(tx => tx.selectFrom('mediumArticles').select(['publisherId', 'feedId']).execute())
    expect(rows).toEqual([{ publisherId, feedId: null }])
  })

  test('waits for the figures: refused at its line until they name that publisher, and no figure moves by it', async () => {
    await taken(articles(article(1, '一')))
    await figures(1, 2)
    const moved = articles(article(1, '一', { publisher_id: 3 }))
    expect(await errors(moved)).toEqual([expect.stringMatching(/^2 publisher_id: .*先に日別の数値を/)])
    expect(await owners()).toEqual(['1 2 一'])
    await figures(1, 3)
    const before = await fixture.figures()
    await taken(moved)
    expect(await owners()).toEqual(['1 3 一'])
    expect(await fixture.figures()).toEqual(before)
    // Back again it would have to be corrected the same way.
    expect(await errors(articles(article(1, '一戻', { publisher_id: 2 })))).toHaveLength(1)
  })

  test('is refused for a removed article, whose removal stays with whose it was', async () => {
    await taken(articles(article(1, '一')))
    await read(tx =>
      sql`insert into medium_article_removals (article_id, publisher_id, reason, removed_by, removed_at, undo_until)
        values (1, 2, '誤配信', ${uid}, now(), now())`.execute(tx),
    )
    expect(await errors(articles(article(1, '一', { publisher_id: 3 })))).toEqual([
      expect.stringMatching(/^2 publisher_id: .*削除した記事のパブリッシャーは変更できません/),
    ])
  })

  test('of videos likewise', async () => {
    await taken(csv(VIDEO, [video(1, '動画')]), {}, 'videos')
    const moved = [...video(1, '動画')]
    moved[2] = 4
    await taken(csv(VIDEO, [moved]), {}, 'videos')
    const rows = await read(tx => tx.selectFrom('videos').select(['videoId', 'publisherId']).execute())
    expect(rows).toEqual([{ videoId: 1n, publisherId: 4n }])
    expect(await replayContents(fixture.context, 'videos')).toMatchObject({ differences: 0 })
  })
})

describe('rows that contradict what is there', () => {
  test('are reported by line and column, and nothing is written', async () => {
    await taken(articles(article(1, '一'), article(2, '二')))
    await figures(2, 2)
    const found = await errors(
      articles(
        article(5, '新しい'),
        article(1, '媒体違い', { medium_id: 2 }),
        article(2, 'パブリッシャー違い', { publisher_id: 3 }),
        article(6, '名前違い', { medium_article_id: 'a1' }),
        article(7, '他者のフィード', { publisher_id: 4, feed_id: feedId }),
        article(8, '重複', {}),
        article(8, '重複', { medium_article_id: 'c8' }),
        article(9, '同じ名前', { medium_article_id: 'same' }),
        article(10, '同じ名前', { medium_article_id: 'same' }),
        article(11, '無いフィード', { feed_id: 77 }),
      ),
    )
    expect(found).toEqual([
      '3 medium_id: medium_id（媒体ID）の「2」は、このIDで登録済みの媒体と違います。媒体は変更できません。どちらかのIDを直してください。',
      '4 publisher_id: publisher_id（パブリッシャーID）の「3」は、このIDで登録済みのパブリッシャーと違い、登録済みのパブリッシャーの日別の数値が残っています。IDを直すか、先に日別の数値を正しいパブリッシャーで訂正してから、もう一度お送りください。',
      '5 medium_article_id: medium_article_id（媒体の記事ID）の「a1」は、この媒体の別の記事で使われています。どちらかのIDを直してください。',
      '6 feed_id: feed_id（フィードID）の「1」は、別の媒体かパブリッシャーのフィードです。IDを直すか、空にしてください。',
      '7 article_id: article_id（記事ID）の「8」の行が、このファイルに2行以上あります。1行にまとめてください。',
      '8 article_id: article_id（記事ID）の「8」の行が、このファイルに2行以上あります。1行にまとめてください。',
      '9 medium_article_id: medium_article_id（媒体の記事ID）の「same」が、このファイルで同じ媒体の2件以上の記事に付いています。1件だけにしてください。',
      '10 medium_article_id: medium_article_id（媒体の記事ID）の「same」が、このファイルで同じ媒体の2件以上の記事に付いています。1件だけにしてください。',
      '11 feed_id: feed_id（フィードID）の「77」は登録されていません。先にフィードを登録するか、空にしてください。',
    ])
    expect(await titles()).toEqual(['1 一', '2 二'])
    await taken(csv(VIDEO, [video(1, '動画')]), {}, 'videos')
    expect(
      await fixture.take(
        'video-daily',
        csv(['date', 'medium_id', 'publisher_id', 'video_id', 'impression', 'click'], [['2026-11-02', 9, 3, 1, 10, 1]]),
      ),
    ).toMatchObject({ kind: 'applied' })
    const moved = [...video(1, '動画')]
    moved[2] = 4
    expect(await errors(csv(VIDEO, [moved]), 'videos')).toEqual([expect.stringContaining('2 publisher_id: ')])
  })

  test('can be set aside, and stay aside when the batches are read again', async () => {
    await taken(articles(article(1, '一')))
    await figures(1, 2)
    const mixed = articles(article(1, '一', { publisher_id: 3 }), article(2, '二'))
    const outcome = await taken(mixed, { quarantine: true })
    expect(outcome).toMatchObject({ kind: 'applied', batch: { rowsTotal: 2n, rowsQuarantined: 1n, factRows: 1n } })
    expect(await titles()).toEqual(['1 一', '2 二'])
    expect(await replayContents(fixture.context, 'articles')).toMatchObject({
      differences: 0,
      storedRows: 2,
      rebuiltRows: 2,
    })
  })
})

test('the same rows as CSV, NDJSON and Parquet, plain and packed, are the same articles', async () => {
  const rows = Array.from({ length: 40 }, (_, at) => article(at + 1, `題「${at}」,"x"`))
  const text = articles(...rows)
  const forms = [
    text,
    zlib.gzipSync(text),
    zlib.zstdCompressSync(Buffer.from(text)),
    rows.map(row => JSON.stringify(row)).join('\n'),
    await parquet(
      text,
      "case when 'column' in ('article_id', 'medium_id', 'publisher_id') then column else column end",
    ),
  ]
  const all = () =>
    read(tx =>
      tx
        .selectFrom('mediumArticles')
        .select(['articleId', 'title', 'url', 'publishedAt', 'mediumArticleId'])
        .orderBy('articleId')
        .execute(),
    )
  let expected: unknown
  for (const form of forms) {
    await fixture.clear()
    await taken(form)
    expected ??= await all()
    expect(await all()).toEqual(expected)
  }
  expect(expected).toHaveLength(40)
})

test('replay finds every difference: a changed cell, a missing row, one too many', async () => {
  await taken(articles(article(1, '一'), article(2, '二'), article(3, '三')), { batchId: 'x' })
  await taken(articles(article(2, '二改')), { batchId: 'x' })
  await taken(csv(VIDEO, [video(1, '動画')]), {}, 'videos')
  expect(await replayContents(fixture.context, 'videos')).toMatchObject({ differences: 0, storedRows: 1 })
  expect(await replayContents(fixture.context, 'articles')).toMatchObject({
    differences: 0,
    storedRows: 3,
    rebuiltRows: 3,
  })
  await read(async tx => {
    await sql`update medium_articles set title = '違う' where article_id = 1`.execute(tx)
    await sql`delete from medium_articles where article_id = 3`.execute(tx)
  })
  const changed = await replayContents(fixture.context, 'articles')
  expect(changed.differences).toBe(2)
  expect(changed.listed).toEqual([
    { table: 'articles', key: 'article_id=1', column: 'title', stored: '違う', rebuilt: '一' },
    { table: 'articles', key: 'article_id=3', column: '', stored: null, rebuilt: '三' },
  ])
})

test('the next start leaves whole batches alone and forgets what was never acknowledged', async () => {
  await taken(articles(article(1, '一')))
  await read(tx =>
    tx
      .insertInto('ingestBatches')
      .values({ dataset: 'articles', batchId: 'cut', contentSha256: 'x', state: 'received' })
      .execute(),
  )
  expect(await redoUnfinishedImports(fixture.context)).toMatchObject({ finished: [], abandoned: ['cut'], repaired: [] })
  expect(await titles()).toEqual(['1 一'])
})

test('a failure in the middle leaves neither rows nor a line of the ledger that says so', async () => {
  await taken(articles(article(1, '一')))
  const rows = Array.from({ length: 12_000 }, (_, at) => article(at + 1, `題${at}`))
  await read(tx =>
    sql`insert into medium_articles (article_id, medium_id, medium_article_id, publisher_id, title, url, published_at)
    values (9000000, 1, 'blocked', 2, '題', 'https://x.example', now())`.execute(tx),
  )
  const inScope = fixture.context.database.inScope.bind(fixture.context.database)
  let statements = 0
  const failing = {
    ...fixture.context,
    database: {
      ...fixture.context.database,
      inScope: ((scope, work, options) =>
        inScope(
          scope,
          async tx => {
            const done = await work(tx)
            // The transaction that writes the rows is the only one with a longer time limit.
            if (options?.statementTimeoutMs !== undefined) {
              statements += 1
              throw new Error('the database is gone')
            }
            return done
          },
          options,
        )) as typeof inScope,
    },
  }
  const { importBatch } = await import('../import-batch.ts')
  async function* input() {
    yield Buffer.from(articles(...rows))
  }
  await expect(
    importBatch(failing, { dataset: 'articles', input: input(), batchId: 'big', quarantine: false, sourceName: '' }),
  ).rejects.toThrow('the database is gone')
  expect(statements).toBe(1)
  expect(await titles()).toEqual(['1 一', '9000000 題'])
  expect((await states()).at(-1)).toBe('big received 0')
  await taken(articles(...rows), { batchId: 'big' })
  expect((await states()).slice(-2)).toEqual(['big refused 0', 'big applied 12000'])
  expect(await titles()).toHaveLength(12_001)
})
