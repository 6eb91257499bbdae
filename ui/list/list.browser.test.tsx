import '../theme/styles.ts'
import { type ApolloClient, ApolloLink, Observable } from '@apollo/client'
import { ApolloProvider } from '@apollo/client/react'
import { useState } from 'react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { makeClient } from '../data/client.ts'
import { ClientsProvider } from '../data/clients.tsx'
import { Button } from '../elements/button.tsx'
import { expectAccessible } from '../expect-accessible.ts'
import { dismissAllToasts, Toasts } from '../feedback/toasts.tsx'
import type { Column, Sort } from '../table/column.ts'
import { MAX_FILE_ROWS } from './list-file.ts'
import { ListScreen, RowLink } from './list-screen.tsx'
import { loadAll, loadPieces, type Piece } from './load-all.ts'
import { selectionColumn, useSelection } from './selection.tsx'

interface Row {
  id: string
  name: string
}
const ROWS: Row[] = ['東都新聞', 'みらい経済', 'スポーツ通信'].map((name, index) => ({ id: String(index + 1), name }))

interface Given {
  rows?: readonly Row[]
  total?: number
  page?: number
  error?: unknown
  isFiltered?: boolean
  onSort?: (sort: Sort) => void
  onPage?: (page: number) => void
  retry?: () => void
  pieces?: () => AsyncIterable<Piece<Row>>
  client?: ApolloClient
}

const SESSION = {
  start: async () => undefined,
  idToken: async () => 'token',
  renew: async () => 'token',
  signOut: async () => {},
  leaveToSignIn: () => {},
}

/** Answers what is kept for a person, and keeps what is saved. */
function keeping(kept: Map<string, string>): ApolloClient {
  const link = new ApolloLink(({ operationName, variables }) => {
    const { key, keys, value } = variables as { key: string; keys: string[]; value?: string }
    if (operationName === 'SaveColumnWidths') {
      if (value === undefined) kept.delete(key)
      else kept.set(key, value)
    }
    const preferences = (keys ?? [key]).flatMap(one => {
      const text = kept.get(one)
      return text === undefined ? [] : [{ __typename: 'Preference', key: one, value: text }]
    })
    const data = operationName === 'SaveColumnWidths' ? { savePreference: preferences[0] ?? null } : { preferences }
    return new Observable(observer => {
      observer.next({ data })
      observer.complete()
    })
  })
  return makeClient(link, SESSION)
}

/** The application's own, whose lists have edges too. */
const OTHER_API = makeClient(
  new ApolloLink(({ operationName }) => {
    throw new Error(`the other API has no ${operationName}`)
  }),
  SESSION,
)

function List(given: Given) {
  const rows = given.rows ?? ROWS
  const [page] = useState(given.page ?? 1)
  const selection = useSelection(rows.map(row => row.id))
  const columns: Column<Row>[] = [
    selectionColumn<Row>(selection, { id: row => row.id, name: row => row.name }),
    {
      id: 'NAME',
      header: '名前',
      isHeading: true,
      isSortedByServer: true,
      cell: row => <RowLink address={`#/edit/${row.id}`}>{row.name}</RowLink>,
    },
    { id: 'code', header: 'コード', cell: row => `C-${row.id}` },
  ]
  return (
    <ApolloProvider client={OTHER_API}>
      <ClientsProvider clients={{ insight: given.client ?? keeping(new Map()), iam: OTHER_API }}>
        <ListScreen
          title="契約"
          noun="契約"
          columns={columns}
          rows={rows}
          rowKey={row => row.id}
          total={given.total ?? rows.length}
          page={page}
          pageSize={100}
          onPage={given.onPage ?? (() => {})}
          sort={{ columnId: 'NAME', isDescending: false }}
          onSort={given.onSort ?? (() => {})}
          isLoading={false}
          error={given.error}
          retry={given.retry ?? (() => {})}
          isFiltered={given.isFiltered ?? false}
          onClearFilters={() => {}}
          filters={null}
          create={{ label: '契約を登録', address: '#/create' }}
          file={{
            fileName: '契約',
            columns: [
              { header: '名前', cell: row => row.name },
              { header: '支払額（円）', cell: row => (row.id === '3' ? null : Number(row.id) * 1_000) },
            ],
            pieces: given.pieces ?? (() => loadPieces(async () => ({ total: rows.length, nodes: rows }))),
          }}
          selection={selection}
          bulk={ids => <Button>{`${ids.length}件を停止`}</Button>}
        />
        <Toasts />
      </ClientsProvider>
    </ApolloProvider>
  )
}

