import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { confirmWarnings } from './confirm-warnings.ts'
import { emailOf, launchBrowser, newVisitor, signIn, type Visitor } from './console-visitor.ts'
import { overflowsOf, seriousFindings, waitUntilStanding } from './crawl-probes.ts'
import { letterTo } from './outbox-letters.ts'
import { ownSystem } from './own-system.ts'

/** A publisher asks about a payment, staff answers, and the publisher reads the answer (features, idea 13). */
const system = await ownSystem()
const PATIENCE_MS = 60_000
const QUESTIONS = '/gpc/#/histories/questions'
let browser: Browser
const visitors: Visitor[] = []

beforeAll(async () => {
  await confirmWarnings(system)
  browser = await launchBrowser()
})
afterAll(async () => {
  await Promise.all(visitors.map(visitor => visitor.close()))
  await browser.close()
})

async function visit(role: string, path: string): Promise<Page> {
  const visitor = await newVisitor(browser)
  visitors.push(visitor)
  const { page } = visitor
  page.setDefaultTimeout(PATIENCE_MS)
  await signIn(page, system, role, path)
  await waitUntilStanding(page)
  return page
}

it('asked on a payment row, answered by staff with a note beside it, read by the publisher', async () => {
  const text = `この金額について教えてください（${Date.now()}）`
  const answer = `動画の再生が前の月より少なかったためです（${Date.now()}）`
  const note = `社内だけの覚え書き（${Date.now()}）`

  const publisher = await visit('insight:publisher_admin', '/gpc/#/histories/payments-for-publishers')
  await publisher
    .getByRole('link', { name: /^質問する/ })
    .first()
    .click()
  const asking = publisher.getByRole('dialog', { name: '質問する' })
  await asking.getByText(/円$/).waitFor()
  await asking.getByRole('textbox', { name: /質問の内容/ }).fill(text)
  expect(await seriousFindings(publisher)).toEqual([])
  await asking.getByRole('button', { name: '質問を送る' }).click()
  const ownThread = publisher.getByRole('dialog', { name: /支払額（税込）/ })
  await ownThread.getByText(text).waitFor()
  await ownThread.getByText('変わっていません').waitFor()
  expect(await letterTo(system.dataDir, emailOf('insight:editor'), text)).toContain('質問がありました')

  const editor = await visit('insight:editor', QUESTIONS)
  await editor.getByRole('link', { name: new RegExp(`未読.*${text.replace(/[（）]/g, '.')}`) }).click()
  const thread = editor.getByRole('dialog', { name: /支払額（税込）/ })
  await thread.getByRole('checkbox', { name: /社内メモにする/ }).check()
  await thread.getByRole('textbox', { name: '社内メモ' }).fill(note)
  await thread.getByRole('button', { name: '社内メモを残す' }).click()
  // Among the messages: it also stands in the field until it is sent.
  const said = thread.getByRole('list', { name: 'やり取り' })
  await said.getByText(note).waitFor()
  await thread.getByRole('checkbox', { name: /社内メモにする/ }).uncheck()
  await thread.getByRole('textbox', { name: '回答' }).fill(answer)
  expect(await seriousFindings(editor)).toEqual([])
  await thread.getByRole('button', { name: '回答を送る' }).click()
  await said.getByText(answer).waitFor()
  await thread.getByText('回答済み').first().waitFor()

  const letter = await letterTo(system.dataDir, emailOf('insight:publisher_admin'), answer)
  expect(letter).not.toContain(note)
  const link = /https?:\/\/\S+histories\/questions\S+/.exec(letter)?.[0] ?? ''
  await publisher.goto(link)
  await publisher.reload()
  const answered = publisher.getByRole('dialog', { name: /支払額（税込）/ })
  await answered.getByText(answer).waitFor()
  expect(await publisher.getByText(note).count()).toBe(0)
  expect(await publisher.getByText(emailOf('insight:editor')).count()).toBe(0)
  await publisher.setViewportSize({ width: 390, height: 900 })
  await waitUntilStanding(publisher)
  expect(await overflowsOf(publisher)).toEqual([])
  await answered.getByRole('button', { name: '解決にする' }).click()
  await answered.getByText('解決', { exact: true }).waitFor()
}, 180_000)
