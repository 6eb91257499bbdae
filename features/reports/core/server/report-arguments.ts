import { type DayRange, EARLIEST_DAY, LATEST_DAY } from '@pc/domain/condition/default-range.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { rangeFault } from '@pc/domain/report/period.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { MAX_PAGE_SIZE, type Page } from '@pc/platform/graphql/list-arguments.ts'
import type { EntityFilter } from './report-scope.ts'

type IdTexts = readonly string[] | null | undefined

/** What every report is asked with, as it arrives. A list that is absent or null does not restrict; an empty one matches nothing. */
export interface ReportArguments {
  readonly limit: number
  readonly offset: number
  readonly param: {
    readonly from: Day
    readonly to: Day
    readonly mediumIds?: IdTexts
    readonly organizationIds?: IdTexts
    readonly publisherIds?: IdTexts
  }
}

export interface ReportRequest {
  readonly range: DayRange
  readonly filter: EntityFilter
  readonly page: Page
}

/** The first rows of a report, for an email. */
export interface TopRequest {
  readonly range: DayRange
  readonly filter: EntityFilter
  readonly limit: number
}

const MAX_IDS = 1000
const ID = /^[1-9]\d{0,17}$/

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
  const ids = (name: keyof EntityFilter) => readIds(param[name], ['param', name], refusals)
  const filter: EntityFilter = {
    mediumIds: ids('mediumIds'),
    organizationIds: ids('organizationIds'),
    publisherIds: ids('publisherIds'),
  }
  return refusals.length > 0 ? refused(...refusals) : ok({ range, filter, page: { limit, offset } })
}

/** Undefined: not restricted, or refused. @param path of the argument, for the refusals that are added */
export function readIds(
  given: IdTexts,
  path: readonly string[],
  refusals: Refusal<RefusalCode>[],
  most = MAX_IDS,
): readonly bigint[] | undefined {
  if (!given) return undefined
  if (!given.every(id => ID.test(id))) refusals.push(refusal('id/not-a-number', path))
  else if (given.length > most) refusals.push(refusal('report/too-many-ids', path, { max: most }))
  else return [...new Set(given)].map(BigInt)
  return undefined
}
