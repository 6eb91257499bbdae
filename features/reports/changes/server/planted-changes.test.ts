import { changeSentence } from '@pc/domain/change/change-sentence.ja.ts'
import { addDays, type Day, day, dayOfWeek } from '@pc/domain/month/day.ts'
import type { ChangeMetric } from '@pc/domain/report/metric-identity.ts'
import { fixedClock } from '@pc/platform/clock.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { insertLabelledArticles, type LabelledArticle } from '@pc/testing/statistics/labelled-articles.ts'
import { makeReportFixture } from '@pc/testing/statistics/report-store-fixture.ts'
import { openTestDuckDb } from '@pc/testing/statistics/stats-engines.ts'
import { type FactRow, importFacts, randomFrom } from '@pc/testing/statistics/stats-rows.ts'
import { testDatabase } from '@pc/testing/test-database.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { COUNT_COLUMNS, SOURCE_REVENUE_COLUMNS } from '../../core/server/summary-sql.ts'
import { readChange } from './change-report.ts'

/**
 * Known stories: two weeks of even figures with a little noise are compared with the two weeks before; one cause is planted, and
 * the sentence names it first. Each story has media of its own, so that nothing of another one arrives there.
 */
const { database, drop } = await testDatabase()
const { store: stats, drop: dropStats } = await openTestDuckDb()
afterAll(async () => {
  await drop()
  await dropStats()
})
const { publishers, permitOf } = await makeReportFixture(database)
const BEFORE = day('2026-05-04')
const FROM = addDays(BEFORE, 14)
const TO = addDays(FROM, 13)
const clock = fixedClock('2026-06-10T10:00:00+09:00')
const PUBLISHERS = publishers.slice(0, 4)

/** A day of an article: what a story changes. Publishers and media are counted from 0, articles within their publisher. */
interface Cell {
  readonly date: Day
  readonly isNow: boolean
  readonly medium: number
  readonly publisher: number
  readonly article: number
}
interface Figures {
  impressions: number
  clicks: number
  /** Micro-yen per click. */
  price: number
  /** Micro-yen that no article earns. */
  other: number
}
interface Story {
  readonly name: string
  readonly metric: ChangeMetric
  /** How the sentence begins to say why. */
  readonly names: string
  readonly change: (cell: Cell, figures: Figures) => void | 'absent'
}

const only = (matches: (cell: Cell) => boolean, change: (figures: Figures) => void) => (cell: Cell, figures: Figures) =>
  cell.isNow && matches(cell) ? change(figures) : undefined
const lost = (matches: (cell: Cell) => boolean) => (cell: Cell) => (cell.isNow && matches(cell) ? 'absent' : undefined)
const added = (matches: (cell: Cell) => boolean) => (cell: Cell) =>
  !cell.isNow && matches(cell) ? 'absent' : undefined
const times = (by: number) => (figures: Figures) => {
  figures.impressions *= by
  figures.clicks *= by
}
const priced = (by: number) => (figures: Figures) => {
  figures.price *= by
}
const is =
  (article: number, publisher: number, medium = 0) =>
  (cell: Cell) =>
    cell.article === article && cell.publisher === publisher && cell.medium === medium
const at = (days: number) => addDays(FROM, days)
const because = (what: string) => `いちばんの要因は、${what}`

