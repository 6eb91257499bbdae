import { addDays, type Day } from '@pc/domain/month/day.ts'
import { dayAt } from '@pc/platform/clock.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import {
  DEMO_MEDIA,
  DEMO_ORGANIZATIONS,
  DEMO_PAYMENT_DISABLED,
  DEMO_TERMINATED,
  type DemoOrganization,
  type DemoPublisher,
} from './demo-catalog.ts'
import { type DemoChannel, demoArticlesOf, demoDays, demoVideosOf } from './demo-contents.ts'
import { demoFeedUrl } from './demo-feeds.ts'
import { demoLabelsOf } from './demo-labels.ts'
import { demoPictureOf } from './demo-pictures.ts'
import { seededRandom } from './seeded-random.ts'

const NOON = 'T12:00:00+09:00'
/** Days between the start of the agreements and the first figures. */
const CONTRACT_LEAD_DAYS = 200
/** A terminated agreement ends this many days before the last figures. */
const TERMINATED_DAYS_AGO = 75
/**
 * Each statement also writes the search columns of the titles; 500 rows stay within the statement timeout of 10 s on a
 * busy machine.
 */
const ROWS_PER_STATEMENT = 500
/** The medium on which only publishers with videos appear. */
const VIDEO_MEDIUM = 4n

export interface DemoPeriod {
  readonly first: Day
  readonly last: Day
}

/** @param pictures paths of thumbnails by name; without it, videos have no thumbnail */
export async function insertMasterData(
  tx: Transaction,
  period: DemoPeriod,
  pictures: ReadonlyMap<string, string> = new Map(),
): Promise<DemoChannel[]> {
  const createdAt = new Date(`${addDays(period.first, -CONTRACT_LEAD_DAYS)}${NOON}`)
  await tx
    .insertInto('media')
    .values(
      DEMO_MEDIA.map(({ id, name, code }, index) => ({
        id,
        name,
        code,
        displayOrder: index + 1,
        createdAt,
        updatedAt: createdAt,
      })),
    )
    .execute()
  const channels: DemoChannel[] = []
  for (const organization of DEMO_ORGANIZATIONS) {
    channels.push(...(await insertOrganization(tx, organization, period, createdAt, channels.length)))
  }
  await insertContents(tx, channels, period, pictures)
  return channels
}

async function insertOrganization(
  tx: Transaction,
  organization: DemoOrganization,
  period: DemoPeriod,
  createdAt: Date,
  firstPlace: number,
): Promise<DemoChannel[]> {
  const { id: organizationId } = await tx
    .insertInto('organizations')
    .values({ name: organization.name, createdAt, updatedAt: createdAt })
    .returning('id')
    .executeTakeFirstOrThrow()
  const publishers = await tx
    .insertInto('publishers')
    .values(organization.publishers.map(({ name }) => ({ organizationId, name, createdAt, updatedAt: createdAt })))
    .returning(['id', 'name'])
    .execute()
  const idOf = new Map(publishers.map(({ id, name }) => [name, id]))
  const channels: DemoChannel[] = []
  for (const mediumId of organization.media) {
    const { agreementId, endsOn } = await insertAgreement(tx, organization, organizationId, mediumId, period, createdAt)
    for (const publisher of publishersOn(organization, mediumId)) {
      const publisherId = idOf.get(publisher.name)!
      const { ratePercent } = organization
      const place = { mediumId, publisherId, place: firstPlace + channels.length, endsOn, ratePercent }
      channels.push(await insertChannel(tx, publisher, agreementId, place, createdAt))
    }
  }
  return channels
}

/** The channels of a system that {@link insertMasterData} has already filled. */
export async function readChannels(tx: Transaction): Promise<DemoChannel[]> {
  const publishers = await tx.selectFrom('publishers').select(['id', 'name']).execute()
  const feeds = await tx.selectFrom('feeds').select(['id', 'publisherId', 'mediumId']).execute()
  const agreements = await tx.selectFrom('agreements').select(['code', 'terminatedAt']).execute()
  const channels: DemoChannel[] = []
  for (const organization of DEMO_ORGANIZATIONS) {
    const { ratePercent, code } = organization
    for (const mediumId of organization.media) {
      const terminatedAt = agreements.find(agreement => agreement.code === `${code}-${mediumId}`)?.terminatedAt
      const endsOn = terminatedAt ? addDays(dayAt(terminatedAt.getTime()), -1) : null
      for (const publisher of publishersOn(organization, mediumId)) {
        const publisherId = publishers.find(({ name }) => name === publisher.name)!.id
        const feed = feeds.find(found => found.publisherId === publisherId && found.mediumId === mediumId)
        const place = { mediumId, publisherId, place: channels.length, endsOn, ratePercent }
        channels.push(channelOf(publisher, place, feed?.id ?? null))
      }
    }
  }
  return channels
}

