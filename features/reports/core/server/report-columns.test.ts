import fs from 'node:fs'
import { describe, expect, test } from 'vitest'
import { REPORT_COLUMNS } from '../../all-report-columns.ts'
import { ARTICLE_ORDERS, VIDEO_ORDERS } from '../../content-condition.ts'
import { DASHBOARD_SORTS } from '../../dashboard-condition.ts'
import { RANKING_ORDERS } from '../../ranking-condition.ts'
import { chosenColumns, headerOf, REPORTS, type Report, type ReportColumn } from '../../report-columns.ts'

const MANUAL = new URL('../../../../docs/manual/metrics.md', import.meta.url)

/** The table of a report's figures as the manual has it, which publishers read too. */
function manualTable(report: Report): string {
  const rows = REPORT_COLUMNS[report].filter(
    column => !column.isStaffOnly && (column.unit !== 'text' || column.id === 'state'),
  )
  const line = ({ label, definition, formula }: ReportColumn) => `| ${label} | ${definition} | ${formula ?? ''} |`
  return ['| 指標 | 意味 | 計算 |', '| --- | --- | --- |', ...rows.map(line)].join('\n')
}

describe('the catalogue', () => {
  test.each(REPORTS)('%s: every column has one id, one header, and a definition in a sentence', report => {
    const columns = REPORT_COLUMNS[report]
    expect(new Set(columns.map(column => column.id)).size).toBe(columns.length)
    expect(new Set(columns.map(headerOf)).size).toBe(columns.length)
    for (const { definition } of columns) expect(definition).toMatch(/。$/)
  })

  test('what a publisher chooses never brings back what is for staff', () => {
    for (const report of REPORTS) {
      const all = REPORT_COLUMNS[report].map(column => column.id)
      expect(chosenColumns(REPORT_COLUMNS[report], false, all).filter(column => column.isStaffOnly)).toEqual([])
      expect(chosenColumns(REPORT_COLUMNS[report], true, all)).toHaveLength(all.length)
    }
  })

  test('a choice keeps its order, loses what is unknown, and always begins with what is fixed', () => {
    const ids = (chosen: readonly string[] | undefined) =>
      chosenColumns(REPORT_COLUMNS.articles, true, chosen).map(({ id }) => id)
    expect(ids(['CTR', 'gone', 'IMPRESSION', 'CTR', 'title'])).toEqual(['title', 'CTR', 'IMPRESSION'])
    expect(ids(undefined)).toEqual(
      REPORT_COLUMNS.articles.filter(one => one.isFixed || one.isDefault).map(({ id }) => id),
    )
  })

  test('every figure that the API sorts by is a column', () => {
    const sorted = (orders: readonly string[]) => new Set(orders.map(order => order.replace(/_(ASC|DESC)$/, '')))
    const ids = (report: Report) => REPORT_COLUMNS[report].map(column => column.id)
    expect([...sorted(ARTICLE_ORDERS)].filter(id => !ids('articles').includes(id))).toEqual([])
    expect([...sorted(VIDEO_ORDERS)].filter(id => !ids('videos').includes(id))).toEqual([])
    expect([...sorted(RANKING_ORDERS)].filter(id => !ids('publisher-ranking').includes(id))).toEqual([])
  })

  test('the dashboard sorts by every column but the state', () => {
    const sorted = new Set(DASHBOARD_SORTS.map(sort => sort.replace('-', '')))
    const ids = REPORT_COLUMNS.dashboard.map(column => column.id)
    expect(sorted).toEqual(new Set(ids.filter(id => id !== 'state')))
  })
})

/** A formatter may widen the cells. */
const cells = (text: string) => text.replace(/ +\|/g, ' |').replace(/-{3,}/g, '---')

test.each(['dashboard', 'articles', 'videos'] as const)(
  'the manual defines the figures of %s as the screens do',
  report => {
    const manual = fs.readFileSync(MANUAL, 'utf8')
    const table = manualTable(report)
    expect(cells(manual), `put this into docs/manual/metrics.md:\n${table}`).toContain(cells(table))
  },
)
