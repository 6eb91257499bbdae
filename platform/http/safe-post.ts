import { isIP } from 'node:net'
import { Agent, request } from 'undici'
import { isPublicAddress } from './public-address.ts'
import { allowedUrl, type FetchProblem, pinnedConnector, problemOf, resolveBySystem } from './safe-fetch.ts'

export type PostOutcome =
  /** Any HTTP answer; the caller interprets its status. Redirects are not followed. */
  { readonly status: number; readonly problem?: never } | { readonly problem: FetchProblem; readonly status?: never }

export type SafePost = (
  url: string,
  message: {
    readonly body: string
    readonly headers: Readonly<Record<string, string>>
    readonly signal?: AbortSignal | undefined
  },
) => Promise<PostOutcome>

export interface SafePostOptions {
  readonly resolve?: (hostname: string) => Promise<readonly string[]>
  /**
   * Default {@link isPublicAddress}. Only tests replace it or allow plain HTTP, because their servers are on loopback.
   */
  readonly isAllowedAddress?: (address: string) => boolean
  readonly allowedPorts?: readonly number[]
  readonly mayBePlain?: boolean
  readonly totalTimeoutMs?: number
}

const PORTS: readonly number[] = [443, 8443]
const CONNECT_TIMEOUT_MS = 5_000
const TOTAL_TIMEOUT_MS = 10_000
const USER_AGENT = 'PublisherCenter/1.0 (webhook)'

/**
 * POSTs to a URL that a user entered (a webhook), with the same checks of addresses as {@link openSafeFetch}. The body
 * of the answer is not read.
 */
export function openSafePost(options: SafePostOptions = {}): SafePost {
  const { allowedPorts = PORTS, mayBePlain = false, totalTimeoutMs = TOTAL_TIMEOUT_MS } = options
  const connect = pinnedConnector(
    options.resolve ?? resolveBySystem,
    options.isAllowedAddress ?? isPublicAddress,
    CONNECT_TIMEOUT_MS,
  )
  return async (input, { body, headers, signal: given }) => {
    const timeout = AbortSignal.timeout(totalTimeoutMs)
    const signal = given ? AbortSignal.any([timeout, given]) : timeout
    const agent = new Agent({ connect, connections: 1, keepAliveTimeout: 1, maxHeaderSize: 16_384 })
    try {
      const url = allowedUrl(input, undefined, allowedPorts)
      if (url.protocol !== 'https:' && !mayBePlain) return { problem: 'url-not-allowed' }
      const answer = await request(url, {
        dispatcher: agent,
        method: 'POST',
        signal,
        body,
        headersTimeout: totalTimeoutMs,
        bodyTimeout: totalTimeoutMs,
        headers: { ...headers, 'user-agent': USER_AGENT, 'content-type': 'application/json; charset=utf-8' },
      })
      answer.body.on('error', () => {}).destroy()
      return { status: answer.statusCode }
    } catch (error) {
      return { problem: signal.aborted ? 'timed-out' : problemOf(error) }
    } finally {
      void agent.destroy().catch(() => {})
    }
  }
}

/**
 * Whether a text has the form of a URL that {@link SafePost} would try. The addresses of a host name are only checked
 * when it is used.
 */
export function isPostAddress(text: string): boolean {
  try {
    const url = allowedUrl(text, undefined, PORTS)
    const host = url.hostname.replace(/^\[|\]$/g, '')
    return url.protocol === 'https:' && url.href.length <= 500 && (isIP(host) === 0 || isPublicAddress(host))
  } catch {
    return false
  }
}
