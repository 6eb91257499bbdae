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

/** The screens whose table can be exported to a file. */
export const EXPORTED_SCREENS = ['dashboard', 'publisher-ranking', 'articles', 'article', 'videos', 'video'] as const
export type ExportedScreen = (typeof EXPORTED_SCREENS)[number]

/** A request for a file: the screen, its condition as in the address, its ids, and the columns in order. */
export interface ExportRequest {
  readonly screen: ExportedScreen
  readonly condition: string | undefined
  /** The ids of an article or video and its publisher; empty for other screens. */
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

/** A table that is ready to be written, with the facts for its header and its audit entry. */
export interface ReportExport {
  readonly report: Report
  readonly permit: { readonly scope: Scope; readonly resource: ResourceName }
  readonly opened: OpenedExport
  readonly range: DayRange
  readonly compareWith: Comparison | undefined
  /** Undefined when rows are not periods. */
  readonly granularity: Granularity | undefined
  readonly filter: EntityFilter
  readonly changedBy?: ChangedBy
  readonly master?: MasterFilter
}

/** Opens a screen's table; each report folder has those of its screens. @throws the guard's error without the right to list */
export type ReportExporter = (input: ExportInput) => Promise<Result<ReportExport, Refusal<RefusalCode>>>
export type ReportExporters = Readonly<Record<ExportedScreen, ReportExporter>>
