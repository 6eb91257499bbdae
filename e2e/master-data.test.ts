import { day } from '@pc/domain/month/day.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emailOf } from './console-visitor.ts'
import { emailTo } from './outbox-emails.ts'
import { ownSystem } from './own-system.ts'
import { type AskInsight, askingAs } from './query-insight.ts'
import { beginWalk, chooseByTyping, openScreen, type RecordWalk, toast } from './record-walk.ts'

/** What people of both sides do with master data, from the first click to what others see of it. */
const system = await ownSystem()
const MARK = `検査${process.pid}`
let walk: RecordWalk
let ask: AskInsight

beforeAll(async () => {
  walk = await beginWalk(system)
  ask = await askingAs(system, emailOf('insight:admin'))
})
afterAll(() => walk.close())

describe('a bank account', () => {
  const number = String(process.pid % 10_000_000).padStart(7, '9')
  let publisher: Page
  let admin: Page
  let agreementId: string

  it('is requested by a publisher, by keyboard alone', async () => {
    publisher = await walk.visit('insight:publisher_admin', '/bank-accounts/create')
    await chooseByTyping(publisher, /^銀行/, 'みずほ', /^みずほ/)
    await chooseByTyping(publisher, /^支店/, 'ほんてん', /^本店/)
    await publisher.getByRole('textbox', { name: /^口座番号/ }).focus()
    await publisher.keyboard.type(number)
    await publisher.keyboard.press('Tab')
    await publisher.keyboard.type('かぶしきがいしゃ あさぎり')
    await publisher.keyboard.press('Control+Enter')
    await toast(publisher, /口座を申請しました/)
    const row = publisher.getByRole('row', { name: new RegExp(`\\*{4}${number.slice(-3)}.*承認待ち`) })
    await row.getByText('承認待ち').waitFor()
    expect(await row.getByText('ｶ)ｱｻｷﾞﾘ').count()).toBe(1)
    expect(await publisher.getByText(number).count(), 'the number is masked').toBe(0)
    expect(await emailTo(system.dataDir, emailOf('insight:admin'), `****${number.slice(-3)}`)).toContain('申請')
  })

  it('is approved by another person; both sides are notified when it can be used', async () => {
    admin = await walk.visit('insight:admin', '/bank-accounts/state=requested')
    await admin.getByRole('button', { name: new RegExp(`${number}を承認する`) }).click()
    await admin.getByRole('alertdialog').getByRole('button', { name: '口座を承認する' }).click()
    await toast(admin, /^口座を承認しました。\d+年\d+月\d+日から契約に設定できます。$/)
    const message = await emailTo(system.dataDir, emailOf('insight:publisher_admin'), '承認から3日間は利用できません')
    expect(message).toMatch(/\d+年\d+月\d+日から契約に設定できます/)
  })

  it('cannot be taken by an agreement before that day, and is used from its month afterwards', async () => {
    const own = await (await askingAs(system, emailOf('insight:publisher_admin')))<{
      agreements: { nodes: { id: string }[] }
    }>('{ agreements(limit: 1, offset: 0) { nodes { id } } }')
    agreementId = own.data?.agreements.nodes[0]?.id ?? ''
    await openScreen(admin, `/managements/agreements/edit/${agreementId}`)
    const before = await admin.getByRole('combobox', { name: /^口座/ }).count()
    await admin.getByRole('button', { name: '口座を追加' }).click()
    const account = admin.getByRole('combobox', { name: /^口座（2件目）/ })
    expect(before).toBe(1)
    const option = account.locator('option', { hasText: number })
    await option.waitFor({ state: 'attached' })
    expect(await option.textContent()).toMatch(/から設定可）$/)
    await account.selectOption({ label: (await option.textContent()) ?? '' })
    // Not final, and within the months ahead.
    const openMonth = `${new Date().getFullYear() + 1}12`
    await admin.getByRole('textbox', { name: /^利用開始月（2件目）/ }).fill(openMonth)
    await confirmLaw(admin)
    await admin.getByRole('button', { name: '変更を保存する' }).click()
    await admin
      .getByRole('alert')
      .getByText(/承認されたばかりの口座です/)
      .waitFor()
    // Three days later.
    await walk.database.inScope(SYSTEM, tx =>
      tx
        .updateTable('bankAccounts')
        .set({ usableFrom: day('2026-01-01') })
        .where('number', '=', number)
        .execute(),
    )
    await admin.getByRole('button', { name: '変更を保存する' }).click()
    await toast(admin, /^契約「.*」を保存しました。/)
    const shown = await ask<{
      agreement: { agreementBankAccounts: { usedFromMonth: number; bankAccount: { number: string } }[] }
    }>(`{ agreement(id: "${agreementId}") { agreementBankAccounts { usedFromMonth bankAccount { number } } } }`)
    const used = shown.data?.agreement.agreementBankAccounts.find(one => one.bankAccount.number === number)
    expect(String(used?.usedFromMonth)).toBe(openMonth)
  })
})

