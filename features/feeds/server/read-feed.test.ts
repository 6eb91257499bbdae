import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { feedFindingJa } from '@pc/domain/feed/feed-finding.ts'
import { plainText } from '@pc/platform/html/safe-html.ts'
import { cpuMs } from '@pc/testing/processor-time.ts'
import { sharedDataFile } from '@pc/testing/shared-data.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkFeedContent } from './check-feed-content.ts'
import { readFeedDate } from './feed-date.ts'
import { readFeed } from './read-feed.ts'

const read = (text: string | Uint8Array, contentType = '') =>
  readFeed(typeof text === 'string' ? Buffer.from(text) : text, contentType, 'https://news.example/feed.xml')

describe('dialects', () => {
  test('RSS 2.0 with media extensions', () => {
    const { feed } =
      read(`<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/" xmlns:gnf="http://assets.media-platform.com/gnf">
      <channel><title>あさひ通信</title><link>https://news.example/</link><description>毎日の&lt;b&gt;ニュース&lt;/b&gt;</description>
      <image><url>/logo.png</url></image><gnf:wide_image_link>https://news.example/wide.png</gnf:wide_image_link>
      <item><title>一番</title><link>https://news.example/1?a=1&amp;b=2</link><guid isPermaLink="false">g1</guid>
        <pubDate>Fri, 20 Nov 2026 09:00:00 +0900</pubDate><media:thumbnail url="https://img.example/1.jpg"/></item></channel></rss>`)
    expect(feed).toEqual({
      format: 'rss',
      encoding: 'utf-8',
      name: 'あさひ通信',
      description: '毎日のニュース',
      siteUrl: 'https://news.example/',
      logoUrl: 'https://news.example/logo.png',
      wideLogoUrl: 'https://news.example/wide.png',
      items: [
        {
          guid: 'g1',
          title: '一番',
          url: 'https://news.example/1?a=1&b=2',
          publishedAt: new Date('2026-11-20T00:00:00Z'),
          thumbnailUrl: 'https://img.example/1.jpg',
        },
      ],
    })
  })

  test('RSS 0.91, 1.0 and Atom', () => {
    const old = read(
      '<!DOCTYPE rss PUBLIC "-//N//DTD RSS 0.91//EN" "http://n/rss.dtd"><rss version="0.91"><channel><title>古い</title><link>http://a.example/</link><item><title>x</title><link>http://a.example/x</link></item></channel></rss>',
    )
    expect(old.feed).toMatchObject({ format: 'rss', name: '古い', siteUrl: 'http://a.example/' })
    const rdf = read(
      '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="http://b.example/rss"><title>RDF</title><link>http://b.example/</link><description>d</description></channel><item rdf:about="http://b.example/1"><title>一</title><link>http://b.example/1</link><dc:date>2026-11-20T09:00:00+09:00</dc:date></item></rdf:RDF>',
    )
    expect(rdf.feed).toMatchObject({
      format: 'rdf',
      name: 'RDF',
      items: [{ title: '一', publishedAt: new Date('2026-11-20T00:00:00Z') }],
    })
    const atom = read(
      '<feed xmlns="http://www.w3.org/2005/Atom"><title type="html">&lt;i&gt;原子&lt;/i&gt;</title><subtitle>副題</subtitle><link rel="self" href="/atom"/><link href="https://c.example/"/><logo>https://c.example/l.png</logo><entry><id>urn:1</id><title>e</title><link href="/1"/><published>2026-11-19T15:00:00Z</published></entry></feed>',
    )
    expect(atom.feed).toMatchObject({
      format: 'atom',
      name: '原子',
      description: '副題',
      siteUrl: 'https://c.example/',
      logoUrl: 'https://c.example/l.png',
      items: [{ guid: 'urn:1', url: 'https://news.example/1' }],
    })
  })

  test('dates as Japanese sites write them', () => {
    const at = '2026-11-20T00:00:00.000Z'
    for (const text of [
      'Fri, 20 Nov 2026 09:00:00 +0900',
      'Fri, 20 Nov 2026 09:00:00 JST',
      '2026-11-20T09:00:00+09:00',
      '2026-11-20 09:00:00',
      '2026-11-20T09:00:00',
      '20 Nov 2026 00:00:00 GMT',
    ])
      expect(readFeedDate(text)?.toISOString(), text).toBe(at)
    for (const text of ['', '昨日', '0000-00-00', '2026-13-45', '9999999'])
      expect(readFeedDate(text), text).toBeUndefined()
  })
})

