import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import type { ArticleLabelKind } from '@pc/domain/report/article-label.ts'
import type { Granularity } from '@pc/domain/report/granularity.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { searchWords } from '@pc/domain/text/search-text.ts'
import { MAX_TITLE_LENGTH, type MasterFilter } from '../../core/server/content-filter.ts'
import type { ContentKind } from '../../core/server/content-kind.ts'
import { readIds } from '../../core/server/entity-argument.ts'
import { parseReportArguments, type ReportArguments, type ReportRequest } from '../../core/server/report-arguments.ts'
import {
  COMMON_ORDERS,
  type CommonOrder,
  commonOrderOf,
  type FigureOrder,
  splitOrder,
} from '../../core/server/report-order.ts'

export type ContentOrder = FigureOrder | CommonOrder | DateOrder
export interface DateOrder {
  readonly by: 'DATE'
  readonly isDescending: boolean
}

/** The arguments of `articleStats` and `videoStats` under the same names. */
export interface ContentArguments extends ReportArguments {
  readonly orderBy: string | null | undefined
  readonly param: ReportArguments['param'] & {
    readonly groupBy: 'item' | 'date' | ArticleLabelKind
    readonly granularity: Granularity
    readonly itemIds?: readonly string[] | null | undefined
    readonly title?: string | null | undefined
    readonly feedIds?: readonly string[] | null | undefined
  }
}

/** A parsed request. `page` counts rows: articles, videos, labels, or periods that have data. */
export interface ContentRequest extends ReportRequest {
  readonly kind: ContentKind
  readonly groupBy: 'item' | 'date' | ArticleLabelKind
  readonly granularity: Granularity
  readonly itemIds: readonly bigint[] | undefined
  readonly master: MasterFilter
  readonly order: ContentOrder
  /** Columns to read besides those of the order; by default all that the viewer may see. */
  readonly wantedColumns?: readonly string[]
  /** Reads publishers' names together with the rows instead of when the first row resolves its name. */
  readonly wantsPublisherNames?: boolean
}

/** The names in `orderBy` (without `_ASC` and `_DESC`) for a kind of content. */
export function contentOrderNames(kind: ContentKind): readonly string[] {
  return [...COMMON_ORDERS, 'DATE', ...Object.keys(kind.figures)]
}

export function parseContentRequest(
  kind: ContentKind,
  args: ContentArguments,
): Result<ContentRequest, Refusal<RefusalCode>> {
  const { groupBy, granularity } = args.param
  const refusals: Refusal<RefusalCode>[] = []
  const itemIds = readIds(args.param.itemIds, ['param', kind.id === 'article_id' ? 'articleIds' : 'videoIds'], refusals)
  const feedIds = readIds(args.param.feedIds, ['param', 'feedIds'], refusals)
  const order = readOrder(kind, groupBy, args.orderBy ?? (groupBy === 'date' ? 'DATE_ASC' : 'IMPRESSION_DESC'))
  if (order === undefined) refusals.push(refusal('report/order-of-other-grouping', ['orderBy']))
  if (groupBy !== 'item' && (args.param.orderOf ?? 'value') !== 'value') {
    refusals.push(refusal('report/order-of-other-grouping', ['param', 'orderOf']))
  }
  const request = parseReportArguments(args)
  if (!request.ok) return refused(...refusals, ...request.refusals)
  if (order === undefined || refusals.length > 0) return refused(...refusals)
  return ok({
    ...request.value,
    kind,
    groupBy,
    granularity,
    itemIds,
    master: { words: searchWords((args.param.title ?? '').slice(0, MAX_TITLE_LENGTH)), feedIds },
    order,
  })
}

/** Undefined for DATE in a list of contents or labels, which have no day. In lists by period the common orders mean DATE. */
function readOrder(kind: ContentKind, groupBy: ContentRequest['groupBy'], text: string): ContentOrder | undefined {
  const { name, isDescending } = splitOrder(text as `${string}_ASC`)
  const common = commonOrderOf(name)
  if (groupBy === 'date' && (common || name === 'DATE')) return { by: 'DATE', isDescending }
  if (name === 'DATE') return undefined
  if (common) return { by: common, isDescending }
  const figure = kind.figures[name]
  if (!figure) throw new Error(`no order ${text}`)
  return { figure, isDescending }
}
