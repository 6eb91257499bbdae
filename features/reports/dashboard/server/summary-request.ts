import type { Refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import type { Granularity } from '@pc/domain/report/granularity.ts'
import { ok, type Result } from '@pc/domain/result.ts'
import { parseReportArguments, type ReportArguments, type ReportRequest } from '../../core/server/report-arguments.ts'
import type { SummaryColumn } from '../../core/server/summary-sql.ts'

/** The arguments of `summaryStats`, as they arrive. */
export interface SummaryArguments extends ReportArguments {
  readonly param: ReportArguments['param'] & { readonly granularity: Granularity }
}

/** The page counts periods that have data. */
export interface SummaryRequest extends ReportRequest {
  readonly granularity: Granularity
  /** The latest period comes first. */
  readonly isDescending?: boolean
  /** What is read: everything, unless it is said. */
  readonly wanted?: SummaryDetails
}

export interface SummaryDetails {
  readonly followers: boolean
  /** Of the figures; those of the platform's own revenues are read for staff only. */
  readonly columns: readonly SummaryColumn[]
}

export function parseSummaryRequest(args: SummaryArguments): Result<SummaryRequest, Refusal<RefusalCode>> {
  const request = parseReportArguments(args)
  return request.ok ? ok({ ...request.value, granularity: args.param.granularity }) : request
}
