import path from 'node:path'
import { monthText } from '@pc/domain/month/day-text.ja.ts'
import { SAMPLE_HOLIDAYS_CSV } from '@pc/domain/month/sample-holidays.ts'
import { addMonths, formatYearMonth, monthOfDay } from '@pc/domain/month/year-month.ts'
import { systemClock, today } from '@pc/platform/clock.ts'
import { makeTemporaryFolder } from '@pc/platform/temporary-folder.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readBankFile } from './close-figures.ts'
import { launchBrowser, newVisitor, type Visitor } from './console-visitor.ts'
import { savedBy } from './keyboard-hands.ts'
import { linkInEmail } from './outbox-emails.ts'
import { type RunningSystem, startSystem } from './running-system.ts'

/**
 * The first days of an operator on an empty system, with screens alone: from the first administrator's link to the file
 * for the bank. An approved account can be used after three days, so the system is restarted with a clock that is three
 * days ahead.
 */
const WAITING_DAYS = 3
const MONTH = addMonths(monthOfDay(today(systemClock)), -1)
const ISO_MONTH = formatYearMonth(MONTH)
const MONTH_TEXT = monthText(MONTH)
const PASSWORD = '長い合言葉の木漏れ日 2026'
const ADMIN = 'sakura@mainichi.example.jp'
const COLLEAGUE = 'kei@mainichi.example.jp'
const OWNER = 'owner@aoba.example.jp'
/** 10,000 yen of advertising a day, half of it for the publisher. */
const DAYS = new Date(Math.floor(MONTH / 100), MONTH % 100, 0).getDate()
/** Including consumption tax. */
const PAID_YEN = (5_000 * DAYS * 11) / 10
const folder = makeTemporaryFolder()
const visitors: Visitor[] = []
let browser: Browser
let system: RunningSystem
let admin: Person
let colleague: Person
let owner: Person

beforeAll(async () => {
  browser = await launchBrowser()
  system = await startSystem(path.join(folder.path, 'data'), { isEmpty: true })
})
afterAll(async () => {
  await Promise.all(visitors.map(visitor => visitor.close()))
  await browser?.close()
  await system?.stop()
  folder.remove()
})

const effort = { clicks: 0, fields: 0 }

/** A person at a browser whose clicks and entries are counted. */
interface Person {
  readonly page: Page
  press(role: 'button' | 'link' | 'option' | 'checkbox' | 'radio', name: string | RegExp): Promise<void>
  fill(label: string | RegExp, text: string): Promise<void>
  select(label: string | RegExp, option: string): Promise<void>
  /** Types into a search field and takes the first result. */
  find(label: RegExp, text: string): Promise<void>
  upload(label: string, name: string, text: string): Promise<void>
  sees(text: string | RegExp): Promise<void>
}

async function newPerson(address: string): Promise<Person> {
  const visitor = await newVisitor(browser)
  visitors.push(visitor)
  const { page } = visitor
  page.setDefaultTimeout(30_000)
  await page.goto(address)
  // The topmost part, as a person sees it: a dialog before the page behind it.
  const top = () => page.locator('[role=dialog]:visible, [role=alertdialog]:visible').or(page.locator('body')).last()
  const field = (label: string | RegExp) =>
    top()
      .getByLabel(label, { exact: typeof label === 'string' })
      .first()
  return {
    page,
    async press(role, name) {
      effort.clicks += 1
      await page
        .getByRole(role, { name, exact: typeof name === 'string' })
        .last()
        .click()
    },
    async fill(label, text) {
      effort.fields += 1
      await field(label).fill(text)
    },
    async select(label, option) {
      effort.fields += 1
      await page.getByRole('combobox', { name: label }).selectOption({ label: option })
    },
    async find(label, text) {
      effort.fields += 1
      effort.clicks += 1
      await page.getByRole('combobox', { name: label }).click()
      await page.getByRole('combobox', { name: label }).fill(text)
      await page.getByRole('option', { name: text }).first().click()
    },
    async upload(label, name, text) {
      effort.clicks += 2 // the button, and the file in the browser's own dialog
      await page.getByLabel(label).setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
    },
    sees: text => page.getByText(text).first().waitFor(),
  }
}

