import '../theme/styles.ts'
import { useState } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { expectAccessible } from '../expect-accessible.ts'
import type { Column, Sort } from './column.ts'
import { DataTable } from './data-table.tsx'

interface Row {
  readonly id: string
  readonly clicks: number | null
}

const COLUMNS: readonly Column<Row>[] = [
  { id: 'id', header: '記事', isHeading: true, cell: row => row.id, sortValue: row => row.id },
  {
    id: 'clicks',
    header: 'クリック数',
    isFigure: true,
    cell: row => row.clicks ?? '—',
    sortValue: row => row.clicks,
    total: '12',
  },
]
const ROWS: readonly Row[] = [
  { id: 'A', clicks: 5 },
  { id: 'B', clicks: null },
  { id: 'C', clicks: 7 },
]

function Sorted({ rows = ROWS }: { rows?: readonly Row[] }) {
  const [sort, setSort] = useState<Sort>({ columnId: 'clicks', isDescending: true })
  return (
    <DataTable
      caption="記事の成果"
      columns={COLUMNS}
      rows={rows}
      rowKey={row => row.id}
      sort={sort}
      onSort={setSort}
      totalLabel="合計"
    />
  )
}

const names = () =>
  page
    .getByRole('rowheader')
    .elements()
    .map(element => element.textContent)

