import type { FeedFinding } from '@pc/domain/feed/feed-finding.ts'
import { plainText } from '@pc/platform/html/safe-html.ts'
import { webAddress } from '@pc/platform/http/web-address.ts'
import { type AtomFeed, DetectError, ParseError, parseFeed, type RdfFeed, type RssFeed } from 'feedsmith'
import { decodeFeed } from './decode-feed.ts'
import { readFeedDate } from './feed-date.ts'
import { scanXml } from './scan-xml.ts'
import { childOf, childrenOf, localName, type XmlElement } from './xml-tree.ts'

/** The description of a feed. Contains only plain text and web addresses, whatever the feed contained; '' when absent. */
export interface ReadFeed {
  readonly format: 'rss' | 'rdf' | 'atom'
  readonly encoding: string
  readonly name: string
  readonly description: string
  readonly siteUrl: string
  readonly logoUrl: string
  readonly wideLogoUrl: string
  readonly items: readonly FeedItem[]
}

export interface FeedItem {
  /** The guid or id; otherwise the link; '' when there is neither. */
  readonly guid: string
  readonly title: string
  readonly url: string
  readonly publishedAt: Date | undefined
  readonly thumbnailUrl: string
}

export interface FeedReading {
  /** Absent when the feed cannot be used; the findings say why and where. */
  readonly feed: ReadFeed | undefined
  /** The document, for checks by line; absent when it is broken. */
  readonly root: XmlElement | undefined
  readonly findings: readonly FeedFinding[]
}

const MAX_ITEMS = 2_000
const MAX_NAME = 200
const MAX_DESCRIPTION = 2_000

/**
 * Parses RSS 0.9x, 1.0, 2.0 and Atom with their media extensions, in any encoding that browsers support. Never throws:
 * problems become findings with line and reason. Resolves no entities and fetches nothing.
 * @param documentUrl the base of relative addresses
 */
export function readFeed(bytes: Uint8Array, contentType: string, documentUrl: string): FeedReading {
  const decoded = decodeFeed(bytes, contentType)
  const scan = scanXml(decoded.text)
  const findings = [...decoded.findings, ...scan.findings]
  if (!scan.root) return { feed: undefined, root: undefined, findings }
  if (!isFeedRoot(scan.root)) {
    const data = { name: scan.root.name.slice(0, 40) }
    const finding: FeedFinding = { severity: 'error', line: scan.root.line, code: 'not-a-feed', data }
    return { feed: undefined, root: scan.root, findings: [...findings, finding] }
  }
  try {
    const feed = described(scan.text, scan.root, documentUrl, decoded.encoding)
    return { feed, root: scan.root, findings }
  } catch (error) {
    // The parser rejects a feed without any content, which is valid while a site is being set up.
    if (error instanceof ParseError || error instanceof DetectError)
      return { feed: emptyFeed(scan.root, decoded.encoding), root: scan.root, findings }
    // Any other error of the parser is reported as unreadable: foreign input must not cause a fault.
    const finding: FeedFinding = { severity: 'error', line: scan.root.line, code: 'unreadable-feed', data: {} }
    return { feed: undefined, root: scan.root, findings: [...findings, finding] }
  }
}

function isFeedRoot(root: XmlElement): boolean {
  return ['rss', 'feed', 'rdf'].includes(localName(root))
}

function emptyFeed(root: XmlElement, encoding: string): ReadFeed {
  const format = ({ rss: 'rss', rdf: 'rdf', feed: 'atom' } as const)[localName(root) as 'rss' | 'rdf' | 'feed']
  return { format, encoding, name: '', description: '', siteUrl: '', logoUrl: '', wideLogoUrl: '', items: [] }
}