afterEach(async () => {
  dismissAllToasts()
  await page.viewport(1440, 900)
})

const all = page.getByRole('checkbox', { name: 'このページのすべての行を選択' })

describe('list', () => {
  test('chooses none, part and all; what can be done names how many', async () => {
    await render(<List />)
    expect(page.getByRole('region', { name: '選択した行の操作' }).elements()).toHaveLength(0)
    await page.getByRole('checkbox', { name: 'みらい経済を選択' }).click()
    await expect.element(page.getByRole('button', { name: '1件を停止' })).toBeVisible()
    expect((all.element() as HTMLInputElement).indeterminate).toBe(true)
    await all.click()
    await expect.element(page.getByRole('button', { name: '3件を停止' })).toBeVisible()
    await expect.element(all).toBeChecked()
    await expectAccessible()
    await page.getByRole('button', { name: '選択を解除' }).click()
    await expect.element(page.getByRole('button', { name: '3件を停止' })).not.toBeInTheDocument()
  })

  test('the whole row leads to its record; a checkbox in it does not', async () => {
    history.replaceState(null, '', '#/list')
    await render(<List />)
    await page.getByRole('checkbox', { name: '東都新聞を選択' }).click()
    await expect.poll(() => location.hash).toBe('#/list')
    const cell = page.getByRole('cell', { name: 'C-2' }).element().getBoundingClientRect()
    const hit = document.elementFromPoint(cell.x + cell.width / 2, cell.y + cell.height / 2)
    expect(hit?.closest('a')?.getAttribute('href')).toBe('#/edit/2')
  })

  test('a page beyond the last one says so, and leads back', async () => {
    const onPage = vi.fn()
    await render(<List rows={[]} total={26} page={999_999} onPage={onPage} />)
    await expect.element(page.getByText('このページに表示する行はありません')).toBeVisible()
    await expect.element(page.getByText('26件中 0件')).toBeVisible()
    await page.getByRole('button', { name: '前のページ' }).click()
    await expect.poll(() => onPage).toHaveBeenCalledExactlyOnceWith(1)
  })

  test('asks the server for another order and another page', async () => {
    const [onSort, onPage] = [vi.fn(), vi.fn()]
    await render(<List onSort={onSort} onPage={onPage} total={1234} />)
    await page.getByRole('button', { name: '名前' }).click()
    await expect.poll(() => onSort).toHaveBeenCalledExactlyOnceWith({ columnId: 'NAME', isDescending: true })
    await expect.element(page.getByText('1,234件中 1〜100件')).toBeVisible()
    await page.getByRole('button', { name: '次のページ' }).click()
    await expect.poll(() => onPage).toHaveBeenCalledExactlyOnceWith(2)
  })

  test('says what an empty list means, with and without filters', async () => {
    const { rerender } = await render(<List rows={[]} />)
    await expect.element(page.getByRole('heading', { name: '契約はまだありません' })).toBeVisible()
    await expect.element(page.getByRole('button', { name: '書き出し' })).toBeDisabled()
    await rerender(<List rows={[]} isFiltered />)
    await expect.element(page.getByRole('heading', { name: '条件に合う契約がありません' })).toBeVisible()
    await expect.element(page.getByRole('button', { name: '絞り込みを解除' })).toBeVisible()
  })

  test('a failure offers another try', async () => {
    const retry = vi.fn()
    await render(<List rows={[]} error={new Error('x')} retry={retry} />)
    await page.getByRole('button', { name: 'もう一度読み込む' }).click()
    await expect.poll(() => retry).toHaveBeenCalledOnce()
  })

  test('is cards on a phone, without scrolling sideways', async () => {
    await page.viewport(390, 844)
    await render(<List />)
    await expect.element(page.getByRole('list', { name: '契約の一覧' })).toBeVisible()
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
    await expectAccessible()
  })

  test('is written in every format of the reports, piece by piece', async () => {
    const names = ['=1+1', '東都新聞', '〜①&<b>']
    const pieces = async function* () {
      for (const [at, name] of names.entries()) yield { total: 3, nodes: [{ id: `${at + 1}`, name }] }
    }
    const saved = vi.spyOn(URL, 'createObjectURL')
    await render(<List pieces={pieces} />)
    const save = async (format: RegExp) => {
      await page.getByRole('button', { name: '書き出し' }).click()
      await page.getByRole('radio', { name: format }).click()
      await page.getByRole('button', { name: '3件を書き出す' }).click()
      await expect.element(page.getByText('3件を書き出しました。')).toBeVisible()
      dismissAllToasts()
      return new Uint8Array(await (saved.mock.lastCall![0] as Blob).arrayBuffer())
    }
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await save(/UTF-8/))
    expect(text).toBe("\uFEFF名前,支払額（円）\r\n'=1+1,1000\r\n東都新聞,2000\r\n〜①&<b>,\r\n")
    const windows = new TextDecoder('shift_jis').decode(await save(/Shift_JIS/))
    expect(windows).toBe("名前,支払額（円）\r\n'=1+1,1000\r\n東都新聞,2000\r\n～①&<b>,\r\n")
    const sheet = (await unzip(await save(/Excel/))).get('xl/worksheets/sheet1.xml')!
    const cells = new DOMParser().parseFromString(sheet, 'text/xml').querySelectorAll('row')
    expect([...cells].map(row => [...row.children].map(cell => [cell.getAttribute('t'), cell.textContent]))).toEqual([
      [
        ['inlineStr', '名前'],
        ['inlineStr', '支払額（円）'],
      ],
      [
        ['inlineStr', '=1+1'],
        [null, '1000'],
      ],
      [
        ['inlineStr', '東都新聞'],
        [null, '2000'],
      ],
      [
        ['inlineStr', '〜①&<b>'],
        [null, ''],
      ],
    ])
    await expectAccessible()
  })

  test('a file says when it could not be written, and that it would be too long', async () => {
    const nodes = [{ id: '1', name: '東都新聞' }]
    const pieces = vi.fn<() => AsyncIterable<Piece<Row>>>()
    pieces.mockImplementationOnce(() => loadPieces(async () => null))
    pieces.mockImplementation(() => loadPieces(async () => ({ total: MAX_FILE_ROWS + 1, nodes })))
    await render(<List pieces={pieces} />)
    const save = async () => {
      await page.getByRole('radio', { name: /Excel/ }).click()
      await page.getByRole('button', { name: '3件を書き出す' }).click()
    }
    await page.getByRole('button', { name: '書き出し' }).click()
    await save()
    await expect.element(page.getByText(/^書き出せませんでした。/)).toBeVisible()
    await save()
    await expect.element(page.getByText(/^100,001件あります。書き出せるのは100,000件までです。/)).toBeVisible()
  })
})

