import './styles.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { cdp, page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Legend } from '../chart/chart-legend.tsx'
import { Button } from '../elements/button.tsx'
import { Filters, ScreenTop, SearchFilter, SelectFilter } from '../elements/list-top.tsx'
import { Shell } from '../shell/shell.tsx'
import { ColumnChooser } from '../table/column-chooser.tsx'

interface Emulation {
  send(method: 'Emulation.setEmulatedMedia', params: { media: string }): Promise<unknown>
}
const setMedia = (media: string) => (cdp() as unknown as Emulation).send('Emulation.setEmulatedMedia', { media })

beforeEach(() => setMedia('print'))
afterEach(() => setMedia(''))

const Days = ({ from }: { from: string }) => (
  <fieldset aria-label="発行日">
    <input type="date" aria-label="開始" value={from} readOnly />
    <input type="date" aria-label="終了" value="" readOnly />
  </fieldset>
)

const show = (text: string, from: string) =>
  render(
    <Shell groups={[]} path="/" screenKey="/" header={() => <p>ヘッダー</p>} footer="フッター">
      <ScreenTop title="支払通知書">
        <button type="button" aria-haspopup="dialog">
          2026年10月
        </button>
        <Button>CSV</Button>
        <ColumnChooser columns={[]} shown={[]} onChange={() => {}} />
        <a href="#/elsewhere">年間集計</a>
      </ScreenTop>
      <Filters>
        <SearchFilter label="検索" placeholder="支払先・番号" value={text} onSearch={() => {}} />
        <SelectFilter label="媒体" options={[{ value: 'all', label: 'すべて' }]} value="all" onChange={() => {}} />
        <Days from={from} />
      </Filters>
      <section aria-label="長い一覧">
        <ul>
          <li>行</li>
        </ul>
      </section>
    </Shell>,
  )

test('paper has the words of the filter and the time, and nothing that is pressed', async () => {
  await show('', '')
  await expect.element(page.getByRole('heading', { name: '支払通知書' })).toBeVisible()
  await expect.element(page.getByText('2026年10月')).toBeVisible()
  for (const text of ['CSV', '表示項目', '年間集計', 'ヘッダー', 'フッター'])
    await expect.element(page.getByText(text, { exact: true })).not.toBeVisible()
  await expect.element(page.getByPlaceholder('支払先・番号')).not.toBeVisible()
  await expect.element(page.getByLabelText('開始')).not.toBeVisible()
  await expect.element(page.getByText('媒体')).toBeVisible()
  dispatchEvent(new Event('beforeprint'))
  const before = getComputedStyle(document.querySelector('#main')!, '::before').content
  expect(before).toMatch(/^"\d{4}年\d{1,2}月\d{1,2}日 \d{1,2}:\d{2} 印刷"$/)
})

test('what was entered stays; a long section does not wait for the next page', async () => {
  await show('朝霧', '2026-11-01')
  await expect.element(page.getByPlaceholder('支払先・番号')).toBeVisible()
  await expect.element(page.getByLabelText('開始')).toBeVisible()
  expect(getComputedStyle(page.getByRole('region', { name: '長い一覧' }).element()).breakInside).toBe('auto')
})

test('a chart says on paper what is drawn how, and not what is not drawn', async () => {
  const series = [
    { key: 'revenue', label: '収益', unit: '円', shape: 'bar', color: 'blue' },
    { key: 'clicks', label: 'クリック数', unit: '回', shape: 'line', color: 'red' },
  ] as const
  await render(
    <Shell groups={[]} path="/" screenKey="/" header={() => null} footer="フッター">
      <Legend series={series} hidden={['clicks']} hasProvisional hasFinal onToggle={() => {}} />
    </Shell>,
  )
  await expect.element(page.getByText('速報・集計中')).toBeVisible()
  await expect.element(page.getByText('収益')).toBeVisible()
  await expect.element(page.getByText('クリック数')).not.toBeVisible()
})
