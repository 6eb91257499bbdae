import { addDays, type Day } from '@pc/domain/month/day.ts'
import { type Clock, today } from '@pc/platform/clock.ts'
import { DEMO_ORGANIZATIONS, type Genre } from './demo-catalog.ts'
import { demoTitle } from './demo-titles.ts'
import { seededRandom } from './seeded-random.ts'

/** What a site of the demonstration does when its feed is fetched. */
export type DemoFeedBehavior = 'ok' | 'quiet' | 'failing' | 'broken'

interface DemoFeed {
  readonly publisher: string
  readonly mediumId: bigint
  /** A name that JPRS reserves for documents: no real site has it. */
  readonly host: string
  readonly behavior: DemoFeedBehavior
}

/** The feeds that the demonstration serves itself; all others are at sites that do not exist and stay unchecked. */
export const DEMO_FEEDS: readonly DemoFeed[] = [
  { publisher: '朝霧新聞デジタル', mediumId: 1n, host: 'asagiri-digital.example.jp', behavior: 'ok' },
  { publisher: '朝霧スポーツ', mediumId: 1n, host: 'asagiri-sports.example.jp', behavior: 'ok' },
  { publisher: '朝霧経済ウォッチ', mediumId: 1n, host: 'asagiri-keizai.example.jp', behavior: 'quiet' },
  { publisher: '朝霧くらし面', mediumId: 1n, host: 'asagiri-kurashi.example.jp', behavior: 'failing' },
  { publisher: '朝霧写真館', mediumId: 1n, host: 'asagiri-shashin.example.jp', behavior: 'broken' },
  { publisher: 'みなとニュース', mediumId: 1n, host: 'minato-news.example.jp', behavior: 'ok' },
]

const FEED_PATH = '/feed.xml'
/** Days of articles in a feed: as many as `note-feed-reading.ts` counts. */
const DAYS = 35
const ITEMS_PER_DAY = 6
/** A failing site fails during the first 25 minutes of each hour, which is too short for an outage (30 minutes). */
const FAILING_MINUTES = 25
const HOUR_MS = 3_600_000

/** The address of the feed; undefined when the demonstration does not serve it. */
export function demoFeedUrl(publisher: string, mediumId: bigint): string | undefined {
  const feed = DEMO_FEEDS.find(each => each.publisher === publisher && each.mediumId === mediumId)
  return feed && `https://${feed.host}${FEED_PATH}`
}

/** The response that the feed's site gives at the clock's time. */
export function demoFeedAnswer(host: string, path: string, clock: Clock): { status: number; body: string } {
  const feed = DEMO_FEEDS.find(each => each.host === host)
  if (!feed || path !== FEED_PATH) return { status: 404, body: '' }
  const isInFailingMinutes = (clock.now() % HOUR_MS) / 60_000 < FAILING_MINUTES
  if (feed.behavior === 'failing' && isInFailingMinutes) return { status: 503, body: '' }
  const document = demoFeedDocument(feed, clock)
  // The end is cut off, as if the site had crashed while writing.
  const cut = document.lastIndexOf('</channel>')
  return { status: 200, body: feed.behavior === 'broken' ? document.slice(0, cut) : document }
}

function demoFeedDocument(feed: DemoFeed, clock: Clock): string {
  const last = today(clock)
  const days = Array.from({ length: DAYS }, (_, ago) => addDays(last, -ago))
  const items = days.flatMap(date => {
    const isQuiet = feed.behavior === 'quiet' && date >= addDays(last, -1)
    return itemsOf(feed, date, isQuiet ? 1 : ITEMS_PER_DAY, clock.now())
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/">
<channel>
<title>${feed.publisher}</title>
<link>https://${feed.host}/</link>
<description>${feed.publisher}の最新記事</description>
${items.join('')}</channel>
</rss>
`
}

function itemsOf(feed: DemoFeed, date: Day, count: number, now: number): string[] {
  const genre = genreOf(feed.publisher)
  return Array.from({ length: count }, (_, number) => {
    const random = seededRandom('feed', feed.host, date, number)
    const publishedAt = new Date(`${date}T0${number + 1}:${10 + random.integer(0, 49)}:00+09:00`)
    if (publishedAt.getTime() > now) return ''
    const title = demoTitle(genre, random)
    const url = `https://${feed.host}/articles/${date}-${number + 1}`
    return `<item><title>${title}</title><link>${url}</link><guid>${url}</guid>
<pubDate>${publishedAt.toUTCString()}</pubDate><content:encoded>${title}についての記事です。</content:encoded></item>
`
  })
}

function genreOf(publisher: string): Genre {
  return DEMO_ORGANIZATIONS.flatMap(each => each.publishers).find(({ name }) => name === publisher)!.genre
}
