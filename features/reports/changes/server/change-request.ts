import type { Refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import type { Comparison } from '@pc/domain/report/comparison.ts'
import type { ChangeMetric } from '@pc/domain/report/metric-identity.ts'
import { ok, type Result } from '@pc/domain/result.ts'
import { parseReportArguments, type ReportArguments, type ReportRequest } from '../../core/server/report-arguments.ts'

export interface ChangeArguments {
  readonly param: ReportArguments['param'] & {
    readonly metric: ChangeMetric
    readonly compareWith: Comparison
  }
}

export interface ChangeRequest extends Omit<ReportRequest, 'page'> {
  readonly metric: ChangeMetric
  readonly compareWith: Comparison
}

export function parseChangeRequest({ param }: ChangeArguments): Result<ChangeRequest, Refusal<RefusalCode>> {
  const request = parseReportArguments({ limit: 1, offset: 0, param })
  if (!request.ok) return request
  const { range, filter } = request.value
  return ok({ range, filter, metric: param.metric, compareWith: param.compareWith })
}
