import { feedFindingJa } from '@pc/domain/feed/feed-finding.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { scanXml } from './scan-xml.ts'

const errorOf = (text: string) => {
  const found = scanXml(text).findings.find(finding => finding.severity === 'error')
  return found && [found.line, found.code]
}

describe('what is broken is named with its line', () => {
  test.each([
    ['', 0, 'empty'],
    ['no markup', 1, 'not-xml'],
    ['{"version":"https://jsonfeed.org/version/1"}', 1, 'not-xml'],
    ['<rss>\n<channel>\n</rss>', 3, 'tag-mismatch'],
    ['<rss>\n<channel>\n', 3, 'tag-not-closed'],
    ['<rss/>\n</channel>', 2, 'close-without-open'],
    ['<rss>\n<a b=c></a></rss>', 2, 'attribute-malformed'],
    ['<rss>\n<a b="1" b="2"/></rss>', 2, 'attribute-twice'],
    ['<rss>\n\n<!-- never ends', 3, 'markup-not-closed'],
    ['<rss>\n<![CDATA[ never ends</rss>', 2, 'markup-not-closed'],
    ['<rss/>\n<rss/>', 2, 'second-root'],
    ['<rss/>\nrest', 2, 'second-root'],
    ['<rss>\n<1/></rss>', 2, 'tag-malformed'],
    ['<rss>\n<', 2, 'tag-malformed'],
    ['<rss>\n<a', 2, 'tag-malformed'],
    ['<rss>\n<a\n b="', 2, 'attribute-malformed'],
    ['<rss>\n<a b="<c>"/></rss>', 2, 'attribute-malformed'],
    ['<rss>\n<a b="1"c="2"/></rss>', 2, 'attribute-malformed'],
    ['<rss>\n</rss', 2, 'markup-not-closed'],
    ['<rss>\n</rss a>', 2, 'tag-mismatch'],
    ['<rss>\n</></rss>', 2, 'tag-mismatch'],
    ['<rss>\n<!DOCTYPE a></rss>', 2, 'tag-malformed'],
    ['<![CDATA[a]]><rss/>', 1, 'not-xml'],
    ['<rss/>\n<![CDATA[a]]>', 2, 'second-root'],
    ['<!DOCTYPE r [<!ENTITY a "b">]>\n<rss>&a;</rss>', 1, 'entity-declared'],
    ['<!DOCTYPE r [<!ENTITY % x SYSTEM "http://127.0.0.1/">%x;]><rss/>', 1, 'entity-declared'],
    ['<!DOCTYPE r [ %x; ]><rss/>', 1, 'entity-declared'],
    [`${'<a>'.repeat(300)}`, 1, 'too-deep'],
    [`<a>${'<b/>'.repeat(60_000)}</a>`, 1, 'too-many-elements'],
  ])('case %#', (text, line, code) => {
    expect(errorOf(text)).toEqual([code === 'empty' ? 1 : line, code])
    expect(scanXml(text).root).toBeUndefined()
  })

  test('what feeds of the wild do is a warning', () => {
    const { root, findings } = scanXml('<rss>\n<title>A & B &nbsp; &copy;\n</title><x:y/></rss>')
    expect(root?.name).toBe('rss')
    expect(findings.map(({ severity, line, code }) => `${severity} ${line} ${code}`)).toEqual([
      'warning 2 ampersand-alone',
      'warning 2 entity-unknown',
      'warning 2 entity-unknown',
      'warning 3 prefix-undeclared',
    ])
  })

  test('references stay as they are written, in text, attributes and CDATA', () => {
    const { root, text, findings } = scanXml('<r a="1&amp;2&x"><![CDATA[&amp;<b>]]>&lt;\r\n&amp;</r>')
    expect(root?.text).toBe('&amp;<b>&lt;\r\n&amp;')
    expect(root?.attributes.get('a')).toBe('1&amp;2&x')
    expect(text).toBe('<r a="1&amp;2&x"><![CDATA[&amp;<b>]]>&lt;\r\n&amp;</r>')
    expect(findings.map(({ code }) => code)).toEqual(['ampersand-alone'])
  })

  test('names of tags and of the DOCTYPE may differ in case', () => {
    const { root, text, findings } = scanXml('<?xml version="1.0"?>\n<!doctype html><RSS>\n<Title>a</TITLE ></rss>')
    expect(findings).toEqual([])
    expect(text).toBe('<?xml version="1.0"?>\n<RSS>\n<Title>a</TITLE ></rss>')
    expect(root?.children.map(({ name, line, text: title }) => [name, line, title])).toEqual([['title', 3, 'a']])
  })

  test('a declaration that is not in its place, a comment with hyphens and control characters harm nobody', () => {
    const { root, findings } = scanXml('\n<?xml version="9"?><!-- a -- b --><rss>]]>\u0001</rss>\n<!-- end -->')
    expect(root?.text).toBe(']]>\u0001')
    expect(findings.map(({ line, code }) => `${line} ${code}`)).toEqual(['2 control-character'])
  })

  test('a DOCTYPE is taken out, whatever is in it', () => {
    const { text } = scanXml('<?xml version="1.0"?><!DOCTYPE rss PUBLIC "-//N//DTD" "http://x/rss.dtd"><rss/>')
    expect(text).toBe('<?xml version="1.0"?><rss/>')
    expect(scanXml('<!DOCTYPE rss [ <!ELEMENT rss ANY> ]><rss/>').text).toBe('<rss/>')
  })
})

