import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { readStagingDocument } from '@pc/features/feeds/server/staging-document.ts'
import { importStaging } from '@pc/features/feeds/server/staging-store.ts'
import { openSafeFetch } from '@pc/platform/http/safe-fetch.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { startSystemUnderTest } from '@pc/testing/system/system-under-test.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ownSystem } from './own-system.ts'
import { pngOf } from './pictures.ts'
import { beginWalk, chooseByTyping, openScreen, type RecordWalk, toast } from './record-walk.ts'

/** Feeds from their site to the console: their picture, their preview, and what waits in staging. */
const system = await ownSystem()
const MARK = `検査${process.pid}`
let walk: RecordWalk

beforeAll(async () => {
  walk = await beginWalk(system)
})
afterAll(() => walk.close())

describe('a feed', () => {
  it('gets a picture: sniffed, re-encoded, shown; what is no picture is refused', async () => {
    const page = await walk.visit('insight:editor', '/managements/feeds')
    const link = page.getByRole('region', { name: 'フィードの一覧' }).getByRole('link').first()
    const name = (await link.textContent()) ?? ''
    await link.click()
    await page.getByRole('heading', { name: 'フィードの編集' }).waitFor()
    const input = page.locator('input[type=file]').first()
    const refused = page.waitForResponse(answer => answer.request().method() === 'PUT')
    await input.setInputFiles({ name: 'x.png', mimeType: 'image/png', buffer: Buffer.from('<svg onload=alert(1)>') })
    expect((await refused).status()).toBeGreaterThanOrEqual(400)
    await page.getByText(/画像の形式が選んだものと違います/).waitFor()
    const script = Buffer.concat([pngOf(300, 120), Buffer.from('<script>alert(1)</script>')])
    await input.setInputFiles({ name: 'x.png', mimeType: 'image/png', buffer: script })
    const picture = page.getByRole('img', { name: '現在のロゴ' })
    await picture.waitFor()
    await expect.poll(() => page.evaluate(`document.querySelector('img[alt="現在のロゴ"]').naturalWidth`)).toBe(300)
    const address = (await picture.getAttribute('src')) ?? ''
    const bytes = Buffer.from(await (await fetch(address)).arrayBuffer())
    expect(bytes.includes('script')).toBe(false)
    expect(bytes.length).toBeGreaterThan(50)
    await page.getByRole('button', { name: '変更を保存する' }).click()
    await toast(page, `フィード「${name.trim()}」を保存しました。`)
  })

  it('is previewed as it is really there; an address of the inside is not called', async () => {
    const site = http.createServer((_request, response) =>
      response.writeHead(200, { 'content-type': 'application/rss+xml' }).end(
        `<rss version="2.0"><channel><title>${MARK}新聞</title><link>https://news.example/</link><description>毎朝の記事</description>
          <item><title>朝の記事</title><link>https://news.example/1</link><pubDate>Fri, 20 Nov 2026 06:00:00 +0900</pubDate></item></channel></rss>`,
      ),
    )
    await new Promise<void>(resolve => site.listen(0, '127.0.0.1', resolve))
    const { port } = site.address() as AddressInfo
    // The same API in a second process, to which only this test's site counts as public.
    const api = await startSystemUnderTest(
      {},
      {
        safeFetch: openSafeFetch({
          resolve: async () => ['127.0.0.1'],
          isAllowedAddress: address => address === '127.0.0.1',
          allowedPorts: [port],
        }),
      },
    )
    const token = await api.tokenOf(api.rows.users['insight:editor'].email)
    const page = await walk.visit('insight:editor', '/managements/feeds/create')
    const address = page.getByRole('textbox', { name: 'フィードのURL' })
    await address.fill(`http://127.0.0.1:${port}/feed`)
    await page.getByRole('button', { name: '読み込んで確認' }).click()
    await page.getByRole('alert').waitFor()
    await page.route(`${system.insightOrigin}/query`, async route => {
      const { operationName, query, variables } = route.request().postDataJSON()
      if (!/^Feed(Preview|Validation)$/.test(operationName)) return route.continue()
      const { json } = await api.ask('insight', query, token, variables)
      const { origin = '*' } = route.request().headers()
      await route.fulfill({
        json,
        headers: { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' },
      })
    })
    await address.fill(`http://news.example:${port}/feed`)
    await page.getByRole('button', { name: '読み込んで確認' }).click()
    const preview = page.getByRole('region', { name: 'フィードの内容' })
    await preview.getByText('朝の記事', { exact: true }).waitFor()
    await preview.getByRole('button', { name: 'フォームに反映' }).click()
    await expect.poll(() => page.getByRole('textbox', { name: 'フィード名' }).inputValue()).toBe(`${MARK}新聞`)
    await page.getByRole('button', { name: '仕様に合うか検査' }).click()
    await page.getByRole('region', { name: '検査の結果' }).waitFor()
    // Leaving asks, because something is unsaved.
    await page
      .getByRole('navigation', { name: 'メインメニュー' })
      .getByRole('link', { name: '契約', exact: true })
      .click()
    const question = page.getByRole('alertdialog', { name: '保存していない変更があります' })
    await question.getByRole('button', { name: '入力に戻る' }).click()
    await expect.poll(() => page.getByRole('textbox', { name: 'フィード名' }).inputValue()).toBe(`${MARK}新聞`)
    await page.getByRole('button', { name: 'キャンセル' }).click()
    await question.getByRole('button', { name: '保存せずに移動する' }).click()
    await page.getByRole('heading', { name: 'フィード', exact: true, level: 1 }).waitFor()
    await api.close()
    site.close()
  })
})

describe('staging', () => {
  it('becomes a publisher with its rate, and a feed of it, once', async () => {
    const read = readStagingDocument({
      publishers: [{ id: `p-${process.pid}`, name: `${MARK}通信`, rules: [{ mediumId: '1', paymentRate: 4_500 }] }],
      feeds: [
        {
          id: `f-${process.pid}`,
          publisherId: `p-${process.pid}`,
          name: `${MARK}通信の本紙`,
          url: `https://staging.example/${process.pid}`,
          fields: { mediumId: '1', type: 'snf2' },
        },
      ],
    })
    if ('problems' in read) throw new Error(read.problems.join())
    await walk.database.inScope(SYSTEM, tx => importStaging(tx, read.document, 'staging.json'))
    const page = await walk.visit('insight:editor', '/managements/publishers')
    await page.getByRole('link', { name: '取り込み待ちから登録' }).click()
    await page.getByRole('searchbox', { name: '取り込み待ちのパブリッシャーを検索' }).fill(MARK)
    await page.getByRole('button', { name: `${MARK}通信から登録する` }).click()
    await chooseByTyping(page, /^組織/, '朝霧', /朝霧/)
    await chooseByTyping(page, /^契約/, '朝霧', /朝霧/)
    await page.getByRole('button', { name: 'パブリッシャーを登録する' }).click()
    await toast(page, `パブリッシャー「${MARK}通信」を登録しました。`)
    await openScreen(page, '/managements/feeds/create-from-staging')
    await page.getByRole('searchbox', { name: '取り込み待ちのフィードを検索' }).fill(MARK)
    await page.getByRole('button', { name: `${MARK}通信の本紙から登録する` }).click()
    await page.getByRole('button', { name: 'フィードを登録する' }).click()
    await toast(page, `フィード「${MARK}通信の本紙」を登録しました。`)
    await openScreen(page, '/managements/feeds/create-from-staging')
    await page.getByRole('searchbox', { name: '取り込み待ちのフィードを検索' }).fill(MARK)
    await page.getByText('条件に合う取り込み待ちのフィードがありません').waitFor()
  })
})