async function signIn(email: string): Promise<Person> {
  const person = await newPerson(`${system.webOrigin}/gpc/`)
  await person.fill('メールアドレス', email)
  await person.fill('パスワード', PASSWORD)
  await person.press('button', 'サインイン')
  // Both roles need a second factor; the grace period is not over.
  await person.press('link', 'あとで設定する')
  await person.sees('はじめてガイド')
  return person
}

/** Opens the home screen and checks what the setup guide lists as done. */
async function home(person: Person): Promise<void> {
  effort.clicks += 1
  if (!person.page.url().includes('/gpc/')) await person.page.goto(`${system.webOrigin}/gpc/`)
  else await person.page.getByRole('link', { name: 'ホーム', exact: true }).click()
  await person.page.reload() // a guide that stood there while others worked
  await person.sees('はじめてガイド')
}

async function expectDone(person: Person, ...steps: string[]): Promise<void> {
  await home(person)
  const guide = person.page.getByRole('region', { name: 'はじめてガイド' })
  for (const step of steps)
    await guide.getByRole('listitem').filter({ hasText: step }).getByRole('img', { name: '完了' }).first().waitFor()
}

async function accept(email: string): Promise<Person> {
  const person = await newPerson(await linkInEmail(system.dataDir, email, '#/invite/'))
  await person.fill('パスワード', PASSWORD)
  await person.press('button', '設定してはじめる')
  await person.sees('はじめてガイド')
  return person
}

/** Everybody opens the home screen, and no browser has reported an error. */
async function leave(): Promise<void> {
  for (const { problems, close } of visitors.splice(0)) {
    expect(problems).toEqual([])
    await close()
  }
}

it('the first administrator registers, and the guide leads on: medium, payer, sending account, holidays', async () => {
  expect(system.firstAdminLink).toContain(system.webOrigin)
  admin = await newPerson(system.firstAdminLink)
  await admin.fill('メールアドレス', ADMIN)
  await admin.fill('パスワード', PASSWORD)
  await admin.press('button', '登録してはじめる')
  await admin.press('link', '媒体を登録する')
  await admin.fill(/^媒体名/, 'まいにちアプリ')
  await admin.press('button', '媒体を登録する')
  await admin.sees('媒体「まいにちアプリ」を登録しました。')
  await expectDone(admin, '媒体')

  await admin.press('link', '支払元を登録する')
  await admin.press('button', '支払元を登録する')
  await admin.fill(/^支払元の名称/, '株式会社まいにち')
  await admin.fill(/^登録番号/, 'T1180301018771')
  await admin.press('button', '設定を保存する')
  await admin.sees('支払元の設定を保存しました。')

  await home(admin)
  await admin.press('link', '振込元の口座を登録する')
  await admin.press('button', '振込元の口座を登録する')
  await admin.fill(/^委託者コード/, '1234567890')
  await admin.fill(/^委託者名/, 'カブシキガイシャ マイニチ')
  await admin.fill(/^銀行コード/, '0001')
  await admin.fill(/^支店コード/, '001')
  await admin.fill(/^口座番号/, '1234567')
  await admin.press('button', /から適用する$/)
  await admin.page.getByRole('cell', { name: /0001 ﾐｽﾞﾎ/ }).waitFor()
  await admin.press('button', '料金表を登録する')
  const prices = admin.page.getByRole('textbox', { name: /^手数料（\d行目）$/ })
  for (let line = 1; line <= (await prices.count()); line += 1)
    await admin.fill(new RegExp(`^手数料（${line}行目）`), '110')
  await admin.press('button', '料金表を保存する')
  await admin.page.getByRole('dialog').waitFor({ state: 'detached' })
  await admin.press('button', '支払の基準を変更する')
  await admin.select('課税期間の開始月', '4月')
  await admin.press('button', /分から変更する$/)
  await admin.page.getByRole('dialog').waitFor({ state: 'detached' })
  await admin.upload('祝日のCSVファイル', 'syukujitsu.csv', SAMPLE_HOLIDAYS_CSV)
  await admin.sees(/^祝日\d+日分を取り込みました。$/)
  await expectDone(admin, '支払元と振込元の口座', '税率・課税期間・祝日')
})

