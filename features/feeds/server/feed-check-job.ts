import { setTimeout as pause } from 'node:timers/promises'
import { FEED_TYPES, feedTypeRules } from '@pc/domain/feed/feed-type.ts'
import { isReservedHost } from '@pc/domain/feed/reserved-host.ts'
import type { SafeFetch } from '@pc/platform/http/safe-fetch.ts'
import { defineJob, handleJob, type JobHandler } from '@pc/platform/jobs/job-kind.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { fetchFeed } from './fetch-feed.ts'
import { type DueFeed, type FeedReadingDependencies, noteReading } from './note-feed-reading.ts'

export interface FeedCheckDependencies extends FeedReadingDependencies {
  readonly safeFetch: SafeFetch
  /** Milliseconds between two requests to one site; by default one second. */
  readonly pauseMs?: number
  /** Reserved hosts (such as `.example`) that `safeFetch` can reach nevertheless, for demonstrations. Default: none. */
  readonly servesFeedsOf?: ((host: string) => boolean) | undefined
}

const FEED_CHECK_JOB = defineJob('feed-check', {
  cron: '*/5 * * * *',
  timeoutSeconds: 280,
  retryLimit: 0, // the next run comes five minutes later
  onePerKey: true,
})
/** Due feeds that one run takes at most. */
const MAX_FEEDS = 1_000
/** Sites that are requested in parallel, each with one request at a time. */
const MAX_SITES = 4
/** A run starts no further request after this time, so that it ends before the job's `timeoutSeconds`. */
const MAX_RUNNING_MS = 220_000
const SITE_PAUSE_MS = 1_000

export function feedCheckJobHandler(dependencies: FeedCheckDependencies): JobHandler {
  return handleJob(FEED_CHECK_JOB, async (_data, { signal }) => {
    await checkDueFeeds(dependencies, signal)
  })
}

/**
 * Reads every due feed, with a pause between requests to the same site, and stores the outcome. Feeds that do not fit into
 * `MAX_RUNNING_MS` are read by the next run. @returns the number of feeds that were read
 */
export async function checkDueFeeds(dependencies: FeedCheckDependencies, signal: AbortSignal): Promise<number> {
  const due = await dueFeeds(dependencies)
  const isNobodys = ({ url }: DueFeed) => isReservedHost(hostOf(url)) && !dependencies.servesFeedsOf?.(hostOf(url))
  // Reserved hosts do not exist, so that requests would only report false outages.
  await postpone(dependencies, due.filter(isNobodys))
  const sites = bySite(due.filter(feed => !isNobodys(feed)))
  const deadline = performance.now() + MAX_RUNNING_MS
  let count = 0
  const work = async () => {
    for (let site = sites.pop(); site; site = sites.pop()) {
      for (const [index, feed] of site.entries()) {
        if (signal.aborted || performance.now() > deadline) return
        if (index > 0) await pause(dependencies.pauseMs ?? SITE_PAUSE_MS)
        await checkFeed(dependencies, feed, signal)
        count += 1
      }
    }
  }
  await Promise.all(Array.from({ length: MAX_SITES }, work))
  return count
}

async function checkFeed(dependencies: FeedCheckDependencies, feed: DueFeed, signal: AbortSignal): Promise<void> {
  const known = { etag: feed.etag ?? undefined, lastModified: feed.lastModified ?? undefined }
  const fetched = await fetchFeed(dependencies.safeFetch, feed.url, known, signal)
  if (signal.aborted) return // an answer that was not waited for says nothing about the feed
  await noteReading(dependencies, feed, fetched)
}

function dueFeeds({ database, clock }: FeedCheckDependencies): Promise<readonly DueFeed[]> {
  const read = FEED_TYPES.filter(type => feedTypeRules(type).isFeedRead)
  return database.inScope(SYSTEM, tx =>
    tx
      .selectFrom('feeds as f')
      .innerJoin('publishers as p', 'p.id', 'f.publisherId')
      .leftJoin('feedHealth as h', 'h.feedId', 'f.id')
      .select(['f.id', 'f.url', 'h.etag', 'h.lastModified'])
      .where('f.enabled', '=', true)
      .where('f.isDeleteFeed', '=', false)
      .where('p.enabled', '=', true)
      .where('f.type', 'in', read)
      .where(eb => eb.or([eb('h.feedId', 'is', null), eb('h.nextCheckAt', '<=', new Date(clock.now()))]))
      .orderBy(sql`h.next_check_at nulls first`)
      .orderBy('f.id')
      .limit(MAX_FEEDS)
      .execute(),
  )
}

/** Schedules the next check of the feeds in 24 hours. */
async function postpone({ database, clock }: FeedCheckDependencies, feeds: readonly DueFeed[]): Promise<void> {
  if (feeds.length === 0) return
  const nextCheckAt = new Date(clock.now() + 86_400_000)
  const rows = feeds.map(({ id }) => ({ feedId: id, state: 'unchecked', nextCheckAt }))
  await database.inScope(SYSTEM, tx =>
    tx
      .insertInto('feedHealth')
      .values(rows)
      .onConflict(conflict => conflict.column('feedId').doUpdateSet({ state: 'unchecked', nextCheckAt }))
      .execute(),
  )
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : ''
}

function bySite(feeds: readonly DueFeed[]): DueFeed[][] {
  const sites = new Map<string, DueFeed[]>()
  for (const feed of feeds) {
    const host = hostOf(feed.url)
    sites.set(host, [...(sites.get(host) ?? []), feed])
  }
  return [...sites.values()]
}
