import { addDays, type Day } from '@pc/domain/month/day.ts'
import { type BenchSize, PUBLISHERS_PER_ORGANIZATION } from './bench-size.ts'

/**
 * Periods of the queries, in days. The bench uses the documents of the screens with other days, publishers and articles
 * each time.
 */
const RANGES = { '7d': 7, '30d': 30, '1y': 365 } as const
type RangeName = keyof typeof RANGES
const READERS = ['publisher', 'organization', 'all'] as const
/**
 * `publisher`: staff for one publisher; `organization`: a publisher's administrator; `all`: staff for all publishers.
 */
type Reader = (typeof READERS)[number]

export interface BenchQuery {
  readonly name: string
  readonly range: RangeName
  readonly reader: Reader
  readonly document: string
  /**
   * Variables of the n-th request. `offered`: periods that screens offer to everybody (they end with the newest day);
   * `own`: one of forty end days.
   */
  variables(n: number, days?: 'offered' | 'own'): Readonly<Record<string, unknown>>
}

const PUBLISHER_FIGURES =
  'impressions clicks ctr watchCount articleImpressions articleClicks articleWatchCount videoImpressions videoClicks videoWatchCount liveImpressions liveClicks liveWatchCount publisherTotalRevenue rpm'
const ARTICLE_FIGURES = 'impression click ctr watch publisherTotalRevenue rpm'
const VIDEO_FIGURES = `${ARTICLE_FIGURES} watch3s play_time average_play_time watch97p average_watch97p`
const ROW = 'date days daysWithData isComplete hasBeenFinalized publisherId mediumId'
const MASTER = 'title url publishedAt createdAt'

const LABELS = `query Q($param: ArticleStatsParam!) { articleStats(limit: 100, offset: 0, param: $param) {
    total totals { ${ARTICLE_FIGURES} } nodes { label { id name } articles ${ROW} publisherName ${ARTICLE_FIGURES} } } }`

const DOCUMENTS = {
  dashboard: `query Q($param: SummaryStatsParam!) { summaryStats(limit: 1000, offset: 0, param: $param) {
    total dataUntil totals { ${ROW} follower ${PUBLISHER_FIGURES} } nodes { ${ROW} follower ${PUBLISHER_FIGURES} } } }`,
  'dashboard with demographics': `query Q($param: SummaryStatsParam!) { summaryStats(limit: 1000, offset: 0, param: $param) {
    total totals { ${PUBLISHER_FIGURES} clickDemographics { genderId ageId click } } nodes { date impressions clicks ctr publisherTotalRevenue } } }`,
  ranking: `query Q($param: PublisherRankParam!) { publisherRank(limit: 100, offset: 0, orderBy: REVENUE_DESC, param: $param) {
    total totals { ${PUBLISHER_FIGURES} } nodes { publisherId publisherName rank previousRank rankChange ${PUBLISHER_FIGURES} } } }`,
  articles: `query Q($param: ArticleStatsParam!) { articleStats(limit: 100, offset: 0, param: $param) {
    total totals { ${ARTICLE_FIGURES} } nodes { articleId ${ROW} ${MASTER} ${ARTICLE_FIGURES} } } }`,
  'articles by date': `query Q($param: ArticleStatsParam!) { articleStats(limit: 1000, offset: 0, param: $param) {
    total totals { ${ARTICLE_FIGURES} } nodes { ${ROW} ${ARTICLE_FIGURES} } } }`,
  'by author': LABELS,
  'by section': LABELS,
  'by tag': LABELS,
  'article detail': `query Q($param: ArticleStatsParam!) { articleStats(limit: 1000, offset: 0, param: $param) {
    total totals { articleId ${MASTER} ${ARTICLE_FIGURES} demographics { genderId ageId click } } nodes { ${ROW} ${ARTICLE_FIGURES} } } }`,
  videos: `query Q($param: VideoStatsParam!) { videoStats(limit: 100, offset: 0, param: $param) {
    total totals { ${VIDEO_FIGURES} } nodes { videoId ${ROW} ${MASTER} thumbnailURL duration ${VIDEO_FIGURES} } } }`,
  'video detail': `query Q($param: VideoStatsParam!) { videoStats(limit: 1000, offset: 0, param: $param) {
    total totals { videoId ${MASTER} duration ${VIDEO_FIGURES} demographics { genderId ageId click watch3s } watchTimes { bucketId watch } }
    nodes { ${ROW} ${VIDEO_FIGURES} } } }`,
} as const
type QueryName = keyof typeof DOCUMENTS

