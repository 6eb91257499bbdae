import { hostileMarkup } from '@pc/domain/text/hostile-markup.ts'
import { ALLOWED_TAGS, LINK_REL } from '@pc/domain/text/html-allow-list.ts'
import { cpuMs } from '@pc/testing/processor-time.ts'
import fc from 'fast-check'
import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse, parseFragment } from 'parse5'
import { describe, expect, test } from 'vitest'
import { plainText, safeHtml } from './safe-html.ts'

type Node = DefaultTreeAdapterTypes.Node
const PAYLOADS = hostileMarkup()

/** Everything in a piece of HTML that is not on the allow-list, as a browser would see it; empty: nothing. */
function forbiddenIn(html: string): string[] {
  const found: string[] = []
  const walk = (node: Node) => {
    if (defaultTreeAdapter.isCommentNode(node)) found.push('comment')
    if (defaultTreeAdapter.isElementNode(node)) {
      const { tagName, attrs, namespaceURI } = node
      if (!(ALLOWED_TAGS as readonly string[]).includes(tagName)) found.push(`<${tagName}>`)
      if (namespaceURI !== 'http://www.w3.org/1999/xhtml') found.push(namespaceURI)
      for (const { name, value } of attrs) {
        const isLink = tagName === 'a' && name === 'href' && /^(https?:\/\/|mailto:)/.test(value)
        const isFixed =
          tagName === 'a' && ((name === 'rel' && value === LINK_REL) || (name === 'target' && value === '_blank'))
        if (!isLink && !isFixed) found.push(`${tagName} ${name}=${value}`)
      }
      if ('content' in node) found.push('template')
    }
    for (const child of 'childNodes' in node ? node.childNodes : []) walk(child)
  }
  for (const node of parseFragment(html).childNodes) walk(node)
  // The same inside of a page, and inside of what a screen may wrap it in.
  for (const page of [
    `<!doctype html><body><div>${html}</div>`,
    `<!doctype html><body><table><tr><td>${html}</td></tr></table>`,
  ]) {
    const text = JSON.stringify(parse(page), (key, value) => (key === 'parentNode' ? undefined : value))
    if (
      /"tagName":"(script|style|iframe|svg|math|img|form|input|link|meta|base|object|embed|video|audio|template)"/.test(
        text,
      )
    )
      found.push('in a page')
  }
  return found
}

describe('nothing but the allow-list is left', () => {
  test(`${PAYLOADS.length} payloads`, () => {
    expect(new Set(PAYLOADS).size).toBeGreaterThanOrEqual(1_778)
    for (const payload of PAYLOADS) {
      for (const around of [
        payload,
        `<p>前${payload}後</p>`,
        `<ul><li>${payload}</ul>`,
        `<table><tr><td>${payload}`,
        `<a href="https://ok.example/">${payload}</a>`,
      ]) {
        const clean = safeHtml(around)
        expect(forbiddenIn(clean), around).toEqual([])
        expect(safeHtml(clean), around).toBe(clean)
      }
    }
  })

  test('pairs of payloads, and payloads cut anywhere', () => {
    const payload = fc.constantFrom(...PAYLOADS)
    const cut = fc.tuple(payload, fc.nat(200)).map(([text, at]) => text.slice(0, at))
    const piece = fc.oneof(
      payload,
      cut,
      fc.constantFrom(
        '<table>',
        '<p>',
        '<a href=https://ok.example>',
        '<li>',
        '</p>',
        '<tr>',
        '<td>',
        '<blockquote>',
        '<pre>\n',
      ),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 5 }), pieces => {
        const clean = safeHtml(pieces.join(''))
        expect(forbiddenIn(clean)).toEqual([])
        expect(safeHtml(clean)).toBe(clean)
      }),
      { numRuns: 1_000 },
    )
  })

  test('soup of markup characters', () => {
    const soup = fc.array(
      fc.constantFrom(
        '<',
        '>',
        '"',
        "'",
        '=',
        '/',
        '!',
        '-',
        '&',
        ';',
        '#',
        ' ',
        '\n',
        'a',
        'p',
        'b',
        'script',
        'href',
        'table',
        'svg',
        'javascript:',
        'あ',
      ),
      { maxLength: 60 },
    )
    fc.assert(
      fc.property(soup, parts => {
        expect(forbiddenIn(safeHtml(parts.join('')))).toEqual([])
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('what people write stays', () => {
  test.each([
    '<p>本日<strong>メンテナンス</strong>を行います。<br>ご了承ください。</p>',
    '<h2>予定</h2><ul><li>一</li><li>二<ol><li>三</li></ol></li></ul><hr>',
    '<table><thead><tr><th>月</th></tr></thead><tbody><tr><td>10月</td></tr></tbody></table>',
    '<blockquote><pre><code>a &lt; b &amp;&amp; c</code></pre></blockquote>',
    'ただの文章 &amp; 記号',
  ])('%s', html => {
    expect(safeHtml(html)).toBe(html)
  })
  test('links open elsewhere and give nothing away', () => {
    expect(safeHtml('<a href="https://help.example/?a=1&amp;b=2">ヘルプ</a>')).toBe(
      `<a href="https://help.example/?a=1&amp;b=2" rel="${LINK_REL}" target="_blank">ヘルプ</a>`,
    )
    expect(safeHtml('<a href="mailto:desk@example.jp">連絡</a>')).toContain('href="mailto:desk@example.jp"')
    expect(safeHtml('<a href="/relative">x</a>')).toBe('x')
  })
  test('unknown tags lose their tag and keep their text', () => {
    expect(safeHtml('<div>一</div><section>二</section><span>三</span>')).toBe('<p>一</p><p>二</p>三')
  })
  test('hostile sizes end in time', () => {
    const hostile = [
      '<b>'.repeat(20_000),
      '<p>'.repeat(20_000),
      '<a href=https://x.example>'.repeat(2_000),
      `${Array.from({ length: 900 }, (_, i) => `<b id=${i}>`).join('')}${'<p>x'.repeat(8_000)}`,
      '<table>'.repeat(8_000),
      '&amp'.repeat(14_000),
      '<'.repeat(60_000),
    ]
    for (const text of hostile) {
      const started = process.cpuUsage()
      safeHtml(text.slice(0, 60_000))
      expect(cpuMs(started), text.slice(0, 12)).toBeLessThan(4_000)
    }
  })
})

test('plain text is text: no tag, no control, no turned direction, one line', () => {
  expect(plainText('<b>太字</b> &amp; <script>x</script>記号\n\t続き')).toBe('太字 & 記号 続き')
  expect(plainText('新聞\u202egnp.exe\u200b')).toBe('新聞gnp.exe')
  expect(plainText('a < b かつ 1 & 2')).toBe('a < b かつ 1 & 2')
  expect([...plainText('あ'.repeat(600))]).toHaveLength(500)
  for (const payload of PAYLOADS) expect(plainText(`<p>${payload}</p>`)).not.toMatch(/[\p{Cc}]/u)
})