async function confirmLaw(page: Page): Promise<void> {
  const boxes = page.getByRole('checkbox', { name: '内容を確認しました' })
  for (let index = 0; index < (await boxes.count()); index += 1) await boxes.nth(index).check()
}

describe('an agreement', () => {
  it('is checked against the law; a double submission makes one', async () => {
    const page = await walk.visit('insight:editor', '/managements/agreements/create')
    const name = `${MARK}契約`
    await chooseByTyping(page, /^組織/, '朝霧', /朝霧/)
    await page.getByRole('combobox', { name: /^媒体/ }).selectOption({ index: 1 })
    await page.getByRole('textbox', { name: /^契約名/ }).fill(name)
    await page.getByRole('textbox', { name: /^契約コード/ }).fill(`E-${process.pid}`)
    await page.getByRole('group', { name: '支払先の区分' }).getByRole('radio', { name: '法人' }).check({ force: true })
    await page
      .getByRole('group', { name: '居住地' })
      .getByRole('radio', { name: '居住者・内国法人（国内）', exact: true })
      .check({ force: true })
    await page
      .getByRole('group', { name: '取適法の対象か' })
      .getByRole('radio', { name: '対象', exact: true })
      .check({ force: true })
    await page
      .getByRole('group', { name: '振込手数料の負担' })
      .getByRole('radio', { name: /パブリッシャー/ })
      .check({ force: true })
    await page.getByText('保存できません', { exact: true }).waitFor()
    await page.getByRole('button', { name: '契約を登録する' }).click()
    await page
      .getByRole('alert')
      .getByText(/手数料の負担を当社に変更してください/)
      .first()
      .waitFor()
    await page
      .getByRole('group', { name: '振込手数料の負担' })
      .getByRole('radio', { name: /当社/ })
      .check({ force: true })
    await confirmLaw(page)
    await page.getByRole('button', { name: '契約を登録する' }).dblclick()
    await toast(page, `契約「${name}」を登録しました。`)
    const found = await ask<{ agreements: { total: number } }>(
      `{ agreements(limit: 1, offset: 0, q: "${name}") { total } }`,
    )
    expect(found.data?.agreements.total).toBe(1)
  })
})

describe('two people at one record', () => {
  it('the second is shown the difference, and nothing is overwritten', async () => {
    const found = await ask<{
      publishers: { nodes: { id: string; name: string; notes: string | null; kana: string }[] }
    }>('{ publishers(limit: 1, offset: 0, orderBy: ID_ASC) { nodes { id name kana notes } } }')
    const publisher = found.data!.publishers.nodes[0]!
    const address = `/managements/publishers/edit/${publisher.id}`
    const first = await walk.visit('insight:admin', address)
    const second = await walk.visit('insight:editor', address)
    await first.getByRole('textbox', { name: '備考' }).fill(`${MARK} 先の備考`)
    await second.getByRole('textbox', { name: '備考' }).fill(`${MARK} 後の備考`)
    await second.getByRole('textbox', { name: 'よみがな' }).fill('あさぎりけんさ')
    await first.keyboard.press('Control+Enter')
    await toast(first, `パブリッシャー「${publisher.name}」を保存しました。`)
    await second.getByRole('button', { name: '変更を保存する' }).click()
    const dialog = second.getByRole('alertdialog', { name: 'ほかの方が先に変更しました' })
    await dialog.getByText('同じ項目を変更しています：備考').waitFor()
    expect(await dialog.getByRole('row', { name: /^備考/ }).textContent()).toContain(`${MARK} 先の備考${MARK} 後の備考`)
    const now = await ask<{ publisher: { notes: string } }>(`{ publisher(id: "${publisher.id}") { notes } }`)
    expect(now.data?.publisher.notes).toBe(`${MARK} 先の備考`)
    await dialog.getByRole('button', { name: '最新の内容に自分の変更を重ねる' }).click()
    await second.getByRole('button', { name: '変更を保存する' }).click()
    await toast(second, `パブリッシャー「${publisher.name}」を保存しました。`)
    await openScreen(second, address)
    const history = second.getByRole('region', { name: /変更履歴/ })
    await history.getByText(`${MARK} 後の備考`).first().waitFor()
    expect(await history.getByText(`${MARK} 先の備考`).count()).toBeGreaterThan(0)
  })
})

