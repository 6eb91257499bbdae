import { monthText } from '@pc/domain/month/day-text.ja.ts'
import { addMonths, formatYearMonth, monthOfDay } from '@pc/domain/month/year-month.ts'
import { systemClock, today } from '@pc/platform/clock.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readBankFile } from './close-figures.ts'
import { confirmWarnings } from './confirm-warnings.ts'
import { waitUntilStable } from './crawl-probes.ts'
import { savedBy } from './keyboard-hands.ts'
import { ownSystem } from './own-system.ts'
import { beginWalk, type RecordWalk } from './record-walk.ts'

/**
 * How many clicks the jobs take that people repeat every month. Each click of a job goes through {@link Effort}, so what
 * the tests assert is what was pressed. The first agreement on an empty system is counted in `day-one.test.ts`.
 */
const system = await ownSystem('clicks')
const MONTH = addMonths(monthOfDay(today(systemClock)), -1)
const MONTH_TEXT = monthText(MONTH)
const PATIENCE_MS = 60_000
let walk: RecordWalk

beforeAll(async () => {
  await confirmWarnings(system)
  walk = await beginWalk(system)
})
afterAll(() => walk.close())

/** Counts what a person does: clicks, and fields that are typed or chosen. */
class Effort {
  clicks = 0
  fields = 0
  readonly #page: Page
  constructor(page: Page) {
    this.#page = page
  }
  /** The same job, continued by another person. */
  by(page: Page): Effort {
    const other = new Effort(page)
    Object.assign(other, { clicks: this.clicks, fields: this.fields })
    return other
  }
  async click(target: Locator): Promise<void> {
    this.clicks += 1
    await target.click()
  }
  press(role: 'button' | 'link' | 'option', name: string | RegExp): Promise<void> {
    return this.click(this.#page.getByRole(role, { name, exact: typeof name === 'string' }).first())
  }
  async type(label: RegExp, text: string): Promise<void> {
    this.fields += 1
    await this.#page.getByRole('textbox', { name: label }).fill(text)
  }
  /** Types into a search field and clicks its first result; the field has the focus by the keyboard. */
  async find(label: RegExp, text: string): Promise<void> {
    this.fields += 1
    await this.#page.getByRole('combobox', { name: label }).focus()
    await this.#page.keyboard.type(text)
    await this.click(this.#page.getByRole('option').filter({ hasText: text }).first())
  }
  async select(label: RegExp, index: number): Promise<void> {
    this.fields += 1
    await this.#page.getByRole('combobox', { name: label }).selectOption({ index })
  }
  async choose(group: RegExp, option: string): Promise<void> {
    this.fields += 1
    await this.click(this.#page.getByRole('group', { name: group }).getByText(option, { exact: true }))
  }
}

const toast = (page: Page, text: string | RegExp) =>
  page.getByRole('region', { name: '通知' }).getByText(text).first().waitFor()

function report(job: string, { clicks, fields }: Effort): void {
  console.warn(`${job}: ${clicks} clicks, ${fields} fields`)
}

it('which publisher lost most last month, and why: two clicks from the home screen', async () => {
  const page = await walk.visit('insight:admin', '')
  const effort = new Effort(page)
  await effort.press('link', '先月の減少順')
  const loss = page
    .getByRole('row')
    .getByRole('button', { name: /−[\d,]+$/ })
    .first()
  await loss.waitFor()
  await waitUntilStable(page)
  await effort.click(loss)
  const drawer = page.getByRole('dialog', { name: '増減の理由' })
  await expect.poll(() => drawer.textContent(), { timeout: PATIENCE_MS }).toMatch(/減/)
  report('a loss and its reason', effort)
  expect(effort.clicks).toBeLessThanOrEqual(2)
})

it('from the close of a month to the bank’s file: six clicks', async () => {
  const page = await walk.visit('insight:admin', `/adjustments/dividend/month=${formatYearMonth(MONTH)}`)
  page.setDefaultTimeout(PATIENCE_MS)
  const effort = new Effort(page)
  await effort.press('button', `${MONTH_TEXT}分を確定する`)
  const dialog = page.getByRole('dialog', { name: `${MONTH_TEXT}分を確定しますか？` })
  await effort.click(dialog.getByRole('button', { name: `${MONTH_TEXT}分を確定する` }))
  await toast(page, /を確定しました。$/)
  await effort.press('link', '振込データを作成する')
  await effort.press('button', /^\d+件の振込データを作成する$/)
  await toast(page, /^振込データ\d+（\d+件）を作成しました。/)
  await effort.press('button', '振込データを出力する')
  const saved = await savedBy(page, () => effort.press('button', '出力する'))
  expect(readBankFile(saved.content).transfers.length).toBeGreaterThan(0)
  report('close to bank file', effort)
  expect(effort.clicks).toBeLessThanOrEqual(6)
})

it('three statements are confirmed: two clicks from the owner’s home', async () => {
  const page = await walk.visit('insight:publisher_admin', '')
  const effort = new Effort(page)
  await effort.press('button', /^支払通知書\d+件をまとめて確認する$/)
  const confirm = page.getByRole('button', { name: /^\d+件を確認済みにする$/ })
  const count = Number.parseInt((await confirm.textContent()) ?? '', 10)
  expect(count).toBeGreaterThanOrEqual(3)
  await effort.click(confirm)
  await toast(page, `支払通知書${count}件を確認済みにしました。`)
  report('three statements', effort)
  expect(effort.clicks).toBeLessThanOrEqual(2)
})

it('a bank is changed, from the application to its use: eight clicks of two people', async () => {
  const number = String(1_000_000 + (process.pid % 1_000_000))
  const owner = await walk.visit('insight:publisher_admin', '')
  const applying = new Effort(owner)
  await applying.press('link', '振込口座を変更する')
  await applying.find(/^銀行/, 'みずほ')
  await applying.find(/^支店/, '本店')
  await applying.type(/^口座番号/, number)
  await applying.type(/^口座名義/, 'カブシキガイシャ アサギリシンブンシャ')
  expect(await owner.getByRole('checkbox').count()).toBeGreaterThan(0)
  for (const box of await owner.getByRole('checkbox').all()) expect(await box.isChecked()).toBe(true)
  await applying.press('button', '口座を申請する')
  await toast(owner, /^口座を申請しました。/)
  const staff = await walk.visit('insight:admin', '')
  const approving = applying.by(staff)
  await approving.press('link', /^承認待ちの振込口座/)
  await approving.press('button', new RegExp(`${number}を承認する$`))
  await approving.press('button', '口座を承認する')
  await toast(staff, /に契約の振込口座が切り替わります。$/)
  // The waiting period then ends without anybody (features/bank-accounts/server).
  const planned = await walk.database.inScope(SYSTEM, tx =>
    tx
      .selectFrom('bankAccountSwitches as s')
      .innerJoin('bankAccounts as a', 'a.id', 's.bankAccountId')
      .select('s.agreementId')
      .where('a.number', '=', number)
      .execute(),
  )
  expect(planned.length).toBeGreaterThan(0)
  report('bank change', approving)
  expect(approving.clicks).toBeLessThanOrEqual(8)
})

it('an agreement with an approved account: seven fields', async () => {
  const organization = await walk.database.inScope(SYSTEM, tx =>
    tx
      .selectFrom('organizations as o')
      .innerJoin('bankAccounts as a', 'a.organizationId', 'o.id')
      .select('o.name')
      .where('a.state', '=', 'approved')
      .groupBy('o.name')
      .having(eb => eb.fn.count('a.id'), '=', 1)
      .orderBy('o.name')
      .limit(1)
      .executeTakeFirstOrThrow(),
  )
  const page = await walk.visit('insight:admin', '/managements/agreements/create')
  const effort = new Effort(page)
  await effort.find(/^組織/, organization.name)
  await effort.select(/^媒体/, 1)
  await effort.type(/^契約名/, `クリック数の契約${process.pid}`)
  await effort.type(/^契約コード/, `C-${process.pid}`)
  await effort.choose(/^支払先の区分/, '法人')
  await effort.choose(/^居住地/, '居住者・内国法人（国内）')
  effort.fields += 1
  await effort.click(page.getByRole('checkbox', { name: '内容を確認しました' }))
  await page.getByRole('combobox', { name: /^口座/ }).waitFor()
  await effort.press('button', '契約を登録する')
  await toast(page, /^契約「.*」を登録しました。$/)
  const used = await walk.database.inScope(SYSTEM, tx =>
    tx
      .selectFrom('agreementBankAccounts as b')
      .innerJoin('agreements as g', 'g.id', 'b.agreementId')
      .select('b.bankAccountId')
      .where('g.code', '=', `C-${process.pid}`)
      .execute(),
  )
  expect(used).toHaveLength(1)
  report('agreement', effort)
  expect(effort.fields).toBeLessThanOrEqual(7)
})