const STORIES: readonly Story[] = [
  {
    name: 'an article is read by everybody',
    metric: 'impressions',
    names: because('記事「ARTICLE(0,1)」の増加'),
    change: only(is(0, 1), times(40)),
  },
  {
    name: 'an article earns more',
    metric: 'publisherTotalRevenue',
    names: because('記事「ARTICLE(0,1)」の増加'),
    change: only(is(0, 1), times(40)),
  },
  {
    name: 'an article for one day',
    metric: 'clicks',
    names: because('記事「ARTICLE(1,2)」の増加'),
    change: only(cell => is(1, 2)(cell) && cell.date === at(5), times(400)),
  },
  {
    name: 'a new article',
    metric: 'impressions',
    names: because('新たに加わった記事「ARTICLE(2,0)」'),
    change: (cell, figures) => (is(2, 0)(cell) ? (cell.isNow ? times(20)(figures) : 'absent') : undefined),
  },
  {
    name: 'an article is gone',
    metric: 'publisherTotalRevenue',
    names: because('記事「ARTICLE(0,3)」がなくなったこと'),
    change: (cell, figures) => (is(0, 3)(cell) ? (cell.isNow ? 'absent' : times(30)(figures)) : undefined),
  },
  {
    name: 'a new section',
    metric: 'impressions',
    names: because('新たに加わったセクション「特集」'),
    change: (cell, figures) =>
      cell.article >= 4 && cell.publisher === 0 ? (cell.isNow ? times(5)(figures) : 'absent') : undefined,
  },
  {
    name: 'a section is read more',
    metric: 'clicks',
    names: because('セクション「特集」の増加'),
    change: only(cell => cell.article >= 4 && cell.publisher === 0, times(12)),
  },
  {
    name: 'a publisher stopped',
    metric: 'publisherTotalRevenue',
    names: because('パブリッシャー「あおい新聞社2」がなくなったこと'),
    change: lost(cell => cell.publisher === 2),
  },
  {
    name: 'a publisher began',
    metric: 'publisherTotalRevenue',
    names: because('新たに加わったパブリッシャー「あおい新聞社1」'),
    change: added(cell => cell.publisher === 1),
  },
  {
    name: 'a publisher lost half of its reach',
    metric: 'impressions',
    names: because('パブリッシャー「あおい新聞社3」の減少'),
    change: only(cell => cell.publisher === 3, times(0.4)),
  },
  {
    name: 'a publisher is clicked less',
    metric: 'ctr',
    names: because('パブリッシャー「あおい新聞社0」の変化'),
    change: only(
      cell => cell.publisher === 0,
      figures => {
        figures.clicks *= 0.3
      },
    ),
  },
  {
    name: 'a medium stopped',
    metric: 'publisherTotalRevenue',
    names: because('媒体「MEDIUM(1)」がなくなったこと'),
    change: lost(cell => cell.medium === 1),
  },
  {
    name: 'a medium began',
    metric: 'impressions',
    names: because('新たに加わった媒体「MEDIUM(1)」'),
    change: added(cell => cell.medium === 1),
  },
  {
    name: 'a medium shows less',
    metric: 'clicks',
    names: because('媒体「MEDIUM(0)」の減少'),
    change: only(cell => cell.medium === 0, times(0.5)),
  },
  {
    name: 'a medium pays less per click',
    metric: 'publisherTotalRevenue',
    names: because('媒体「MEDIUM(1)」の減少'),
    change: only(
      cell => cell.medium === 1,
      figures => {
        figures.price *= 0.5
      },
    ),
  },
  {
    name: 'a medium pays more per 1,000 impressions',
    metric: 'rpm',
    names: because('媒体「MEDIUM(0)」の変化'),
    change: only(
      cell => cell.medium === 0,
      figures => {
        figures.price *= 2
      },
    ),
  },
  {
    name: 'the price falls everywhere',
    metric: 'publisherTotalRevenue',
    names: because('クリック1回あたりの金額の低下'),
    change: only(
      () => true,
      figures => {
        figures.price *= 0.8
      },
    ),
  },
  {
    name: 'the price rises everywhere',
    metric: 'rpm',
    names: because('クリック1回あたりの金額の上昇'),
    change: only(
      () => true,
      figures => {
        figures.price *= 1.3
      },
    ),
  },
  {
    name: 'the click rate falls everywhere',
    metric: 'publisherTotalRevenue',
    names: because('クリック率の低下'),
    change: only(
      () => true,
      figures => {
        figures.clicks *= 0.7
      },
    ),
  },
  {
    name: 'the click rate rises everywhere',
    metric: 'clicks',
    names: because('クリック率の上昇'),
    change: only(
      () => true,
      figures => {
        figures.clicks *= 1.4
      },
    ),
  },
  {
    name: 'everything is shown more',
    metric: 'publisherTotalRevenue',
    names: because('表示回数の増加'),
    change: only(() => true, times(1.5)),
  },
  {
    name: 'everything is shown less',
    metric: 'clicks',
    names: because('表示回数の減少'),
    change: only(() => true, times(0.6)),
  },
  {
    name: 'fewer clicks on as many impressions',
    metric: 'ctr',
    names: because('クリック数の減少'),
    change: only(
      () => true,
      figures => {
        figures.clicks *= 0.6
      },
    ),
  },
  {
    name: 'more impressions for as many clicks',
    metric: 'ctr',
    names: because('表示回数の増加'),
    change: only(
      () => true,
      figures => {
        figures.impressions *= 1.8
      },
    ),
  },
  {
    name: 'one strong day',
    metric: 'impressions',
    names: because('5月24日（5月10日との比較）の増加'),
    change: only(cell => cell.date === at(6), times(9)),
  },
  {
    name: 'one weak day',
    metric: 'publisherTotalRevenue',
    names: because('5月21日（5月7日との比較）の減少'),
    change: only(cell => cell.date === at(3), times(0.05)),
  },
  {
    name: 'a weekday that nobody reads',
    metric: 'clicks',
    names: because('日曜日の減少'),
    change: only(cell => dayOfWeek(cell.date) === 0, times(0.1)),
  },
  {
    name: 'days of a medium that were not delivered',
    metric: 'publisherTotalRevenue',
    names: because('媒体「MEDIUM(0)」の5月22日ほか3日のデータがないこと'),
    change: lost(cell => cell.medium === 0 && cell.date >= at(4) && cell.date <= at(7)),
  },
  {
    name: 'days that were not delivered then',
    metric: 'impressions',
    names: because('比較する期間に、媒体「MEDIUM(1)」の5月7日ほか2日のデータがないこと'),
    change: cell =>
      cell.medium === 1 && cell.date >= addDays(BEFORE, 3) && cell.date <= addDays(BEFORE, 5) ? 'absent' : undefined,
  },
  {
    name: 'revenue that no article earns',
    metric: 'publisherTotalRevenue',
    names: because('クリック1回あたりの金額の低下'),
    change: only(
      () => true,
      figures => {
        figures.other = 0
      },
    ),
  },
  {
    name: 'the platform keeps more',
    metric: 'retainedRevenue',
    names: because('パブリッシャーの収益の減少'),
    change: only(
      () => true,
      figures => {
        figures.price *= 0.7
      },
    ),
  },
  {
    name: 'the rate of a publisher is raised',
    metric: 'publisherTotalRevenue',
    names: because('パブリッシャー「あおい新聞社2」の増加'),
    change: only(cell => cell.publisher === 2, priced(1.4)),
  },
  {
    name: 'the rate of a publisher is lowered, seen by the rate',
    metric: 'effectiveRate',
    names: because('パブリッシャー「あおい新聞社1」の変化'),
    change: only(cell => cell.publisher === 1, priced(0.5)),
  },
  {
    name: 'all rates are raised',
    metric: 'effectiveRate',
    names: because('パブリッシャーの収益の増加'),
    change: only(() => true, priced(1.2)),
  },
  {
    name: 'the price of one article changes',
    metric: 'publisherTotalRevenue',
    names: because('記事「ARTICLE(2,0)」の増加'),
    change: only(is(2, 0), priced(30)),
  },
  {
    name: 'a medium pays less from the middle on',
    metric: 'publisherTotalRevenue',
    names: because('媒体「MEDIUM(0)」の減少'),
    change: only(cell => cell.medium === 0 && cell.date >= at(7), priced(0.3)),
  },
  {
    name: 'a publisher is removed in the middle',
    metric: 'clicks',
    names: because('パブリッシャー「あおい新聞社0」の減少'),
    change: lost(cell => cell.publisher === 0 && cell.date >= at(5)),
  },
  {
    name: 'a publisher is removed, seen by its impressions',
    metric: 'impressions',
    names: because('パブリッシャー「あおい新聞社3」がなくなったこと'),
    change: lost(cell => cell.publisher === 3),
  },
  {
    name: 'the last days of a medium are late',
    metric: 'clicks',
    names: because('媒体「MEDIUM(1)」の5月30日ほか1日のデータがないこと'),
    change: lost(cell => cell.medium === 1 && cell.date >= at(12)),
  },
  {
    name: 'nothing happened',
    metric: 'impressions',
    names: '表示回数は、前の期間と変わっていません。',
    change: () => undefined,
  },
]

