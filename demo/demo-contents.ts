import { addDays, type Day, daysBetween } from '@pc/domain/month/day.ts'
import type { Genre } from './demo-catalog.ts'
import { demoTitle, demoVideoTitle } from './demo-titles.ts'
import { seededRandom } from './seeded-random.ts'

/** A publisher on one medium, which an agreement rule allows. */
export interface DemoChannel {
  readonly mediumId: bigint
  readonly publisherId: bigint
  /** Position in the catalogue. It seeds the random figures, so that they do not depend on database ids. */
  readonly place: number
  readonly genre: Genre
  readonly hasVideo: boolean
  readonly hasLive: boolean
  readonly feedId: bigint | null
  /** Readers on an average day, before season and growth are applied. */
  readonly audience: number
  readonly growthPerYear: number
  readonly rates: { readonly ads: number; readonly ssp: number; readonly videoSsp: number; readonly liveSsp: number }
  /** The last day with figures; null: no end. */
  readonly endsOn: Day | null
}

export interface DemoArticle {
  readonly articleId: bigint
  readonly channel: DemoChannel
  readonly publishedOn: Day
  readonly title: string
  /** Share of the channel's readers that the article has on its first day, 0 to 1. */
  readonly share: number
}

export interface DemoVideo extends Omit<DemoArticle, 'articleId'> {
  readonly videoId: bigint
  readonly durationSeconds: number
}

const FIRST_DAY = '2020-12-01' as Day
/** At most so many channels and articles a day, so that the ids of two days never overlap. */
const CHANNELS_PER_DAY = 200
const ARTICLES_PER_CHANNEL = 10

/** Ids grow with the day of publication, as they do on the platform. */
function contentId(base: number, publishedOn: Day, place: number, number: number): bigint {
  const slot = place * ARTICLES_PER_CHANNEL + number
  return BigInt(base + daysBetween(FIRST_DAY, publishedOn) * CHANNELS_PER_DAY * ARTICLES_PER_CHANNEL + slot)
}

/** The articles of a channel on a day; none on some days. The same call always gives the same ones. */
export function demoArticlesOf(channel: DemoChannel, publishedOn: Day): DemoArticle[] {
  const random = seededRandom('articles', channel.place, publishedOn)
  const isBig = channel.audience > 40_000
  const count = random.integer(isBig ? 1 : 0, isBig ? 4 : 2)
  const weights = Array.from({ length: count }, () => random.longTail(0.9))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight, number) => ({
    articleId: contentId(10_000_000, publishedOn, channel.place, number),
    channel,
    publishedOn,
    title: demoTitle(channel.genre, random),
    share: (0.72 * weight) / total,
  }))
}

/** At most one video, and none for a channel without videos. */
export function demoVideosOf(channel: DemoChannel, publishedOn: Day): DemoVideo[] {
  if (!channel.hasVideo) return []
  const random = seededRandom('videos', channel.place, publishedOn)
  if (random.next() > 0.3) return []
  return [
    {
      videoId: contentId(1_000_000_000, publishedOn, channel.place, 0),
      channel,
      publishedOn,
      title: demoVideoTitle(channel.genre, random),
      share: 0.25 * random.longTail(0.7),
      durationSeconds: random.integer(25, 420),
    },
  ]
}

/** Every day from `from` to `to`, both included. */
export function demoDays(from: Day, to: Day): Day[] {
  return Array.from({ length: daysBetween(from, to) + 1 }, (_, days) => addDays(from, days))
}
