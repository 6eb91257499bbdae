import { addDays, type Day, dayOfWeek, dayParts, daysBetween } from '@pc/domain/month/day.ts'
import { MONTH_SHAPE, READERS, WEEKDAY_SHAPE } from './demo-catalog.ts'
import { type DemoArticle, type DemoChannel, type DemoVideo, demoArticlesOf, demoVideosOf } from './demo-contents.ts'
import { type SeededRandom, seededRandom } from './seeded-random.ts'

/** Rows of the three daily datasets as CSV lines, without the header. */
export interface DemoDay {
  readonly articles: readonly string[]
  readonly videos: readonly string[]
  readonly summaries: readonly string[]
}

export const ARTICLE_HEADER =
  'date,medium_id,publisher_id,article_id,impression,click,watch,ads_revenue_micro_yen,publisher_revenue_micro_yen,demographics,engaged_time_ms,completion\n'
export const VIDEO_HEADER =
  'date,medium_id,publisher_id,video_id,impression,click,watch,watch3s,watch97p,play_time_ms,ads_revenue_micro_yen,publisher_revenue_micro_yen,demographics,watch_time\n'
export const SUMMARY_HEADER =
  'date,medium_id,publisher_id,follower,article_impression,article_click,article_watch,video_impression,video_click,video_watch,live_impression,live_click,live_watch,ads_revenue_micro_yen,ssp_revenue_micro_yen,video_ssp_revenue_micro_yen,live_ssp_revenue_micro_yen,publisher_revenue_micro_yen,demographics\n'

/** Share of the readers who are interested in an article or video, by days since it was published. */
const ARTICLE_DECAY = [0.58, 0.27, 0.1, 0.05]
const VIDEO_DECAY = [0.34, 0.22, 0.15, 0.1, 0.07, 0.05, 0.04, 0.03]
/** Articles with fewer clicks have no demographics: small groups could identify people. */
const MIN_CLICKS_FOR_DEMOGRAPHICS = 1200
/** Share of readers whose gender and age are unknown. */
const UNKNOWN_SHARE = 0.13

interface Counts {
  impression: number
  click: number
  watch: number
  adsMicroYen: number
}

export function demoDay(channels: readonly DemoChannel[], date: Day): DemoDay {
  const articles: string[] = []
  const videos: string[] = []
  const summaries: string[] = []
  const published = VIDEO_DECAY.map((_, age) => addDays(date, -age))
  for (const channel of channels) {
    if (channel.endsOn !== null && date > channel.endsOn) continue
    const readers = readersOn(channel, date)
    const article = total()
    for (let age = 0; age < ARTICLE_DECAY.length; age += 1) {
      for (const item of demoArticlesOf(channel, published[age]!)) {
        articles.push(articleLine(item, date, readers * ARTICLE_DECAY[age]!, article))
      }
    }
    const video = total()
    for (let age = 0; age < VIDEO_DECAY.length; age += 1) {
      for (const item of demoVideosOf(channel, published[age]!)) {
        videos.push(videoLine(item, date, readers * VIDEO_DECAY[age]!, video))
      }
    }
    summaries.push(summaryLine(channel, date, readers, article, video))
  }
  return { articles, videos, summaries }
}

const total = (): Counts => ({ impression: 0, click: 0, watch: 0, adsMicroYen: 0 })

function add(to: Counts, counts: Counts): void {
  to.impression += counts.impression
  to.click += counts.click
  to.watch += counts.watch
  to.adsMicroYen += counts.adsMicroYen
}

function readersOn(channel: DemoChannel, date: Day): number {
  const { month, date: dayOfMonth } = dayParts(date)
  const random = seededRandom('readers', channel.place, date)
  const years = daysBetween('2025-01-01' as Day, date) / 365
  const season = MONTH_SHAPE[channel.genre][month - 1]! * WEEKDAY_SHAPE[channel.genre][dayOfWeek(date)]!
  const isNewYear = (month === 12 && dayOfMonth >= 30) || (month === 1 && dayOfMonth <= 3)
  const spike = random.next() < 0.012 ? 1.6 + random.next() * 1.4 : 1
  const growth = 1 + channel.growthPerYear * years
  return channel.audience * season * Math.max(0.2, growth) * (isNewYear ? 0.82 : 1) * spike * random.around(0.06)
}