const name = fc.stringMatching(/^[a-z][a-z0-9]{0,5}$/)
const text = fc.stringMatching(/^[ぁ-んa-z0-9 ]{0,12}$/)
const tree: fc.Arbitrary<string> = fc.letrec<{ node: string }>(tie => ({
  node: fc.oneof(
    { maxDepth: 5 },
    text,
    fc
      .tuple(name, text, fc.array(tie('node'), { maxLength: 4 }))
      .map(([tag, value, inner]) => `<${tag} a="${value}">${inner.join('')}</${tag}>`),
  ),
})).node

describe('properties', () => {
  test('well-formed documents have no findings', () => {
    fc.assert(
      fc.property(tree, inner => {
        expect(scanXml(`<root>${inner}</root>`).findings).toEqual([])
      }),
    )
  })
  test('a document cut anywhere is refused, never read', () => {
    fc.assert(
      fc.property(tree, fc.nat(), (inner, cut) => {
        const whole = `<root>${inner}</root>`
        const part = whole.slice(0, cut % whole.length)
        expect(scanXml(part).root).toBeUndefined()
        expect(errorOf(part)).toBeDefined()
      }),
    )
  })
  test('any text ends in a tree or in an error with a line and a text', () => {
    const soup = fc.array(
      fc.constantFrom(
        '<',
        '>',
        '</',
        '/>',
        '&',
        ';',
        '"',
        "'",
        '=',
        ' ',
        '\n',
        'a',
        'rss',
        '<!--',
        '-->',
        '<![CDATA[',
        ']]>',
        '<!DOCTYPE',
        '[',
        ']',
        '<?',
        '?>',
        '&amp;',
        '&#x1;',
        '\u0000',
        'あ',
      ),
      { maxLength: 80 },
    )
    fc.assert(
      fc.property(soup, parts => {
        const { root, findings } = scanXml(parts.join(''))
        expect(findings.filter(one => one.severity === 'error')).toHaveLength(root ? 0 : 1)
        for (const finding of findings) {
          expect(finding.line).toBeGreaterThan(0)
          expect(feedFindingJa(finding)).not.toMatch(/undefined/)
        }
      }),
      { numRuns: 500 },
    )
  })
  test('a megabyte of anything ends quickly', () => {
    const hostile = [
      '<a '.repeat(350_000),
      '<a b="'.repeat(170_000),
      '<a>&'.repeat(250_000),
      '&'.repeat(1_000_000),
      `<a${' '.repeat(1_000_000)}`,
      `<a b${' '.repeat(1_000_000)}`,
      '<!DOCTYPE a ['.repeat(70_000),
      '\n<'.repeat(500_000),
      `<a>${'&x;\u0001'.repeat(250_000)}</a>`,
      `<a b="${'&'.repeat(1_000_000)}"/>`,
      `<!DOCTYPE a [${'[%'.repeat(500_000)}]><a>&</a>`,
      `<a>${'&<!-- -- -->'.repeat(90_000)}</a>`,
      `<a>&${'<![CDATA[x]]>'.repeat(80_000)}</a>`,
    ]
    for (const text of hostile) {
      const started = process.cpuUsage()
      expect(scanXml(text).findings.length, text.slice(0, 10)).toBeGreaterThan(0)
      expect(cpuMs(started), text.slice(0, 10)).toBeLessThan(3_000)
    }
  })
})

/** Time of the processor: a busy machine does not make it longer. */
function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1000
}
