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
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { insertAnnouncements } from './demo-announcements.ts'
import { insertApiKeys } from './demo-api-keys.ts'
import { DEMO_ORGANIZATIONS } from './demo-catalog.ts'
import { type DemoChannel, demoDays } from './demo-contents.ts'
import { type DemoPeriod, insertMasterData, readChannels } from './demo-master-data.ts'
import { insertNotes } from './demo-notes.ts'
import { demoPictures } from './demo-pictures.ts'
import { insertReportEmails } from './demo-report-emails.ts'
import { ARTICLE_HEADER, type DemoDay, demoDay, SUMMARY_HEADER, VIDEO_HEADER } from './demo-statistics.ts'
import { DEMO_USERS, insertUsers } from './demo-users.ts'

/** Months with figures before the current one. */
const MONTHS_BACK = 13
/** Media of the demonstrations made before the table `demonstration` existed. */
const UNNOTED_MEDIA = 5
/** A delivery takes seconds however little it holds, so several months go in one. */
const MONTHS_PER_DELIVERY = 5
/** The last months stay open, with estimates: the current one and the one before. */
const OPEN_MONTHS = 2

export type DemoDataset = 'article-daily' | 'video-daily' | 'summary-daily'

/** The clock that `deliver` and `closeMonths` receive stands still at the moment when the demonstration was begun. */
export interface SeedDemoDependencies {
  readonly database: Database
  readonly clock: Clock
  /** The password of every demonstration user. */
  readonly password: string
  readonly hashPassword: (password: string) => Promise<string>
  /** Imports a CSV file as any other delivery; throws when it is refused. */
  readonly deliver: (
    clock: Clock,
    dataset: DemoDataset,
    batchId: string,
    content: AsyncIterable<Buffer>,
  ) => Promise<void>
  /** Stores a picture in the object store, once, and returns its path. */
  readonly keepPicture: (name: string, picture: Picture) => Promise<string>
  /**
   * Closes the months of `closed` and leaves drafts in those of `open`; months that are closed already stay as they
   * are.
   */
  readonly closeMonths: (clock: Clock, closed: readonly YearMonth[], open: readonly YearMonth[]) => Promise<void>
  readonly onProgress?: (done: number, total: number) => void
}

/**
 * Fills an empty system with the demonstration data, or completes a first start that was killed half-way, as of the day
 * on which it was begun. The figures of a day are the same on every machine.
 * @returns false when the system holds a complete demonstration or other data
 */
export async function seedDemo(dependencies: SeedDemoDependencies): Promise<boolean> {
  const { database } = dependencies
  const state = await database.inScope(SYSTEM, findDemo)
  if (state === 'in-use' || state === 'complete') return false
  const begunAt = state === 'empty' ? dependencies.clock.now() : state.begunAt.getTime()
  const clock: Clock = { now: () => begunAt }
  const yesterday = addDays(today(clock), -1)
  const running = monthOfDay(yesterday)
  const first = firstDayOf(addMonths(running, -MONTHS_BACK))
  const period = { first, last: yesterday }
  const channels =
    state === 'empty' ? await seedMasterData(dependencies, clock, period) : await database.inScope(SYSTEM, readChannels)
  await deliverStatistics(dependencies, clock, channels, period)
  const closed = monthRange(monthOfDay(first), lastClosedMonth(clock))
  await dependencies.closeMonths(clock, closed, monthRange(addMonths(lastClosedMonth(clock), 1), running))
  await database.inScope(SYSTEM, tx => noteComplete(tx, new Date(begunAt), new Date(dependencies.clock.now())))
  return true
}

/** The newest month that the demonstration closes. */
function lastClosedMonth(begun: Clock): YearMonth {
  return addMonths(monthOfDay(addDays(today(begun), -1)), -OPEN_MONTHS)
}

type DemoState = 'empty' | 'in-use' | 'complete' | { readonly begunAt: Date }

async function findDemo(tx: Transaction): Promise<DemoState> {
  const kept = await tx.selectFrom('demonstration').select(['begunAt', 'completedAt']).executeTakeFirst()
  if (kept) return kept.completedAt ? 'complete' : { begunAt: kept.begunAt }
  const organization = await tx.selectFrom('organizations').select('name').orderBy('id').executeTakeFirst()
  const users = await tx.selectFrom('users').select('uid').limit(1).executeTakeFirst()
  if (!organization) return users ? 'in-use' : 'empty'
  if (organization.name !== DEMO_ORGANIZATIONS[0]!.name) return 'in-use'
  return findUnnotedDemo(tx)
}

