import type { ResourceName } from '@pc/domain/access/resource-name.ts'
import type { Scope } from '@pc/domain/access/viewer-scope.ts'
import type { DayRange } from '@pc/domain/condition/default-range.ts'
import type { Refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import type { Comparison } from '@pc/domain/report/comparison.ts'
import type { Granularity } from '@pc/domain/report/granularity.ts'
import type { Result } from '@pc/domain/result.ts'
import type { GraphContext } from '@pc/platform/graphql/graph.ts'
import type { Report } from '../../report-columns.ts'
import type { MasterFilter } from './content-filter.ts'
import type { OpenedExport } from './opened-export.ts'
import type { ChangedBy } from './order-by-change.ts'
import type { EntityFilter } from './report-scope.ts'
import type { ReportSources } from './report-sources.ts'

/** The screens whose table can be written to a file. */
export const EXPORTED_SCREENS = ['dashboard', 'publisher-ranking', 'articles', 'article', 'videos', 'video'] as const
export type ExportedScreen = (typeof EXPORTED_SCREENS)[number]

/** What a caller sends: the screen, its condition as in the address, its ids, and the columns in their order. */
export interface ExportRequest {
  readonly screen: ExportedScreen
  readonly condition: string | undefined
  /** Of an article or video. */
  readonly itemId: string
  readonly publisherId: string
  readonly columns: readonly string[] | undefined
}

export interface ExportInput {
  readonly sources: ReportSources
  readonly context: GraphContext
  readonly request: ExportRequest
  readonly isStaff: boolean
}

/** An open table and what it is about. */
export interface ReportExport {
  readonly report: Report
  readonly permit: { readonly scope: Scope; readonly resource: ResourceName }
  readonly opened: OpenedExport
  readonly range: DayRange
  readonly compareWith: Comparison | undefined
  /** Undefined: not by period. */
  readonly granularity: Granularity | undefined
  readonly filter: EntityFilter
  readonly changedBy?: ChangedBy
  readonly master?: MasterFilter
}

/** Each room exports the tables of its screens. Throws the guard's error without the right to list. */
export type ReportExporter = (input: ExportInput) => Promise<Result<ReportExport, Refusal<RefusalCode>>>
export type ReportExporters = Readonly<Record<ExportedScreen, ReportExporter>>
