import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, newVisitor, signIn, type Visitor } from './console-visitor.ts'
import { waitUntilStable } from './crawl-probes.ts'
import { ownSystem } from './own-system.ts'

/** What staff share with a publisher's people: the other person sees it, and it disappears when it is withdrawn. */
const system = await ownSystem()
const MARK = `共有の確認 ${process.pid}`
const PUBLISHER_ROLE = 'パブリッシャーの管理者'
const PATIENCE_MS = 30_000
let browser: Browser
let staff: Visitor
let publisher: Visitor

beforeAll(async () => {
  browser = await launchBrowser()
  staff = await newVisitor(browser)
  publisher = await newVisitor(browser)
  for (const { page } of [staff, publisher]) page.setDefaultTimeout(PATIENCE_MS)
  await signIn(staff.page, system, 'insight:admin')
  await signIn(publisher.page, system, 'insight:publisher_admin')
})
afterAll(async () => {
  await staff.close()
  await publisher.close()
  await browser.close()
})

async function open(page: Page, path: string): Promise<void> {
  await page.goto('about:blank')
  await page.goto(`${system.webOrigin}/gpc/#${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await waitUntilStable(page)
}

describe('a saved view', () => {
  const viewsOf = async (page: Page) => {
    await open(page, '/reports/dashboard')
    await page
      .getByRole('button', { name: /保存した表示|^表示/ })
      .first()
      .click()
    return page.getByRole('dialog', { name: '保存した表示' })
  }

  it('of staff opens for the role that it is shared with, which cannot change it', async () => {
    const own = await viewsOf(staff.page)
    await own.getByPlaceholder(/表示の名前/).fill(MARK)
    await own.getByLabel('共有先').selectOption(PUBLISHER_ROLE)
    await own.getByRole('button', { name: '保存する' }).click()
    await staff.page.getByText(`表示「${MARK}」を保存しました。`).waitFor()
    const theirs = await viewsOf(publisher.page)
    await theirs
      .getByRole('button', { name: new RegExp(`^${MARK}`) })
      .first()
      .waitFor()
    expect(await theirs.getByRole('button', { name: `${MARK}を削除する` }).count()).toBe(0)
    expect(await theirs.innerText()).not.toContain('insight.admin@')
  })
})

describe('a board', { timeout: 120_000 }, () => {
  it('of staff is read by the role that it is shared with, until that is taken back', async () => {
    const { page } = staff
    await open(page, '/reports/dashboard')
    await page.getByRole('button', { name: 'その他の操作' }).click()
    await page.getByText('ボードに追加', { exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'ボードに追加' })
    await dialog.getByLabel('追加先のボード').selectOption({ label: '新しいボードを作る' })
    await dialog.getByLabel('新しいボードの名前').fill(MARK)
    await dialog.getByRole('button', { name: 'ボードに追加する' }).click()
    await page.getByText(`「${MARK}」に追加しました`).waitFor()
    await share(page)
    await open(publisher.page, '/dashboards')
    await publisher.page.getByRole('link', { name: MARK }).first().click()
    await publisher.page.locator('[data-tile]').first().waitFor()
    expect(await publisher.page.getByText('表示できません').count()).toBe(0)
    const address = publisher.page.url()
    await share(page)
    await publisher.page.goto('about:blank')
    await publisher.page.goto(address)
    await waitUntilStable(publisher.page)
    expect(await publisher.page.locator('[data-tile]').count()).toBe(0)
  })

  /** Shares, or withdraws. */
  async function share(page: Page): Promise<void> {
    await open(page, '/dashboards')
    await page.getByRole('link', { name: MARK }).first().click()
    await page.getByRole('button', { name: '名前と共有' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'ボードの設定' })
    await dialog.getByLabel(PUBLISHER_ROLE).click()
    await dialog.getByRole('button', { name: '設定を保存する' }).click()
    await page.getByText('ボードの設定を保存しました').waitFor()
  }
})
