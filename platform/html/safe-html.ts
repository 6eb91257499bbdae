import { ALLOWED_LINK, ALLOWED_TAGS, DROPPED_WITH_CONTENT, LINK_REL } from '@pc/domain/text/html-allow-list.ts'
import { withoutHiddenCharacters } from '@pc/domain/text/name-text.ts'
import { type DefaultTreeAdapterTypes, defaultTreeAdapter, html, parseFragment } from 'parse5'

type ChildNode = DefaultTreeAdapterTypes.ChildNode
type Element = DefaultTreeAdapterTypes.Element

const ALLOWED = new Set<string>(ALLOWED_TAGS)
const DROPPED = new Set<string>(DROPPED_WITH_CONTENT)
const VOID = new Set(['br', 'hr'])
/**
 * Tags below this depth are removed and their text kept. Nobody writes deeper nesting; browsers' parsers flatten at
 * 512.
 */
const MAX_DEPTH = 60

/**
 * Sanitised HTML: parsed as a browser does, then serialised again from an allow-list of tags. Of attributes only a
 * checked `href` remains. A tag that is not allowed is removed and its text kept, unless the text is code or a form
 * control. Idempotent.
 */
export function safeHtml(source: string): string {
  const once = written(parseFragment(source).childNodes, 0)
  // A browser may restructure our output when it parses it (nested links, broken tables), so parse once more and
  // serialise that.
  const twice = written(parseFragment(once).childNodes, 0)
  return twice === once ? once : written(parseFragment(twice).childNodes, 0)
}

/** The visible text on one line, for titles and names from outside. Longer texts end with an ellipsis. */
export function plainText(source: string, maxLength = 500): string {
  const isMarkup = /<[a-z!/?]|&[a-z#]/i.test(source)
  const text = isMarkup ? textOf(parseFragment(source.slice(0, 100_000)).childNodes, 0) : source
  const oneLine = withoutHiddenCharacters(text).replaceAll(/\s+/gu, ' ').trim()
  const characters = [...oneLine]
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : oneLine
}

function written(nodes: readonly ChildNode[], depth: number): string {
  let text = ''
  for (const node of nodes) {
    if (defaultTreeAdapter.isTextNode(node)) text += escaped(node.value)
    else if (defaultTreeAdapter.isElementNode(node)) text += element(node, depth)
    // Comments and whatever else there is are left out.
  }
  return text
}

function element(node: Element, depth: number): string {
  const name = node.tagName
  if (node.namespaceURI !== html.NS.HTML || DROPPED.has(name)) return ''
  const inner = depth >= MAX_DEPTH ? escaped(textOf(node.childNodes, 0)) : written(node.childNodes, depth + 1)
  if (!ALLOWED.has(name) || depth >= MAX_DEPTH) return separated(name, inner)
  if (VOID.has(name)) return `<${name}>`
  if (name !== 'a') return `<${name}>${inner}</${name}>`
  const href = safeLink(node.attrs.find(attribute => attribute.name === 'href')?.value)
  if (href === undefined) return inner
  return `<a href="${escaped(href)}" rel="${LINK_REL}" target="_blank">${inner}</a>`
}

/** Separates the text of blocks whose tags were removed, so that their words do not run together. */
function separated(name: string, inner: string): string {
  return /^(div|section|article|header|footer|main|aside|h1|h5|h6|dd|dt|figcaption|center)$/.test(name) && inner !== ''
    ? `<p>${inner}</p>`
    : inner
}

function safeLink(value: string | undefined): string | undefined {
  if (value === undefined || value.length > 2_048 || !URL.canParse(value.trim())) return undefined
  const { href } = new URL(value.trim())
  return ALLOWED_LINK.test(href) ? href : undefined
}

function textOf(nodes: readonly ChildNode[], depth: number): string {
  let text = ''
  for (const node of nodes) {
    if (defaultTreeAdapter.isTextNode(node)) text += node.value
    else if (defaultTreeAdapter.isElementNode(node) && depth < 400) {
      if (node.namespaceURI !== html.NS.HTML || DROPPED.has(node.tagName)) continue
      text += node.tagName === 'br' ? ' ' : textOf(node.childNodes, depth + 1)
    }
  }
  return text
}

function escaped(text: string): string {
  return text
    .replaceAll(/[^\P{Cc}\t\n\r]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    .replaceAll('\u00a0', '&nbsp;')
}
