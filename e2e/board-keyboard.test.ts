import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, newVisitor, signIn, type Visitor } from './console-visitor.ts'
import { seriousFindings, waitUntilStable } from './crawl-probes.ts'
import { chooseByArrows, focusedOn, pressOn, tabTo, watchPointer } from './keyboard-hands.ts'
import { walkByKeyboard } from './keyboard-walk.ts'
import { ownSystem } from './own-system.ts'

/** A board with tiles, by keyboard alone: created, filled, arranged, emptied, deleted and restored. */
const system = await ownSystem()
const NAME = `キーボードのボード ${process.pid}`
let browser: Browser
let visitor: Visitor
let page: Page
let presses: () => Promise<number>

beforeAll(async () => {
  browser = await launchBrowser()
  visitor = await newVisitor(browser)
  page = visitor.page
  await signIn(page, system, 'insight:editor')
  presses = await watchPointer(page)
})
afterAll(async () => {
  await visitor.close()
  await browser.close()
})

async function open(path: string): Promise<void> {
  await page.goto('about:blank')
  await page.goto(`${system.webOrigin}/gpc/#${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await waitUntilStable(page)
}

/** Pins the view of a report to the board in a shape. */
async function pin(path: string, shape: RegExp, title: string, isFirst: boolean): Promise<void> {
  await open(path)
  await pressOn(page, /^その他の操作$/)
  await pressOn(page, /^ボードに追加$/)
  const dialog = page.getByRole('dialog', { name: 'ボードに追加' })
  await dialog.getByRole('button', { name: 'ボードに追加する' }).waitFor()
  await tabTo(page, /^表示形式/)
  await chooseByArrows(page, shape)
  await tabTo(page, /^タイルの名前/)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(title)
  await tabTo(page, /^追加先のボード/)
  await chooseByArrows(page, isFirst ? /新しいボードを作る/ : new RegExp(NAME))
  if (isFirst) {
    await tabTo(page, /^新しいボードの名前/)
    await page.keyboard.type(NAME)
  }
  await pressOn(page, /^ボードに追加する$/)
  await page.getByText(`「${NAME}」に追加しました`).waitFor()
}

const tiles = async () => {
  const all = await page.locator('[data-tile]').all()
  return Promise.all(
    all.map(async tile => {
      const [title, width, height] = await Promise.all([
        tile.getByRole('heading', { level: 2 }).textContent(),
        tile.getAttribute('data-width'),
        tile.getAttribute('data-height'),
      ])
      return `${title?.trim()} ${width}×${height}`
    }),
  )
}
const shown = (wanted: readonly string[]) => expect.poll(tiles).toEqual(wanted)

describe('a board with tiles, by keyboard alone', () => {
  it('is filled from the reports, with the comparison of the view', async () => {
    const before = await presses()
    await pin('/reports/dashboard/compareWith=same_weekdays', /グラフ/, '収益の推移', true)
    await pin('/reports/publisher-ranking', /表/, '収益の順位', false)
    await pin('/reports/dashboard', /数値/, '今週の収益', false)
    await open('/dashboards')
    await tabTo(page, new RegExp(`^${NAME}$`))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: NAME }).waitFor()
    await shown(['収益の推移 2×2', '収益の順位 2×2', '今週の収益 1×1'])
    await page.getByText(/前の同じ曜日と比較/).waitFor()
    const chart = page.getByRole('slider', { name: /^収益の推移/ })
    await expect.poll(() => chart.getAttribute('aria-valuetext')).toMatch(/前の同じ曜日/)
    expect((await presses()) - before, 'no press of a mouse').toBe(0)
  })

  it('every control has a focus that can be seen, and axe finds nothing serious', async () => {
    await waitUntilStable(page)
    expect((await walkByKeyboard(page)).problems).toEqual([])
    expect(await seriousFindings(page)).toEqual([])
  })

  it('its tiles are moved, sized, taken off and brought back, and kept as they were left', async () => {
    const before = await presses()
    const filled = ['収益の推移 2×2', '収益の順位 2×2', '今週の収益 1×1']
    await pressOn(page, /^タイルを並べ替える$/)
    await tabTo(page, /^「今週の収益」を移動/)
    await page.keyboard.press('ArrowLeft')
    await shown([filled[0]!, filled[2]!, filled[1]!])
    expect((await focusedOn(page)).name, 'the focus goes with the tile').toMatch(
      /^「今週の収益」を移動（2番目、全3枚）/,
    )
    await page.getByText('「今週の収益」を2番目に移動しました（全3枚）').waitFor()

    await tabTo(page, /^「今週の収益」の大きさを変更/)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowDown')
    await shown([filled[0]!, '今週の収益 2×2', filled[1]!])

    await pressOn(page, /^「収益の順位」を外す$/)
    await shown([filled[0]!, '今週の収益 2×2'])
    await page.getByText('「収益の順位」を外しました').waitFor()
    // Nothing was saved, so everything is as it was.
    await pressOn(page, /^取り消す$/)
    await shown(filled)

    await pressOn(page, /^タイルを並べ替える$/)
    await pressOn(page, /^「収益の推移」を外す$/)
    await tabTo(page, /^「今週の収益」を移動/)
    await page.keyboard.press('ArrowUp')
    await pressOn(page, /^配置を保存する$/)
    await page.getByText('ボードの配置を保存しました').waitFor()
    await page.reload()
    await page.getByRole('heading', { level: 1, name: NAME }).waitFor()
    await shown(['今週の収益 1×1', '収益の順位 2×2'])
    expect((await presses()) - before, 'no press of a mouse').toBe(0)
  })

  it('is deleted, and brought back with its tiles', async () => {
    const before = await presses()
    await pressOn(page, /^削除$/)
    await page.getByText(`「${NAME}」を削除しました`).waitFor()
    await pressOn(page, /^元に戻す$/)
    await page.getByText(`「${NAME}」を元に戻しました`).waitFor()
    await shown(['今週の収益 1×1', '収益の順位 2×2'])
    expect((await presses()) - before, 'no press of a mouse').toBe(0)
  })
})