describe('column widths', () => {
  const KEY = 'widths/managements/agreements'
  const edge = (name: string) => page.getByRole('separator', { name: `${name}の列幅` })
  const widthOf = (name: string) =>
    Math.round(page.getByRole('columnheader', { name }).element().getBoundingClientRect().width)
  const open = async (kept: Map<string, string>, rows?: readonly Row[]) => {
    history.replaceState(null, '', '#/managements/agreements/q=x&page=2')
    const client = keeping(kept)
    const shown = await render(<List client={client} {...(rows ? { rows } : {})} />)
    return { ...shown, client }
  }

  test('are changed by keyboard, from edge to edge, kept, and taken back', async () => {
    const kept = new Map<string, string>()
    const { unmount, client } = await open(kept)
    await expect.element(edge('コード')).toBeInTheDocument()
    // One stop for all edges.
    expect(
      page
        .getByRole('separator')
        .elements()
        .filter(each => each.tabIndex === 0),
    ).toHaveLength(1)
    ;(edge('選択').element() as HTMLElement).focus()
    await userEvent.keyboard('{ArrowDown}')
    await expect.element(edge('名前')).toHaveFocus()
    const before = widthOf('名前')
    await userEvent.keyboard('{Shift>}{ArrowLeft}{/Shift}{ArrowLeft}')
    await expect.poll(() => widthOf('名前')).toBe(before - 80)
    await expect.poll(() => kept.get(KEY)).toBe(JSON.stringify({ NAME: before - 80 }))
    await expect.element(edge('名前')).toHaveAttribute('aria-valuenow', String(before - 80))
    await expect.element(edge('名前')).toHaveFocus()
    await expectAccessible()
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => widthOf('名前')).toBe(before)
    await expect.poll(() => kept.size).toBe(0)
    await userEvent.keyboard('{ArrowRight}')
    await expect.poll(() => widthOf('名前')).toBe(before + 16)
    // Whoever comes back to the list finds it so.
    await unmount()
    await render(<List client={client} />)
    await expect.poll(() => widthOf('名前')).toBe(before + 16)
  })

  test('rows that went and came back have their edges again', async () => {
    const { rerender, client } = await open(new Map())
    await expect.element(edge('名前')).toBeInTheDocument()
    await rerender(<List client={client} rows={[]} />)
    await expect.element(edge('名前')).not.toBeInTheDocument()
    await rerender(<List client={client} />)
    await expect.element(edge('名前')).toBeInTheDocument()
  })

  test('that are kept hold; a long text ends in an ellipsis, and what is kept wrong does nothing', async () => {
    const long = [{ id: '1', name: '東都新聞'.repeat(40) }]
    await open(new Map([[KEY, '{"NAME":120,"code":"wide","gone":90}']]), long)
    await expect.poll(() => widthOf('名前')).toBe(120)
    const cell = page.getByRole('rowheader').element()
    expect(cell.scrollWidth).toBeGreaterThan(0)
    expect(cell.getBoundingClientRect().width).toBe(120)
  })

  test('are changed by dragging an edge, within bounds', async () => {
    const kept = new Map<string, string>()
    await open(kept)
    await expect.element(edge('名前')).toBeInTheDocument()
    const handle = edge('名前').element()
    const at = handle.getBoundingClientRect().x
    const send = (type: string, clientX: number) =>
      handle.dispatchEvent(new globalThis.PointerEvent(type, { clientX, pointerId: 1, bubbles: true }))
    vi.spyOn(handle, 'setPointerCapture').mockReturnValue()
    send('pointerdown', at)
    send('pointermove', at - 30)
    expect(kept.size).toBe(0)
    send('pointerup', at - 5_000)
    await expect.poll(() => kept.get(KEY)).toBe('{"NAME":56}')
    await expect.poll(() => widthOf('名前')).toBe(56)
  })

  test('a phone has cards, and no edges', async () => {
    await page.viewport(390, 844)
    await open(new Map([[KEY, '{"NAME":120}']]))
    await expect.element(page.getByRole('list', { name: '契約の一覧' })).toBeVisible()
    expect(page.getByRole('separator').elements()).toHaveLength(0)
  })
})

