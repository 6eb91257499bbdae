/**
 * The reports, and what a column of their screens says: table headers and their explanations, the column chooser, exported
 * files and the manual read the same columns (`all-report-columns.ts`).
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

/** How a figure is written: 1,234 · 1,234円 · 12.3円 · 12.3% · mm:ss · a text. */
export type ColumnUnit = 'count' | 'people' | 'yen' | 'yen-tenths' | 'percent' | 'seconds' | 'text'

export interface ReportColumn {
  readonly id: string
  /** In the chooser and in explanations. */
  readonly label: string
  readonly unit: ColumnUnit
  readonly definition: string
  /** How it is computed, where it is not simply counted. */
  readonly formula?: string
  /** What the platform earned: for staff only. */
  readonly isStaffOnly?: true
  /** Always there, and always first. */
  readonly isFixed?: true
  /** Shown until a person chooses. */
  readonly isDefault?: true
}

/** With its unit: 収益（円）. */
export function headerOf({ label, unit }: ReportColumn): string {
  return unit === 'yen' || unit === 'yen-tenths' ? `${label}（円）` : label
}

/** The columns of a report that a person may see at all. */
export function columnsFor(all: readonly ReportColumn[], isStaff: boolean): readonly ReportColumn[] {
  return all.filter(column => isStaff || !column.isStaffOnly)
}

/**
 * The chosen columns in their order. What is not known (any more) is left out, the fixed ones lead; nothing chosen: the
 * default.
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
