import { addDays, day } from '@pc/domain/month/day.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { sampleOr } from '@pc/testing/sample-size.ts'
import { insertLabelledArticles } from '@pc/testing/statistics/labelled-articles.ts'
import { importFacts } from '@pc/testing/statistics/stats-rows.ts'
import { type SystemUnderTest, startSystemUnderTest } from '@pc/testing/system/system-under-test.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { REPORT_COLUMNS } from '../../all-report-columns.ts'
import { articlesCondition, contentCondition, videosCondition } from '../../content-condition.ts'
import { dashboardCondition } from '../../dashboard-condition.ts'
import { rankingCondition } from '../../ranking-condition.ts'

/** Files of the report screens over HTTP: the rows of the API, all of them, in the order of the screen. */
let system: SystemUnderTest
let staff = ''
let publisher = ''
const FROM = day('2026-10-01')
const ARTICLES = 2_300

beforeAll(async () => {
  system = await startSystemUnderTest()
  staff = await system.tokenOf(system.rows.users['insight:viewer'].email)
  publisher = await system.tokenOf(system.rows.users['insight:publisher_admin'].email)
  const parties = [system.rows.a.publisherIds[0]!, system.rows.b.publisherIds[0]!]
  const key = { medium_id: 1n, batch_no: 1n }
  const money = (n: number) => ({
    ads_revenue_micro_yen: BigInt(n) * 1_234_567n,
    publisher_revenue_micro_yen: BigInt(n) * 617_283n,
  })
  await importFacts(system.dependencies.stats, 1n, {
    article_day: Array.from({ length: ARTICLES }, (_, n) => ({
      ...{ ...key, article_id: BigInt(10_000 + n), publisher_id: parties[n % 2]!, date: addDays(FROM, n % 7) },
      ...{ impression: BigInt((n * 7919) % 1000), click: BigInt(n % 13), watch: BigInt(n % 11), ...money(n) },
    })),
    video_day: [0, 1, 2].map(n => ({
      ...{ ...key, video_id: BigInt(70 + n), publisher_id: parties[n % 2]!, date: addDays(FROM, n) },
      ...{
        impression: 100n,
        click: 7n,
        watch: 90n,
        watch3s: 50n,
        watch97p: 13n,
        play_time_ms: 4_321_987n,
        ...money(n),
      },
    })),
    publisher_day: parties.flatMap((publisher_id, n) =>
      [0, 1, 3].map(index => ({
        ...{ ...key, publisher_id, date: addDays(FROM, index), follower: 5n, ...money(index + n + 1) },
        ...{
          article_impression: 1_000n,
          article_click: 33n,
          article_watch: 9n,
          video_impression: 10n,
          video_click: 1n,
        },
        ...{ video_watch: 4n, live_impression: 0n, live_click: 0n, live_watch: 2n },
        ...{ ssp_revenue_micro_yen: 5n, video_ssp_revenue_micro_yen: 6n, live_ssp_revenue_micro_yen: 7n },
      })),
    ),
  })
  const [hostile] = system.rows.a.publisherIds
  await system.dependencies.database.inScope(SYSTEM, tx =>
    tx
      .updateTable('publishers')
      .set({ name: '=HYPERLINK("http://evil.example")' })
      .where('id', '=', hostile!)
      .execute(),
  )
})
afterAll(() => system?.close())

function ask(token: string, body: object, headers: Record<string, string> = {}) {
  return fetch(`${system.origins.insight}/exports/report`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
    body: JSON.stringify({ format: 'csv', ...body }),
  })
}

/** Cells of lines without line breaks in them; the byte order mark is checked and taken away. */
async function linesOf(response: Response): Promise<string[][]> {
  const bytes = Buffer.from(await response.arrayBuffer())
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  const lines = bytes.subarray(3).toString('utf8').split('\r\n').slice(0, -1)
  return lines.map(line =>
    [...`${line},`.matchAll(/(?:"((?:[^"]|"")*)"|([^,]*)),/g)].map(m => m[1]?.replaceAll('""', '"') ?? m[2] ?? ''),
  )
}

