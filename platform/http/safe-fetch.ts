import dns from 'node:dns'
import { isIP } from 'node:net'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { Agent, buildConnector, type Dispatcher, request } from 'undici'
import { isPublicAddress } from './public-address.ts'

/** Why nothing was fetched: the first reason found. It never contains text of the remote server. */
export type FetchProblem =
  | 'url-not-allowed'
  | 'address-not-public'
  | 'name-not-found'
  | 'connection-failed'
  | 'timed-out'
  | 'too-many-redirects'
  | 'too-large'
  | 'unreadable-body'
  | 'http-status'

export interface FetchedDocument {
  /** The final URL, after all redirects. */
  readonly url: string
  /** 200 to 299, or 304 when a validator was sent and the document is unchanged. */
  readonly status: number
  readonly contentType: string
  /** Decompressed; empty at 304. */
  readonly body: Uint8Array
  readonly etag: string | undefined
  readonly lastModified: string | undefined
}

export type FetchOutcome =
  | { readonly ok: true; readonly document: FetchedDocument }
  | { readonly ok: false; readonly problem: FetchProblem; readonly status?: number }

export interface FetchRequest {
  /** Value of the Accept header. */
  readonly accept: string
  /** Validators (ETag, Last-Modified) of the version that the caller has. */
  readonly etag?: string | undefined
  readonly lastModified?: string | undefined
  readonly signal?: AbortSignal
}
export type SafeFetch = (url: string, request: FetchRequest) => Promise<FetchOutcome>

export interface SafeFetchOptions {
  /** All addresses of a name. Default: the system's resolver. */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>
  /** Default {@link isPublicAddress}. Only tests replace it, because their servers are on loopback. */
  readonly isAllowedAddress?: (address: string) => boolean
  readonly allowedPorts?: readonly number[]
  readonly connectTimeoutMs?: number
  readonly totalTimeoutMs?: number
  /** Limit of the body, for its compressed and its decompressed size. */
  readonly maxBytes?: number
  readonly maxRedirects?: number
}

const PORTS: readonly number[] = [80, 443, 8080, 8443]
const MAX_URL_LENGTH = 2_048
const USER_AGENT = 'PublisherCenter/1.0 (feed reader)'

class Refused extends Error {
  override name = 'Refused'
  readonly problem: FetchProblem
  constructor(problem: FetchProblem) {
    super(problem)
    this.problem = problem
  }
}

/**
 * Fetches a URL that a user entered, protected against server-side request forgery (security, threats 16 and 17). The
 * name is resolved once per connection, all of its addresses must be public, and the connection goes to exactly those,
 * so DNS rebinding has no effect. Each redirect is checked again; cookies, connections and proxy settings are not used.
 */
export function openSafeFetch(options: SafeFetchOptions = {}): SafeFetch {
  const limits = {
    connectTimeoutMs: options.connectTimeoutMs ?? 5_000,
    totalTimeoutMs: options.totalTimeoutMs ?? 10_000,
    maxBytes: options.maxBytes ?? 1_048_576,
    maxRedirects: options.maxRedirects ?? 5,
    ports: options.allowedPorts ?? PORTS,
  }
  const connect = pinnedConnector(
    options.resolve ?? resolveBySystem,
    options.isAllowedAddress ?? isPublicAddress,
    limits.connectTimeoutMs,
  )
  return async (input, wanted) => {
    const timeout = AbortSignal.timeout(limits.totalTimeoutMs)
    const signal = wanted.signal ? AbortSignal.any([timeout, wanted.signal]) : timeout
    const agent = new Agent({ connect, connections: 1, keepAliveTimeout: 1, maxHeaderSize: 16_384 })
    try {
      let url = allowedUrl(input, undefined, limits.ports)
      for (let hop = 0; hop <= limits.maxRedirects; hop += 1) {
        const answer = await raceAbort(ask(agent, url, wanted, signal), signal)
        const location = redirectOf(answer)
        if (location === undefined) return await raceAbort(readAnswer(answer, url, limits.maxBytes), signal)
        url = allowedUrl(location, url.href, limits.ports)
      }
      return { ok: false, problem: 'too-many-redirects' }
    } catch (error) {
      return { ok: false, problem: signal.aborted ? 'timed-out' : problemOf(error) }
    } finally {
      // Destroys the connections at once; a server that sends slowly cannot hold them.
      void agent.destroy().catch(() => {})
    }
  }
}

/** @throws Refused */
export function allowedUrl(text: string, base: string | undefined, ports: readonly number[]): URL {
  const trimmed = text.trim()
  if (trimmed.length > MAX_URL_LENGTH || /[\s\p{Cc}\\]/u.test(trimmed) || !URL.canParse(trimmed, base)) {
    throw new Refused('url-not-allowed')
  }
  const url = new URL(trimmed, base)
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:'
  if (!isWeb || url.username !== '' || url.password !== '' || url.hostname === '' || !ports.includes(port)) {
    throw new Refused('url-not-allowed')
  }
  url.hash = ''
  return url
}

function ask(agent: Agent, url: URL, wanted: FetchRequest, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
  return request(url, {
    dispatcher: agent,
    method: 'GET',
    signal,
    headersTimeout: 10_000,
    bodyTimeout: 10_000,
    headers: {
      'user-agent': USER_AGENT,
      accept: wanted.accept,
      'accept-encoding': 'gzip, deflate, br',
      ...(wanted.etag ? { 'if-none-match': wanted.etag } : {}),
      ...(wanted.lastModified ? { 'if-modified-since': wanted.lastModified } : {}),
    },
  })
}

