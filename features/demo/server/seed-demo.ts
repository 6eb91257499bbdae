import { setImmediate as nextTurn } from 'node:timers/promises'
import { addDays } from '@pc/domain/month/day.ts'
import {
  addMonths,
  firstDayOf,
  formatYearMonth,
  lastDayOf,
  monthOfDay,
  monthRange,
  type YearMonth,
} from '@pc/domain/month/year-month.ts'
import { type Clock, today } from '@pc/platform/clock.ts'
import type { Picture } from '@pc/platform/objects/image-uploads.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import { insertAnnouncements } from './demo-announcements.ts'
import { insertApiKeys } from './demo-api-keys.ts'
import { DEMO_MEDIA, DEMO_ORGANIZATIONS } from './demo-catalog.ts'
import { type DemoChannel, demoDays } from './demo-contents.ts'
import { type DemoPeriod, insertMasterData, readChannels } from './demo-master-data.ts'
import { insertNotes } from './demo-notes.ts'
import { demoPictures } from './demo-pictures.ts'
import { insertReportMails } from './demo-report-mails.ts'
import { ARTICLE_HEADER, type DemoDay, demoDay, SUMMARY_HEADER, VIDEO_HEADER } from './demo-statistics.ts'
import { DEMO_USERS, insertUsers } from './demo-users.ts'

/** Months before the running one that have figures. */
const MONTHS_BACK = 13
/** The last months whose figures are still estimates: the running one and the one before. */
const OPEN_MONTHS = 2

export type DemoDataset = 'article-daily' | 'video-daily' | 'summary-daily'

export interface SeedDemoParts {
  readonly database: Database
  readonly clock: Clock
  /** Of every demonstration user. */
  readonly password: string
  readonly hashPassword: (password: string) => Promise<string>
  /** Imports a CSV delivery like anybody else's; throws when it is refused. */
  readonly deliver: (dataset: DemoDataset, batchId: string, content: AsyncIterable<Buffer>) => Promise<void>
  /** Keeps a picture where the product keeps its own, once, and answers its path. */
  readonly keepPicture: (name: string, picture: Picture) => Promise<string>
  /** Closes these months by the payment engine, and leaves drafts in the open ones; months that are closed stay. */
  readonly closeMonths: (closed: readonly YearMonth[], open: readonly YearMonth[]) => Promise<void>
  readonly onProgress?: (done: number, total: number) => void
}

/**
 * Fills an empty system with the demonstration data, or completes what a killed first start left half way. The figures
 * of a day are the same on every machine.
 * @returns false when the system holds something else already; then nothing changed
 */
export async function seedDemo(parts: SeedDemoParts): Promise<boolean> {
  const { database, clock } = parts
  const yesterday = addDays(today(clock), -1)
  const first = firstDayOf(addMonths(monthOfDay(yesterday), -MONTHS_BACK))
  const period = { first, last: yesterday }
  const running = monthOfDay(yesterday)
  const lastClosed = addMonths(running, -OPEN_MONTHS)
  const state = await database.inScope(SYSTEM, async tx => {
    const organization = await tx.selectFrom('organizations').select('name').orderBy('id').executeTakeFirst()
    const users = await tx.selectFrom('users').select('uid').limit(1).executeTakeFirst()
    const closings = await tx.selectFrom('monthClosings').select('mediumId').where('month', '=', lastClosed).execute()
    const closing = closings.length === DEMO_MEDIA.length
    if (!organization) return users ? 'in-use' : 'empty'
    return organization.name === DEMO_ORGANIZATIONS[0]!.name && !closing ? 'half-way' : 'in-use'
  })
  if (state === 'in-use') return false
  const channels =
    state === 'empty' ? await seedMasterData(parts, period) : await database.inScope(SYSTEM, readChannels)
  await deliverStatistics(parts, channels, period)
  // Last: a system with closed months is complete.
  await parts.closeMonths(monthRange(monthOfDay(first), lastClosed), monthRange(addMonths(lastClosed, 1), running))
  return true
}

/** Whoever sees this part sees all of it. */
async function seedMasterData(parts: SeedDemoParts, period: DemoPeriod): Promise<DemoChannel[]> {
  const hashes = await Promise.all(DEMO_USERS.map(() => parts.hashPassword(parts.password)))
  const pictures = new Map<string, string>()
  for (const { name, picture } of demoPictures()) pictures.set(name, await parts.keepPicture(name, picture))
  return parts.database.inScope(SYSTEM, async tx => {
    const channels = await insertMasterData(tx, period, pictures)
    await insertUsers(tx, hashes, new Date(parts.clock.now()))
    await insertAnnouncements(tx, today(parts.clock))
    await insertNotes(tx, today(parts.clock))
    await insertReportMails(tx, new Date(parts.clock.now()))
    await insertApiKeys(tx, parts.clock.now())
    return channels
  })
}

async function deliverStatistics(
  parts: SeedDemoParts,
  channels: readonly DemoChannel[],
  period: DemoPeriod,
): Promise<void> {
  const months = monthRange(monthOfDay(period.first), monthOfDay(period.last))
  let delivering = Promise.resolve()
  for (const [done, month] of months.entries()) {
    // The figures of a month are made while the one before is being imported.
    const figures: DemoDay[] = []
    for (const date of demoDays(firstDayOf(month), lastDayOf(month))) {
      if (date <= period.last) figures.push(demoDay(channels, date))
      await nextTurn()
    }
    await delivering
    parts.onProgress?.(done, months.length)
    delivering = deliverMonth(parts, month, figures)
    delivering.catch(() => {}) // awaited in the next round
  }
  await delivering
  parts.onProgress?.(months.length, months.length)
}

async function deliverMonth(parts: SeedDemoParts, month: YearMonth, figures: readonly DemoDay[]): Promise<void> {
  const deliver = (dataset: DemoDataset, header: string, rows: (day: DemoDay) => readonly string[]) =>
    parts.deliver(dataset, `demo-${dataset}-${formatYearMonth(month)}`, csvOf(header, figures.map(rows)))
  await deliver('article-daily', ARTICLE_HEADER, day => day.articles)
  await deliver('video-daily', VIDEO_HEADER, day => day.videos)
  await deliver('summary-daily', SUMMARY_HEADER, day => day.summaries)
}

async function* csvOf(header: string, days: readonly (readonly string[])[]): AsyncIterable<Buffer> {
  yield Buffer.from(header)
  for (const lines of days) yield Buffer.from(lines.join(''))
}
