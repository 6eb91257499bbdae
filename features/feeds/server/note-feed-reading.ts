import { createHash } from 'node:crypto'
import { rolesOf } from '@pc/domain/access/role-duties.ts'
import {
  type FeedAlert,
  type FeedErrorClass,
  type FeedHealth,
  type FeedReadingOutcome,
  feedState,
  feedVolume,
  nextHealth,
  nextReadingAt,
  UNCHECKED,
} from '@pc/domain/feed/feed-health.ts'
import { addDays, type Day } from '@pc/domain/month/day.ts'
import { type Clock, dayAt } from '@pc/platform/clock.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import { MAIL_JOB } from '@pc/platform/mail/mail-job.ts'
import { addressesOf, peopleWithRoles } from '@pc/platform/mail/people-with-roles.ts'
import { renderEmail } from '@pc/platform/mail/render-email.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { StatsStoreError, StatsTimeoutError } from '@pc/platform/stats/stats-store-error.ts'
import { sql } from 'kysely'
import { feedEditPath } from '../links.ts'
import { type ReadDailyRevenue, type RevenueAtRisk, readRevenueAtRisk } from './feed-revenue-at-risk.ts'
import { errorClassOf, type FetchedFeed } from './fetch-feed.ts'
import type { FeedItem } from './read-feed.ts'

export interface FeedReadingDependencies {
  readonly clock: Clock
  readonly database: Database
  readonly jobs: Jobs
  readonly webOrigin: string
  readonly readDailyRevenue: ReadDailyRevenue
}

export interface DueFeed {
  readonly id: bigint
  readonly url: string
  readonly etag: string | null
  readonly lastModified: string | null
}

/** Days of article counts to keep: four weeks for the usual number of a weekday, and a spare week. */
const KEPT_DAYS = 35

/**
 * Stores the outcome of a check in one transaction: health, article counts and the next check. Queues emails when an outage
 * begins and when it ends.
 */
export async function noteReading(
  dependencies: FeedReadingDependencies,
  due: DueFeed,
  fetched: FetchedFeed,
): Promise<void> {
  const { database, clock } = dependencies
  const now = clock.now()
  await database.inScope(SYSTEM, async tx => {
    const feed = await tx
      .selectFrom('feeds')
      .select(['id', 'name', 'url', 'ttlMinutes', 'publisherId'])
      .where('id', '=', due.id)
      .forUpdate()
      .executeTakeFirst()
    // The feed was deleted or got another URL during the request, so the outcome is discarded.
    if (!feed || feed.url !== due.url) return
    const stored = await tx.selectFrom('feedHealth').selectAll().where('feedId', '=', feed.id).executeTakeFirst()
    const outcome = outcomeOf(fetched)
    const { health, alert } = nextHealth(stored ? healthOf(stored) : UNCHECKED, now, outcome)
    const today = dayAt(now)
    if (fetched.kind === 'read' && outcome.ok) await countItems(tx, feed.id, fetched.reading.feed?.items ?? [], today)
    // The first day that is observed completely is the one after the first success; earlier days are not judged.
    const watchedSince = stored?.watchedSince ?? (outcome.ok ? addDays(today, 1) : null)
    const volume = outcome.ok ? await volumeOf(tx, feed.id, addDays(today, -1), watchedSince) : undefined
    const version = fetched.kind === 'read' && outcome.ok ? fetched.version : undefined
    const values = {
      state: feedState(health, volume),
      checkedAt: instant(health.checkedAt),
      lastSuccessAt: instant(health.lastSuccessAt),
      errorClass: health.errorClass,
      failingSince: instant(health.failingSince),
      failures: health.failures,
      alertedAt: instant(health.alertedAt),
      nextCheckAt: new Date(nextReadingAt(health, now, feed.ttlMinutes)),
      watchedSince,
      ...(version ? { etag: version.etag ?? null, lastModified: version.lastModified ?? null } : {}),
      ...(volume ? { volumeDay: volume.day, volumeItems: volume.items, usualHundredths: volume.usualHundredths } : {}),
    }
    await tx
      .insertInto('feedHealth')
      .values({ feedId: feed.id, ...values })
      .onConflict(conflict => conflict.column('feedId').doUpdateSet(values))
      .execute()
    if (alert)
      await notify(dependencies, tx, feed, alert, health.errorClass, await riskOf(dependencies, tx, feed.id, alert))
  })
}

function outcomeOf(fetched: FetchedFeed): FeedReadingOutcome {
  if (fetched.kind === 'unchanged') return { ok: true }
  if (fetched.kind === 'failed') return { ok: false, errorClass: errorClassOf(fetched.problem) }
  return fetched.reading.feed ? { ok: true } : { ok: false, errorClass: 'format' }
}

interface StoredHealth {
  readonly checkedAt: Date | null
  readonly lastSuccessAt: Date | null
  readonly errorClass: string | null
  readonly failingSince: Date | null
  readonly failures: number
  readonly alertedAt: Date | null
}

function healthOf(stored: StoredHealth): FeedHealth {
  const at = (date: Date | null) => date?.getTime() ?? null
  return {
    checkedAt: at(stored.checkedAt),
    lastSuccessAt: at(stored.lastSuccessAt),
    errorClass: stored.errorClass as FeedErrorClass | null,
    failingSince: at(stored.failingSince),
    failures: stored.failures,
    alertedAt: at(stored.alertedAt),
  }
}