/**
 * The state of a demonstration made before the table `demonstration` existed. Its users were verified when it was
 * begun, and the closings of its newest closed month were written last.
 */
async function findUnnotedDemo(tx: Transaction): Promise<DemoState> {
  const emails = DEMO_USERS.map(({ email }) => email)
  const { begunAt } = await tx
    .selectFrom('users')
    .select(({ fn }) => fn.min('emailVerifiedAt').as('begunAt'))
    .where('email', 'in', emails)
    .executeTakeFirstOrThrow()
  if (!begunAt) return 'in-use'
  const month = lastClosedMonth({ now: () => begunAt.getTime() })
  const closings = await tx.selectFrom('monthClosings').select('mediumId').where('month', '=', month).execute()
  if (closings.length < UNNOTED_MEDIA) return { begunAt }
  await noteComplete(tx, begunAt, begunAt)
  return 'complete'
}

async function noteComplete(tx: Transaction, begunAt: Date, completedAt: Date): Promise<void> {
  await tx
    .insertInto('demonstration')
    .values({ begunAt, completedAt })
    .onConflict(conflict => conflict.column('isOnly').doUpdateSet({ completedAt }))
    .execute()
}

/** One transaction inserts it all. */
async function seedMasterData(
  dependencies: SeedDemoDependencies,
  clock: Clock,
  period: DemoPeriod,
): Promise<DemoChannel[]> {
  const hashes = await Promise.all(DEMO_USERS.map(() => dependencies.hashPassword(dependencies.password)))
  const pictures = new Map<string, string>()
  for (const { name, picture } of demoPictures()) pictures.set(name, await dependencies.keepPicture(name, picture))
  return dependencies.database.inScope(SYSTEM, async tx => {
    const channels = await insertMasterData(tx, period, pictures)
    const begunAt = new Date(clock.now())
    await tx.insertInto('demonstration').values({ begunAt }).execute()
    await insertUsers(tx, hashes, begunAt)
    // Visitors share a password, so no second factor is required.
    await tx.updateTable('secondFactorRule').set({ isRequired: false }).execute()
    await insertAnnouncements(tx, today(clock))
    await insertNotes(tx, today(clock))
    await insertReportEmails(tx, begunAt)
    await insertApiKeys(tx, clock.now())
    return channels
  })
}

async function deliverStatistics(
  dependencies: SeedDemoDependencies,
  clock: Clock,
  channels: readonly DemoChannel[],
  period: DemoPeriod,
): Promise<void> {
  const months = monthRange(monthOfDay(period.first), monthOfDay(period.last))
  let delivering = Promise.resolve()
  for (let done = 0; done < months.length; done += MONTHS_PER_DELIVERY) {
    const [month, last] = [months[done]!, months[Math.min(done + MONTHS_PER_DELIVERY, months.length) - 1]!]
    // The figures of these months are made while the months before are being imported.
    const figures: DemoDay[] = []
    for (const date of demoDays(firstDayOf(month), lastDayOf(last))) {
      if (date <= period.last) figures.push(demoDay(channels, date))
      await nextTurn()
    }
    await delivering
    dependencies.onProgress?.(done, months.length)
    delivering = deliverMonths(dependencies, clock, month, figures)
    delivering.catch(() => {}) // awaited in the next round
  }
  await delivering
  dependencies.onProgress?.(months.length, months.length)
}

/** @param month the first one, which names the deliveries */
async function deliverMonths(
  dependencies: SeedDemoDependencies,
  clock: Clock,
  month: YearMonth,
  figures: readonly DemoDay[],
): Promise<void> {
  const deliver = (dataset: DemoDataset, header: string, rows: (day: DemoDay) => readonly string[]) =>
    dependencies.deliver(clock, dataset, `demo-${dataset}-${formatYearMonth(month)}`, csvOf(header, figures.map(rows)))
  await deliver('article-daily', ARTICLE_HEADER, day => day.articles)
  await deliver('video-daily', VIDEO_HEADER, day => day.videos)
  await deliver('summary-daily', SUMMARY_HEADER, day => day.summaries)
}

async function* csvOf(header: string, days: readonly (readonly string[])[]): AsyncIterable<Buffer> {
  yield Buffer.from(header)
  for (const lines of days) yield Buffer.from(lines.join(''))
}
