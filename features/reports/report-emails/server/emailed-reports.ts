import type { Permit } from '@pc/domain/access/decide.ts'
import type { DayRange } from '@pc/domain/condition/default-range.ts'
import type { Day } from '@pc/domain/month/day.ts'
import type { Comparison } from '@pc/domain/report/comparison.ts'
import type { Sums } from '../../core/server/figure-sums.ts'
import type { TopRequest } from '../../core/server/report-arguments.ts'
import type { ReportFreshness } from '../../core/server/report-plan.ts'
import type { EntityFilter } from '../../core/server/report-scope.ts'
import type { ReportSources } from '../../core/server/report-sources.ts'

interface SummaryRequest {
  readonly range: DayRange
  readonly filter: EntityFilter
  readonly page: { readonly limit: number; readonly offset: number }
  readonly granularity: 'daily'
  readonly compareWith: Comparison
}

/** The part of the dashboard's report that an email shows. */
export interface EmailedSummary extends ReportFreshness {
  readonly totals: {
    readonly days: number
    readonly daysWithData: number
    readonly hasBeenFinalized: boolean
    readonly sums: Sums
    readonly compared: { readonly from: Day; readonly to: Day; readonly sums: Sums } | null
  } | null
}

/** The reports that an email shows. The application passes them in, because report folders do not import each other. */
export interface EmailedReports {
  readSummary(
    sources: ReportSources,
    request: SummaryRequest,
    permit: Permit<'read:list', 'insight:summary_stats.'>,
    signal?: AbortSignal,
  ): Promise<EmailedSummary>
  /** Why the revenue changed; undefined when nothing can be compared. */
  readChangeSentence(
    sources: ReportSources,
    request: Pick<SummaryRequest, 'range' | 'filter' | 'compareWith'> & { readonly metric: 'publisherTotalRevenue' },
    permit: Permit<'read:list', 'insight:summary_stats.'>,
    signal?: AbortSignal,
  ): Promise<string | undefined>
  /** By revenue. */
  readTopPublishers(
    sources: ReportSources,
    request: TopRequest,
    permit: Permit<'read:list', 'insight:publisher_rank.'>,
    signal?: AbortSignal,
  ): Promise<
    readonly {
      readonly rank: number
      readonly publisherId: bigint
      readonly publisherName: string | null
      readonly sums: Sums
    }[]
  >
  /** By impressions. */
  readTopArticles(
    sources: ReportSources,
    request: TopRequest,
    permit: Permit<'read:list', 'insight:article_stats.'>,
    signal?: AbortSignal,
  ): Promise<
    readonly {
      readonly itemId: bigint | null
      readonly master: { readonly title: string } | null
      readonly sums: Sums
    }[]
  >
}
