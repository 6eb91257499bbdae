import { FILTER_NAMES, type FilterCondition } from '@pc/domain/condition/entity-filter.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { addMonths, firstDayOf, lastDayOf, monthOfDay } from '@pc/domain/month/year-month.ts'
import type { Comparison } from '@pc/domain/report/comparison.ts'
import type { Granularity } from '@pc/domain/report/granularity.ts'
import { addressOf } from '@pc/ui/routing/define-route.ts'
import { articlesCondition, videosCondition } from '../../content-condition.ts'
import { dashboardCondition } from '../../dashboard-condition.ts'
import { ARTICLES_REPORT_PATH, DASHBOARD_PATH, PUBLISHER_RANKING_PATH, VIDEOS_REPORT_PATH } from '../../links.ts'
import { rankingCondition } from '../../ranking-condition.ts'

/** The conditions that a link from one report to another keeps. */
interface KeptCondition extends FilterCondition {
  readonly from: Day | undefined
  readonly to: Day | undefined
  readonly compareWith: Comparison | 'none'
  readonly granularity?: Granularity
}

/** May contain filters that the target report lacks; `format` leaves those out of the address. */
function kept(condition: KeptCondition) {
  const { from, to, compareWith, granularity } = condition
  return {
    ...{ from, to, compareWith },
    ...(granularity === undefined ? {} : { granularity }),
    ...(Object.fromEntries(FILTER_NAMES.map(name => [name, condition[name] ?? []])) as Required<FilterCondition>),
  }
}

/** The dashboard with the same days and filters. */
export function dashboardAddress(condition: KeptCondition): string {
  return addressOf(DASHBOARD_PATH, dashboardCondition.format({ ...dashboardCondition.defaults, ...kept(condition) }))
}

/** The articles report with the same days and filters. */
export function articlesAddress(condition: KeptCondition): string {
  return addressOf(
    ARTICLES_REPORT_PATH,
    articlesCondition.format({ ...articlesCondition.defaults, ...kept(condition) }),
  )
}

/** The videos report with the same days and filters. */
export function videosAddress(condition: KeptCondition): string {
  return addressOf(VIDEOS_REPORT_PATH, videosCondition.format({ ...videosCondition.defaults, ...kept(condition) }))
}

/** The ranking of the month before, the largest loss of revenue first. */
export function lossesAddress(today: Day): string {
  const month = addMonths(monthOfDay(today), -1)
  return addressOf(
    PUBLISHER_RANKING_PATH,
    rankingCondition.format({
      ...rankingCondition.defaults,
      ...{ from: firstDayOf(month), to: lastDayOf(month), order: 'REVENUE_ASC', orderOf: 'difference' },
    }),
  )
}

/** The publisher of an article or video with a link to its dashboard; undefined when the row names none. */
export function publisherOfContent(
  row: { readonly publisherId: string | null; readonly publisherName: string | null } | null | undefined,
  { from, to, compareWith, granularity }: KeptCondition,
): { readonly name: string; readonly address: string } | undefined {
  if (!row?.publisherId) return undefined
  const publisherId = [row.publisherId]
  return {
    name: row.publisherName ?? `ID ${row.publisherId}`,
    address: dashboardAddress({ from, to, compareWith, ...(granularity ? { granularity } : {}), publisherId }),
  }
}