function instant(at: number | null): Date | null {
  return at === null ? null : new Date(at)
}

/** Counts each article once, on its day of publication, or the day it was first seen when it has no date. */
async function countItems(tx: Transaction, feedId: bigint, items: readonly FeedItem[], today: Day): Promise<void> {
  const days = new Map<string, Day>()
  for (const item of items) {
    const day = item.publishedAt ? dayAt(item.publishedAt.getTime()) : today
    const identity = item.guid || item.url || item.title
    if (identity !== '' && day >= addDays(today, -KEPT_DAYS) && day <= today) days.set(identity, day)
  }
  if (days.size > 0) {
    const rows = [...days].map(([identity, day]) => ({ feedId, itemKey: keyOf(identity), day }))
    await tx
      .insertInto('feedSeenItems')
      .values(rows)
      .onConflict(conflict => conflict.doNothing())
      .execute()
  }
  await tx
    .deleteFrom('feedSeenItems')
    .where('feedId', '=', feedId)
    .where('day', '<', addDays(today, -KEPT_DAYS))
    .execute()
}

function keyOf(identity: string): Buffer {
  return createHash('sha256').update(identity).digest().subarray(0, 16)
}

async function volumeOf(tx: Transaction, feedId: bigint, day: Day, watchedSince: Day | null) {
  if (watchedSince === null || day < watchedSince) return undefined
  const rows = await tx
    .selectFrom('feedSeenItems')
    .select(['day', sql<number>`count(*)::integer`.as('items')])
    .where('feedId', '=', feedId)
    .groupBy('day')
    .execute()
  const counts = new Map(rows.map(row => [row.day, row.items]))
  return feedVolume(day, at => (at < watchedSince ? undefined : (counts.get(at) ?? 0)))
}

function riskText({ yenPerDay }: RevenueAtRisk): string {
  const amount = new Intl.NumberFormat('ja-JP').format(yenPerDay)
  return `配信が止まっている間に失われるおそれのある収益（推定）：1日あたり約${amount}円\n直近28日の1日の収益の中央値から推定した目安です。お支払額ではありません。`
}

const ERROR_CLASSES_JA: Readonly<Record<FeedErrorClass, string>> = {
  address: 'URLを読み込めません。',
  connection: 'サイトに接続できません。',
  timeout: 'サイトから時間内に応答がありません。',
  http: 'サイトがエラーを返しています。',
  'too-large': 'フィードが大きすぎます。',
  format: 'フィードの形式が正しくありません。',
}

/** The revenue at risk for the email; undefined when the statistics store is unavailable, because the email is sent anyway. */
async function riskOf(
  { readDailyRevenue, clock }: FeedReadingDependencies,
  tx: Transaction,
  feedId: bigint,
  alert: FeedAlert,
): Promise<RevenueAtRisk | undefined> {
  if (alert !== 'outage-began') return undefined
  const dependencies = { reader: tx, readDailyRevenue, today: dayAt(clock.now()) }
  try {
    return (await readRevenueAtRisk(dependencies, SYSTEM, [feedId])).get(feedId)
  } catch (error) {
    if (error instanceof StatsStoreError || error instanceof StatsTimeoutError) return undefined
    throw error
  }
}

/** Queues an email to each of up to 20 administrators of the publisher; sent when the transaction commits. */
async function notify(
  { jobs, webOrigin }: FeedReadingDependencies,
  tx: Transaction,
  feed: { readonly id: bigint; readonly name: string; readonly url: string; readonly publisherId: bigint },
  alert: FeedAlert,
  errorClass: FeedErrorClass | null,
  risk: RevenueAtRisk | undefined,
): Promise<void> {
  const { organizationId } = await tx
    .selectFrom('publishers')
    .select('organizationId')
    .where('id', '=', feed.publisherId)
    .executeTakeFirstOrThrow()
  const people = await peopleWithRoles(tx, rolesOf('publisher', 'administers'), { organizationId }).limit(20).execute()
  const began = alert === 'outage-began'
  const subject = began ? `フィード「${feed.name}」を読み込めません` : `フィード「${feed.name}」が復旧しました`
  const paragraphs = began
    ? [
        `フィード「${feed.name}」を30分以上読み込めていません。記事の配信が止まっている可能性があります。`,
        `${errorClass ? ERROR_CLASSES_JA[errorClass] : ''}\n${feed.url}`,
        ...(risk && risk.yenPerDay > 0n ? [riskText(risk)] : []),
        'サイトとフィードの設定をご確認ください。復旧したときに、もう一度お知らせします。',
      ]
    : [`フィード「${feed.name}」を再び読み込めるようになりました。ご対応ありがとうございました。`]
  for (const to of addressesOf(people)) {
    const url = `${webOrigin}/gpc/#${feedEditPath(String(feed.id))}`
    const mail = renderEmail({ to, subject, paragraphs, action: { label: 'フィードを開く', url } })
    await jobs.enqueue(tx, MAIL_JOB, mail)
  }
}
