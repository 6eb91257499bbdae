import type { Refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import type { Granularity } from '@pc/domain/report/granularity.ts'
import { ok, type Result } from '@pc/domain/result.ts'
import { parseReportArguments, type ReportArguments, type ReportRequest } from '../../core/server/report-arguments.ts'
import type { SummaryColumn } from '../../core/server/summary-sql.ts'

/** The unchecked GraphQL arguments of `summaryStats`. */
export interface SummaryArguments extends ReportArguments {
  readonly param: ReportArguments['param'] & { readonly granularity: Granularity }
}

/** A parsed request. `page` counts periods that have data. */
export interface SummaryRequest extends ReportRequest {
  readonly granularity: Granularity
  /** True: the latest period first. */
  readonly isDescending?: boolean
  /** What to read; everything by default. */
  readonly wanted?: SummaryDetails
}

export interface SummaryDetails {
  readonly followers: boolean
  /** Columns of the figures. The platform's revenue is read for staff only, even if named here. */
  readonly columns: readonly SummaryColumn[]
}

export function parseSummaryRequest(args: SummaryArguments): Result<SummaryRequest, Refusal<RefusalCode>> {
  const request = parseReportArguments(args)
  return request.ok ? ok({ ...request.value, granularity: args.param.granularity }) : request
}