describe('encodings', () => {
  const feed = (encoding: string) =>
    `<?xml version="1.0" encoding="${encoding}"?><rss version="2.0"><channel><title>日本の新聞</title></channel></rss>`
  /** Bytes as a Japanese site of old would send them. */
  const eucJp = Buffer.from(
    feed('EUC-JP').replace('日本の新聞', '\u00c6\u00fc\u00cb\u00dc\u00a4\u00ce\u00bf\u00b7\u00ca\u00b9'),
    'latin1',
  )
  const shiftJis = Buffer.from(
    feed('Shift_JIS').replace('日本の新聞', '\u0093\u00fa\u0096\u007b\u0082\u00cc\u0090\u0056\u0095\u00b7'),
    'latin1',
  )
  const utf16 = (mark: boolean, big: boolean) => {
    const bytes = Buffer.from((mark ? '\u{feff}' : '') + feed('utf-16'), 'utf16le')
    return big ? bytes.swap16() : bytes
  }

  test.each([
    ['EUC-JP by declaration', eucJp, '', 'euc-jp'],
    ['Shift_JIS by declaration', shiftJis, '', 'shift_jis'],
    [
      'EUC-JP by HTTP',
      Buffer.from(eucJp.toString('latin1').replace(/ encoding="[^"]*"/, ''), 'latin1'),
      'text/xml; charset=x-euc-jp',
      'euc-jp',
    ],
    ['HTTP outranks the declaration', shiftJis, 'application/xml; charset="cp932"', 'shift_jis'],
    ['a wrong HTTP charset does not break it', eucJp, 'text/xml; charset=utf-8', 'euc-jp'],
    ['UTF-16, little, with mark', utf16(true, false), 'text/xml; charset=iso-8859-1', 'utf-16le'],
    ['UTF-16, big, with mark', utf16(true, true), '', 'utf-16be'],
    ['UTF-16, little, without mark', utf16(false, false), '', 'utf-16le'],
    ['UTF-16, big, without mark', utf16(false, true), '', 'utf-16be'],
    ['UTF-8 with mark', Buffer.from(`\u{feff}${feed('Shift_JIS')}`), '', 'utf-8'],
    ['UTF-8 declared as something else', Buffer.from(feed('us-ascii')), '', 'utf-8'],
    ['an encoding that nobody knows', Buffer.from(feed('x-bogus')), '', 'utf-8'],
  ])('%s', (_name, bytes, contentType, encoding) => {
    const reading = read(bytes, contentType)
    expect(reading.feed).toMatchObject({ name: '日本の新聞', encoding })
  })

  test('what fits no encoding is replaced, and said', () => {
    const { feed: found, findings } = read(
      Buffer.concat([
        Buffer.from('<rss version="2.0"><channel><title>a'),
        Buffer.from([0xff, 0xfe, 0xff]),
        Buffer.from('b</title></channel></rss>'),
      ]),
    )
    expect(found?.name).toContain('\u{fffd}')
    expect(findings).toContainEqual({
      severity: 'warning',
      line: 1,
      code: 'text-replaced',
      data: { encoding: 'utf-8' },
    })
  })
})

describe('hostile feeds become plain text', () => {
  test('titles and addresses', () => {
    const { feed } = read(`<rss version="2.0"><channel>
      <title><![CDATA[<script>alert(1)</script><img src=x onerror=alert(1)>新聞\u{202e}gnp]]></title>
      <link>javascript:alert(1)</link><image><url>data:text/html,x</url></image>
      <description>&lt;svg onload=alert(1)&gt;x&lt;/svg&gt;説明</description>
      <item><title>&lt;iframe src=//evil&gt;&lt;/iframe&gt;</title><link>file:///etc/passwd</link><enclosure url="vbscript:x" type="image/png"/></item>
      </channel></rss>`)
    expect(feed).toMatchObject({ name: '新聞gnp', siteUrl: '', logoUrl: '', wideLogoUrl: '', description: '説明' })
    expect(feed?.items[0]).toMatchObject({ title: '', url: '', thumbnailUrl: '' })
  })
  test('bombs and external entities are refused', () => {
    const laughs = `<!DOCTYPE l [<!ENTITY a "aaaaaaaaaa">${[...'bcdefghij'].map((name, index) => `<!ENTITY ${name} "${`&${'abcdefghi'[index]};`.repeat(10)}">`).join('')}]><rss version="2.0"><channel><title>&j;</title></channel></rss>`
    const outside =
      '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><rss version="2.0"><channel><title>&x;</title></channel></rss>'
    for (const text of [laughs, outside]) {
      const { feed, findings } = read(text)
      expect(feed).toBeUndefined()
      expect(findings.map(finding => finding.code)).toContain('entity-declared')
    }
  })
  test('a megabyte of trouble ends in time', () => {
    const inside = (text: string) => `<rss version="2.0"><channel><title>t</title>${text}</channel></rss>`
    const items = inside('<item><title>x</title></item>'.repeat(30_000).slice(0, 29 * 12_000))
    const hostile = [
      items,
      inside('<a>'.repeat(190) + '</a>'.repeat(190)),
      inside(`<item><title>${'&lt;b&gt;'.repeat(100_000)}</title></item>`),
      inside(`<title>${'<![CDATA[x]]>'.repeat(70_000)}</title>`),
      inside('<item><media:content/></item>'.repeat(20_000)),
      inside(`<item a="${'x'.repeat(900_000)}"/>`),
    ]
    for (const text of hostile) {
      const started = process.cpuUsage()
      read(text)
      expect(cpuMs(started)).toBeLessThan(3_000)
    }
  })
})

describe('the validator', () => {
  test('names every fault with its line', () => {
    const reading = read(`<rss version="2.0">
<channel>
<item><title>a</title><link>https://x.example/1</link><guid>1</guid><pubDate>Fri, 20 Nov 2026 09:00:00 +0900</pubDate></item>
<item><link>ftp://x.example/2</link><guid>1</guid>
<pubDate>きのう</pubDate></item>
<item><title>c</title></item>
</channel></rss>`)
    const said = checkFeedContent(reading, 'gnf1').map(finding => `${finding.line} ${finding.code}`)
    expect(said).toEqual([
      '2 no-title',
      '3 item-without-body',
      '4 item-without-title',
      '4 item-link-not-web',
      '4 item-id-twice',
      '4 item-without-body',
      '5 item-date-unreadable',
      '6 item-without-link',
      '6 item-without-date',
      '6 item-without-body',
    ])
    expect(checkFeedContent(reading, 'gnf1atom')[0]).toMatchObject({ severity: 'error', code: 'format-not-of-type' })
  })
})

const archive = sharedDataFile('feeds', 'feeds_corpus.tar.gz')
describe.skipIf(!archive)('the corpus of real and difficult feeds', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pc-feeds-'))
  beforeAll(() => {
    execFileSync('tar', ['xzf', archive ?? '', '-C', folder])
  })
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

  test('every feed is read or refused with a reason; titles are what others read', () => {
    const counts = { files: 0, read: 0, titles: 0, equal: 0, slowestMs: 0 }
    const refusals: Record<string, number> = {}
    const files = fs
      .readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile() && !/LICENSE/.test(entry.name) && !isExpectation(entry.parentPath, entry.name))
      .map(entry => path.join(entry.parentPath, entry.name))
    for (const file of files) {
      const bytes = fs.readFileSync(file)
      const header = /Header:\s*Content-type:\s*(.*)/i.exec(bytes.subarray(0, 3_000).toString('latin1'))?.[1]?.trim()
      const started = process.cpuUsage()
      const reading = readFeed(bytes, header ?? '', 'http://example.com/feed.xml')
      checkFeedContent(reading, undefined).forEach(finding => {
        expect(feedFindingJa(finding)).not.toContain('undefined')
      })
      counts.slowestMs = Math.max(counts.slowestMs, Math.round(cpuMs(started)))
      counts.files += 1
      if (reading.feed) counts.read += 1
      else {
        const reason = reading.findings.find(finding => finding.severity === 'error')
        expect(reason, file).toBeDefined()
        refusals[reason?.code ?? ''] = (refusals[reason?.code ?? ''] ?? 0) + 1
      }
      const expected = expectedTitle(file, bytes)
      if (expected === undefined) continue
      counts.titles += 1
      if (reading.feed?.name === plainText(expected, 200)) counts.equal += 1
    }
    console.warn(`feed corpus: ${JSON.stringify(counts)}, refused: ${JSON.stringify(refusals)}`)
    expect(counts.files).toBe(2_753)
    expect(counts.read / counts.files).toBeGreaterThan(0.97)
    // Refused feeds count as wrong titles here.
    expect(counts.equal / counts.titles).toBeGreaterThanOrEqual(0.95)
    expect(counts.slowestMs).toBeLessThan(3_000)
  })

  function isExpectation(parent: string, name: string): boolean {
    if (/(\.serde|_expected)\.json$/.test(name)) return true
    return name.endsWith('.json') && fs.existsSync(path.join(parent, name.replace(/(\.serde)?\.json$/, '.xml')))
  }

  /** feedparser writes it into the feed itself, gofeed and feed-rs beside it. */
  function expectedTitle(file: string, bytes: Buffer): string | undefined {
    const base = file.replace(/\.(xml|rdf|atom)$/, '')
    const json = (name: string) =>
      (fs.existsSync(name) ? JSON.parse(fs.readFileSync(name, 'utf8')) : undefined) as { title?: unknown } | undefined
    const ofGofeed = json(`${base}.json`)?.title
    if (typeof ofGofeed === 'string') return ofGofeed
    const ofFeedRs = json(`${base}.serde.json`)?.title as { content?: unknown } | null | undefined
    if (typeof ofFeedRs?.content === 'string') return ofFeedRs.content
    const head = bytes.subarray(0, 5_000).toString('utf8')
    const written = /Expect:[^\n]*?feed\['title'\] == u?(['"])((?:\\.|(?!\1).)*)\1\s*(?:and|\r|\n|$)/.exec(head)?.[2]
    return written
      ?.replaceAll(/\\(?:u([0-9a-f]{4})|x([0-9a-f]{2}))/gi, (_all, u: string, x: string) =>
        String.fromCharCode(Number.parseInt(u ?? x, 16)),
      )
      .replaceAll('\\n', '\n')
      .replaceAll(/\\(['"\\])/g, '$1')
  }
})