describe('table', () => {
  test('a second long list shows its rows too: their code is there when it is mounted', async () => {
    const rows = Array.from({ length: 500 }, (_, at) => ({ id: `記事${at}`, clicks: at }))
    for (const list of ['first', 'second']) {
      const { unmount } = await render(<Sorted rows={rows} />)
      const region = page.getByRole('region', { name: /記事の成果/ }).element()
      const toLastRow = () => {
        region.scrollTop = region.scrollHeight
        return names().at(-2) // the totals are the last row
      }
      await expect.poll(toLastRow, { message: `${list} list` }).toBe('記事0')
      await unmount()
    }
  })

  test('hidden words in a cell far to the right do not widen the page', async () => {
    const words = <span className="visually-hidden">データなし</span>
    const wide = ['a', 'b', 'c', 'd'].map(
      id =>
        ({
          id,
          header: '金額',
          isFigure: true,
          cell: () => (
            <>
              {'1,000'.repeat(15)}
              {words}
            </>
          ),
        }) satisfies Column<Row>,
    )
    await page.viewport(1000, 700)
    await render(<DataTable caption="支払" columns={[COLUMNS[0]!, ...wide]} rows={ROWS} rowKey={row => row.id} />)
    await expect.element(page.getByRole('table')).toBeVisible()
    expect(page.getByRole('table').element().scrollWidth).toBeGreaterThan(1_200)
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(1_000)
  })

  test('a press shows its order at once; the rows and their query follow after the next paint', async () => {
    const sort = { columnId: 'clicks', isDescending: true }
    const onSort = vi.fn()
    const table = { caption: '記事の成果', columns: COLUMNS, rows: ROWS, rowKey: (row: Row) => row.id, sort, onSort }
    await render(<DataTable {...table} />)
    const header = page.getByRole('columnheader', { name: '記事' }).element()
    const seen: unknown[] = []
    new MutationObserver(() => seen.push([header.getAttribute('aria-sort'), onSort.mock.calls.length])).observe(
      header,
      {
        attributeFilter: ['aria-sort'],
      },
    )
    await page.getByRole('button', { name: '記事' }).click()
    await expect.poll(() => onSort.mock.calls).toEqual([[{ columnId: 'id', isDescending: true }]])
    // A person who was asked has not agreed: the header goes back to the order of the rows.
    await expect
      .poll(() => seen)
      .toEqual([
        ['descending', 0],
        [null, 1],
      ])
  })

  test('whose row it is stays in sight when the figures are scrolled', async () => {
    const month: Column<Row> = { id: 'month', header: '発生月', cell: () => '2026年11月' }
    const wide = ['a', 'b', 'c', 'd'].map(
      id => ({ id, header: '金額', isFigure: true, cell: () => '1,000'.repeat(9) }) satisfies Column<Row>,
    )
    await page.viewport(1000, 700)
    await render(
      <DataTable
        caption="支払"
        columns={[month, ...COLUMNS, ...wide]}
        rows={ROWS}
        rowKey={row => row.id}
        totalLabel="合計"
      />,
    )
    const place = page.getByRole('region', { name: /^支払/ }).element()
    place.scrollLeft = 10_000
    const left = place.getBoundingClientRect().left
    for (const cell of [
      page.getByRole('columnheader', { name: '記事' }),
      page.getByRole('rowheader', { name: 'A' }),
      page.getByRole('rowheader', { name: '合計' }),
    ]) {
      expect(Math.round(cell.element().getBoundingClientRect().left - left)).toBe(0)
    }
  })

  test('holds no cell in sight where links cover whole rows, and does again with other columns', async () => {
    const covered = COLUMNS.with(0, {
      ...COLUMNS[0]!,
      cell: row => (
        <a href={`#${row.id}`} data-covers-row>
          {row.id}
        </a>
      ),
    })
    const table = (columns: typeof COLUMNS) => (
      <DataTable caption="記事の成果" columns={columns} rows={ROWS} rowKey={row => row.id} />
    )
    const screen = await render(table(covered))
    const position = () => getComputedStyle(page.getByRole('rowheader', { name: 'A' }).element()).position
    await expect.poll(position).toBe('static')
    await screen.rerender(table(COLUMNS))
    await expect.poll(position).toBe('sticky')
  })

  test('sorts by a column, and keeps rows without data last in both directions', async () => {
    await render(<Sorted />)
    expect(names()).toEqual(['C', 'A', 'B', '合計'])
    await page.getByRole('button', { name: 'クリック数' }).click()
    await expect.poll(() => names()).toEqual(['A', 'C', 'B', '合計'])
    await expect
      .element(page.getByRole('columnheader', { name: 'クリック数' }))
      .toHaveAttribute('aria-sort', 'ascending')
    await page.getByRole('button', { name: '記事' }).click()
    await expect.poll(() => names()).toEqual(['C', 'B', 'A', '合計'])
  })

  test('has a totals row and nothing that axe objects to', async () => {
    await render(<Sorted />)
    await expect.element(page.getByRole('row', { name: '合計 12' })).toBeVisible()
    await expectAccessible()
  })

  test('draws the rows in sight of a page at once, the others after the next paints, in the room kept for them', async () => {
    const rows = Array.from({ length: 100 }, (_, index) => ({ id: `記事${index}`, clicks: index }))
    await render(<Sorted rows={rows} />)
    const region = page.getByRole('region', { name: /記事の成果/ }).element()
    const spacer = region.querySelector('tr[data-spacer]')
    if (spacer) expect(spacer.querySelector('td')!.offsetHeight).toBeGreaterThan(1000)
    await expect.poll(names).toHaveLength(101)
    expect(region.querySelector('tr[data-spacer]')).toBeNull()
    await page.getByRole('button', { name: 'クリック数' }).click()
    await expect.poll(() => names()[0]).toBe('記事0')
    await expect.poll(() => names().at(-2)).toBe('記事99')
  })

  test('after a press the rows below the sight wait for a second without another one, or for a scroll', async () => {
    const rows = Array.from({ length: 100 }, (_, index) => ({ id: `記事${index}`, clicks: index }))
    await render(<Sorted rows={rows} />)
    await expect.poll(names).toHaveLength(101)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      await page.getByRole('button', { name: 'クリック数' }).click()
      // However many frames it takes, only milliseconds of the second pass. (waitFor would let fifty pass each time.)
      while (names()[0] !== '記事0') {
        await vi.advanceTimersByTimeAsync(1)
        await new Promise(requestAnimationFrame)
      }
      const inSight = names().length
      expect(inSight).toBeLessThan(50)
      for (const _press of [1, 2]) {
        await page.getByRole('columnheader', { name: '記事' }).click({ position: { x: 2, y: 2 } })
        await vi.advanceTimersByTimeAsync(800)
        expect(names()).toHaveLength(inSight)
      }
      page
        .getByRole('region', { name: /記事の成果/ })
        .element()
        .scrollTo(0, 40)
      await vi.waitFor(async () => {
        await vi.advanceTimersByTimeAsync(20)
        expect(names()).toHaveLength(101)
      })
    } finally {
      vi.useRealTimers()
    }
  })

  test('leaves the row that has the focus where it is when others change', async () => {
    const linked = COLUMNS.with(0, { ...COLUMNS[0]!, cell: row => <a href={`#${row.id}`}>{row.id}</a> })
    const table = (rows: readonly Row[]) => (
      <DataTable caption="記事の成果" columns={linked} rows={rows} rowKey={row => row.id} />
    )
    const rows = Array.from({ length: 90 }, (_, index) => ({ id: `記事${index}`, clicks: index }))
    const screen = await render(table(rows))
    const link = page.getByRole('link', { name: '記事80' })
    await expect.element(link).toBeInTheDocument()
    link.element().focus()
    await screen.rerender(table(rows.filter(row => row.id !== '記事3')))
    expect(document.activeElement).toBe(link.element())
  })

  test('keeps only the rows in sight of a long list, and reaches the last one', async () => {
    const rows = Array.from({ length: 10_000 }, (_, index) => ({ id: `記事${index}`, clicks: index }))
    await render(<Sorted rows={rows} />)
    await expect.element(page.getByRole('rowheader', { name: '記事9999' })).toBeVisible()
    expect(page.getByRole('row').elements().length).toBeLessThan(80)
    const region = page.getByRole('region', { name: /記事の成果/ }).element()
    await expect.poll(() => region.scrollHeight).toBeGreaterThan(300_000)
    region.scrollTo(0, region.scrollHeight)
    await expect.element(page.getByRole('rowheader', { name: '記事0', exact: true })).toBeVisible()
    await expect.element(page.getByRole('columnheader', { name: 'クリック数' })).toBeInViewport()
  })

  test('becomes cards on a phone', async () => {
    await page.viewport(390, 844)
    await render(<Sorted />)
    await expect.element(page.getByRole('list', { name: '記事の成果' })).toBeVisible()
    expect(page.getByRole('table').elements()).toHaveLength(0)
    await expectAccessible()
    await page.viewport(1440, 900)
  })
})

describe('states', () => {
  const table = (more: object) => (
    <DataTable caption="記事の成果" columns={COLUMNS} rows={[]} rowKey={row => row.id} {...more} />
  )

  test('loading', async () => {
    await render(table({ isLoading: true }))
    await expect.element(page.getByRole('status', { name: '読み込み中' })).toBeVisible()
  })

  test('empty', async () => {
    await render(table({ empty: { title: '記事がありません', hint: '期間を変更してください。' } }))
    await expect.element(page.getByRole('heading', { name: '記事がありません' })).toBeVisible()
  })

  test('failed: offers to try again', async () => {
    const retry = vi.fn()
    await render(table({ failure: { retry } }))
    await page.getByRole('button', { name: 'もう一度読み込む' }).click()
    await expect.poll(() => retry).toHaveBeenCalledOnce()
  })

  test('failed with former rows: keeps them, and says so', async () => {
    await render(table({ rows: ROWS, failure: { retry: () => {} } }))
    await expect.element(page.getByText(/前回の内容を表示しています/)).toBeVisible()
    await expect.element(page.getByRole('rowheader', { name: 'A' })).toBeVisible()
  })
})
