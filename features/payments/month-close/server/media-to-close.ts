import { addMonths } from '@pc/domain/month/year-month.ts'
import { type Clock, thisMonth } from '@pc/platform/clock.ts'
import { type RawBuilder, sql } from 'kysely'
import { firstClosedMonth } from '../../core/server/first-month.ts'

/**
 * How many media of the previous month's board are not closed, as a subquery of a statement of staff: media with agreements,
 * without those whose books begin later (`beforeBooks`).
 */
export function mediaToCloseCount(clock: Clock): RawBuilder<bigint> {
  const month = addMonths(thisMonth(clock), -1)
  return sql<bigint>`(select count(*) from media m
    where exists (select from agreements a where a.medium_id = m.id)
      and not exists (select from month_states s
        where s.medium_id = m.id and s.month = ${month} and s.state in ('finalized', 'paid'))
      and coalesce(${firstClosedMonth(sql`m.id`)}, 0) <= ${month})`
}
