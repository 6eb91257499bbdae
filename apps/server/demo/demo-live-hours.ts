import { addDays } from '@pc/domain/month/day.ts'
import { keepEventHours } from '@pc/features/ingest/server/publishing/event-hours.ts'
import { type Clock, today } from '@pc/platform/clock.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import { demoHours } from '../../../demo/demo-hours.ts'
import { readChannels } from '../../../demo/demo-master-data.ts'

/** Today is compared with yesterday and with a week ago. */
const DAYS_AGO = [7, 1, 0]

/**
 * Events of today by hour, and of the days that the live report compares it with. All hours of the day are kept: the report
 * shows those that have begun. They stand beside the daily deliveries, which have the same figures already.
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