const range = { from: FROM, to: addDays(FROM, 6) }
const cut = (value: number | null, factor: number) =>
  value === null ? '' : `${Math.floor(value * factor + 1e-9) / 10}`

describe('articles', () => {
  const condition = articlesCondition.format({ ...articlesCondition.defaults, ...range, order: 'CLICK_ASC' })

  test('all rows, the figures and the order of the API', async () => {
    const columns = ['itemId', 'IMPRESSION', 'CLICK', 'CTR', 'WATCH', 'REVENUE', 'gross', 'RPM', 'effectiveRate']
    const [, ...lines] = await linesOf(await ask(staff, { report: 'articles', condition, columns }))
    expect(lines).toHaveLength(ARTICLES)
    const nodes: string[][] = []
    for (const offset of [0, 1000, 2000]) {
      const { json } = await system.ask(
        'insight',
        `query ($offset: Int!, $from: Date!, $to: Date!) { articleStats(limit: 1000, offset: $offset, orderBy: CLICK_ASC,
          param: { from: $from, to: $to }) { nodes { articleId title impression click ctr watch publisherTotalRevenue rpm
          revenueDetail { productAdsRevenue effectiveRate } } } }`,
        staff,
        { offset, ...range },
      )
      type Node = Record<'articleId' | 'title', string> &
        Record<string, number> & { revenueDetail: Record<string, number> }
      const data = json.data as { articleStats: { nodes: Node[] } }
      for (const node of data.articleStats.nodes)
        nodes.push([
          node.title ?? `ID ${node.articleId}`,
          ...[node.articleId, node.impression, node.click].map(String),
          node.ctr === null ? '' : `${(Math.floor(node.ctr! * 1000 + 1e-9) / 10).toFixed(1)}%`,
          String(node.watch),
          String(node.publisherTotalRevenue),
          String(node.revenueDetail.productAdsRevenue),
          node.rpm === null ? '' : Number(cut(node.rpm!, 10)).toFixed(1),
          node.revenueDetail.effectiveRate === null
            ? ''
            : `${(Math.floor(node.revenueDetail.effectiveRate! * 1000 + 1e-9) / 10).toFixed(1)}%`,
        ])
    }
    expect(lines).toEqual(nodes)
  })

  test('a publisher gets its own rows and none of the columns for staff', async () => {
    const columns = ['publisherId', 'publisher', 'gross', 'effectiveRate', 'REVENUE']
    const [header, ...lines] = await linesOf(await ask(publisher, { report: 'articles', condition, columns }))
    expect(header).toEqual(['タイトル', 'パブリッシャーID', 'パブリッシャー', '収益（円）'])
    expect(lines).toHaveLength(ARTICLES / 2)
    expect(new Set(lines.map(line => line[1]))).toEqual(new Set([String(system.rows.a.publisherIds[0])]))
    const { json } = await system.ask(
      'insight',
      `query ($from: Date!, $to: Date!) { articleStats(limit: 1000, offset: 0, orderBy: CLICK_ASC,
        param: { from: $from, to: $to }) { nodes { publisherName } } }`,
      publisher,
      range,
    )
    const { articleStats } = json.data as { articleStats: { nodes: { publisherName: string }[] } }
    expect(articleStats.nodes[0]?.publisherName).toMatch(/\S/)
    // A name that a spreadsheet would take for a formula is written as text.
    expect(lines.slice(0, 1000).map(line => line[2])).toEqual(
      articleStats.nodes.map(node => node.publisherName.replace(/^=/, "'=")),
    )
  })

  test('compared days come with the difference and the change', async () => {
    const segment = articlesCondition.format({
      ...articlesCondition.defaults,
      ...{ from: addDays(FROM, 1), to: addDays(FROM, 1), compareWith: 'previous_period', groupBy: 'date' },
    })
    const response = await ask(staff, { report: 'articles', condition: segment, columns: ['CLICK', 'CTR'] })
    const [header, line] = await linesOf(response)
    expect(header?.slice(2)).toEqual([
      ...['クリック数', 'クリック数（比較期間）', 'クリック数（増減）', 'クリック数（増減率）'],
      ...['クリック率', 'クリック率（比較期間）', 'クリック率（増減・ポイント）', 'クリック率（増減率）'],
    ])
    const [now, before, difference] = line!.slice(2, 5).map(Number)
    expect(difference).toBe(now! - before!)
    expect(line![5]).toMatch(/^-?\d+\.\d%$/)
  })

  test('periods without data have their lines, as they have their rows on the screen', async () => {
    const segment = (change: object) =>
      articlesCondition.format({
        ...articlesCondition.defaults,
        ...{ from: addDays(FROM, -2), to: addDays(FROM, 8), groupBy: 'date', dateOrder: 'DATE_ASC', ...change },
      })
    const columns = ['date', 'state', 'CLICK']
    const ordered = (await linesOf(await ask(staff, { report: 'articles', condition: segment({}), columns }))).slice(1)
    expect(ordered.map(([first]) => first)).toEqual(Array.from({ length: 11 }, (_, at) => addDays(FROM, at - 2)))
    const without = ordered.filter(line => line[3] === '')
    expect(without.map(([first, days, state]) => [first, days, state])).toEqual([
      ...[-2, -1].map(at => [addDays(FROM, at), '1', 'データなし']),
      ...[7, 8].map(at => [addDays(FROM, at), '1', '集計前']),
    ])
    const byClick = segment({ dateOrder: 'CLICK_DESC' })
    const sorted = (await linesOf(await ask(staff, { report: 'articles', condition: byClick, columns }))).slice(1)
    expect(sorted.slice(7)).toEqual(without)
  })

  test('every export is in the audit log, with what it was and who requested it', async () => {
    const response = await ask(publisher, { report: 'articles', condition, format: 'xlsx' })
    expect(response.headers.get('content-disposition')).toBe(
      'attachment; filename="articles_2026-10-01_2026-10-07.xlsx"',
    )
    await response.arrayBuffer()
    const row = await system.dependencies.database.inScope(SYSTEM, tx =>
      tx.selectFrom('auditLog').selectAll().where('action', '=', 'download').orderBy('seq', 'desc').executeTakeFirst(),
    )
    expect(row).toMatchObject({
      actorUid: system.rows.users['insight:publisher_admin'].uid,
      resourceName: 'insight:article_stats.',
    })
    expect(row?.after).toMatchObject({ rows: ARTICLES / 2, format: 'xlsx', report: '記事レポート（記事別）' })
  })
})

