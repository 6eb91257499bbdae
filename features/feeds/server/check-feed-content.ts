import type { FeedFinding, FeedFindingCode } from '@pc/domain/feed/feed-finding.ts'
import { type FeedType, feedTypeRules } from '@pc/domain/feed/feed-type.ts'
import { plainText } from '@pc/platform/html/safe-html.ts'
import { webAddress } from '@pc/platform/http/web-address.ts'
import { readFeedDate } from './feed-date.ts'
import type { FeedReading } from './read-feed.ts'
import { childOf, childrenOf, localName, type XmlElement } from './xml-tree.ts'

const MAX_FINDINGS = 200

/**
 * All findings about a feed, errors first, then by line: problems of reading it, and content that the articles lack.
 * Tested by `features/feeds/server/read-feed.test.ts`.
 * @param type the rules of one feed type beside the general ones
 */
export function checkFeedContent(reading: FeedReading, type: FeedType | undefined): readonly FeedFinding[] {
  const content =
    reading.feed && reading.root ? [...aboutFeed(reading.root, type), ...aboutItems(reading.root, type)] : []
  const order = (finding: FeedFinding) => (finding.severity === 'error' ? 0 : 1)
  return [...reading.findings, ...content].sort((a, b) => order(a) - order(b) || a.line - b.line).slice(0, MAX_FINDINGS)
}

function warning(element: XmlElement, code: FeedFindingCode, data: FeedFinding['data'] = {}): FeedFinding {
  return { severity: 'warning', line: element.line, code, data }
}

function aboutFeed(root: XmlElement, type: FeedType | undefined): FeedFinding[] {
  const channel = channelOf(root)
  const format = localName(root) === 'feed' ? 'atom' : 'rss'
  const wanted = type && feedTypeRules(type).format
  const findings: FeedFinding[] = []
  if (wanted && wanted !== format) {
    const expected = wanted === 'atom' ? 'Atom' : 'RSS'
    findings.push({ severity: 'error', line: root.line, code: 'format-not-of-type', data: { expected } })
  }
  if (textOf(childOf(channel, 'title', 'atom:title')) === '') findings.push(warning(channel, 'no-title'))
  if (itemsOf(root).length === 0) findings.push(warning(channel, 'no-items'))
  return findings
}

function aboutItems(root: XmlElement, type: FeedType | undefined): FeedFinding[] {
  const isBodyNeeded = type !== undefined && feedTypeRules(type).isBodyNeeded
  const lineOfId = new Map<string, number>()
  const findings: FeedFinding[] = []
  for (const item of itemsOf(root)) {
    if (findings.length > MAX_FINDINGS) break
    if (textOf(childOf(item, 'title', 'atom:title', 'media:title')) === '')
      findings.push(warning(item, 'item-without-title'))
    findings.push(...aboutLink(item), ...aboutDate(item))
    const id = childOf(item, 'guid', 'id', 'atom:id')
    const key = id ? id.text.trim() : (item.attributes.get('rdf:about') ?? '')
    const firstLine = lineOfId.get(key)
    if (key !== '' && firstLine !== undefined) findings.push(warning(id ?? item, 'item-id-twice', { firstLine }))
    else if (key !== '') lineOfId.set(key, item.line)
    const body = childOf(item, 'content:encoded', 'content', 'atom:content', 'description', 'summary')
    if (isBodyNeeded && (!body || (body.text.trim() === '' && body.children.length === 0)))
      findings.push(warning(item, 'item-without-body'))
  }
  return findings
}

function aboutLink(item: XmlElement): FeedFinding[] {
  const links = childrenOf(item, 'link', 'atom:link')
  const guid = childOf(item, 'guid')
  const written =
    links.map(link => link.attributes.get('href') ?? textOf(link)).find(text => text !== '') ??
    (guid?.attributes.get('ispermalink') === 'false' ? undefined : guid?.text.trim())
  if (!written) return [warning(item, 'item-without-link')]
  const isWeb = webAddress(plainText(written, 2_048), 'https://feed.example/') !== undefined
  return isWeb ? [] : [warning(links[0] ?? item, 'item-link-not-web')]
}

function aboutDate(item: XmlElement): FeedFinding[] {
  const names = [
    'pubdate',
    'dc:date',
    'published',
    'updated',
    'issued',
    'modified',
    'created',
    'atom:published',
    'atom:updated',
  ]
  const date = childOf(item, ...names)
  if (!date || date.text.trim() === '') return [warning(item, 'item-without-date')]
  const text = date.text.trim()
  return readFeedDate(text) ? [] : [warning(date, 'item-date-unreadable', { text: plainText(text, 40) })]
}

function channelOf(root: XmlElement): XmlElement {
  return childOf(root, 'channel', 'rss:channel') ?? root
}

/** RSS 1.0 keeps its items beside the channel, RSS 0.91 and later inside it. */
function itemsOf(root: XmlElement): readonly XmlElement[] {
  const names = ['item', 'entry', 'rss:item', 'atom:entry']
  return [...childrenOf(channelOf(root), ...names), ...(channelOf(root) === root ? [] : childrenOf(root, ...names))]
}

function textOf(element: XmlElement | undefined): string {
  if (!element) return ''
  const inner = element.children.map(child => child.text).join(' ')
  return `${element.text} ${inner}`.trim()
}
