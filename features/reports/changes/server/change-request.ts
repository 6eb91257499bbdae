import type { DayRange } from '@pc/domain/condition/default-range.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import type { Comparison } from '@pc/domain/report/comparison.ts'
import type { ChangeMetric, ChangeSubject } from '@pc/domain/report/metric-identity.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { searchWords } from '@pc/domain/text/search-text.ts'
import { MAX_TITLE_LENGTH, type MasterFilter } from '../../core/server/content-filter.ts'
import { readIds } from '../../core/server/entity-argument.ts'
import { parseReportArguments, type ReportArguments, type ReportRequest } from '../../core/server/report-arguments.ts'

export interface ChangeArguments {
  readonly param: ReportArguments['param'] & {
    readonly metric: ChangeMetric
    readonly compareWith: Comparison
    readonly of?: ChangeSubject | null | undefined
    readonly contentIds?: readonly string[] | null | undefined
    readonly feedIds?: readonly string[] | null | undefined
    readonly title?: string | null | undefined
    readonly within?: { readonly from: Day; readonly to: Day } | null | undefined
  }
}

export interface ChangeRequest extends Omit<ReportRequest, 'page'> {
  readonly metric: ChangeMetric
  readonly compareWith: Comparison
  /** The kind of rows that are summed; publishers by default. */
  readonly subject?: ChangeSubject
  /** Ids of articles or videos, by `subject`; undefined: all of them. */
  readonly contentIds?: readonly bigint[] | undefined
  readonly master?: MasterFilter
  /** The whole range of the report when `range` is a part of it: parts are compared with parts of the compared range. */
  readonly within?: DayRange | undefined
}

/** Parses the arguments; refuses days that are not within the report's range `within`. */
export function parseChangeRequest({ param }: ChangeArguments): Result<ChangeRequest, Refusal<RefusalCode>> {
  const refusals: Refusal<RefusalCode>[] = []
  const contentIds = readIds(param.contentIds, ['param', 'contentIds'], refusals)
  const feedIds = readIds(param.feedIds, ['param', 'feedIds'], refusals)
  const report = parseReportArguments({ limit: 1, offset: 0, param: { ...param, ...param.within } })
  const request = parseReportArguments({ limit: 1, offset: 0, param })
  if (!request.ok) return refused(...refusals, ...request.refusals)
  if (!report.ok) return refused(...refusals, ...report.refusals)
  const { range, filter } = request.value
  const within = report.value.range
  if (range.from < within.from || range.to > within.to) {
    refusals.push(refusal('report/part-outside-of-range', ['param', 'within']))
  }
  if (refusals.length > 0) return refused(...refusals)
  return ok({
    ...{ range, filter, contentIds, within, metric: param.metric, compareWith: param.compareWith },
    subject: param.of ?? 'publisher',
    master: { words: searchWords((param.title ?? '').slice(0, MAX_TITLE_LENGTH)), feedIds },
  })
}