function redirectOf(answer: Dispatcher.ResponseData): string | undefined {
  if (![301, 302, 303, 307, 308].includes(answer.statusCode)) return undefined
  const location = single(answer.headers.location)
  if (location === undefined) return undefined
  answer.body.on('error', () => {}).destroy()
  return location
}

async function readAnswer(answer: Dispatcher.ResponseData, url: URL, maxBytes: number): Promise<FetchOutcome> {
  const { statusCode: status, headers, body } = answer
  const isUsable = (status >= 200 && status < 300) || status === 304
  if (!isUsable) {
    body.on('error', () => {}).destroy()
    return { ok: false, problem: 'http-status', status }
  }
  return {
    ok: true,
    document: {
      url: url.href,
      status,
      contentType: single(headers['content-type']) ?? '',
      body: status === 304 ? new Uint8Array() : await readBounded(answer, maxBytes),
      etag: single(headers.etag),
      lastModified: single(headers['last-modified']),
    },
  }
}

/** @throws Refused as soon as the body, compressed or decompressed, exceeds the limit */
async function readBounded({ headers, body }: Dispatcher.ResponseData, maxBytes: number): Promise<Uint8Array> {
  if (Number(single(headers['content-length']) ?? 0) > maxBytes) {
    body.on('error', () => {}).destroy()
    throw new Refused('too-large')
  }
  const encoding = (single(headers['content-encoding']) ?? 'identity').trim().toLowerCase()
  const source = encoding === 'identity' || encoding === '' ? body : decompressed(body, encoding, maxBytes)
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of source as AsyncIterable<Uint8Array>) {
    size += part.byteLength
    if (size > maxBytes) throw new Refused('too-large')
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** Decompresses one layer only: decompression bombs use several. */
function decompressed(body: Readable, encoding: string, maxBytes: number): Readable {
  const inflater =
    encoding === 'gzip' || encoding === 'x-gzip'
      ? createGunzip()
      : encoding === 'deflate'
        ? createInflate()
        : encoding === 'br'
          ? createBrotliDecompress()
          : undefined
  if (!inflater) {
    body.on('error', () => {}).destroy()
    throw new Refused('unreadable-body')
  }
  let size = 0
  body.on('data', (part: Uint8Array) => {
    size += part.byteLength
    if (size > maxBytes) inflater.destroy(new Refused('too-large'))
  })
  body.on('error', error => inflater.destroy(error))
  return body.pipe(inflater)
}

type Connector = ReturnType<typeof buildConnector>

/** A connector that resolves the name, checks its addresses, and connects to no other address. */
export function pinnedConnector(
  resolve: (hostname: string) => Promise<readonly string[]>,
  isAllowed: (address: string) => boolean,
  timeoutMs: number,
): Connector {
  return (target, callback) => {
    checkedAddresses(target.hostname, resolve, isAllowed, timeoutMs).then(
      addresses => {
        const pinned = addresses.map(address => ({ address, family: isIP(address) }))
        const dial = buildConnector({
          timeout: timeoutMs,
          allowH2: false,
          lookup: (_hostname, lookupOptions, answer) => {
            if (lookupOptions.all) answer(null, pinned)
            else answer(null, pinned[0]?.address ?? '', pinned[0]?.family ?? 4)
          },
        })
        dial(target, (...outcome) => {
          const [error, socket] = outcome
          // Defence in depth: should the connection have gone to another address after all, it is not used.
          if (!error && socket?.remoteAddress !== undefined && !isPinned(addresses, socket.remoteAddress)) {
            socket.destroy()
            callback(new Refused('address-not-public'), null)
            return
          }
          callback(...outcome)
        })
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
    )
  }
}

function isPinned(addresses: readonly string[], remote: string): boolean {
  const plain = remote.replace(/^::ffff:(?=\d+\.)/i, '')
  return addresses.some(
    address => address === plain || new URL(`http://${bracketed(address)}`).hostname === bracketed(plain),
  )
}

function bracketed(address: string): string {
  return isIP(address) === 6 ? `[${address}]` : address
}

/** @throws Refused when the name has no address, or any that is not allowed. */
async function checkedAddresses(
  hostname: string,
  resolve: (hostname: string) => Promise<readonly string[]>,
  isAllowed: (address: string) => boolean,
  timeoutMs: number,
): Promise<readonly string[]> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) ? [host] : await inTime(resolve(host), timeoutMs)
  if (addresses.length === 0) throw new Refused('name-not-found')
  if (!addresses.every(isAllowed)) throw new Refused('address-not-public')
  return addresses
}

/** All addresses of a host name by the system's resolver. */
export async function resolveBySystem(hostname: string): Promise<readonly string[]> {
  const found = await dns.promises.lookup(hostname, { all: true, verbatim: true })
  return found.map(one => one.address)
}

function inTime<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  return raceAbort(work, AbortSignal.timeout(timeoutMs)).catch((error: unknown) => {
    throw (error as Error).name === 'TimeoutError' ? new Refused('timed-out') : error
  })
}

/** Rejects when the signal aborts, even if the work itself does not observe the signal. */
function raceAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  work.catch(() => {}) // avoids an unhandled rejection when the work fails after the abort
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

export function problemOf(error: unknown): FetchProblem {
  if (error instanceof Refused) return error.problem
  const { code = '', name = '' } = error as { code?: string; name?: string }
  if (name === 'TimeoutError' || /TIMEOUT|ETIMEDOUT/.test(code)) return 'timed-out'
  if (/^(ENOTFOUND|EAI_|ENODATA)/.test(code)) return 'name-not-found'
  if (/^(Z_|ERR__?ZLIB|ERR_BROTLI|BROTLI|ERR_PADDING)/.test(code)) return 'unreadable-body'
  return 'connection-failed'
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}
