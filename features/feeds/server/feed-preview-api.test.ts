import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { openSafeFetch } from '@pc/platform/http/safe-fetch.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { apiFixture } from '@pc/testing/system/api-fixture.ts'
import { afterAll, describe, expect, test } from 'vitest'

const site = http.createServer((request, response) => answerSite(request, response))
let siteUrl = ''
const fixture = apiFixture(async () => {
  await new Promise<void>(resolve => site.listen(0, '127.0.0.1', resolve))
  const { port } = site.address() as AddressInfo
  siteUrl = `http://news.example:${port}`
  // The name leads to the test's own site, as a public one would; everything else is refused as ever.
  const safeFetch = openSafeFetch({
    resolve: async host => (host === 'news.example' ? ['127.0.0.1'] : ['10.0.0.1']),
    isAllowedAddress: address => address === '127.0.0.1',
    allowedPorts: [port],
  })
  return { safeFetch }
})
const { ask, refusals } = fixture

afterAll(() => void site.close())

function answerSite(request: http.IncomingMessage, response: http.ServerResponse): void {
  const feed = `<rss version="2.0"><channel><title>あさひ&lt;script&gt;</title><link>https://asahi.example/</link>
    <description>説明</description><image><url>javascript:alert(1)</url></image><item><title>一</title></item></channel></rss>`
  if (request.url === '/feed') response.writeHead(200, { 'content-type': 'application/rss+xml' }).end(feed)
  else if (request.url === '/broken') response.end('<rss>\n<channel>\n</rss>')
  else if (request.url === '/inner') response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
  else response.writeHead(404).end()
}

describe('rss, validateFeed, imageUploadUrl', () => {
  const RSS =
    'query R($url: String!) { rss(rssUrl: $url) { name description siteUrl logoUrl wideLogoUrl format itemCount items { title } } }'
  test('a real fetch, plain text only', async () => {
    const { rss } = await ask<{ rss: object }>('insight:editor', RSS, { url: `${siteUrl}/feed` })
    expect(rss).toEqual({
      name: 'あさひ',
      description: '説明',
      siteUrl: 'https://asahi.example/',
      logoUrl: '',
      wideLogoUrl: '',
      format: 'rss',
      itemCount: 1,
      items: [{ title: '一' }],
    })
  })
  test('what cannot be fetched or read is refused at its argument', async () => {
    const codes: Record<string, string> = {}
    for (const url of [
      `${siteUrl}/broken`,
      `${siteUrl}/missing`,
      `${siteUrl}/inner`,
      'http://inner.example:80/',
      'http://127.0.0.1/',
      'file:///etc/passwd',
      'javascript:alert(1)',
      '',
    ])
      codes[url.replace(siteUrl, '')] = (await refusals('insight:editor', RSS, { url })).join()
    expect(codes).toEqual({
      '/broken': 'feed/unreadable rssUrl',
      '/missing': 'feed/http-status rssUrl',
      '/inner': 'feed/url-not-allowed rssUrl',
      'http://inner.example:80/': 'feed/url-not-allowed rssUrl',
      'http://127.0.0.1/': 'feed/url-not-allowed rssUrl',
      'file:///etc/passwd': 'feed/url-not-allowed rssUrl',
      'javascript:alert(1)': 'feed/url-not-allowed rssUrl',
      '': 'feed/url-not-allowed rssUrl',
    })
    for (const role of ['insight:viewer', 'insight:publisher_admin'] as const)
      expect(await refusals(role, RSS, { url: `${siteUrl}/feed` })).toEqual(['FORBIDDEN'])
  })
  test('the validator answers findings by line in Japanese', async () => {
    const query =
      'query V($url: String!) { validateFeed(url: $url, type: gnf1) { isUsable feed { name } findings { severity line code message } } }'
    type Answer = {
      validateFeed: { isUsable: boolean; feed: unknown; findings: { line: number; code: string; message: string }[] }
    }
    const broken = (await ask<Answer>('insight:editor', query, { url: `${siteUrl}/broken` })).validateFeed
    expect(broken).toMatchObject({
      isUsable: false,
      feed: null,
      findings: [
        {
          severity: 'error',
          line: 3,
          code: 'tag-mismatch',
          message: '<channel>（2行目）が </rss> で閉じられています。',
        },
      ],
    })
    // Whose feed it is has the registered one checked, and no other address.
    const { rows, dependencies } = fixture.system
    const [feedId = 0n] = rows.a.feedIds
    await dependencies.database.inScope(SYSTEM, tx =>
      tx
        .updateTable('feeds')
        .set({ url: `${siteUrl}/broken` })
        .where('id', '=', feedId)
        .execute(),
    )
    const own = 'query O($id: ID!) { feedValidation(id: $id) { isUsable findings { line message } } }'
    for (const role of ['insight:viewer', 'insight:publisher_admin', 'insight:publisher_editor'] as const)
      expect(await ask(role, own, { id: String(feedId) }), role).toEqual({
        feedValidation: {
          isUsable: false,
          findings: [{ line: 3, message: '<channel>（2行目）が </rss> で閉じられています。' }],
        },
      })
    expect(await ask('ofB', own, { id: String(feedId) })).toEqual({ feedValidation: null })
    const usable = (await ask<Answer>('insight:editor', query, { url: `${siteUrl}/feed` })).validateFeed
    expect(usable.isUsable).toBe(true)
    expect(usable.findings.map(finding => finding.code)).toEqual([
      'item-without-link',
      'item-without-date',
      'item-without-body',
    ])
  })
  test('a picture goes through the web listener', async () => {
    const query =
      'query I($type: String!, $size: Int) { imageUploadUrl(mimeType: $type, sizeBytes: $size) { uploadUrl imageUrl } }'
    const { imageUploadUrl } = await ask<{ imageUploadUrl: { uploadUrl: string; imageUrl: string } }>(
      'insight:editor',
      query,
      { type: 'image/png' },
    )
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    const here = (url: string) => `${fixture.system.origins.web}${new URL(url).pathname}${new URL(url).search}`
    const sent = await fetch(here(imageUploadUrl.uploadUrl), {
      method: 'PUT',
      body: png,
      headers: { 'content-type': 'image/png' },
    })
    expect(sent.status).toBe(201)
    const shown = await fetch(here(imageUploadUrl.imageUrl))
    expect([shown.status, shown.headers.get('content-security-policy')]).toEqual([
      200,
      "default-src 'none'; frame-ancestors 'none'; sandbox",
    ])
    for (const type of ['image/svg+xml', 'text/html', 'image/gif', 'IMAGE/PNG', 'image/png; x=y', ''])
      expect(await refusals('insight:editor', query, { type })).toEqual(['image/type-not-allowed mimeType'])
    for (const size of [0, -1, 6_000_000])
      expect(await refusals('insight:editor', query, { type: 'image/png', size })).toEqual([
        'image/size-out-of-range sizeBytes',
      ])
    expect(await refusals('insight:publisher_admin', query, { type: 'image/png' })).toEqual(['FORBIDDEN'])
  })
})
