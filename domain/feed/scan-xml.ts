import { truncate } from '../text/truncate.ts'
import type { FeedFinding, FeedFindingCode } from './feed-finding.ts'
import type { XmlElement } from './xml-tree.ts'

export interface XmlScan {
  /** Absent when an error was found. */
  readonly root: XmlElement | undefined
  /** The text without its DOCTYPE, safe to hand to a parser: nothing in it declares anything. */
  readonly text: string
  readonly findings: readonly FeedFinding[]
}

const MAX_DEPTH = 200
const MAX_ELEMENTS = 50_000
/** Kinds of trouble repeat themselves: the first ones of each say enough. */
const MAX_FINDINGS_PER_CODE = 20
const NAME = /[\p{L}_:][\p{L}\p{N}\p{M}_:.\-·]*/uy
const ATTRIBUTE = /\s+([^\s=<>"'/]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y
const REFERENCE = /&(?:#x?[0-9a-f]+;|([a-z][a-z0-9]*);|)/gi
const XML_ENTITIES = ['amp', 'lt', 'gt', 'quot', 'apos']
const CONTROL = /[^\P{Cc}\t\n\r\u{80}-\u{9f}]/u

interface OpenElement extends XmlElement {
  readonly children: XmlElement[]
  text: string
}

class ScanError extends Error {
  override name = 'ScanError'
  readonly at: number
  readonly code: FeedFindingCode
  readonly data: Readonly<Record<string, string | number>>
  constructor(at: number, code: FeedFindingCode, data: Readonly<Record<string, string | number>> = {}) {
    super(code)
    this.at = at
    this.code = code
    this.data = data
  }
}

/**
 * Reads XML strictly enough to name the line of what is broken, and resolves nothing: no DTD, no entity. The first
 * structural error ends it. What many feeds of the wild do (a bare `&`, an entity of HTML, an undeclared prefix) is a
 * warning. Linear in the length of the text.
 */
export function scanXml(text: string): XmlScan {
  const scan = new Scan(text)
  try {
    const root = scan.document()
    return { root, text: scan.cleaned(), findings: scan.findings }
  } catch (error) {
    if (!(error instanceof ScanError)) throw error
    scan.find('error', error.at, error.code, error.data)
    return { root: undefined, text: '', findings: scan.findings }
  }
}

class Scan {
  readonly #text: string
  readonly findings: FeedFinding[] = []
  readonly #counts = new Map<string, number>()
  readonly #open: OpenElement[] = []
  readonly #prefixes = new Set(['xml', 'xmlns'])
  readonly #used = new Map<string, number>()
  #root: OpenElement | undefined
  #elements = 0
  #doctype: readonly [from: number, to: number] | undefined
  #lineOffset = 0
  #line = 1

  constructor(text: string) {
    this.#text = text
  }

  cleaned(): string {
    const [from, to] = this.#doctype ?? [0, 0]
    return this.#text.slice(0, from) + this.#text.slice(to)
  }

  find(severity: FeedFinding['severity'], at: number, code: FeedFindingCode, data: FeedFinding['data'] = {}): void {
    const count = (this.#counts.get(code) ?? 0) + 1
    this.#counts.set(code, count)
    if (count <= MAX_FINDINGS_PER_CODE || severity === 'error')
      this.findings.push({ severity, line: this.#lineOf(at), code, data })
  }

  document(): XmlElement {
    const text = this.#text
    if (text.trim() === '') throw new ScanError(0, 'empty')
    let at = 0
    while (at < text.length) {
      const next = text.indexOf('<', at)
      this.#characters(at, next < 0 ? text.length : next)
      if (next < 0) break
      at = this.#markup(next)
    }
    const unclosed = this.#open.at(-1)
    if (unclosed) throw new ScanError(text.length, 'tag-not-closed', { name: unclosed.name })
    if (!this.#root) throw new ScanError(0, 'not-xml')
    for (const [prefix, line] of this.#used) {
      if (!this.#prefixes.has(prefix))
        this.findings.push({ severity: 'warning', line, code: 'prefix-undeclared', data: { prefix } })
    }
    return this.#root
  }

  /** @returns the place after the markup that begins here */
  #markup(at: number): number {
    const text = this.#text
    if (text.startsWith('<!--', at)) return this.#skip(at, '<!--', '-->')
    if (text.startsWith('<![CDATA[', at)) {
      const end = this.#skip(at, '<![CDATA[', ']]>')
      const parent = this.#open.at(-1)
      if (!parent) throw new ScanError(at, this.#root ? 'second-root' : 'not-xml', { text: '<![CDATA[' })
      parent.text += text.slice(at + 9, end - 3)
      return end
    }
    if (text.startsWith('<?', at)) return this.#skip(at, '<?', '?>')
    if (text.startsWith('</', at)) return this.#close(at)
    if (/^<!doctype/i.test(text.slice(at, at + 9))) return this.#skipDoctype(at)
    return this.#openTag(at)
  }

  #skip(at: number, opener: string, closer: string): number {
    const end = this.#text.indexOf(closer, at + opener.length)
    if (end < 0) throw new ScanError(at, 'markup-not-closed', { opener })
    return end + closer.length
  }

  #skipDoctype(at: number): number {
    const close = this.#text.indexOf('>', at)
    const subset = this.#text.indexOf('[', at)
    if (close < 0) throw new ScanError(at, 'markup-not-closed', { opener: '<!DOCTYPE' })
    if (this.#root || this.#doctype) throw new ScanError(at, 'tag-malformed', { text: '<!DOCTYPE' })
    let end = close + 1
    if (subset >= 0 && subset < close) {
      const subsetEnd = /\]\s*>/g
      subsetEnd.lastIndex = subset
      const found = subsetEnd.exec(this.#text)
      if (!found) throw new ScanError(at, 'markup-not-closed', { opener: '<!DOCTYPE' })
      // Comments of the subset may hold anything; whatever looks like a declaration or a parameter reference counts.
      if (/<!ENTITY|%[\w:]+;/i.test(this.#text.slice(subset, found.index))) throw new ScanError(at, 'entity-declared')
      end = found.index + found[0].length
    }
    this.#doctype = [at, end]
    return end
  }

  #close(at: number): number {
    const end = this.#text.indexOf('>', at)
    if (end < 0) throw new ScanError(at, 'markup-not-closed', { opener: '</' })
    const name = this.#text
      .slice(at + 2, end)
      .trim()
      .toLowerCase()
    const opened = this.#open.pop()
    if (!opened) throw new ScanError(at, 'close-without-open', { name: shortened(name) })
    if (opened.name !== name) {
      const data = { opened: opened.name, openedLine: opened.line, closed: shortened(name) }
      throw new ScanError(at, 'tag-mismatch', data)
    }
    return end + 1
  }

  #openTag(at: number): number {
    const name = this.#match(NAME, at + 1)?.[0]
    if (name === undefined) throw new ScanError(at, 'tag-malformed', { text: shortened(this.#text.slice(at, at + 20)) })
    const parent = this.#open.at(-1)
    if (!parent && this.#root) throw new ScanError(at, 'second-root', { text: `<${shortened(name)}>` })
    this.#elements += 1
    if (this.#elements > MAX_ELEMENTS) throw new ScanError(at, 'too-many-elements', { max: MAX_ELEMENTS })
    if (this.#open.length >= MAX_DEPTH) throw new ScanError(at, 'too-deep', { max: MAX_DEPTH })
    const { attributes, end } = this.#attributes(at, name)
    const isEmpty = this.#text[end] === '/'
    if (this.#text[end + (isEmpty ? 1 : 0)] !== '>')
      throw new ScanError(at, 'attribute-malformed', { name: shortened(name) })
    this.#notePrefix(name, at)
    const element: OpenElement = {
      name: name.toLowerCase(),
      line: this.#lineOf(at),
      attributes,
      children: [],
      text: '',
    }
    if (parent) parent.children.push(element)
    else this.#root = element
    if (!isEmpty) this.#open.push(element)
    return end + (isEmpty ? 2 : 1)
  }

  #attributes(at: number, name: string): { attributes: ReadonlyMap<string, string>; end: number } {
    const attributes = new Map<string, string>()
    let end = at + 1 + name.length
    for (;;) {
      const match = this.#match(ATTRIBUTE, end)
      if (!match) break
      const [whole, key = '', double, quoted] = match
      const lowered = key.toLowerCase()
      if (attributes.has(lowered))
        throw new ScanError(end, 'attribute-twice', { name: shortened(name), attribute: shortened(key) })
      const value = double ?? quoted ?? ''
      this.#references(end, value)
      attributes.set(lowered, value)
      if (lowered.startsWith('xmlns:')) this.#prefixes.add(lowered.slice(6))
      else this.#notePrefix(key, end)
      end += whole.length
    }
    while (/\s/.test(this.#text[end] ?? '')) end += 1
    return { attributes, end }
  }

  #characters(from: number, to: number): void {
    const part = this.#text.slice(from, to)
    const parent = this.#open.at(-1)
    if (parent) parent.text += part
    else if (part.replace(/^\u{feff}/u, '').trim() !== '') {
      const place = from + (part.length - part.trimStart().length)
      if (!this.#root) throw new ScanError(place, 'not-xml')
      throw new ScanError(place, 'second-root', { text: shortened(part.trim()) })
    }
    this.#references(from, part)
    if (CONTROL.test(part)) this.find('warning', from + part.search(CONTROL), 'control-character')
  }

  #references(from: number, part: string): void {
    if (!part.includes('&')) return
    for (const match of part.matchAll(REFERENCE)) {
      const [whole, name] = match
      if (whole === '&') this.find('warning', from + match.index, 'ampersand-alone')
      else if (name !== undefined && !XML_ENTITIES.includes(name))
        this.find('warning', from + match.index, 'entity-unknown', { name: shortened(name) })
    }
  }

  #notePrefix(name: string, at: number): void {
    const colon = name.indexOf(':')
    if (colon <= 0) return
    const prefix = name.slice(0, colon).toLowerCase()
    if (!this.#used.has(prefix) && this.#used.size < MAX_FINDINGS_PER_CODE) this.#used.set(prefix, this.#lineOf(at))
  }

  #match(pattern: RegExp, at: number): RegExpExecArray | null {
    pattern.lastIndex = at
    return pattern.exec(this.#text)
  }

  /** Places come nearly in order, so counting goes on from the last one. */
  #lineOf(at: number): number {
    if (at < this.#lineOffset) {
      this.#lineOffset = 0
      this.#line = 1
    }
    for (let next = this.#text.indexOf('\n', this.#lineOffset); next >= 0 && next < at; ) {
      this.#line += 1
      this.#lineOffset = next + 1
      next = this.#text.indexOf('\n', this.#lineOffset)
    }
    return this.#line
  }
}

function shortened(text: string): string {
  return truncate(text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim(), 40)
}
