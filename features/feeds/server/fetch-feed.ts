import type { FeedErrorClass } from '@pc/domain/feed/feed-health.ts'
import type { FetchProblem, SafeFetch } from '@pc/platform/http/safe-fetch.ts'
import { type FeedReading, readFeed } from './read-feed.ts'

/** HTTP cache validators of the version that was read last. */
export interface FeedVersion {
  readonly etag: string | undefined
  readonly lastModified: string | undefined
}

export type FetchedFeed =
  | { readonly kind: 'read'; readonly reading: FeedReading; readonly version: FeedVersion; readonly url: string }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'failed'; readonly problem: FetchProblem; readonly status?: number }

const ACCEPT =
  'application/rss+xml, application/atom+xml, application/rdf+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.1'

/** Fetches a feed through `safeFetch` (protection against SSRF) and parses it. @param known validators, for a conditional GET */
export async function fetchFeed(
  safeFetch: SafeFetch,
  url: string,
  known?: FeedVersion,
  signal?: AbortSignal,
): Promise<FetchedFeed> {
  const outcome = await safeFetch(url, { accept: ACCEPT, ...known, ...(signal ? { signal } : {}) })
  if (!outcome.ok) {
    const { problem, status } = outcome
    return { kind: 'failed', problem, ...(status === undefined ? {} : { status }) }
  }
  const { document } = outcome
  if (document.status === 304) return { kind: 'unchanged' }
  const reading = readFeed(document.body, document.contentType, document.url)
  const { etag, lastModified } = document
  return { kind: 'read', reading, version: { etag, lastModified }, url: document.url }
}

const ERROR_CLASSES: Readonly<Record<FetchProblem, FeedErrorClass>> = {
  'url-not-allowed': 'address',
  'address-not-public': 'address',
  'name-not-found': 'address',
  'connection-failed': 'connection',
  'too-many-redirects': 'http',
  'http-status': 'http',
  'timed-out': 'timeout',
  'too-large': 'too-large',
  'unreadable-body': 'format',
}

export function errorClassOf(problem: FetchProblem): FeedErrorClass {
  return ERROR_CLASSES[problem]
}