/** A repeatable pseudo-random number in [0, limit). */
function spread(n: number, limit: number): number {
  return (Math.imul(n + 1, 2_654_435_761) % limit) >>> 0 || 0
}

function rangeOf(name: RangeName, ago: number, { to }: BenchSize): { readonly from: Day; readonly to: Day } {
  const last = addDays(to, -ago)
  return { from: addDays(last, 1 - RANGES[name]), to: last }
}

function publisherIndex(n: number, { publishers }: BenchSize): number {
  return Math.abs(spread(n * 3, publishers)) % publishers
}

function extraParam(name: QueryName, n: number, range: { readonly to: Day }, size: BenchSize, reader: Reader) {
  if (name === 'articles by date') return { groupBy: 'date' }
  if (name.startsWith('by ')) return { groupBy: name.slice(3) }
  if (name !== 'article detail' && name !== 'video detail') return {}
  const isVideo = name === 'video detail'
  const perDay = isVideo ? size.newVideosPerDay : size.newArticlesPerDay
  const days = (Date.parse(range.to) - Date.parse(size.from)) / 86_400_000 - 2
  // An item that was new two days before the end, from a publisher that the reader may see.
  const place = publisherIndex(n, size) % (reader === 'organization' ? PUBLISHERS_PER_ORGANIZATION : size.publishers)
  let k = days * perDay
  while (k < days * perDay + perDay - 1 && (k * 7919) % size.publishers !== place) k += 1
  const id = String(1_000_000 + k)
  const publisherIds = [String(1 + ((k * 7919) % size.publishers))]
  return { groupBy: 'date', publisherIds, ...(isVideo ? { videoIds: [id] } : { articleIds: [id] }) }
}

/**
 * Queries for many parallel readers: the reports that the targets name, so that results of commits are comparable.
 * Labels are excluded, because a year of all publishers takes longer than all others together.
 */
export function mixedQueries(queries: readonly BenchQuery[]): readonly BenchQuery[] {
  const mixed = queries.filter(({ name }) => !name.startsWith('by '))
  return mixed.length > 0 ? mixed : queries
}

export function benchQueries(size: BenchSize): readonly BenchQuery[] {
  const queries: BenchQuery[] = []
  for (const name of Object.keys(DOCUMENTS) as QueryName[]) {
    for (const range of Object.keys(RANGES) as RangeName[]) {
      for (const reader of READERS) {
        const isStaffOnly = name === 'ranking'
        const isDetail = name.endsWith('detail')
        if (isStaffOnly && reader !== 'all') continue
        if (isDetail && reader === 'publisher') continue
        queries.push({
          name,
          range,
          reader,
          document: DOCUMENTS[name],
          variables(n, of = 'own') {
            // Years end on different days too, so that they rarely consist of whole months.
            const days = rangeOf(range, of === 'own' ? Math.abs(spread(n, 40)) % 40 : 0, size)
            const one = reader === 'publisher' ? { publisherIds: [String(1 + publisherIndex(n, size))] } : {}
            const granularity = name.startsWith('dashboard') && range === '1y' ? { granularity: 'monthly' } : {}
            return { param: { ...days, ...granularity, ...one, ...extraParam(name, n, days, size, reader) } }
          },
        })
      }
    }
  }
  return queries
}
