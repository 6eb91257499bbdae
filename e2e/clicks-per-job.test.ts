import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser, newVisitor, signIn, type Visitor } from './console-visitor.ts'
import { ownSystem } from './own-system.ts'

/** How many clicks a monthly job takes, each from the list that its duty or menu item opens. Typing is not counted. */
const system = await ownSystem()
let browser: Browser
const visitors: Visitor[] = []
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(async () => {
  for (const visitor of visitors) await visitor.close()
  await browser.close()
})

async function person(role: string): Promise<Page> {
  const visitor = await newVisitor(browser)
  visitors.push(visitor)
  await signIn(visitor.page, system, role)
  return visitor.page
}

/** Answers the question for the password, if it comes: it protects the job and is none of its clicks. */
async function stepUp(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog').filter({ has: page.getByLabel('パスワード', { exact: true }) })
  await page.addLocatorHandler(dialog, async () => {
    await dialog.getByLabel('パスワード', { exact: true }).fill(system.password)
    await page.keyboard.press('Enter')
  })
}

test('another account, from the request to the approval that changes its agreement: at most 8', async () => {
  let clicks = 0
  const payee = await person('insight:publisher_admin')
  await stepUp(payee)
  const press = async (page: Page, role: 'link' | 'button' | 'option' | 'checkbox', name: string | RegExp) => {
    clicks += 1
    await page.getByRole(role, { name }).first().click()
  }
  await payee.goto(`${system.webOrigin}/gpc/#/bank-accounts`)
  await press(payee, 'link', '口座を申請する')
  for (const [label, text] of [
    ['銀行', 'みずほ'],
    ['支店', '本店'],
  ] as const) {
    await payee.getByRole('combobox', { name: label }).fill(text)
    await press(payee, 'option', new RegExp(text))
  }
  await payee.getByRole('textbox', { name: '口座番号' }).fill('7001234')
  await payee.getByRole('textbox', { name: '口座名義' }).fill('カブシキガイシャ テスト')
  const agreements = payee.getByRole('group', { name: '契約' }).getByRole('checkbox')
  await agreements.first().waitFor()
  if ((await agreements.count()) > 1) await press(payee, 'button', 'すべての契約を選択')
  else await press(payee, 'checkbox', /./)
  await press(payee, 'button', '口座を申請する')
  await payee.getByText(/口座を申請しました/).waitFor()

  const staff = await person('insight:admin')
  await stepUp(staff)
  await staff.goto(`${system.webOrigin}/gpc/#/bank-accounts/state=requested`)
  await press(staff, 'button', /7001234を承認する/)
  await press(staff, 'button', '口座を承認する')
  await staff.getByText(/に契約の振込口座が切り替わります。/).waitFor()
  expect(clicks).toBeLessThanOrEqual(8)
})