function countsOf(impression: number, ctr: number, watchRate: number, microYenPerImpression: number): Counts {
  const click = Math.floor(impression * ctr)
  return {
    impression,
    click,
    watch: Math.floor(click * watchRate),
    adsMicroYen: Math.floor(impression * microYenPerImpression),
  }
}

function articleLine(article: DemoArticle, date: Day, readers: number, sum: Counts): string {
  const { channel } = article
  const random = seededRandom('article', article.articleId, date)
  const impression = Math.floor(readers * article.share * random.around(0.12))
  const counts = countsOf(
    impression,
    0.022 + 0.05 * random.next(),
    0.72 + 0.2 * random.next(),
    90_000 + 60_000 * random.next(),
  )
  add(sum, counts)
  const cells =
    counts.click >= MIN_CLICKS_FOR_DEMOGRAPHICS ? demographics(channel, random, [['click', counts.click]]) : ''
  return line(
    date,
    channel.mediumId,
    channel.publisherId,
    article.articleId,
    counts.impression,
    counts.click,
    counts.watch,
    counts.adsMicroYen,
    share(counts.adsMicroYen, channel.rates.ads),
    cells,
    ...readingOf(article, counts.watch),
  )
}

/** One medium delivers no time of reading: its articles have none, and averages are those of the others. */
const MEDIUM_WITHOUT_READING = 2

function readingOf({ articleId, channel }: DemoArticle, watch: number): readonly (number | string)[] {
  if (Number(channel.mediumId) === MEDIUM_WITHOUT_READING) return ['', '']
  const random = seededRandom('reading', articleId)
  return [watch * Math.floor(18_000 + 75_000 * random.next()), Math.floor(watch * (0.25 + 0.5 * random.next()))]
}

function videoLine(video: DemoVideo, date: Day, readers: number, sum: Counts): string {
  const { channel } = video
  const random = seededRandom('video', video.videoId, date)
  const impression = Math.floor(readers * video.share * random.around(0.15))
  const counts = countsOf(impression, 0.06 + 0.08 * random.next(), 0.95, 180_000 + 90_000 * random.next())
  add(sum, counts)
  const watch3s = Math.floor(counts.watch * (0.62 + 0.2 * random.next()))
  const buckets = watchTime(counts.watch, random)
  const durationMs = video.durationSeconds * 1000
  const playTimeMs = buckets.reduce(
    (time, watches, bucket) => time + watches * Math.floor((durationMs * (bucket * 10 + 5)) / 100),
    0,
  )
  const cells =
    counts.click >= 60
      ? demographics(channel, random, [
          ['click', counts.click],
          ['watch3s', watch3s],
        ])
      : ''
  return line(
    date,
    channel.mediumId,
    channel.publisherId,
    video.videoId,
    counts.impression,
    counts.click,
    counts.watch,
    watch3s,
    buckets[10]!,
    playTimeMs,
    counts.adsMicroYen,
    share(counts.adsMicroYen, channel.rates.ads),
    cells,
    `"[${buckets.map((watch, bucketId) => `{""bucketId"":${bucketId},""watch"":${watch}}`).join(',')}]"`,
  )
}

/** Watches by how far people watched: many leave at once, some stay to the end. The parts sum to the watches. */
function watchTime(watches: number, random: SeededRandom): number[] {
  const weights = [30, 14, 9, 7, 6, 5, 4, 4, 4, 5, 12].map(weight => weight * random.around(0.1))
  return apportion(watches, weights)
}

/**
 * One line of the summary. It also counts what single articles and videos do not explain: older ones, lists, the live
 * programme.
 */
