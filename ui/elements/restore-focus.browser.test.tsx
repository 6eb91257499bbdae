import '../theme/styles.ts'
import { useState } from 'react'
import { beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Dialog } from '../feedback/dialog.tsx'
import { keepFocus } from './restore-focus.ts'

beforeEach(() => keepFocus())

interface ListProps {
  /** What happens to a row whose button was pressed. */
  after: 'gone' | 'without-button'
  /** The question is rendered in the row and disappears with it. */
  asks?: boolean
}

function List({ after, asks = false }: ListProps) {
  const [rows, setRows] = useState(['あ', 'い', 'う'])
  const [done, setDone] = useState<readonly string[]>([])
  const [requested, setRequested] = useState('')
  const act = (row: string) => {
    if (after === 'gone') setRows(rows.filter(each => each !== row))
    else setDone([...done, row])
  }
  return (
    <main>
      <section aria-label="一覧">
        <h2>一覧</h2>
        {rows.length === 0 ? (
          <p>ありません</p>
        ) : (
          <ul>
            {rows.map(row => (
              <li key={row} aria-label={row}>
                {!done.includes(row) && (
                  <button type="button" onClick={() => (asks ? setRequested(row) : act(row))}>
                    {row}を削除
                  </button>
                )}
                {requested === row && (
                  <Dialog
                    title="削除しますか？"
                    onClose={() => setRequested('')}
                    actions={
                      <button type="button" onClick={() => act(row)}>
                        する
                      </button>
                    }
                  >
                    <p>元に戻せません。</p>
                  </Dialog>
                )}
              </li>
            ))}
          </ul>
        )}
      </section>
      <button type="button" onClick={() => setRows(['い'])}>
        更新
      </button>
    </main>
  )
}

const row = (name: string) => page.getByRole('listitem', { name, exact: true })
async function press(name: string) {
  const button = page.getByRole('button', { name, exact: true })
  await expect.element(button).toBeVisible()
  ;(button.element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
}

describe('the pressed button goes', () => {
  test('with its row: the next row, after the last one the row before, then the heading', async () => {
    await render(<List after="gone" />)
    await press('あを削除')
    await expect.element(row('い')).toHaveFocus()
    await userEvent.keyboard('{Tab}{Tab}{Enter}')
    await expect.element(row('い')).toHaveFocus()
    await press('いを削除')
    await expect.element(page.getByRole('heading', { name: '一覧' })).toHaveFocus()
  })

  test('and its row stays: the row', async () => {
    await render(<List after="without-button" />)
    await press('いを削除')
    await expect.element(row('い')).toHaveFocus()
  })

  test('with its row and the question that hung on it: the next row', async () => {
    await render(<List after="gone" asks />)
    await press('あを削除')
    await press('する')
    await expect.element(row('い')).toHaveFocus()
  })
})

function Closing() {
  const [isDone, setDone] = useState(false)
  return (
    <main>
      <section aria-label="締め">
        <h2>締め</h2>
        {isDone ? (
          <p tabIndex={-1} data-goes-on>
            次は振込です
          </p>
        ) : (
          <button type="button" onClick={() => setDone(true)}>
            確定する
          </button>
        )}
      </section>
    </main>
  )
}

test('a place that says what comes next: that, not its heading', async () => {
  await render(<Closing />)
  await press('確定する')
  await expect.element(page.getByText('次は振込です')).toHaveFocus()
})

test('the focus is not taken from where somebody has put it', async () => {
  await render(<List after="gone" />)
  ;(page.getByRole('button', { name: 'あを削除' }).element() as HTMLElement).focus()
  const other = page.getByRole('button', { name: '更新' })
  await other.click()
  await expect.element(row('あ')).not.toBeInTheDocument()
  await expect.element(other).toHaveFocus()
})

test('nor from who pressed on nothing', async () => {
  await render(<List after="gone" />)
  ;(page.getByRole('button', { name: 'あを削除' }).element() as HTMLElement).focus()
  await page.getByRole('heading', { name: '一覧' }).click()
  ;(page.getByRole('button', { name: '更新' }).element() as HTMLElement).click()
  await expect.element(row('あ')).not.toBeInTheDocument()
  expect(document.activeElement).toBe(document.body)
})
