import { monthText } from '@pc/domain/month/day-text.ja.ts'
import { addMonths, formatYearMonth, monthOfDay } from '@pc/domain/month/year-month.ts'
import { systemClock, today } from '@pc/platform/clock.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerOfBank, filledIn, firstDueDay, letTransferDayCome, readBankFile } from './close-figures.ts'
import { expectJournalTied, expectTied, statesOf, weightsOf } from './close-ties.ts'
import { emailOf, launchBrowser, newVisitor, signIn, type Visitor } from './console-visitor.ts'
import { overflowsOf, seriousFindings, waitUntilStable } from './crawl-probes.ts'
import { databaseOf } from './database-of.ts'
import { chooseByArrows, focusedOn, goByPalette, pressOn, savedBy, tabTo, watchPointer } from './keyboard-hands.ts'
import { ownSystem } from './own-system.ts'

/**
 * A month of the demonstration, from a red check to the publisher's confirmation, once by mouse and once by keyboard.
 */
const system = await ownSystem()
const MONTH = addMonths(monthOfDay(today(systemClock)), -1)
/** Days as screens write them: 2026年7月3日. */
const dayText = (day: string) => day.replace(/^(\d{4})-0?(\d+)-0?(\d+)$/, '$1年$2月$3日')
const MONTH_TEXT = monthText(MONTH)
const BOARD = `/adjustments/dividend/month=${formatYearMonth(MONTH)}`
/** The medium with the failed job, and one with an agreement of the demonstration's publisher. */
const BY_MOUSE = ['ツムギクーポン', 'ツムギニュース'] as const
const PATIENCE_MS = 60_000
let browser: Browser
let database: Database
const visitors: Visitor[] = []

beforeAll(async () => {
  browser = await launchBrowser()
  database = databaseOf(system)
})
afterAll(async () => {
  await Promise.all(visitors.map(visitor => visitor.close()))
  await database.close()
  await browser.close()
})

async function newPage(): Promise<Visitor> {
  const visitor = await newVisitor(browser)
  visitor.page.setDefaultTimeout(PATIENCE_MS)
  visitors.push(visitor)
  return visitor
}

async function visit(role: string, path: string): Promise<Page> {
  const { page } = await newPage()
  await signIn(page, system, role, `/gpc/#${path}`)
  await waitUntilStable(page)
  return page
}

const toast = (page: Page, text: string | RegExp) =>
  page.getByRole('region', { name: '通知' }).getByText(text).first().waitFor()
const board = (page: Page) => page.getByRole('region', { name: '月次締め', exact: true })
const rowOf = (page: Page, medium: string) => board(page).getByRole('listitem', { name: medium, exact: true })
/** The checks of a medium that need attention, as its row shows them. */
const checksOf = async (page: Page, medium: string) =>
  (await rowOf(page, medium)
    .getByRole('button', { name: /^確認項目を/ })
    .textContent()) ?? ''
const BLOCKED = /要対応|確認待ち/

/** The names of the media on the board, in order. */
const media = (page: Page): Promise<readonly string[]> =>
  board(page).getByRole('heading', { level: 3 }).allTextContents()

/** Waits until a medium has nothing red and nothing waiting. */
async function waitUntilGreen(page: Page, medium: string): Promise<void> {
  await rowOf(page, medium).waitFor()
  await expect.poll(() => checksOf(page, medium), { timeout: PATIENCE_MS }).not.toMatch(BLOCKED)
}

const batchOf = (page: Page) => /transfers\/(\d+)/.exec(page.url())?.[1] ?? ''