it('an organisation is registered, and people are invited by mail', async () => {
  await admin.press('link', '組織を登録する')
  await admin.fill(/^組織名/, '青葉新聞社')
  await admin.press('button', '組織を登録')
  await admin.sees('「青葉新聞社」を登録しました')
  // The guide has led to another application, whose menu leads back.
  await admin.press('link', 'Publisher Centerのホーム')
  await admin.sees('はじめてガイド')
  await admin.press('link', 'ユーザーを招待する')
  await admin.fill(/^メールアドレス/, COLLEAGUE)
  await admin.press('checkbox', /^パブリッシャーセンター管理者/)
  await admin.press('button', '招待メールを送信')
  await admin.sees(`${COLLEAGUE}に招待メールを送信しました`)
  await admin.press('link', 'ユーザーを招待')
  await admin.fill(/^メールアドレス/, OWNER)
  await admin.find(/^組織/, '青葉新聞社')
  await admin.press('checkbox', /^パブリッシャーの管理者/)
  await admin.press('button', '招待メールを送信')
  await admin.sees(`${OWNER}に招待メールを送信しました`)
  colleague = await accept(COLLEAGUE)
  owner = await accept(OWNER)
  await expectDone(admin, '組織', 'ほかの担当者')
})

it('the owner asks for an account, and the colleague approves it', async () => {
  await owner.press('link', '口座を申請する')
  await owner.find(/^銀行/, 'みずほ')
  await owner.find(/^支店/, '本店')
  await owner.fill(/^口座番号/, '7654321')
  await owner.fill(/^口座名義/, 'カブシキガイシャ アオバシンブンシャ')
  await owner.press('button', '口座を申請する')
  await owner.sees(/口座を申請しました/)
  await home(colleague)
  await colleague.press('link', '口座を承認する')
  await colleague.press('button', /7654321を承認する/)
  await colleague.press('button', '口座を承認する')
  await colleague.sees(/^口座を承認しました。\d+年\d+月\d+日から契約に設定できます。$/)
})

it('an agreement and a publisher with its rate are registered, from the month that is closed first', async () => {
  await home(admin)
  await admin.press('link', '契約を登録する')
  await admin.find(/^組織/, '青葉新聞社')
  await admin.select(/^媒体/, 'まいにちアプリ')
  await admin.fill(/^契約名/, 'まいにちアプリ 記事配信')
  await admin.fill(/^契約コード/, 'AOBA-1')
  for (const [group, choice] of [
    [/^支払先の区分/, '法人'],
    [/^居住地/, '居住者・内国法人（国内）'],
    [/^取適法/, '対象外'],
    [/^フリーランス法/, '対象外'],
  ] as const) {
    effort.clicks += 1
    await admin.page.getByRole('group', { name: group }).getByText(choice, { exact: true }).click()
  }
  await admin.press('button', '契約を登録する')
  await admin.sees('契約「まいにちアプリ 記事配信」を登録しました。')
  await home(admin)
  await admin.press('link', 'パブリッシャーと料率を登録する')
  await admin.find(/^組織/, '青葉新聞社')
  await admin.fill(/^パブリッシャー名/, '青葉新聞')
  await admin.press('button', '契約条件を追加')
  const from = admin.page.getByRole('textbox', { name: /^適用開始月/ })
  await expect.poll(() => from.inputValue()).toBe(ISO_MONTH.replace('-', '/'))
  await admin.find(/^契約$/, 'まいにちアプリ 記事配信')
  await admin.fill(/^自社広告の支払率/, '50')
  await admin.press('button', 'パブリッシャーを登録する')
  await admin.sees('パブリッシャー「青葉新聞」を登録しました。')
  await expectDone(admin, '契約とパブリッシャー')
})

