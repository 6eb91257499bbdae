import { addDays } from '@pc/domain/month/day.ts'
import { keepEventHours } from '@pc/features/ingest/server/publishing/event-hours.ts'
import { type Clock, today } from '@pc/platform/clock.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import { demoHours } from '../../../demo/demo-hours.ts'
import { readChannels } from '../../../demo/demo-master-data.ts'

/** The live report compares today with yesterday and the day a week ago. */
const DAYS_AGO = [7, 1, 0]

/**
 * Creates hourly events of today and of the days that the live report compares. All hours of today are created; the
 * report shows those that have begun. The figures are also part of the daily deliveries.
 */
export async function keepDemoLiveHours(database: Database, clock: Clock): Promise<void> {
  await database.inScope(SYSTEM, async tx => {
    const known = await tx.selectFrom('eventHours').select('batchNo').limit(1).executeTakeFirst()
    if (known) return
    const channels = await readChannels(tx)
    const { batchNo } = await tx
      .selectFrom('ingestBatches')
      .select('batchNo')
      .where('dataset', '=', 'summary-daily')
      .where('state', '=', 'applied')
      .orderBy('batchNo', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    const hours = DAYS_AGO.flatMap(ago => demoHours(channels, addDays(today(clock), -ago)))
    await keepEventHours(tx, [batchNo], hours, clock)
  })
}
