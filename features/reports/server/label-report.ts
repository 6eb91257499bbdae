import type { DayRange } from '@pc/domain/condition/default-range.ts'
import type { ArticleLabelKind } from '@pc/domain/report/article-label.ts'
import type { Query, Row } from '@pc/platform/stats/port.ts'
import type { ClosedMonths } from './closed-months.ts'
import type { ContentRequest } from './content-request.ts'
import type { ContentQuery } from './content-statements.ts'
import { labelCount, labelPage, labelSums } from './label-statements.ts'

/** A page of authors, sections or tags as the statistics store knows them: numbers, no names. */
export interface LabelRows {
  readonly kind: ArticleLabelKind
  readonly total: number
  /** In the order of the page: `of_label`, `articles`, `are_closed` and sums. */
  readonly rows: readonly Row[]
  readonly comparedRows: ReadonlyMap<bigint, Row>
}

interface Reading {
  readonly columns: readonly string[]
  readonly closedMonths: ClosedMonths
  readonly compared: DayRange | undefined
}

export async function readLabelRows(
  ask: Query,
  { order, page, groupBy }: Pick<ContentRequest, 'order' | 'page'> & { readonly groupBy: ArticleLabelKind },
  query: ContentQuery,
  { columns, closedMonths, compared }: Reading,
): Promise<LabelRows> {
  if (order === 'DATE_ASC' || order === 'DATE_DESC') throw new Error('labels have no date')
  const rows = await ask(labelPage(query, groupBy, columns, closedMonths, order, page))
  if (rows.length === 0) {
    const [counted] = page.offset === 0 ? [] : await ask(labelCount(query, groupBy))
    return { kind: groupBy, total: Number(counted?.total ?? 0n), rows, comparedRows: new Map() }
  }
  const ids = rows.map(row => row.of_label as bigint)
  const before = compared ? await ask(labelSums({ ...query, range: compared }, groupBy, columns, ids)) : []
  return {
    kind: groupBy,
    total: Number(rows[0]!.total),
    rows,
    comparedRows: new Map(before.map(row => [row.of_label as bigint, row])),
  }
}