it('statistics come by file, and the dashboard shows them', async () => {
  const days = Array.from({ length: DAYS }, (_, index) => `${ISO_MONTH}-${String(index + 1).padStart(2, '0')}`)
  const header =
    'date,medium_id,publisher_id,article_impression,article_click,ads_revenue_micro_yen,publisher_revenue_micro_yen'
  const file = [header, ...days.map(day => `${day},1,1,5000,400,10000000000,5000000000`), ''].join('\n')
  await admin.press('link', '取り込みの画面を開く')
  await admin.upload('統計データのファイル', 'statistics.csv', file)
  await admin.press('button', `${DAYS}行を取り込む`)
  await admin.sees(new RegExp(`${DAYS}行を取り込みました`))
  await expectDone(admin, '統計の送信方法', '最初の数値')
  // The figures are last month's, and the home screen begins with the last days.
  await admin.press('button', '最新の7日間を表示する')
  await expect.poll(() => admin.page.getByRole('main').textContent()).toContain((5_000 * 7).toLocaleString('ja-JP'))
})

it('three days later the account is set, and the month is computed and closed', async () => {
  await leave()
  await system.stop()
  system = await startSystem(path.join(folder.path, 'data'), { isEmpty: true, daysLater: WAITING_DAYS })
  expect(system.firstAdminLink, 'there is an administrator').toBe('')
  admin = await signIn(ADMIN)
  await admin.press('link', '契約に口座を設定する')
  await admin.press('link', 'まいにちアプリ 記事配信')
  await admin.press('button', '口座を追加')
  const account = admin.page.getByRole('combobox', { name: /^口座/ })
  const option = account.locator('option', { hasText: '7654321' })
  await option.waitFor({ state: 'attached' })
  await admin.select(/^口座/, (await option.textContent()) ?? '')
  effort.fields += 1
  await admin.fill(/^利用開始月/, ISO_MONTH)
  await admin.press('button', '変更を保存する')
  await admin.sees(/^契約「.*」を保存しました。/)
  await expectDone(admin, '振込口座')

  await admin.press('link', '月次締めを開く')
  // After the turn of a month the board opens the next one.
  await admin.page.evaluate(`location.hash = '#/adjustments/dividend/month=${ISO_MONTH}'`)
  await admin.press('button', '計算する')
  await admin.sees('まいにちアプリを計算しました。')

  // The person who computed a month alone may not finalise it.
  colleague = await signIn(COLLEAGUE)
  await colleague.press('link', '月次締めを開く')
  await colleague.page.evaluate(`location.hash = '#/adjustments/dividend/month=${ISO_MONTH}'`)
  await colleague.page.getByRole('button', { name: '確認項目を見る（問題なし）' }).waitFor()
  await colleague.press('button', `${MONTH_TEXT}分を確定する`)
  const dialog = colleague.page.getByRole('dialog', { name: `${MONTH_TEXT}分を確定しますか？` })
  await dialog.getByText(`支払額（税込）の合計 ${PAID_YEN.toLocaleString('ja-JP')}円を確定します。`).waitFor()
  effort.clicks += 1
  await dialog.getByRole('button', { name: `${MONTH_TEXT}分を確定する` }).click()
  await colleague.page.getByRole('link', { name: '振込データを作成する' }).waitFor()
})

it('the owner confirms the statement', async () => {
  owner = await signIn(OWNER)
  await owner.press('link', 'お支払い明細')
  await owner.press('link', /^支払通知書：確認待ち/)
  const dialog = owner.page.getByRole('dialog', { name: /^支払通知書/ })
  await dialog.getByText(PAID_YEN.toLocaleString('ja-JP')).first().waitFor()
  effort.clicks += 2
  await dialog.getByRole('button', { name: '内容を確認した' }).click()
  await owner.page.getByRole('alertdialog').getByRole('button', { name: '内容を確認した' }).click()
  await owner.sees(/^支払通知書 .* を確認済みにしました。$/)
})

it('the file for the bank holds what the owner confirmed', async () => {
  await admin.page.reload()
  await admin.press('link', '振込データを作成する')
  await admin.press('button', '1件の振込データを作成する')
  await admin.sees(/^振込データ\d+（1件）を作成しました。/)
  await admin.press('button', '振込データを出力する')
  const saved = await savedBy(admin.page, () => admin.press('button', '出力する'))
  const { transfers, totalYen } = readBankFile(saved.content)
  expect(transfers).toHaveLength(1)
  expect(totalYen).toBe(BigInt(PAID_YEN))
  await leave()
  console.warn(`day one: ${effort.clicks} clicks, ${effort.fields} fields`)
})