test('a title and a feed narrow the list, its totals, its periods and its file alike', async () => {
  const [feedId] = system.rows.a.feedIds
  const titles = ['秋の味覚', '秋の夜長', '冬の味覚']
  await system.dependencies.database.inScope(SYSTEM, tx =>
    tx
      .insertInto('mediumArticles')
      .values(
        titles.map((title, n) => ({
          ...{
            articleId: BigInt(10_000 + 2 * n),
            mediumId: 1n,
            mediumArticleId: `f${n}`,
            title,
            url: 'https://a.example/',
          },
          ...{ publisherId: system.rows.a.publisherIds[0]!, publishedAt: new Date(), feedId: n === 1 ? null : feedId! },
        })),
      )
      .execute(),
  )
  const found = async (token: string, filter: { title?: string; feedId?: string[] }) => {
    const condition = articlesCondition.format({ ...articlesCondition.defaults, ...range, ...filter })
    const [, ...lines] = await linesOf(await ask(token, { report: 'articles', condition, columns: ['itemId'] }))
    const { title, feedId: feedIds } = filter
    const param = { ...range, title, ...(feedIds ? { feedIds } : {}) }
    const stats = `($param: ArticleStatsParam!) { articleStats(limit: 10, offset: 0, param: $param) { total totals { impression } nodes { impression } } }`
    const { json } = await system.ask('insight', `query ${stats}`, token, { param })
    const answer = (
      json.data as {
        articleStats: { total: number; totals: { impression: number } | null; nodes: { impression: number }[] }
      }
    ).articleStats
    expect(answer.total).toBe(lines.length)
    expect(answer.totals?.impression ?? 0).toBe(answer.nodes.reduce((sum, node) => sum + node.impression, 0))
    return lines.map(line => line[0]).sort()
  }
  expect(await found(staff, { title: '味覚' })).toEqual(['冬の味覚', '秋の味覚'])
  expect(await found(staff, { title: '味覚 秋' })).toEqual(['秋の味覚'])
  expect(await found(staff, { title: '秋', feedId: [String(feedId)] })).toEqual(['秋の味覚'])
  expect(await found(staff, { title: '無い言葉' })).toEqual([])
  expect(await found(publisher, { feedId: [String(feedId)] })).toEqual(['冬の味覚', '秋の味覚'])
  expect(await found(await system.tokenOf(system.rows.users.ofB.email), { title: '味覚' })).toEqual([])
})

