import type { FetchedFeed } from '@pc/features/feeds/server/fetch-feed.ts'
import { type FeedReadingDependencies, noteReading } from '@pc/features/feeds/server/note-feed-reading.ts'
import { readFeed } from '@pc/features/feeds/server/read-feed.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import { DEMO_FEEDS, demoFeedAnswer, demoFeedUrl } from '../../../demo/demo-feeds.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Age of the first reading: old enough that the feed has a usual number of articles for each weekday. */
const FIRST_READING_MS = 34 * DAY_MS
const OUTAGE_READINGS_MS = [60, 45, 30, 15].map(minutes => minutes * MINUTE_MS)

/** Creates the reading history of the demonstration's feeds, as the job would have recorded it. */
export async function keepDemoFeedReadings(dependencies: FeedReadingDependencies): Promise<void> {
  const { database, clock } = dependencies
  for (const { publisher, mediumId, host, behavior } of DEMO_FEEDS) {
    const feed = await unreadFeed(database, demoFeedUrl(publisher, mediumId)!)
    if (!feed) continue
    const path = new URL(feed.url).pathname
    const read = (ago: number, isFailing: boolean) => {
      const at = { now: () => clock.now() - ago }
      return noteReading(
        { ...dependencies, clock: at },
        feed,
        isFailing ? FAILED : readingOf(demoFeedAnswer(host, path, at).body),
      )
    }
    if (behavior === 'broken') {
      for (const ago of OUTAGE_READINGS_MS) await read(ago, false)
      continue
    }
    // Five minutes before the full hour, when a failing site also answers.
    await read(FIRST_READING_MS + (clock.now() % HOUR_MS) + 5 * MINUTE_MS, false)
    await read(0, behavior === 'failing')
  }
}

const FAILED: FetchedFeed = { kind: 'failed', problem: 'http-status', status: 503 }

function readingOf(body: string): FetchedFeed {
  const reading = readFeed(Buffer.from(body), 'application/rss+xml; charset=utf-8', 'https://feed.example/')
  return { kind: 'read', reading, version: { etag: undefined, lastModified: undefined }, url: '' }
}

function unreadFeed(database: Database, url: string) {
  return database.inScope(SYSTEM, tx =>
    tx
      .selectFrom('feeds as f')
      .leftJoin('feedHealth as h', 'h.feedId', 'f.id')
      .select(['f.id', 'f.url', 'h.etag', 'h.lastModified'])
      .where('f.url', '=', url)
      .where('h.feedId', 'is', null)
      .executeTakeFirst(),
  )
}
