/**
 * The reports and the definition of their columns, which tables, the column chooser, exported files and the manual share
 * (`all-report-columns.ts`).
 */
export const REPORTS = [
  'dashboard',
  'publisher-ranking',
  'articles',
  'articles-by-date',
  'articles-by-author',
  'articles-by-section',
  'articles-by-tag',
  'article',
  'videos',
  'videos-by-date',
  'video',
] as const
export type Report = (typeof REPORTS)[number]

/** How values are written: `yen-tenths` as 12.3, `percent` (of a ratio) as 12.3%, `seconds` as h:mm:ss. */
export type ColumnUnit = 'count' | 'people' | 'yen' | 'yen-tenths' | 'percent' | 'seconds' | 'text'

export interface ReportColumn {
  readonly id: string
  /** Without the unit; see {@link headerOf}. */
  readonly label: string
  readonly unit: ColumnUnit
  readonly definition: string
  /** The formula in Japanese, for computed figures. */
  readonly formula?: string
  /** The platform's revenue or the like, shown to staff only. */
  readonly isStaffOnly?: true
  /** Always shown, before all other columns. */
  readonly isFixed?: true
  /** Shown when the person has not chosen columns. */
  readonly isDefault?: true
}

/** The table header, with the unit of money: 収益（円）. */
export function headerOf({ label, unit }: ReportColumn): string {
  return unit === 'yen' || unit === 'yen-tenths' ? `${label}（円）` : label
}

/** The columns that a person may see. */
export function columnsFor(all: readonly ReportColumn[], isStaff: boolean): readonly ReportColumn[] {
  return all.filter(column => isStaff || !column.isStaffOnly)
}

/**
 * The chosen columns in their order, after the fixed ones. Unknown ids (for example of removed columns) are ignored.
 * @param chosen undefined: the default columns
 */
export function chosenColumns(
  all: readonly ReportColumn[],
  isStaff: boolean,
  chosen: readonly string[] | undefined,
): readonly ReportColumn[] {
  const known = columnsFor(all, isStaff)
  const fixed = known.filter(column => column.isFixed)
  const ids = [...new Set(chosen ?? [])]
  const picked = ids.flatMap(id => known.filter(column => column.id === id && !column.isFixed))
  return [...fixed, ...(chosen === undefined ? known.filter(column => column.isDefault) : picked)]
}