const ARTICLES = 6
/** Of a story, its media. */
const mediaOf = (place: number) => [BigInt(1001 + 2 * place), BigInt(1002 + 2 * place)]
const articleId = (place: number, { medium, publisher, article }: Pick<Cell, 'medium' | 'publisher' | 'article'>) =>
  BigInt(place * 1000 + medium * 100 + publisher * 10 + article + 1)

const mediumName = (place: number, medium: number) => `媒体${medium + 1}（${place}）`

/** The articles from the fifth on are of a section of their own. */
function labelled(): LabelledArticle[] {
  return STORIES.flatMap((_, place) =>
    mediaOf(place).flatMap((mediumId, medium) =>
      PUBLISHERS.flatMap(({ id: publisherId }, publisher) =>
        Array.from({ length: ARTICLES }, (_each, article) => ({
          ...{ id: articleId(place, { medium, publisher, article }), mediumId, publisherId },
          ...{ author: [], section: [article >= 4 ? '特集' : '一般'], tag: [] },
        })),
      ),
    ),
  )
}

beforeAll(async () => {
  const publisherDays: FactRow[] = []
  const articleDays: FactRow[] = []
  await database.inScope(SYSTEM, tx =>
    tx
      .insertInto('media')
      .values(
        STORIES.flatMap((_, place) => mediaOf(place).map((id, medium) => ({ id, name: mediumName(place, medium) }))),
      )
      .execute(),
  )
  for (const [place, story] of STORIES.entries()) {
    const random = randomFrom(place + 1)
    const even = story.name === 'nothing happened'
    for (let index = -3; index < 31; index += 1) {
      const date = addDays(BEFORE, index)
      for (const [medium, medium_id] of mediaOf(place).entries()) {
        for (const [publisher, { id: publisher_id }] of PUBLISHERS.entries()) {
          const sum = { impressions: 0n, clicks: 0n, revenue: 0n, other: 0n, gross: 0n, rows: 0 }
          for (let article = 0; article < ARTICLES; article += 1) {
            const cell = { date, medium, publisher, article, isNow: date >= FROM && date <= TO }
            const noise = () => (even ? 1 : 1 + (random.below(100) - 50) / 50_000)
            const figures = {
              impressions: 10_000 * noise(),
              clicks: 300 * noise(),
              price: 4_000_000,
              other: 600_000_000,
            }
            const inRange = date >= BEFORE && date <= TO
            if (inRange && story.change(cell, figures) === 'absent') continue
            const [impression, click] = [BigInt(Math.round(figures.impressions)), BigInt(Math.round(figures.clicks))]
            const revenue = click * BigInt(Math.round(figures.price))
            articleDays.push({
              ...{ date, medium_id, publisher_id, article_id: articleId(place, cell), batch_no: 1n },
              ...{
                impression,
                click,
                watch: 0n,
                ads_revenue_micro_yen: click * 8_000_000n,
                publisher_revenue_micro_yen: revenue,
              },
            })
            sum.impressions += impression
            sum.clicks += click
            sum.revenue += revenue
            sum.other += BigInt(Math.round(figures.other))
            sum.gross += click * 8_000_000n
            sum.rows += 1
          }
          if (sum.rows === 0) continue
          publisherDays.push({
            ...Object.fromEntries([...COUNT_COLUMNS, ...SOURCE_REVENUE_COLUMNS].map(column => [column, 0n])),
            ...{ date, medium_id, publisher_id, batch_no: 1n, follower: null },
            ...{ article_impression: sum.impressions, article_click: sum.clicks },
            ...{
              publisher_revenue_micro_yen: sum.revenue + sum.other,
              ads_revenue_micro_yen: sum.gross,
              ssp_revenue_micro_yen: sum.other,
            },
          })
        }
      }
    }
  }
  await importFacts(stats, 1n, { publisher_day: publisherDays, article_day: articleDays })
  await insertLabelledArticles({ database, stats }, labelled())
})

test.each(STORIES.map((story, place) => ({ ...story, place })))('$name: $names', async ({ metric, names, place }) => {
  const change = await readChange(
    { stats, database, clock },
    {
      ...{ metric, compareWith: 'previous_period', range: { from: FROM, to: TO } },
      filter: { mediumIds: mediaOf(place), organizationIds: undefined, publisherIds: PUBLISHERS.map(({ id }) => id) },
    },
    permitOf('staff', 'read:list', 'insight:summary_stats.'),
    { articles: true, videos: true },
  )
  const named = names
    .replace(/ARTICLE\((\d),(\d)\)/, (_, article, publisher) => {
      return `記事${articleId(place, { medium: 0, publisher: Number(publisher), article: Number(article) })}`
    })
    .replace(/MEDIUM\((\d)\)/, (_, medium) => mediumName(place, Number(medium)))
  expect(changeSentence(change!)).toContain(named)
})