/** Only publishers with videos are on the video medium. */
function publishersOn(organization: DemoOrganization, mediumId: bigint): readonly DemoPublisher[] {
  return organization.publishers.filter(({ hasVideo }) => mediumId !== VIDEO_MEDIUM || hasVideo)
}

async function insertAgreement(
  tx: Transaction,
  organization: DemoOrganization,
  organizationId: bigint,
  mediumId: bigint,
  period: DemoPeriod,
  createdAt: Date,
): Promise<{ agreementId: bigint; endsOn: Day | null }> {
  const code = `${organization.code}-${mediumId}`
  const random = seededRandom('agreement', code)
  const medium = DEMO_MEDIA.find(({ id }) => id === mediumId)!
  const endsOn = DEMO_TERMINATED.has(code) ? addDays(period.last, -TERMINATED_DAYS_AGO) : null
  const minimumRevenueType = random.pick(['none', 'none', 'by_agreement', 'by_publisher'])
  const { id: agreementId } = await tx
    .insertInto('agreements')
    .values({
      mediumId,
      organizationId,
      code,
      name: `${organization.name} ${medium.name} 配信契約`,
      terminatedAt: endsOn && new Date(`${addDays(endsOn, 1)}T00:00:00+09:00`),
      payeeKind: organization.payeeKind ?? 'company',
      taxTreatmentConfirmedAt: createdAt,
      isPaymentDisabled: code === DEMO_PAYMENT_DISABLED,
      notes: code === DEMO_PAYMENT_DISABLED ? '口座の確認が終わるまで支払を止めています。' : null,
      feePaidBy: random.pick(['product', 'product', 'publisher']),
      paymentTiming: random.pick(['a_month_later', 'a_month_later', 'two_months_later']),
      minimumRevenueType,
      minimumRevenueYen: minimumRevenueType === 'by_agreement' ? BigInt(random.integer(1, 10)) * 10_000n : 0n,
      createdAt,
      updatedAt: createdAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { agreementId, endsOn }
}

type ChannelPlace = Pick<DemoChannel, 'mediumId' | 'publisherId' | 'place' | 'endsOn'> & {
  readonly ratePercent: number
}

/** Everything but the ids comes from the catalogue, so that a second start gets the same channel. */
function channelOf(publisher: DemoPublisher, of: ChannelPlace, feedId: bigint | null): DemoChannel {
  const { mediumId, publisherId, place, endsOn, ratePercent } = of
  const random = seededRandom('channel', mediumId, publisher.name)
  const rate = (percent: number) => percent * 100
  const { reach } = DEMO_MEDIA.find(({ id }) => id === mediumId)!
  return {
    mediumId,
    publisherId,
    place,
    endsOn,
    feedId,
    genre: publisher.genre,
    hasVideo: publisher.hasVideo ?? false,
    hasLive: publisher.hasLive ?? false,
    rates: {
      ads: rate(ratePercent + random.integer(-4, 4)),
      ssp: rate(ratePercent - random.integer(5, 15)),
      videoSsp: publisher.hasVideo ? rate(ratePercent - random.integer(5, 10)) : 0,
      liveSsp: publisher.hasLive ? rate(ratePercent - random.integer(5, 10)) : 0,
    },
    growthPerYear: random.next() * 0.75 - 0.2,
    audience: Math.round(60_000 * reach * seededRandom('audience', publisher.name).longTail(1.05)) + 800,
  }
}

async function insertChannel(
  tx: Transaction,
  publisher: DemoPublisher,
  agreementId: bigint,
  place: ChannelPlace,
  createdAt: Date,
): Promise<DemoChannel> {
  const feedId = await insertFeed(tx, publisher, place.mediumId, place.publisherId, createdAt)
  const channel = channelOf(publisher, place, feedId)
  await tx
    .insertInto('agreementPublisherRules')
    .values({
      agreementId,
      publisherId: channel.publisherId,
      mediumId: channel.mediumId,
      paymentRate: channel.rates.ads,
      sspPaymentRate: channel.rates.ssp,
      videoSspPaymentRate: channel.rates.videoSsp,
      liveSspPaymentRate: channel.rates.liveSsp,
      isTargetForSspAllocation: true,
      isTargetForVideoSspAllocation: channel.hasVideo,
      isTargetForLiveSspAllocation: channel.hasLive,
      createdAt,
      updatedAt: createdAt,
    })
    .execute()
  return channel
}

async function insertFeed(
  tx: Transaction,
  publisher: DemoPublisher,
  mediumId: bigint,
  publisherId: bigint,
  createdAt: Date,
): Promise<bigint> {
  const host = `publisher-${publisherId}.example.jp`
  const servedUrl = demoFeedUrl(publisher.name, mediumId)
  // Newest, so that the list shows the served feeds first.
  const updatedAt = servedUrl ? new Date(createdAt.getTime() + 86_400_000) : createdAt
  const { id } = await tx
    .insertInto('feeds')
    .values({
      publisherId,
      mediumId,
      name: `${publisher.name} フィード`,
      shortName: publisher.name,
      siteUrl: `https://${host}/`,
      description: `${publisher.name}の最新記事`,
      url: servedUrl ?? `https://${host}/feeds/${mediumId}.xml`,
      type: publisher.hasVideo ? 'gnf2' : 'gnf1',
      createdAt,
      updatedAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Inserts tens of thousands of rows from arrays: one parameter per value would be too many. */
async function insertContents(
  tx: Transaction,
  channels: readonly DemoChannel[],
  period: DemoPeriod,
  pictures: ReadonlyMap<string, string>,
): Promise<void> {
  // Articles published in the days before are still read on the first day.
  const days = demoDays(addDays(period.first, -3), period.last)
  const articles = days.flatMap(date =>
    channels.filter(isActive(date)).flatMap(channel => demoArticlesOf(channel, date)),
  )
  for (const rows of chunks(articles)) {
    const labels = rows.map(({ articleId, channel }) => demoLabelsOf(articleId, channel.place, channel.genre))
    await sql`
      insert into medium_articles
        (article_id, medium_id, medium_article_id, publisher_id, feed_id, title, url, published_at, created_at,
          authors, section, tags)
      select a.article_id, a.medium_id, 'a' || a.article_id, a.publisher_id, a.feed_id, a.title,
        'https://publisher-' || a.publisher_id || '.example.jp/articles/' || a.article_id, a.published_at, a.published_at,
        a.authors, a.section, a.tags
      from unnest(
        ${rows.map(row => row.articleId)}::bigint[], ${rows.map(row => row.channel.mediumId)}::bigint[],
        ${rows.map(row => row.channel.publisherId)}::bigint[], ${rows.map(row => row.channel.feedId)}::bigint[],
        ${rows.map(row => row.title)}::text[], ${rows.map(row => publishedAt(row.publishedOn, row.articleId))}::timestamptz[],
        ${labels.map(one => JSON.stringify(one.authors))}::jsonb[], ${labels.map(one => one.section)}::text[],
        ${labels.map(one => JSON.stringify(one.tags))}::jsonb[]
      ) as a (article_id, medium_id, publisher_id, feed_id, title, published_at, authors, section, tags)`.execute(tx)
  }
  const videoDays = demoDays(addDays(period.first, -7), period.last)
  const videos = videoDays.flatMap(date =>
    channels.filter(isActive(date)).flatMap(channel => demoVideosOf(channel, date)),
  )
  for (const rows of chunks(videos)) {
    await sql`
      insert into videos
        (video_id, medium_id, publisher_id, title, url, thumbnail_url, duration_seconds, published_at, created_at)
      select v.video_id, v.medium_id, v.publisher_id, v.title,
        'https://publisher-' || v.publisher_id || '.example.jp/videos/' || v.video_id, v.thumbnail_url,
        v.duration_seconds, v.published_at, v.published_at
      from unnest(
        ${rows.map(row => row.videoId)}::bigint[], ${rows.map(row => row.channel.mediumId)}::bigint[],
        ${rows.map(row => row.channel.publisherId)}::bigint[], ${rows.map(row => row.title)}::text[],
        ${rows.map(row => pictures.get(demoPictureOf(row.channel.genre, row.videoId)) ?? '')}::text[],
        ${rows.map(row => row.durationSeconds)}::integer[], ${rows.map(row => publishedAt(row.publishedOn, row.videoId))}::timestamptz[]
      ) as v (video_id, medium_id, publisher_id, title, thumbnail_url, duration_seconds, published_at)`.execute(tx)
  }
}

const isActive = (date: Day) => (channel: DemoChannel) => channel.endsOn === null || date <= channel.endsOn

/** A time of publication between morning and late evening. */
function publishedAt(date: Day, contentId: bigint): string {
  const random = seededRandom('published', contentId)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date}T${two(random.integer(6, 22))}:${two(random.integer(0, 59))}:${two(random.integer(0, 59))}+09:00`
}

function* chunks<T>(rows: readonly T[]): Iterable<readonly T[]> {
  for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT) yield rows.slice(at, at + ROWS_PER_STATEMENT)
}
