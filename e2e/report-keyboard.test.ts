import { everyNth } from '@pc/testing/sample-size.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, newVisitor, signIn, type Visitor } from './console-visitor.ts'
import { overflowsOf, seriousFindings, waitUntilStable } from './crawl-probes.ts'
import { chooseByArrows, focusedOn, pressOn, savedBy, tabTo, watchPointer } from './keyboard-hands.ts'
import { walkByKeyboard } from './keyboard-walk.ts'
import { ownSystem } from './own-system.ts'

/** Every report screen by keyboard alone: each control is reached with a visible focus, and used. */
const system = await ownSystem()
let browser: Browser
let visitor: Visitor
let page: Page
let presses: () => Promise<number>

beforeAll(async () => {
  browser = await launchBrowser()
  visitor = await newVisitor(browser)
  page = visitor.page
  await signIn(page, system, 'insight:admin')
  presses = await watchPointer(page)
})
afterAll(async () => {
  await visitor.close()
  await browser.close()
})

const LISTS = ['/reports/articles', '/reports/publisher-ranking', '/reports/dashboard', '/reports/video', '/dashboards']

async function open(path: string): Promise<void> {
  await page.goto('about:blank')
  await page.goto(`${system.webOrigin}/gpc/#${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await waitUntilStable(page)
}

/** The address of the first row of a list, without its `#`. */
async function firstRowOf(list: string): Promise<string> {
  await open(list)
  const link = page.getByRole('table').getByRole('link').first()
  await link.waitFor()
  return ((await link.getAttribute('href')) ?? '').slice(1)
}

describe('every control is reached with a focus that can be seen, and axe finds nothing serious', () => {
  const look = async (path: string): Promise<string[]> => {
    await open(path)
    const { stops, problems } = await walkByKeyboard(page)
    expect(stops, path).toBeGreaterThan(20)
    return [...problems, ...(await seriousFindings(page))]
  }

  it.each(everyNth(LISTS, 2))('%s', async path => {
    expect(await look(path)).toEqual([])
  })

  it.each(everyNth(['/reports/articles', '/reports/video'], 2))('one row of %s', async list => {
    expect(await look(await firstRowOf(list))).toEqual([])
  })

  it('on a phone nothing hangs over the edge, and the same holds', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    try {
      for (const path of everyNth(LISTS, 5)) {
        await open(path)
        expect(await overflowsOf(page), path).toEqual([])
        expect((await walkByKeyboard(page)).problems, path).toEqual([])
        expect(await seriousFindings(page), path).toEqual([])
      }
    } finally {
      await page.setViewportSize({ width: 1440, height: 900 })
    }
  })
})

describe('the article report, by keyboard alone', () => {
  const hash = () => decodeURIComponent(new URL(page.url()).hash)
  const addressHas = (part: string | RegExp) => expect.poll(hash).toMatch(part)

  it('is filtered, compared, sorted and paged', async () => {
    await open('/reports/articles')
    const before = await presses()
    await pressOn(page, /^媒体:/)
    await page.getByRole('dialog', { name: '媒体' }).getByRole('checkbox').first().waitFor()
    await tabTo(page, /./, /^媒体$/)
    await page.keyboard.press('Space')
    await pressOn(page, /^適用$/)
    await addressHas(/mediumId=/)
    expect((await focusedOn(page)).name, 'the focus is back on the filter').toMatch(/^媒体/)

    await pressOn(page, /^集計期間:/)
    await pressOn(page, /^先月$/)
    await addressHas(/from=/)

    await tabTo(page, /^比較/)
    await chooseByArrows(page, /前の期間/)
    await addressHas(/compareWith=previous_period/)

    await pressOn(page, /^クリック数/)
    await addressHas(/order=CLICK_DESC/)
    await pressOn(page, /^次のページ$/)
    await addressHas(/page=2/)
    await page.getByRole('row').nth(2).waitFor()
    expect((await presses()) - before, 'no press of a mouse').toBe(0)
  })

  it('shows other columns, is kept as a view, and read from a file', async () => {
    await open('/reports/articles')
    const before = await presses()
    await pressOn(page, /^表示項目$/)
    await tabTo(page, /^URL/, /表示項目/)
    await page.keyboard.press('Space')
    await pressOn(page, /^適用する$/)
    await page.getByRole('columnheader', { name: 'URL' }).waitFor()

    await pressOn(page, /^保存した表示$/)
    await tabTo(page, /^表示の名前$/)
    await page.keyboard.type(`キーボードの表示 ${process.pid}`)
    await page.keyboard.press('Enter')
    await page.getByText(`表示「キーボードの表示 ${process.pid}」を保存しました。`).waitFor()
    await addressHas(/view=/)
    await page.keyboard.press('Escape')

    await pressOn(page, /^書き出し$/)
    await page.getByRole('dialog', { name: '書き出し' }).waitFor()
    const { name, content } = await savedBy(page, () => pressOn(page, /書き出す$|ダウンロード/, /書き出し/))
    expect(name).toMatch(/^articles_.*\.csv$/)
    expect(content.toString('utf8').split('\r\n').length).toBeGreaterThan(10)
    expect((await presses()) - before, 'no press of a mouse').toBe(0)
  })

  it('by period: the chart is read point by point, and stands as a table below', async () => {
    await open('/reports/articles/groupBy=date')
    const before = await presses()
    await tabTo(page, /^記事の推移。/)
    const chart = page.getByRole('slider', { name: /^記事の推移/ })
    const last = await chart.getAttribute('aria-valuetext')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    const point = await chart.getAttribute('aria-valuetext')
    expect(point).not.toBe(last)
    const [, day] = /(\d+日)/.exec(point ?? '') ?? []
    await expect.poll(() => page.getByRole('rowheader', { name: new RegExp(String(day)) }).count()).toBeGreaterThan(0)
    expect((await presses()) - before, 'no press of a mouse').toBe(0)
  })
})
