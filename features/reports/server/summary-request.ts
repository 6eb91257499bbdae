import { type DayRange, EARLIEST_DAY } from '@pc/domain/condition/default-range.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import type { Granularity } from '@pc/domain/report/granularity.ts'
import { rangeFault } from '@pc/domain/report/period.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { MAX_PAGE_SIZE } from '@pc/platform/graphql/list-arguments.ts'
import type { EntityFilter } from './report-scope.ts'

/** The arguments of `summaryStats`, as they arrive. */
export interface SummaryArguments {
  readonly limit: number
  readonly offset: number
  readonly param: {
    readonly from: Day
    readonly to: Day
    readonly granularity: Granularity
    readonly mediumIds?: readonly string[] | null | undefined
    readonly organizationIds?: readonly string[] | null | undefined
    readonly publisherIds?: readonly string[] | null | undefined
  }
}

export interface SummaryRequest {
  readonly range: DayRange
  readonly granularity: Granularity
  readonly filter: EntityFilter
  /** In periods that have data. */
  readonly page: { readonly limit: number; readonly offset: number }
}

const MOST_IDS = 1000
const ID = /^[1-9]\d{0,17}$/

/** A list that is absent or null does not restrict; an empty list matches nothing. */
export function parseSummaryRequest(args: SummaryArguments): Result<SummaryRequest, Refusal<RefusalCode>> {
  const { param, limit, offset } = args
  const refusals: Refusal<RefusalCode>[] = []
  const range: DayRange = { from: param.from, to: param.to }
  const fault = rangeFault(range)
  if (fault) refusals.push(refusal(fault, ['param', 'from'], { ...range, earliest: EARLIEST_DAY }))
  if (limit < 1 || limit > MAX_PAGE_SIZE) {
    refusals.push(refusal('list/limit-out-of-range', ['limit'], { max: MAX_PAGE_SIZE }))
  }
  if (offset < 0) refusals.push(refusal('list/offset-out-of-range', ['offset']))
  const ids = (name: keyof EntityFilter): readonly bigint[] | undefined => {
    const given = param[name]
    if (!given) return undefined
    if (!given.every(id => ID.test(id))) refusals.push(refusal('id/not-a-number', ['param', name]))
    else if (given.length > MOST_IDS) refusals.push(refusal('report/too-many-ids', ['param', name], { max: MOST_IDS }))
    else return [...new Set(given)].map(BigInt)
    return undefined
  }
  const filter: EntityFilter = {
    mediumIds: ids('mediumIds'),
    organizationIds: ids('organizationIds'),
    publisherIds: ids('publisherIds'),
  }
  if (refusals.length > 0) return refused(...refusals)
  return ok({ range, granularity: param.granularity, filter, page: { limit, offset } })
}
