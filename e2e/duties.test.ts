import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { confirmWarnings } from './confirm-warnings.ts'
import { overflowsOf, seriousFindings, waitUntilStable } from './crawl-probes.ts'
import { ownSystem } from './own-system.ts'
import { beginWalk, type RecordWalk } from './record-walk.ts'

/**
 * After signing in: what waits for accounting and for partner managers, and the way to a record whose name they know.
 */
const system = await ownSystem()
let walk: RecordWalk

beforeAll(async () => {
  await confirmWarnings(system)
  walk = await beginWalk(system)
})
afterAll(() => walk.close())

/** Opens the home screen and waits for its figures. */
async function visit(role: string, width?: number): Promise<Page> {
  const page = await walk.visit(role, '', width)
  await page
    .getByText(/集計済み/)
    .first()
    .waitFor()
  await waitUntilStable(page)
  return page
}

const stripOf = (page: Page) => page.getByRole('region', { name: '対応が必要なこと' })

async function labelsOf(page: Page): Promise<string[]> {
  await stripOf(page).getByRole('link').first().waitFor()
  return stripOf(page).getByRole('link').allTextContents()
}

/** Lists that show their number of rows. */
const COUNTED = /質問|照会|振込口座|契約|フィード/

it.each(['insight:admin', 'insight:editor', 'insight:publisher_admin'])(
  '%s: every number is that of the list behind it',
  async role => {
    const page = await visit(role)
    const labels = await labelsOf(page)
    expect(labels.length).toBeGreaterThan(0)
    expect(labels.some(label => /振り込む支払/.test(label))).toBe(role === 'insight:admin')
    expect(await seriousFindings(page)).toEqual([])
    const home = page.url()
    for (const label of labels.filter(each => COUNTED.test(each))) {
      const count = /([\d,]+)件$/.exec(label)?.[1]
      const link = stripOf(page).getByRole('link').filter({ hasText: label })
      await link.focus()
      await link.press('Enter')
      await page
        .getByText(new RegExp(`^${count}件(中|$)`))
        .first()
        .waitFor()
      await page.goto(home)
      await labelsOf(page)
    }
  },
)

it('on a telephone one line that opens; nothing for those who only read', async () => {
  const page = await visit('insight:admin', 390)
  await labelsOf(page)
  expect(await overflowsOf(page)).toEqual([])
  expect(await seriousFindings(page)).toEqual([])
  expect(await stripOf(await visit('insight:viewer')).count()).toBe(0)
})

it('the palette finds the statement of a payee and month, the organisation and the user', async () => {
  const page = await visit('insight:admin')
  await page.goto(`${system.webOrigin}/gpc/#/histories/statements`)
  const row = page.getByRole('row').nth(1)
  await row.waitFor()
  const number = /\d{6}-\d{6}/.exec((await row.textContent()) ?? '')?.[0] ?? ''
  expect(number).not.toBe('')
  const find = async (text: string) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /検索/ }).fill(text)
  }
  await find(`${Number(number.slice(0, 4))}年${Number(number.slice(4, 6))}月 ${number.slice(7)}`)
  const statements = page.getByRole('group', { name: '支払通知書' })
  await statements.getByRole('option', { name: new RegExp(number) }).waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await statements.getByRole('option', { name: new RegExp(number) }).click()
  await page.getByRole('dialog').getByText(number).first().waitFor()
  await page.keyboard.press('Escape')
  await find('insight.editor')
  await page
    .getByRole('group', { name: 'ユーザー' })
    .getByRole('option', { name: /insight\.editor@/ })
    .click()
  await page.waitForURL(/#\/users\/edit\//)
  await page.getByText('insight.editor@example.jp').first().waitFor()
  await find('株式会社')
  await page.getByRole('group', { name: '組織' }).getByRole('option').first().click()
  await page.waitForURL(/\/iam\/#\/organizations\/edit\//)
})

it('what the palette does not find is searched in the manual, by keyboard alone', async () => {
  const page = await visit('insight:publisher_admin')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /検索/ }).waitFor()
  await page.keyboard.type('最低保証')
  const option = page.getByRole('option', { name: '「最低保証」をマニュアルで検索' })
  await option.waitFor()
  const opened = page.context().waitForEvent('page')
  await page.keyboard.press('ArrowUp')
  await page.getByRole('option', { name: '「最低保証」をマニュアルで検索', selected: true }).waitFor()
  await page.keyboard.press('Enter')
  const manual = await opened
  const search = manual.getByRole('searchbox', { name: 'マニュアルを検索' })
  const status = manual.getByRole('status')
  await status.filter({ hasText: /件/ }).waitFor()
  expect(await search.inputValue()).toBe('最低保証')
  expect(await seriousFindings(manual)).toEqual([])
  await manual.keyboard.press('ArrowDown')
  const first = manual.locator('#results a').first()
  await manual.locator('#results a:focus').waitFor()
  expect(await manual.locator('#results a:focus').getAttribute('href')).toBe(await first.getAttribute('href'))
  await manual.keyboard.press('ArrowUp')
  await manual.locator('#search:focus').waitFor()
  await manual.keyboard.press('Escape')
  await manual.locator('#results').waitFor({ state: 'hidden' })
  await search.blur()
  await manual.keyboard.press('/')
  await manual.keyboard.type('鯨の回遊経路')
  await status.filter({ hasText: '見つかりませんでした' }).waitFor()
  await manual.keyboard.press('Control+k')
  await manual.keyboard.type('組戻し')
  await status.filter({ hasText: '件' }).waitFor()
  const target = await first.getAttribute('href')
  await manual.keyboard.press('Enter')
  await manual.waitForURL(url => decodeURI(url.href).endsWith(target!))
  await manual.close()
})

it('nothing is left to set up on the demonstration: staff sees no setup guide, and the browser asks no more', async () => {
  const page = await visit('insight:admin')
  await page.waitForFunction(() => localStorage.getItem('pc-setup-guide')?.endsWith(' gone'))
  expect(await page.getByRole('region', { name: 'はじめてガイド' }).count()).toBe(0)
})
