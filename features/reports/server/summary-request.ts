import type { DayRange } from '@pc/domain/condition/default-range.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { Granularity } from '@pc/domain/report/granularity.ts'
import { rangeFault } from '@pc/domain/report/period.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
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

export type ReportRefusalCode =
  | 'report/range-reversed'
  | 'report/before-earliest-day'
  | 'report/wrong-id'
  | 'report/wrong-page'

export const MOST_PERIODS = 1000
const MOST_IDS = 1000
const ID = /^[1-9]\d{0,17}$/

/** A list that is absent or null does not restrict; an empty list matches nothing. */
export function parseSummaryRequest(args: SummaryArguments): Result<SummaryRequest, Refusal<ReportRefusalCode>> {
  const { param, limit, offset } = args
  const refusals: Refusal<ReportRefusalCode>[] = []
  const range: DayRange = { from: param.from, to: param.to }
  const fault = rangeFault(range)
  if (fault) refusals.push(refusal(fault, ['param', 'from'], { ...range }))
  if (limit < 1 || limit > MOST_PERIODS || offset < 0) {
    refusals.push(refusal('report/wrong-page', ['limit'], { limit, offset, most: MOST_PERIODS }))
  }
  const ids = (name: keyof EntityFilter): readonly bigint[] | undefined => {
    const given = param[name]
    if (!given) return undefined
    if (given.length > MOST_IDS || !given.every(id => ID.test(id))) {
      refusals.push(refusal('report/wrong-id', ['param', name], { most: MOST_IDS }))
      return []
    }
    return [...new Set(given)].map(BigInt)
  }
  const filter: EntityFilter = {
    mediumIds: ids('mediumIds'),
    organizationIds: ids('organizationIds'),
    publisherIds: ids('publisherIds'),
  }
  if (refusals.length > 0) return refused(...refusals)
  return ok({ range, granularity: param.granularity, filter, page: { limit, offset } })
}
