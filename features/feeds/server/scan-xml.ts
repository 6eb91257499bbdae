import type { FeedFinding, FeedFindingCode } from '@pc/domain/feed/feed-finding.ts'
import { truncate } from '@pc/domain/text/truncate.ts'
import { SaxesParser } from 'saxes'
import type { XmlElement } from './xml-tree.ts'

export interface XmlScan {
  /** Undefined when an error was found. */
  readonly root: XmlElement | undefined
  /** The text without its DOCTYPE: it declares no entities, so it is safe for a parser. */
  readonly text: string
  readonly findings: readonly FeedFinding[]
}

/** Bounds against hostile documents; real feeds stay far below. */
const MAX_DEPTH = 200
const MAX_ELEMENTS = 50_000
/** A problem usually repeats through the whole feed, so only the first findings of each code are kept. */
const MAX_FINDINGS_PER_CODE = 20
const REFERENCE = /&amp;(?:#x?[0-9a-f]+;|([a-z][a-z0-9]*);|)/gi
const XML_ENTITIES = ['amp', 'lt', 'gt', 'quot', 'apos']
const CONTROL = /[^\P{Cc}\t\n\r\u{80}-\u{9f}]/u
const OPENERS = ['<!--', '<![CDATA[', '<?', '</', '<!DOCTYPE']
/** Thrown to stop the scan at a structural error; the finding has the reason. */
const STOP = new Error('the scan found an error')

interface OpenElement extends XmlElement {
  readonly attributes: Map<string, string>
  readonly children: XmlElement[]
  text: string
}

/**
 * Parses XML to find the lines of errors, and resolves neither DTDs nor entities. The first structural error stops it. Common
 * mistakes of real feeds (a bare `&`, an HTML entity, an undeclared prefix) are warnings. Linear in the length of the text.
 */
export function scanXml(text: string): XmlScan {
  const scan = new Scan(withXmlDoctype(escaped(text)))
  try {
    return { root: scan.document(), text: scan.cleaned(), findings: scan.findings }
  } catch (error) {
    if (error !== STOP) throw error
    return { root: undefined, text: '', findings: scan.findings }
  }
}

/** Hides references from the parser, which would treat everything from a bare `&` to the next `;` as one. */
const escaped = (text: string) => text.replaceAll('&', '&amp;')
const unescaped = (text: string) => text.replaceAll('&amp;', '&')
/** Upper-cases `<!doctype` of HTML pages, so that the parser recognises it. */
const withXmlDoctype = (text: string) => text.replace(/^([^<]*(?:<\?[^>]*>[^<]*)?)<!doctype/i, '$1<!DOCTYPE')

class Scan extends SaxesParser<{ position: true }> {
  readonly #text: string
  readonly findings: FeedFinding[] = []
  readonly #counts = new Map<string, number>()
  readonly #open: OpenElement[] = []
  readonly #prefixes = new Set(['xml', 'xmlns'])
  readonly #used = new Map<string, number>()
  #root: OpenElement | undefined
  #elements = 0
  #doctype: readonly [from: number, to: number] = [0, 0]
  /** The offset at which the last markup ended, and its line. */
  #end = 0
  #endLine = 1
  #nextAt: number | undefined
  #tagAt = -1
  #isWritten = false

  constructor(text: string) {
    super({ position: true })
    this.#text = text
    this.on('xmldecl', () => this.#endMarkup())
    this.on('processinginstruction', () => this.#endMarkup())
    // The parser emits the event before it has consumed the closing `>`.
    this.on('comment', () => text[this.position] === '>' && this.#endMarkup(this.position + 1))
    this.on('doctype', content => this.#noteDoctype(content))
    this.on('text', () => this.#characters(text.slice(this.#end, this.#next())))
    this.on('cdata', content => {
      const parent = this.#open.at(-1)
      if (parent) parent.text += unescaped(content)
      this.#endMarkup()
    })
    this.on('opentagstart', ({ name }) => this.#beginElement(name))
    this.on('attribute', ({ name, value }) => this.#attribute(name, value))
    this.on('opentag', () => this.#endMarkup())
    this.on('closetag', tag => {
      // Tolerates tags that differ in case: the parser compares the names only after this event.
      if (!tag.isSelfClosing) tag.name = this.#closedName(tag.name)
      this.#open.pop()
      this.#endMarkup()
    })
  }

  document(): XmlElement {
    if (this.#text.trim() === '') this.#stop(0, 'empty')
    this.write(this.#text.toWellFormed())
    this.#isWritten = true
    this.close()
    for (const [prefix, line] of this.#used) {
      if (!this.#prefixes.has(prefix))
        this.findings.push({ severity: 'warning', line, code: 'prefix-undeclared', data: { prefix } })
    }
    return this.#root ?? this.#stop(0, 'not-xml')
  }

  cleaned(): string {
    return unescaped(this.#text.slice(0, this.#doctype[0]) + this.#text.slice(this.#doctype[1]))
  }

  /** Called for the parser's errors. Only structural ones stop the scan; those in texts, declarations and comments do not. */
  override fail(message: string): this {
    const at = this.#next()
    if (this.#isWritten) this.#stopUnfinished(at)
    if (at === this.#text.length || this.position <= at || /^<(?:\?|!--)/.test(this.#text.slice(at, at + 4)))
      return this
    // A control character is tolerated; a `<` within an attribute value is not.
    if (message === 'disallowed character.' && this.#text[this.position - 1] !== '<') return this
    if (this.#text.startsWith('</', at)) this.#stopMismatch(at)
    if (this.#text.startsWith('<![CDATA[', at)) this.#stopOutside()
    this.#stopTag(at)
  }

  #stop(at: number, code: FeedFindingCode, data: FeedFinding['data'] = {}): never {
    this.findings.push({ severity: 'error', line: this.#lineOf(at), code, data })
    throw STOP
  }

  #warn(at: number, code: FeedFindingCode, data: FeedFinding['data'] = {}): void {
    const count = (this.#counts.get(code) ?? 0) + 1
    this.#counts.set(code, count)
    if (count <= MAX_FINDINGS_PER_CODE) this.findings.push({ severity: 'warning', line: this.#lineOf(at), code, data })
  }

  #endMarkup(at = this.position): void {
    this.#end = at
    this.#endLine = this.line
    this.#nextAt = undefined
  }

  /** The offset at which the next markup begins; that of the current one until it has ended. */
  #next(): number {
    this.#nextAt ??= this.#text.indexOf('<', this.#end)
    return this.#nextAt < 0 ? this.#text.length : this.#nextAt
  }

  /** @param at not before the end of the last markup */
  #lineOf(at: number): number {
    return this.#endLine + this.#text.slice(this.#end, at).split('\n').length - 1
  }

  #noteDoctype(content: string): void {
    const at = this.#next()
    const subset = content.indexOf('[')
    // Refuses anything in the internal subset that looks like an entity declaration or reference, even within a comment.
    if (subset >= 0 && /<!ENTITY|%[\w:]+;/i.test(content.slice(subset))) this.#stop(at, 'entity-declared')
    this.#doctype = [at, this.position]
    this.#endMarkup()
  }

  #beginElement(name: string): void {
    const at = this.#next()
    const parent = this.#open.at(-1)
    if (!parent && this.#root) this.#stop(at, 'second-root', { text: `<${shortened(name)}>` })
    this.#elements += 1
    if (this.#elements > MAX_ELEMENTS) this.#stop(at, 'too-many-elements', { max: MAX_ELEMENTS })
    if (this.#open.length >= MAX_DEPTH) this.#stop(at, 'too-deep', { max: MAX_DEPTH })
    const line = this.#lineOf(at)
    const element: OpenElement = { name: name.toLowerCase(), line, attributes: new Map(), children: [], text: '' }
    if (parent) parent.children.push(element)
    else this.#root = element
    this.#open.push(element)
    this.#tagAt = at
    this.#notePrefix(name, at)
  }

  #attribute(name: string, value: string): void {
    const { name: tag, attributes } = this.#open.at(-1)!
    const at = this.position
    const lowered = name.toLowerCase()
    if (attributes.has(lowered)) this.#stop(at, 'attribute-twice', { name: shortened(tag), attribute: shortened(name) })
    this.#references(at, escaped(value))
    attributes.set(lowered, value)
    if (lowered.startsWith('xmlns:')) this.#prefixes.add(lowered.slice(6))
    else this.#notePrefix(name, at)
  }

  #characters(part: string): void {
    const parent = this.#open.at(-1)
    if (parent) parent.text += unescaped(part)
    else if (part.replace(/^\u{feff}/u, '').trim() !== '') this.#stopOutside()
    this.#references(this.#end, part)
    if (CONTROL.test(part)) this.#warn(this.#end + part.search(CONTROL), 'control-character')
  }

  #references(from: number, part: string): void {
    if (!part.includes('&')) return
    for (const match of part.matchAll(REFERENCE)) {
      const [whole, name] = match
      if (whole === '&amp;') this.#warn(from + match.index, 'ampersand-alone')
      else if (name !== undefined && !XML_ENTITIES.includes(name))
        this.#warn(from + match.index, 'entity-unknown', { name: shortened(name) })
    }
  }

  #notePrefix(name: string, at: number): void {
    const colon = name.indexOf(':')
    if (colon <= 0) return
    const prefix = name.slice(0, colon).toLowerCase()
    if (!this.#used.has(prefix) && this.#used.size < MAX_FINDINGS_PER_CODE) this.#used.set(prefix, this.#lineOf(at))
  }

  #closedName(opened: string): string {
    const at = this.#next()
    const closed = this.#text.slice(at + 2, this.position - 1).trim()
    return closed.toLowerCase() === opened.toLowerCase() ? closed : this.#stopMismatch(at)
  }

  #stopOutside(): never {
    const text = this.#text.slice(this.#end, this.#next())
    const at = this.#end + (text.length - text.trimStart().length)
    if (!this.#root) this.#stop(at, 'not-xml')
    this.#stop(at, 'second-root', { text: shortened(text) || '<![CDATA[' })
  }

  #stopTag(at: number): never {
    const name = this.#open.at(-1)?.name
    if (this.#tagAt === at && name) this.#stop(at, 'attribute-malformed', { name: shortened(name) })
    this.#stop(at, 'tag-malformed', { text: shortened(this.#text.slice(at, at + 20)) })
  }

  #stopMismatch(at: number): never {
    const end = this.#text.indexOf('>', at)
    if (end < 0) this.#stop(at, 'markup-not-closed', { opener: '</' })
    const closed = shortened(this.#text.slice(at + 2, end)).toLowerCase()
    const opened = this.#open.at(-1)
    if (!opened) this.#stop(at, 'close-without-open', { name: closed })
    this.#stop(at, 'tag-mismatch', { opened: opened.name, openedLine: opened.line, closed })
  }

  #stopUnfinished(at: number): never {
    const opener = OPENERS.find(each => this.#text.startsWith(each, at))
    if (opener) this.#stop(at, 'markup-not-closed', { opener })
    if (at < this.#text.length) this.#stopTag(at)
    const unclosed = this.#open.at(-1)
    if (unclosed) this.#stop(at, 'tag-not-closed', { name: unclosed.name })
    this.#stopOutside()
  }
}

function shortened(text: string): string {
  const oneLine = unescaped(text).replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
  return truncate(oneLine.trim(), 40)
}