test('every report as every kind of file, with all of its columns', async () => {
  const conditions = {
    dashboard: dashboardCondition.format({
      ...dashboardCondition.defaults,
      ...range,
      sort: '-clicks',
      compareWith: 'same_weekdays',
    }),
    'publisher-ranking': rankingCondition.format({ ...rankingCondition.defaults, ...range }),
    articles: articlesCondition.format({ ...articlesCondition.defaults, ...range }),
    'articles-by-author': articlesCondition.format({ ...articlesCondition.defaults, ...range, groupBy: 'author' }),
    article: contentCondition.format({ ...contentCondition.defaults, ...range, order: 'WATCH3S_ASC' }),
    videos: videosCondition.format({
      ...videosCondition.defaults,
      ...range,
      groupBy: 'date',
      compareWith: 'same_weekdays',
    }),
    video: contentCondition.format({ ...contentCondition.defaults, ...range, order: 'WATCH3S_ASC' }),
  } as const
  for (const [report, condition] of Object.entries(conditions)) {
    const columns = REPORT_COLUMNS[report as keyof typeof conditions].map(column => column.id)
    const itemId = report === 'article' ? '10000' : '70'
    const publisherId = String(system.rows.a.publisherIds[0])
    for (const format of ['csv', 'csv-cp932', 'xlsx']) {
      const screen = report.replace('-by-author', '')
      const response = await ask(staff, { report: screen, condition, columns, itemId, publisherId, format })
      expect([report, format, response.status]).toEqual([report, format, 200])
      const bytes = Buffer.from(await response.arrayBuffer())
      if (format === 'xlsx') expect(bytes.subarray(0, 2).toString()).toBe('PK')
      else {
        const lines = new TextDecoder(format === 'csv' ? 'utf-8' : 'shift_jis').decode(bytes).split('\r\n').slice(0, -1)
        expect([report, lines.length - 1]).toEqual([report, Number(response.headers.get('x-export-rows'))])
        expect(lines.length).toBeGreaterThan(1)
      }
    }
  }
})

test('the dashboard sorts as its table does, and no data is neither 0 nor lost', async () => {
  const condition = dashboardCondition.format({ ...dashboardCondition.defaults, ...range, sort: 'clicks' })
  const [, ...lines] = await linesOf(
    await ask(staff, { report: 'dashboard', condition, columns: ['state', 'clicks', 'follower'] }),
  )
  expect(lines.map(line => [line[0]?.slice(8), line[2], line[5], line[6]])).toEqual([
    ...['01', '02', '04'].map(date => [date, '速報', '68', '10']),
    ...[['03', 'データなし', '', '']],
    ...['05', '06', '07'].map(date => [date, '集計前', '', '']),
  ])
})

