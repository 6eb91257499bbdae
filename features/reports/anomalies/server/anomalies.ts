import type { Permit } from '@pc/domain/access/decide.ts'
import type { Day } from '@pc/domain/month/day.ts'
import type { ChangeDirection, WatchedFigure } from '@pc/domain/report/anomaly.ts'
import type { Page } from '@pc/platform/graphql/list-arguments.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import { type EntityFilter, readReportScope } from '../../core/server/report-scope.ts'
import { scopeInPostgres } from '../../core/server/scope-in-postgres.ts'

export interface Anomaly {
  readonly id: bigint
  readonly publisherId: bigint
  readonly publisherName: string
  readonly mediumId: bigint
  readonly mediumName: string
  readonly figure: WatchedFigure
  readonly direction: ChangeDirection
  readonly beganOn: Day
  readonly lastOn: Day
  /** The figure on the last day of the anomaly, and its usual value; revenue in micro-yen. */
  readonly value: bigint
  readonly usual: bigint
}
export interface AnomalyList {
  readonly total: number
  readonly nodes: readonly Anomaly[]
}

/**
 * The anomalies of the viewer's publishers that have not ended, the newest first.
 * Tested by `features/reports/anomalies/server/check-anomalies.test.ts`.
 */
export function readAnomalies(
  database: Database,
  filter: EntityFilter,
  { limit, offset }: Page,
  { scope }: Permit<'read:list', 'insight:summary_stats.'>,
): Promise<AnomalyList> {
  return database.inScope(
    scope,
    async tx => {
      const reportScope = await readReportScope(tx, scope, filter)
      const open = tx
        .selectFrom('figureAlerts as a')
        .innerJoin('publishers as p', 'p.id', 'a.publisherId')
        .innerJoin('media as m', 'm.id', 'a.mediumId')
        .where('a.endedOn', 'is', null)
        .where(scopeInPostgres(reportScope, 'a'))
      const { total } = await open.select(eb => eb.fn.countAll<bigint>().as('total')).executeTakeFirstOrThrow()
      const rows = await open
        .select(['a.id', 'a.publisherId', 'p.name as publisherName', 'a.mediumId', 'm.name as mediumName'])
        .select(['a.figure', 'a.direction', 'a.beganOn', 'a.lastOn', 'a.value', 'a.usual'])
        .orderBy('a.lastOn', 'desc')
        .orderBy('a.beganOn', 'desc')
        .orderBy('a.publisherId')
        .orderBy('a.mediumId')
        .orderBy('a.figure')
        .limit(limit)
        .offset(offset)
        .execute()
      return {
        total: Number(total),
        nodes: rows.map(row => {
          const [figure, direction] = [row.figure as WatchedFigure, row.direction as ChangeDirection]
          return { ...row, figure, direction }
        }),
      }
    },
    { readOnly: true },
  )
}
