import { afterAll, beforeAll, expect, it } from 'vitest'
import { confirmWarnings } from './confirm-warnings.ts'
import { emailOf } from './console-visitor.ts'
import { overflowsOf, seriousFindings, waitUntilStable } from './crawl-probes.ts'
import { emailTo } from './outbox-emails.ts'
import { ownSystem } from './own-system.ts'
import { beginWalk, type RecordWalk } from './record-walk.ts'

/** A publisher asks about a payment, staff answers, and the publisher reads the answer. */
const system = await ownSystem()
let walk: RecordWalk

beforeAll(async () => {
  await confirmWarnings(system)
  walk = await beginWalk(system)
})
afterAll(() => walk.close())

it('opened on a payment row, answered by staff with a note beside it, read by the publisher', async () => {
  const text = `この金額について教えてください（${Date.now()}）`
  const answer = `動画の再生が前の月より少なかったためです（${Date.now()}）`
  const note = `社内だけの覚え書き（${Date.now()}）`

  const publisher = await walk.visit('insight:publisher_admin', '/histories/payments-for-publishers')
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
  expect(await emailTo(system.dataDir, emailOf('insight:editor'), text)).toContain('質問がありました')

  const editor = await walk.visit('insight:editor', '/histories/questions')
  await editor.getByRole('link', { name: new RegExp(`未読.*${text.replace(/[（）]/g, '.')}`) }).click()
  const thread = editor.getByRole('dialog', { name: /支払額（税込）/ })
  await thread.getByRole('checkbox', { name: /社内メモにする/ }).check()
  await thread.getByRole('textbox', { name: '社内メモ' }).fill(note)
  await thread.getByRole('button', { name: '社内メモを残す' }).click()
  // Among the messages, because the text is also in the field until it is sent.
  const said = thread.getByRole('list', { name: 'やり取り' })
  await said.getByText(note).waitFor()
  await thread.getByRole('checkbox', { name: /社内メモにする/ }).uncheck()
  await thread.getByRole('textbox', { name: '回答' }).fill(answer)
  expect(await seriousFindings(editor)).toEqual([])
  await thread.getByRole('button', { name: '回答を送る' }).click()
  await said.getByText(answer).waitFor()
  await thread.getByText('回答済み').first().waitFor()

  const message = await emailTo(system.dataDir, emailOf('insight:publisher_admin'), answer)
  expect(message).not.toContain(note)
  const link = /https?:\/\/\S+histories\/questions\S+/.exec(message)?.[0] ?? ''
  await publisher.goto(link)
  await publisher.reload()
  const answered = publisher.getByRole('dialog', { name: /支払額（税込）/ })
  await answered.getByText(answer).waitFor()
  expect(await publisher.getByText(note).count()).toBe(0)
  expect(await publisher.getByText(emailOf('insight:editor')).count()).toBe(0)
  await publisher.setViewportSize({ width: 390, height: 900 })
  await waitUntilStable(publisher)
  expect(await overflowsOf(publisher)).toEqual([])
  await answered.getByRole('button', { name: '解決にする' }).click()
  await answered.getByText('解決', { exact: true }).waitFor()
}, 180_000)
