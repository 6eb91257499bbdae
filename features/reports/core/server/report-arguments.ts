import { type DayRange, EARLIEST_DAY, LATEST_DAY } from '@pc/domain/condition/default-range.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import type { Comparison } from '@pc/domain/report/comparison.ts'
import type { OrderBasis } from '@pc/domain/report/order-basis.ts'
import { rangeFault } from '@pc/domain/report/period.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { MAX_PAGE_SIZE, type Page } from '@pc/platform/graphql/list-arguments.ts'
import { type EntityArguments, parseEntityFilter } from './entity-argument.ts'
import type { ChangedBy } from './order-by-change.ts'
import type { EntityFilter } from './report-scope.ts'

/** The unchecked GraphQL arguments that all reports share. */
export interface ReportArguments {
  readonly limit: number
  readonly offset: number
  readonly param: EntityArguments & {
    readonly from: Day
    readonly to: Day
    readonly compareWith?: Comparison | null | undefined
    readonly orderOf?: OrderBasis | null | undefined
    readonly minChange?: number | null | undefined
  }
}

export interface ReportRequest {
  readonly range: DayRange
  readonly filter: EntityFilter
  readonly compareWith: Comparison | undefined
  /** Undefined: ordered by the figure itself. */
  readonly changedBy?: ChangedBy | undefined
  readonly page: Page
}

/** A request for the first rows of a report, for report emails. */
export interface TopRequest {
  readonly range: DayRange
  readonly filter: EntityFilter
  readonly limit: number
}

export function parseReportArguments({
  limit,
  offset,
  param,
}: ReportArguments): Result<ReportRequest, Refusal<RefusalCode>> {
  const refusals: Refusal<RefusalCode>[] = []
  const range: DayRange = { from: param.from, to: param.to }
  const fault = rangeFault(range)
  if (fault) {
    const path = ['param', fault === 'report/after-latest-day' ? 'to' : 'from']
    refusals.push(refusal(fault, path, { ...range, earliest: EARLIEST_DAY, latest: LATEST_DAY }))
  }
  if (limit < 1 || limit > MAX_PAGE_SIZE) {
    refusals.push(refusal('list/limit-out-of-range', ['limit'], { max: MAX_PAGE_SIZE }))
  }
  if (offset < 0) refusals.push(refusal('list/offset-out-of-range', ['offset']))
  const { minChange } = param
  if (minChange != null && !(minChange > 0 && minChange <= MAX_MIN_CHANGE)) {
    refusals.push(refusal('report/min-change-out-of-range', ['param', 'minChange'], { max: MAX_MIN_CHANGE }))
  }
  const filter = parseEntityFilter(param, ['param'], refusals)
  if (refusals.length > 0) return refused(...refusals)
  const changedBy = changedByOf(param)
  const request = { range, filter, compareWith: param.compareWith ?? undefined, page: { limit, offset } }
  return ok(changedBy ? { ...request, changedBy } : request)
}

/** Greatest minimum change: in micro-yen it still fits the engines' integers. */
const MAX_MIN_CHANGE = 1e12

/** Undefined without a comparison, because then there is no change to order by. */
function changedByOf({ compareWith, orderOf, minChange }: ReportArguments['param']): ChangedBy | undefined {
  if (!compareWith || !orderOf || orderOf === 'value') return undefined
  return { basis: orderOf, min: minChange ?? undefined }
}