function described(text: string, root: XmlElement, documentUrl: string, encoding: string): ReadFeed {
  const parsed = parseFeed(text, { maxItems: MAX_ITEMS })
  const own =
    parsed.format === 'atom'
      ? fromAtom(parsed.feed as AtomFeed.Feed<string>)
      : parsed.format === 'json'
        ? undefined
        : fromRss(parsed.feed as AnyRss)
  if (!own) throw new RangeError('JSON is not XML')
  const channel = childOf(root, 'channel') ?? root
  const address = (value: string | undefined) => webAddress(value, webAddress(documentUrl)) ?? ''
  return {
    format: parsed.format === 'atom' ? 'atom' : parsed.format === 'rdf' ? 'rdf' : 'rss',
    encoding,
    name: plainText(titleOfOldAtom(root) ?? own.title ?? '', MAX_NAME),
    description: plainText(own.description ?? '', MAX_DESCRIPTION),
    siteUrl: address(own.link),
    logoUrl: address(own.logo),
    wideLogoUrl: address(wideLogoOf(channel)),
    items: own.items.map(item => ({
      guid: plainText(item.id ?? item.link ?? '', 1_000),
      title: plainText(item.title ?? '', 500),
      url: address(item.link),
      publishedAt: item.date === undefined ? undefined : readFeedDate(item.date),
      thumbnailUrl: address(item.thumbnail),
    })),
  }
}

interface RawFeed {
  readonly title: string | undefined
  readonly description: string | undefined
  readonly link: string | undefined
  readonly logo: string | undefined
  readonly items: readonly RawItem[]
}
interface RawItem {
  readonly id: string | undefined
  readonly title: string | undefined
  readonly link: string | undefined
  readonly date: string | undefined
  readonly thumbnail: string | undefined
}

/** RSS 1.0 has a subset of RSS 2.0's elements and the same extensions, so one function handles both. */
type AnyRss = RssFeed.Feed<string> & RdfFeed.Feed<string>
function fromRss(rss: AnyRss): RawFeed {
  return {
    title: rss.title ?? rss.dc?.titles?.[0],
    description: rss.description ?? rss.itunes?.summary ?? rss.dc?.descriptions?.[0],
    link: rss.link ?? alternate(rss.atom?.links),
    logo: rss.image?.url ?? rss.itunes?.image ?? rss.atom?.logo ?? rss.atom?.icon ?? rss.media?.thumbnails?.[0]?.url,
    items: (rss.items ?? []).map(item => {
      const { media } = item
      return {
        id: item.guid?.value,
        title: item.title ?? item.dc?.titles?.[0] ?? media?.title?.value,
        link: item.link ?? alternate(item.atom?.links) ?? item.guid?.value,
        date:
          item.pubDate ??
          item.dc?.dates?.[0] ??
          item.dcterms?.issued?.[0] ??
          item.atom?.published ??
          item.atom?.updated,
        thumbnail:
          media?.thumbnails?.[0]?.url ??
          media?.groups?.[0]?.thumbnails?.[0]?.url ??
          media?.contents?.find(one => one.medium === 'image' || one.type?.startsWith('image/'))?.url ??
          item.enclosures?.find(one => one.type?.startsWith('image/'))?.url,
      }
    }),
  }
}

function fromAtom(feed: AtomFeed.Feed<string>): RawFeed {
  return {
    title: feed.title?.value,
    description: feed.subtitle?.value,
    link: alternate(feed.links),
    logo: feed.logo ?? feed.icon ?? feed.media?.thumbnails?.[0]?.url,
    items: (feed.entries ?? []).map(entry => ({
      id: entry.id,
      title: entry.title?.value,
      link: alternate(entry.links),
      date: entry.published ?? entry.updated,
      thumbnail: entry.media?.thumbnails?.[0]?.url ?? entry.media?.groups?.[0]?.thumbnails?.[0]?.url,
    })),
  }
}

/** The base64-encoded title that Atom 0.3 allows. */
function titleOfOldAtom(root: XmlElement): string | undefined {
  const title = childOf(root, 'title', 'atom:title')
  if (title?.attributes.get('mode') !== 'base64' && title?.attributes.get('type') !== 'application/octet-stream')
    return undefined
  return Buffer.from(title.text, 'base64').toString('utf8')
}

function alternate(links: readonly { href?: string; rel?: string }[] | undefined): string | undefined {
  return (links?.find(link => link.rel === 'alternate') ?? links?.find(link => link.rel === undefined))?.href
}

/** Extensions of Japanese news apps, which the parser does not know: Gunosy's and SmartNews' own elements. */
function wideLogoOf(channel: XmlElement): string | undefined {
  const wide =
    childOf(channel, 'gnf:wide_image_link', 'gnf:wideimagelink') ??
    childrenOf(channel, 'snf:logo').flatMap(logo => childOf(logo, 'url') ?? [])[0]
  return wide === undefined ? undefined : plainText(wide.text)
}
