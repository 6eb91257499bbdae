import { formatYearMonth, type YearMonth } from '@pc/domain/month/year-month.ts'
import { JOB_KINDS, type ManualOperationJob, sumExtraRevenue } from '@pc/domain/payment/manual-operation.ts'
import type { JobStatus } from '@pc/domain/payment/payment-states.ts'
import { MANUAL_OPERATION_METHODS } from '@pc/domain/settlement/settlement-input.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import type { ManualOperationRow, MonthOperationRow } from './manual-operation-store.ts'

// The API calls a manual operation a dividend, as the specification does.

export type KindRef = ReturnType<typeof kindEnum>
export type MethodRef = ReturnType<typeof methodEnum>
export const kindEnum = (graph: Graph) => graph.enumType('DividendKind', { values: JOB_KINDS })
export const methodEnum = (graph: Graph) => graph.enumType('DividendMethod', { values: MANUAL_OPERATION_METHODS })

export function manualOperationType(graph: Graph, Kind: KindRef, Method: MethodRef) {
  const Status = graph.enumType('DividendJobStatus', { values: ['pending', 'running', 'success', 'failed'] as const })
  const Operator = graph.objectRef<ManualOperationRow>('DividendOperator').implement({
    on: 'insight:dividend.',
    fields: t => ({
      uid: t.exposeID('userUid', { nullable: true }),
      email: t.exposeString('userEmail', { nullable: true }),
    }),
  })
  return graph.objectRef<ManualOperationRow>('MonthlyDividend').implement({
    on: 'insight:dividend.',
    description: 'A pool, a correction or a reset of a month, and the job that books it.',
    fields: t => ({
      id: t.expose('id', { type: 'ID' }),
      monthlyDividendManualOperationId: t.expose('operationId', { type: 'ID' }),
      mediumId: t.expose('mediumId', { type: 'ID' }),
      kind: t.field({ type: Kind, resolve: row => row.kind as (typeof JOB_KINDS)[number] }),
      dividendMethod: t.field({
        type: Method,
        resolve: row => row.method as (typeof MANUAL_OPERATION_METHODS)[number],
      }),
      dividendMonth: t.string({ resolve: row => formatYearMonth(row.month as YearMonth) }),
      extraRevenue: t.expose('extraRevenueYen', { type: 'Long' }),
      extraRevenueMonth: t.string({ resolve: row => formatYearMonth(row.extraRevenueMonth as YearMonth) }),
      notes: t.exposeString('notes'),
      jobStatus: t.field({ type: Status, resolve: row => row.jobStatus as JobStatus }),
      progress: t.exposeInt('progress', { description: 'How far the job is, per cent.' }),
      failureText: t.exposeString('failureText', { nullable: true, description: 'Why it failed, in Japanese.' }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      startedAt: t.expose('startedAt', { type: 'DateTime', nullable: true }),
      completedAt: t.expose('completedAt', { type: 'DateTime', nullable: true }),
      withdrawnAt: t.expose('withdrawnAt', {
        type: 'DateTime',
        nullable: true,
        description: 'When a failed entry was taken back; it is no longer in the way of a close.',
      }),
      reversedByDividendId: t.expose('reversedByDividendId', { type: 'ID', nullable: true }),
      userUid: t.exposeID('userUid', { nullable: true }),
      user: t.field({ type: Operator, resolve: row => row }),
    }),
  })
}
export type ManualOperationRef = ReturnType<typeof manualOperationType>

export function monthOperationType(graph: Graph, ManualOperation: ManualOperationRef) {
  return graph.objectRef<MonthOperationRow>('MonthlyDividendManualOperation').implement({
    on: 'insight:dividend.',
    fields: t => ({
      id: t.expose('id', { type: 'ID' }),
      dividendMonth: t.string({ resolve: row => formatYearMonth(row.month as YearMonth) }),
      dividendExtraRevenue: t.field({ type: 'Long', resolve: row => extraRevenueOf(row).totalYen }),
      dividendExtraRevenuePayment: t.field({ type: 'Long', resolve: row => extraRevenueOf(row).paymentYen }),
      dividendExtraRevenueDiscard: t.field({ type: 'Long', resolve: row => extraRevenueOf(row).discardYen }),
      hasBeenFinalized: t.exposeBoolean('hasBeenFinalized'),
      finalizedAt: t.expose('finalizedAt', { type: 'DateTime', nullable: true }),
      dividends: t.field({ type: [ManualOperation], resolve: row => [...row.manualOperations] }),
    }),
  })
}
export type MonthOperationRef = ReturnType<typeof monthOperationType>

function extraRevenueOf(row: MonthOperationRow) {
  return sumExtraRevenue(
    row.manualOperations.map(
      (each): ManualOperationJob => ({
        jobId: each.id,
        kind: each.kind as ManualOperationJob['kind'],
        method: each.method as ManualOperationJob['method'],
        status: each.jobStatus as JobStatus,
        reversedByJobId: each.reversedByDividendId,
        extraRevenueYen: each.extraRevenueYen,
      }),
    ),
  )
}
