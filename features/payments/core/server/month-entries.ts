import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { AdjustmentRow, PoolJobInput } from '@pc/domain/settlement/settlement-input.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import type { MonthKey } from './month-key.ts'

/** Successful jobs that no reset has reversed. */
export async function readPoolJobs(tx: Transaction, { mediumId, month }: MonthKey): Promise<readonly PoolJobInput[]> {
  const jobs = await tx
    .selectFrom('dividends')
    .select(['id', 'kind', 'method', 'extraRevenueYen'])
    .where('mediumId', '=', mediumId)
    .where('month', '=', month)
    .where('jobStatus', '=', 'success')
    .where('reversedByDividendId', 'is', null)
    .where('kind', 'in', ['ssp', 'ssp_video', 'ssp_live'])
    .orderBy('id')
    .execute()
  if (jobs.length === 0) return []
  const weights = await tx
    .selectFrom('dividendWeights')
    .select(['dividendId', 'agreementId', 'publisherId', 'weight'])
    .where(
      'dividendId',
      'in',
      jobs.map(job => job.id),
    )
    .orderBy('dividendId')
    .orderBy('agreementId')
    .orderBy('publisherId')
    .execute()
  const byJob = Map.groupBy(weights, weight => weight.dividendId)
  return jobs.map(job => ({
    jobId: job.id,
    kind: job.kind as PoolJobInput['kind'],
    method: job.method as PoolJobInput['method'],
    poolYen: job.extraRevenueYen,
    weights: (byJob.get(job.id) ?? []).map(({ agreementId, publisherId, weight }) => ({
      agreementId,
      publisherId,
      weight,
    })),
  }))
}

/** Rows of successful csv jobs that no reset has reversed. */
export async function readAdjustments(
  tx: Transaction,
  { mediumId, month }: MonthKey,
): Promise<readonly AdjustmentRow[]> {
  const rows = await tx
    .selectFrom('dividends as d')
    .innerJoin('dividendRows as r', 'r.dividendId', 'd.id')
    .select([
      'd.id',
      'd.method',
      'r.line',
      'r.agreementId',
      'r.publisherId',
      'r.amountYen',
      'r.reason',
      'r.originMonth',
    ])
    .where('d.mediumId', '=', mediumId)
    .where('d.month', '=', month)
    .where('d.jobStatus', '=', 'success')
    .where('d.reversedByDividendId', 'is', null)
    .where('d.kind', '=', 'csv')
    .orderBy('d.id')
    .orderBy('r.line')
    .execute()
  return rows.map(row => ({
    jobId: row.id,
    line: row.line,
    agreementId: row.agreementId,
    publisherId: row.publisherId,
    method: row.method as AdjustmentRow['method'],
    amountYen: row.amountYen ?? 0n,
    reason: (row.reason ?? 'other') as AdjustmentRow['reason'],
    originMonth: row.originMonth as YearMonth | null,
  }))
}