test('the ranking is for staff; names that are formulas stay names', async () => {
  const condition = rankingCondition.format({ ...rankingCondition.defaults, ...range })
  const [, ...lines] = await linesOf(await ask(staff, { report: 'publisher-ranking', condition, columns: ['CLICK'] }))
  expect(lines.map(line => line[2])).toContain('\'=HYPERLINK("http://evil.example")')
  const refused = await ask(publisher, { report: 'publisher-ranking', condition })
  expect([refused.status, ((await refused.json()) as { message: string }).message]).toEqual([
    403,
    expect.stringContaining('一覧で表示できません'),
  ])
})

test('a file has the order by change of the screen, and only what has changed by so much', async () => {
  const [doubled, half] = system.rows.a.publisherIds.slice(0, 1).concat(system.rows.b.publisherIds.slice(0, 1))
  const read = async (more: object) => {
    const day = addDays(FROM, 1)
    const shown = { ...rankingCondition.defaults, from: day, to: day, orderOf: 'percent', ...more } as const
    const condition = rankingCondition.format(shown)
    const response = await ask(staff, { report: 'publisher-ranking', condition, columns: ['publisherId'] })
    return (await linesOf(response)).slice(1).map(line => line.at(-1))
  }
  expect(await read({ order: 'REVENUE_ASC' })).toEqual([half, doubled].map(String))
  expect(await read({ order: 'REVENUE_DESC' })).toEqual([doubled, half].map(String))
  expect(await read({ minChange: '60' })).toEqual([String(doubled)])
  expect(await read({ orderOf: 'value', minChange: '60' })).toHaveLength(2)
})

test('a ranking of a section says that it counts articles only, and its file leaves the rest empty', async () => {
  const { database, stats } = system.dependencies
  const [publisherId] = system.rows.a.publisherIds
  const labelled = { mediumId: 1n, publisherId: publisherId!, author: [], tag: [] }
  await insertLabelledArticles({ database, stats }, [
    { id: 10_000n, ...labelled, section: ['経済'] },
    { id: 10_002n, ...labelled, section: ['スポーツ'] },
  ])
  const { id } = await database.inScope(SYSTEM, tx =>
    tx.selectFrom('articleLabels').select('id').where('name', '=', '経済').executeTakeFirstOrThrow(),
  )
  const sectionId = [String(id)]
  const param = { ...range, sectionIds: sectionId }
  const { json } = await system.ask(
    'insight',
    `query ($param: PublisherRankParam!) { publisherRank(limit: 10, offset: 0, orderBy: IMPRESSION_DESC, param: $param) {
      isOfArticlesOnly total nodes { publisherId impressions clicks articleWatchCount videoImpressions
      revenueDetail { sspRevenue } } } }`,
    staff,
    { param },
  )
  // What the one article of the section has: n is 0 above.
  const figures = { impressions: 0, clicks: 0, articleWatchCount: 0, videoImpressions: 0 }
  expect(json.data).toEqual({
    publisherRank: {
      ...{ isOfArticlesOnly: true, total: 1 },
      nodes: [{ publisherId: String(publisherId), ...figures, revenueDetail: { sspRevenue: 0 } }],
    },
  })
  const condition = rankingCondition.format({ ...rankingCondition.defaults, ...range, sectionId })
  const columns = ['IMPRESSION', 'VIDEOIMPRESSION', 'SSPREVENUE']
  const [header, ...lines] = await linesOf(await ask(staff, { report: 'publisher-ranking', condition, columns }))
  expect(lines).toHaveLength(1)
  const cellsOf = (name: string) => lines[0]!.filter((_, at) => header![at]!.startsWith(name))
  expect(cellsOf('表示回数')[0]).toBe('0')
  expect(cellsOf('動画の表示回数')).toEqual(['', '', '', ''])
  expect(cellsOf('SSP収益')).toEqual(['', '', '', ''])
  expect((await ask(publisher, { report: 'publisher-ranking', condition })).status).toBe(403)
})