function summaryLine(channel: DemoChannel, date: Day, readers: number, articles: Counts, videos: Counts): string {
  const random = seededRandom('summary', channel.place, date)
  const { rates } = channel
  add(articles, countsOf(Math.floor(readers * 0.35 * random.around(0.08)), 0.03, 0.8, 85_000))
  if (channel.hasVideo) add(videos, countsOf(Math.floor(readers * 0.05 * random.around(0.1)), 0.07, 0.95, 180_000))
  const isOnAir = channel.hasLive && random.next() < 0.45
  const live = isOnAir ? countsOf(Math.floor(readers * 0.08 * random.longTail(0.5)), 0.12, 0.9, 150_000) : total()
  const adsMicroYen = articles.adsMicroYen + videos.adsMicroYen + live.adsMicroYen
  const sspMicroYen = Math.floor(articles.impression * 38_000 * random.around(0.1))
  const videoSspMicroYen = Math.floor(videos.impression * 95_000 * random.around(0.1))
  const liveSspMicroYen = Math.floor(live.impression * 110_000 * random.around(0.1))
  const revenueMicroYen =
    share(adsMicroYen, rates.ads) +
    share(sspMicroYen, rates.ssp) +
    share(videoSspMicroYen, rates.videoSsp) +
    share(liveSspMicroYen, rates.liveSsp)
  const clicks = articles.click + videos.click + live.click
  return line(
    date,
    channel.mediumId,
    channel.publisherId,
    followersOn(channel, date),
    articles.impression,
    articles.click,
    articles.watch,
    videos.impression,
    videos.click,
    videos.watch,
    live.impression,
    live.click,
    live.watch,
    adsMicroYen,
    sspMicroYen,
    videoSspMicroYen,
    liveSspMicroYen,
    revenueMicroYen,
    demographics(channel, random, [['click', clicks]]),
  )
}

function followersOn(channel: DemoChannel, date: Day): number {
  const days = daysBetween('2025-01-01' as Day, date)
  const wave = seededRandom('followers', channel.place, date).integer(0, Math.ceil(channel.audience / 2000))
  return Math.floor(channel.audience * (0.6 + 0.0006 * days * Math.max(0.3, 1 + channel.growthPerYear))) + wave
}

/** The part of an amount by a rate in units (100 = 1 %). Exact, because the product stays below 2^53. */
function share(microYen: number, rateUnits: number): number {
  return Number((BigInt(microYen) * BigInt(rateUnits)) / 10_000n)
}

/**
 * Spreads every count over the readers' genders and ages. The cell of unknown readers takes the rest, so that the cells
 * sum to the count.
 */
function demographics(
  channel: DemoChannel,
  random: SeededRandom,
  counts: readonly (readonly [name: string, count: number])[],
): string {
  const { women, ages } = READERS[channel.genre]
  const weights = [1 - women, women].flatMap(gender => ages.map(age => gender * age * random.around(0.05)))
  const known = weights.reduce((sum, weight) => sum + weight, 0)
  const all = [...weights, (known * UNKNOWN_SHARE) / (1 - UNKNOWN_SHARE)]
  const parts = counts.map(([name, count]) => ({ name, values: apportion(count, all) }))
  // Written without JSON.stringify, for speed: this text is half of the whole data set.
  const cells = all.map((_, at) => {
    const [genderId, ageId] = at < 16 ? [Math.floor(at / 8) + 1, (at % 8) + 1] : [0, 0]
    const measures = parts.map(({ name, values }) => `,""${name}"":${values[at]}`).join('')
    return `{""genderId"":${genderId},""ageId"":${ageId}${measures}}`
  })
  return `"[${cells.join(',')}]"`
}

/** Whole parts in proportion to the weights; the last one takes what rounding leaves. */
function apportion(whole: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0)
  const parts = weights.map(weight => Math.floor((whole * weight) / sum))
  parts[parts.length - 1]! += whole - parts.reduce((all, part) => all + part, 0)
  return parts
}

function line(...values: readonly (string | number | bigint)[]): string {
  return `${values.join(',')}\n`
}