describe('an announcement', () => {
  it('stands before those whom it addresses until they confirm it; staff sees who has', async () => {
    const title = `${MARK}の大切なお知らせ`
    const editor = await walk.visit('insight:editor', '/announcements/create')
    await editor.getByRole('textbox', { name: /^タイトル/ }).fill(title)
    await editor.getByRole('textbox', { name: '本文' }).click()
    await editor.keyboard.type('口座の確認をお願いします。')
    await editor.getByRole('radio', { name: /重要/ }).check({ force: true })
    await editor.getByRole('textbox', { name: '確認ボタンの文字' }).fill('承知しました')
    await editor.getByRole('textbox', { name: '掲載開始', exact: true }).fill('2026/01/01')
    await editor.getByRole('textbox', { name: '掲載開始の時刻' }).fill('0:00')
    await editor.getByRole('radio', { name: '宛先を選ぶ' }).check({ force: true })
    await editor.getByRole('button', { name: '組織を追加' }).click()
    await chooseByTyping(editor, /^組織（1）/, '朝霧', /朝霧/)
    await editor.getByRole('button', { name: 'お知らせを登録する' }).click()
    await toast(editor, `お知らせ「${title}」を保存しました。`)

    const publisher = await walk.visit('insight:publisher_admin', '/managements/publishers')
    const popup = publisher.getByRole('alertdialog', { name: title })
    await popup.getByText('口座の確認をお願いします。').waitFor()
    await publisher.keyboard.press('Escape')
    expect(await popup.isVisible(), 'it is confirmed, not closed').toBe(true)
    await popup.getByRole('button', { name: '承知しました' }).click()
    await popup.waitFor({ state: 'detached' })
    await publisher.reload()
    await publisher.getByRole('heading', { name: 'パブリッシャー', exact: true }).waitFor()
    expect(await popup.count()).toBe(0)

    await editor.getByRole('link', { name: title }).click()
    const readers = editor.getByRole('table', { name: '閲覧状況' })
    await readers
      .getByRole('row', { name: /publisher_admin/ })
      .getByText(/年.*月.*日/)
      .waitFor()
    await readers
      .getByRole('row', { name: /insight\.publisher_editor/ })
      .getByText('未読')
      .waitFor()
    await editor.getByRole('link', { name: '編集する' }).click()
    await expect.poll(() => editor.getByRole('combobox', { name: /^組織（1）/ }).inputValue()).toMatch(/朝霧/)
  })
})

describe('an article', () => {
  it('is removed with a reason, and put back', async () => {
    const page = await walk.visit('insight:editor', '/managements/articles')
    const first = page.getByRole('button', { name: /^「.*」を削除$/ }).first()
    const label = (await first.getAttribute('aria-label')) ?? ''
    await first.click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: '記事を削除する' }).click()
    await dialog.getByText('削除の理由を入力してください。').waitFor()
    await dialog.getByRole('textbox').fill(`${MARK} 権利者の申し出`)
    await dialog.getByRole('button', { name: '記事を削除する' }).click()
    await toast(page, '記事を削除しました。')
    await page.getByRole('button', { name: label, exact: true }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: '取り消す' }).click()
    await toast(page, '削除を取り消しました。')
    await page.getByRole('button', { name: label, exact: true }).waitFor()
    await page.getByRole('radio', { name: '削除の記録' }).check({ force: true })
    await page
      .getByRole('row', { name: new RegExp(`${MARK} 権利者の申し出`) })
      .getByText('取り消し済み')
      .waitFor()
  })
})