describe('with the mouse', () => {
  let admin: Page
  let batchId: string
  let bankFile: Buffer

  it('a red check leads to its cure; cured and computed it is green', async () => {
    const [red] = BY_MOUSE
    admin = await visit('insight:admin', BOARD)
    await expect.poll(() => checksOf(admin, red)).toContain('要対応 1件')
    await rowOf(admin, red).getByText('処理の完了').waitFor()
    await admin
      .getByRole('list', { name: `${red}の確認項目` })
      .getByRole('button', { name: '調整の一覧へ' })
      .click()
    const failed = admin.getByRole('row', { name: /失敗/ })
    await failed.getByRole('link', { name: 'この媒体の調整をすべて取り消す' }).click()
    await admin.getByRole('heading', { name: `分配金調整の登録（${MONTH_TEXT}分）` }).waitFor()
    await admin.getByRole('button', { name: '登録して処理を開始する' }).click()
    await toast(admin, /^取り消し（リセット）を登録しました。/)
    await failed.getByText('対応済み').waitFor()
    const row = admin.getByRole('listitem', { name: red, exact: true })
    // Enters the correct values again.
    await admin.getByRole('link', { name: '調整を登録' }).click()
    await admin.getByLabel('種類').selectOption({ label: 'SSP収益の分配' })
    await admin.getByLabel('媒体').selectOption({ label: red })
    await admin.getByLabel(/^分配する金額/).fill('51396')
    await admin.getByRole('button', { name: '登録して処理を開始する' }).click()
    await toast(admin, /^SSP収益の分配を登録しました。/)
    await admin
      .getByRole('row', { name: /51,396/ })
      .filter({ hasText: '完了', hasNotText: '取り消し済み' })
      .waitFor()
    await row.getByRole('button', { name: '計算する' }).click()
    await toast(admin, `${red}を計算しました。`)
    await waitUntilGreen(admin, red)
  })

  it('what others have changed since the drafts were made is computed again', async () => {
    for (const medium of await media(admin)) {
      if (!BLOCKED.test(await checksOf(admin, medium))) continue
      await admin.getByRole('listitem', { name: medium, exact: true }).getByRole('button', { name: '計算する' }).click()
      await toast(admin, `${medium}を計算しました。`)
      await waitUntilGreen(admin, medium)
    }
  })

  it('it is finalised, and its statements are issued', async () => {
    for (const medium of BY_MOUSE) await waitUntilGreen(admin, medium)
    await admin.getByRole('button', { name: `${MONTH_TEXT}分を確定する` }).click()
    const dialog = admin.getByRole('dialog', { name: `${MONTH_TEXT}分を確定しますか？` })
    for (const box of await dialog.getByRole('checkbox').all()) {
      const name = (await box.locator('xpath=..').locator('b').textContent()) ?? ''
      if (!BY_MOUSE.includes(name as 'ツムギニュース')) await box.uncheck()
    }
    await dialog.getByRole('button', { name: `${MONTH_TEXT}分を確定する` }).click()
    await toast(admin, /^ツムギニュース、ツムギクーポンの.*を確定しました。$/)
    await admin.getByRole('link', { name: '支払通知書を見る' }).click()
    await admin.getByRole('heading', { name: '支払通知書', exact: true }).waitFor()
    await waitUntilStable(admin)
    const issued = admin.getByRole('row', { name: /確認待ち/ })
    await expect.poll(() => issued.count(), { timeout: PATIENCE_MS }).toBeGreaterThan(2)
  })

  it('a transfer batch is made for the due day, and its bank file adds up to what the screen says', async () => {
    await admin.evaluate(`location.hash = ${JSON.stringify(`#${BOARD}`)}`)
    const due = dayText(await firstDueDay(database, MONTH, BY_MOUSE))
    await admin.getByRole('link', { name: '振込へ', exact: true }).click()
    await admin.getByRole('button', { name: `${due}期日の振込データを作成` }).click()
    await admin.getByRole('button', { name: /^\d+件の振込データを作成する$/ }).click()
    await toast(admin, /^振込データ\d+（\d+件）を作成しました。/)
    await admin.getByRole('button', { name: '振込データを出力する' }).click()
    const saved = await savedBy(admin, () => admin.getByRole('button', { name: '出力する', exact: true }).click())
    await toast(admin, '振込データを出力しました。銀行に送信してください。')
    batchId = batchOf(admin)
    bankFile = saved.content
    await expectTied(database, admin, batchId, readBankFile(bankFile))
    expect(await statesOf(database, batchId)).toEqual(['exported'])
  })

  it('the bank’s answer makes its payments paid, and the journal ties', async () => {
    await letTransferDayCome(system, batchId)
    await admin.getByRole('link', { name: '一覧へ' }).click()
    await admin.getByRole('button', { name: '銀行の結果を取り込む' }).click()
    const dialog = admin.getByRole('dialog', { name: '銀行の結果を取り込む' })
    await dialog
      .locator('input[type=file]')
      .setInputFiles({ name: 'kekka.txt', mimeType: 'text/plain', buffer: answerOfBank(bankFile) })
    await dialog.getByRole('button', { name: /^\d+件の結果を登録する$/ }).click()
    await toast(admin, /^支払済み \d+件、組戻し 0件を登録しました。$/)
    expect(await statesOf(database, batchId)).toEqual(['paid'])
    const write = admin.getByRole('button', { name: '仕訳を書き出す' })
    const close = await savedBy(admin, () => write.click())
    await admin
      .getByRole('radio', { name: '支払・組戻し' })
      .or(admin.getByText('支払・組戻し', { exact: true }))
      .first()
      .click()
    await admin.getByRole('group', { name: '支払った月' }).getByRole('button', { name: '翌月' }).click()
    const settlement = await savedBy(admin, () => write.click())
    await expectJournalTied(database, MONTH, close.content, settlement.content, batchId)
  })

  it('the publisher is notified, opens the document and confirms it; staff see it', async () => {
    const publisher = await visit('insight:publisher_admin', '/reports/dashboard')
    await expect
      .poll(
        async () => {
          await publisher.reload()
          await publisher.getByRole('button', { name: /^お知らせ/ }).click()
          await publisher.getByRole('heading', { name: 'お知らせ', exact: true }).waitFor() // its code comes with it
          return publisher.getByText(`${MONTH_TEXT}分の支払通知書を発行しました`).count()
        },
        { timeout: PATIENCE_MS, interval: 1_000 },
      )
      .toBeGreaterThan(0)
    await publisher.evaluate(`location.hash = '#/histories/payments-for-publishers'`)
    await publisher
      .getByRole('link', { name: /^支払通知書：確認待ち/ })
      .first()
      .click()
    const dialog = publisher.getByRole('dialog', { name: /^支払通知書/ })
    const pdf = await savedBy(publisher, () => dialog.getByRole('button', { name: 'PDF' }).click())
    expect(pdf.content.subarray(0, 4).toString()).toBe('%PDF')
    const number = /\d{6}-\d{6}/.exec((await dialog.getByRole('heading').first().textContent()) ?? '')?.[0] ?? ''
    await dialog.getByRole('button', { name: '内容を確認した' }).click()
    await publisher.getByRole('alertdialog').getByRole('button', { name: '内容を確認した' }).click()
    await toast(publisher, `支払通知書 ${number} を確認済みにしました。`)
    await admin.evaluate(`location.hash = '#/histories/statements/q=${number}'`)
    const row = admin.getByRole('row', { name: new RegExp(number) })
    await row.getByText('確認済み').waitFor()
  })
})

describe('by keyboard alone', () => {
  const medium = 'まちかどポータル'
  let admin: Page
  let touches: () => Promise<number>
  let batchId: string

  /** Checks a screen on the way: it is stable, nothing overflows, and it is accessible. */
  async function look(page: Page): Promise<void> {
    await waitUntilStable(page)
    expect(await overflowsOf(page)).toEqual([])
    expect(await seriousFindings(page), page.url()).toEqual([])
  }

  async function signInByKeyboard(role: string, path: string): Promise<{ page: Page; pressed: () => Promise<number> }> {
    const { page } = await newPage()
    const pressed = await watchPointer(page)
    await page.goto(`${system.webOrigin}/gpc/#${path}`)
    await page.getByLabel('メールアドレス').waitFor()
    await tabTo(page, /^メールアドレス/)
    await page.keyboard.type(emailOf(role))
    await tabTo(page, /^パスワード$/)
    await page.keyboard.type(system.password)
    await page.keyboard.press('Enter')
    await page.waitForURL(url => url.pathname.startsWith('/gpc/'))
    await waitUntilStable(page)
    return { page, pressed }
  }

  it('a failed adjustment makes the month red; entered once more and computed it is green', async () => {
    const signedIn = await signInByKeyboard('insight:admin', BOARD)
    admin = signedIn.page
    touches = signedIn.pressed
    await look(admin)
    await pressOn(admin, /^調整を登録$/)
    await admin.getByRole('heading', { name: /^分配金調整の登録/ }).waitFor()
    await look(admin)
    await tabTo(admin, /^種類/)
    await chooseByArrows(admin, /^ライブSSP収益の分配$/)
    await tabTo(admin, /^媒体/)
    await chooseByArrows(admin, new RegExp(`^${medium}$`))
    await tabTo(admin, /^分配する金額/)
    await admin.keyboard.type('300')
    await tabTo(admin, /^CSV/)
    await admin.keyboard.type(await weightsOf(database, medium, false))
    await admin.keyboard.press('Control+Enter')
    await toast(admin, /^ライブSSP収益の分配を登録しました。/)
    await expect.poll(() => checksOf(admin, medium), { timeout: PATIENCE_MS }).toContain('要対応')
    await admin
      .getByRole('row', { name: new RegExp(`${medium} .*失敗`) })
      .first()
      .waitFor()
    await look(admin)
    await pressOn(admin, /^調整の一覧へ$/, new RegExp(`^${medium}の確認項目$`))
    await pressOn(admin, /^内容を直して登録し直す$/)
    await admin.getByRole('heading', { name: `分配金調整の登録（${MONTH_TEXT}分）` }).waitFor()
    await tabTo(admin, /^CSV/)
    await admin.keyboard.type(await weightsOf(database, medium, true))
    await admin.keyboard.press('Control+Enter')
    await admin
      .getByRole('row', { name: new RegExp(`${medium} .*失敗`) })
      .first()
      .getByText('対応済み')
      .waitFor()
    await pressOn(admin, /^計算する$/, new RegExp(medium))
    await toast(admin, `${medium}を計算しました。`)
    await waitUntilGreen(admin, medium)
  })

  it('the rest of the month is finalised; the focus goes on with what comes next', async () => {
    await pressOn(admin, new RegExp(`^${MONTH_TEXT}分を確定する$`))
    await admin.getByRole('dialog', { name: `${MONTH_TEXT}分を確定しますか？` }).waitFor()
    await look(admin)
    await pressOn(admin, new RegExp(`^${MONTH_TEXT}分を確定する$`), /確定しますか/)
    await toast(admin, new RegExp(`${medium}の.*を確定しました。$`))
    await expect
      .poll(async () => (await focusedOn(admin)).name, { timeout: PATIENCE_MS })
      .toMatch(/すべての媒体が確定済みです/)
    await look(admin)
  })

  it('a finalised payment explains itself: its parts add up, and the focus comes back', async () => {
    await pressOn(admin, /^支払 \d+件$/, new RegExp(`^${medium}$`))
    await admin.getByRole('heading', { name: '契約別の支払' }).waitFor()
    await waitUntilStable(admin)
    await look(admin)
    await pressOn(admin, /円の内訳$/)
    const panel = admin.getByRole('dialog', { name: '金額の内訳' })
    await panel.getByText('内訳の合計（上の金額と一致）').waitFor()
    expect(await panel.getByText('確定済み').count()).toBe(1)
    await look(admin)
    await admin.keyboard.press('Escape')
    await expect.poll(async () => (await focusedOn(admin)).name).toMatch(/円の内訳$/)
  })

  it('its transfers are made, sent, answered for and paid', async () => {
    const due = dayText(await firstDueDay(database, MONTH, [medium]))
    await goByPalette(admin, '振込')
    await admin.getByRole('heading', { name: '振込', exact: true }).waitFor()
    await look(admin)
    await pressOn(admin, new RegExp(`^${due}期日の振込データを作成$`))
    await admin.getByRole('button', { name: /^\d+件の振込データを作成する$/ }).waitFor()
    await look(admin)
    await pressOn(admin, /^\d+件の振込データを作成する$/)
    await toast(admin, /^振込データ\d+（\d+件）を作成しました。/)
    await look(admin)
    await pressOn(admin, /^振込データを出力する$/)
    await admin.getByRole('alertdialog').waitFor()
    await look(admin)
    const saved = await savedBy(admin, () => pressOn(admin, /^出力する$/))
    await toast(admin, '振込データを出力しました。銀行に送信してください。')
    batchId = batchOf(admin)
    await expectTied(database, admin, batchId, readBankFile(saved.content))
    const template = await savedBy(admin, () => pressOn(admin, /^結果の記入用CSV$/))
    await letTransferDayCome(system, batchId)
    await goByPalette(admin, '振込')
    await admin.getByRole('heading', { name: '振込', exact: true }).waitFor()
    await pressOn(admin, /^銀行の結果を取り込む$/)
    await admin.getByRole('dialog', { name: '銀行の結果を取り込む' }).waitFor()
    const chooser = admin.waitForEvent('filechooser')
    await look(admin)
    await tabTo(admin, /^結果のファイルを/)
    await admin.keyboard.press('Space')
    await (await chooser).setFiles({ name: 'kekka.csv', mimeType: 'text/csv', buffer: filledIn(template.content) })
    await admin.getByRole('button', { name: /^\d+件の結果を登録する$/ }).waitFor()
    await look(admin)
    await pressOn(admin, /^\d+件の結果を登録する$/)
    await toast(admin, /^支払済み \d+件、組戻し 0件を登録しました。$/)
    await expect.poll(async () => (await focusedOn(admin)).name).toMatch(/^銀行の結果を取り込む$/)
    expect(await statesOf(database, batchId)).toEqual(['paid'])
  })

  it('the publisher opens the document and confirms it; staff see it', async () => {
    const { page: publisher, pressed } = await signInByKeyboard(
      'insight:publisher_admin',
      '/histories/statements/state=issued',
    )
    await look(publisher)
    await pressOn(publisher, /^\d{6}-\d{6}(?!を選択)/)
    const dialog = publisher.getByRole('dialog', { name: /^支払通知書/ })
    await dialog.getByRole('button', { name: 'PDF' }).waitFor()
    await look(publisher)
    const number = /\d{6}-\d{6}/.exec((await dialog.getByRole('heading').first().textContent()) ?? '')?.[0] ?? ''
    const pdf = await savedBy(publisher, () => pressOn(publisher, /^PDF$/))
    expect(pdf.content.subarray(0, 4).toString()).toBe('%PDF')
    await pressOn(publisher, /^内容を確認した$/)
    await publisher.getByRole('alertdialog').waitFor()
    await look(publisher)
    await pressOn(publisher, /^内容を確認した$/, /確認しましたか/)
    await toast(publisher, `支払通知書 ${number} を確認済みにしました。`)
    await goByPalette(admin, '支払通知書')
    await admin.getByRole('heading', { name: '支払通知書', exact: true }).waitFor()
    await look(admin)
    await tabTo(admin, /支払通知書を検索|支払先・番号・契約/)
    await admin.keyboard.type(number)
    const row = admin.getByRole('row', { name: new RegExp(number) })
    await row.getByText('確認済み').waitFor()
    expect([await touches(), await pressed()], 'presses of a mouse').toEqual([0, 0])
  })
})