/** The files of an archive, by its directory. */
async function unzip(archive: Uint8Array<ArrayBuffer>): Promise<Map<string, string>> {
  const view = new DataView(archive.buffer)
  const files = new Map<string, string>()
  let at = view.getUint32(archive.length - 6, true)
  for (let count = view.getUint16(archive.length - 12, true); count > 0; count -= 1) {
    const [size, start] = [view.getUint32(at + 20, true), view.getUint32(at + 42, true)]
    const nameLength = view.getUint16(at + 28, true)
    const name = new TextDecoder().decode(archive.subarray(at + 46, at + 46 + nameLength))
    const body = start + 30 + view.getUint16(start + 26, true)
    const content = new Blob([archive.slice(body, body + size)])
      .stream()
      .pipeThrough(new DecompressionStream('deflate-raw'))
    files.set(name, await new Response(content).text())
    at += 46 + nameLength
  }
  return files
}

test('every row is requested, piece by piece; a missing piece is an error', async () => {
  const ask = vi.fn(async ({ offset }: { limit: number; offset: number }) => ({
    total: 1500,
    nodes: Array.from({ length: Math.min(1000, 1500 - offset) }, (_, index) => offset + index),
  }))
  expect(await loadAll(ask)).toHaveLength(1500)
  expect(ask.mock.calls.map(([requested]) => requested)).toEqual([
    { limit: 1000, offset: 0 },
    { limit: 1000, offset: 1000 },
  ])
  await expect(loadAll(async () => null)).rejects.toThrow('missing')
})
