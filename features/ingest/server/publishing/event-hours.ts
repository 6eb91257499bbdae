import { addDays, type Day } from '@pc/domain/month/day.ts'
import { type Clock, today } from '@pc/platform/clock.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import type { ReadingEngine } from '../reading/reading-engine.ts'

/** Days, today included, whose events are also kept by hour: back to the same weekday of last week. */
const DAYS_KEPT = 8
const HOUR_MS = 3_600_000
const TOKYO_MS = 9 * HOUR_MS
const ROWS_PER_STATEMENT = 2000

const KINDS = ['article', 'video', 'live'] as const
const TYPES = ['impression', 'click', 'watch'] as const
const COUNTS = KINDS.flatMap(kind => TYPES.map(type => `${kind}_${type}` as const))
type Counts = Readonly<Record<`${(typeof KINDS)[number]}${Capitalize<(typeof TYPES)[number]>}`, bigint>>

/** Event counts of a publisher on a medium within an hour. */
export interface EventHour extends Counts {
  readonly startsAt: Date
  readonly publisherId: bigint
  readonly mediumId: bigint
}

function firstKeptDay(clock: Clock): Day {
  return addDays(today(clock), 1 - DAYS_KEPT)
}

const startOfDayMs = (day: Day) => Date.parse(`${day}T00:00:00Z`) - TOKYO_MS

/** Counts the view `good` of an `events` delivery by hour, from the first kept day on. */
export async function readEventHours(engine: ReadingEngine, clock: Clock): Promise<EventHour[]> {
  const since = startOfDayMs(firstKeptDay(clock))
  const counts = KINDS.flatMap(kind =>
    TYPES.map(type => `count(*) filter (where kind = '${kind}' and type = '${type}') as ${kind}_${type}`),
  )
  const rows = await engine.rows(`
    select timestamp // ${HOUR_MS} as hour, publisher_id, medium_id, ${counts.join(', ')}
    from good where timestamp >= ${since} group by all order by all`)
  return rows.map(row => {
    const figures = COUNTS.map(name => [
      name.replace(/_(.)/, (_, character: string) => character.toUpperCase()),
      BigInt(row[name] as bigint),
    ])
    return {
      startsAt: new Date(Number(row.hour) * HOUR_MS),
      publisherId: BigInt(row.publisher_id as bigint),
      mediumId: BigInt(row.medium_id as bigint),
      ...(Object.fromEntries(figures) as Counts),
    }
  })
}

/**
 * Replaces the stored hours of a batch, and of the batches that it replaces, by `hours`; deletes days before the first
 * kept one. @param batchNos the batch first, then those that it replaces
 */
export async function keepEventHours(
  tx: Transaction,
  batchNos: readonly [batchNo: bigint, ...replaced: bigint[]],
  hours: readonly EventHour[],
  clock: Clock,
): Promise<void> {
  await tx
    .deleteFrom('eventHours')
    .where(eb =>
      eb.or([eb('batchNo', 'in', batchNos), eb('startsAt', '<', new Date(startOfDayMs(firstKeptDay(clock))))]),
    )
    .execute()
  for (let start = 0; start < hours.length; start += ROWS_PER_STATEMENT) {
    const rows = hours.slice(start, start + ROWS_PER_STATEMENT)
    await tx
      .insertInto('eventHours')
      .values(rows.map(row => ({ ...row, batchNo: batchNos[0], appliedAt: new Date(clock.now()) })))
      .execute()
  }
}