test('refuses what is not signed in, not a report, not JSON, not a format, of another origin', async () => {
  expect((await ask('x', { report: 'articles' })).status).toBe(401)
  expect((await ask(staff, { report: 'secrets' })).status).toBe(400)
  expect((await ask(staff, { report: 'articles', format: 'exe' })).status).toBe(400)
  expect((await ask(staff, { report: 'articles' }, { 'content-type': 'text/plain' })).status).toBe(415)
  expect((await ask(staff, { report: 'articles' }, { origin: 'https://evil.example' })).status).toBe(403)
  expect(
    (await fetch(`${system.origins.insight}/exports/report`, { headers: { authorization: `Bearer ${staff}` } })).status,
  ).toBe(405)
})

test('in frames the file comes with how far it is', async () => {
  const condition = articlesCondition.format({ ...articlesCondition.defaults, ...range })
  const plain = Buffer.from(await (await ask(staff, { report: 'articles', condition })).arrayBuffer())
  const response = await ask(
    staff,
    { report: 'articles', condition },
    { accept: 'application/x-publisher-center-export' },
  )
  const bytes = Buffer.from(await response.arrayBuffer())
  const [file, progress]: [Buffer[], { rows: number; total: number }[]] = [[], []]
  for (let at = 0; at < bytes.length; ) {
    const body = bytes.subarray(at + 5, at + 5 + bytes.readUInt32BE(at + 1))
    if (bytes[at] === 1) file.push(body)
    else progress.push(JSON.parse(body.toString()))
    at += 5 + body.length
  }
  expect(Buffer.concat(file)).toEqual(plain)
  expect(progress.at(-1)).toEqual({ rows: ARTICLES, total: ARTICLES })
  expect(progress.length).toBeGreaterThan(2)
})

const MANY_ROWS = sampleOr(50_000, 200_000)

test(`${MANY_ROWS} rows hold up no other request, nor grow the memory with the file`, {
  timeout: 240_000,
}, async () => {
  const many = MANY_ROWS
  await importFacts(system.dependencies.stats, 2n, {
    article_day: Array.from({ length: many }, (_, n) => ({
      ...{
        medium_id: 2n,
        batch_no: 2n,
        article_id: BigInt(1_000_000 + n),
        publisher_id: system.rows.a.publisherIds[0]!,
      },
      ...{ date: addDays(FROM, n % 7), impression: BigInt(n), click: BigInt(n % 13), watch: 1n },
      ...{ ads_revenue_micro_yen: BigInt(n) * 1_000n, publisher_revenue_micro_yen: BigInt(n) * 500n },
    })),
  })
  const condition = articlesCondition.format({ ...articlesCondition.defaults, ...range, mediumId: ['2'] })
  const columns = REPORT_COLUMNS.articles.map(column => column.id)
  const small = articlesCondition.format({ ...articlesCondition.defaults, ...range, mediumId: ['1'] })
  const smallFile = async () => (await ask(staff, { report: 'articles', condition: small, columns })).arrayBuffer()
  for (const format of ['csv', 'csv-cp932', 'xlsx']) {
    const before = process.memoryUsage().rss
    let [bytes, most, isWhole] = [0, 0, false]
    const response = await ask(staff, { report: 'articles', condition, columns, format })
    const beside = smallFile().then(({ byteLength }) => ({ byteLength, wasFirst: !isWhole }))
    for await (const piece of response.body!) {
      bytes += (piece as Uint8Array).length
      most = Math.max(most, process.memoryUsage().rss - before)
    }
    isWhole = true
    expect(response.headers.get('x-export-rows')).toBe(String(many))
    expect(bytes).toBeGreaterThan(10 * many)
    expect(await beside, format).toEqual({ byteLength: expect.any(Number), wasFirst: true })
    expect(most / 1e6).toBeLessThan(150)
  }
})
