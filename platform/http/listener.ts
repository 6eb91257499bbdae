import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Log } from '../log.ts'
import { areaOf, type Observe } from '../metrics/observation.ts'
import { isDatabaseUnavailable } from '../postgres/translate-sql-state.ts'
import { answerProblem } from './answer-problem.ts'
import { answerClientError } from './client-error.ts'
import { answerCrossOrigin, type CrossOriginRules } from './cross-origin.ts'
import { HttpError } from './http-error.ts'

export interface RequestInfo {
  readonly requestId: string
  /** The path of the address, without the query string; `//` and dots are not resolved. */
  readonly path: string
  /** Aborted when the caller goes away or the request takes too long. */
  readonly signal: AbortSignal
  /** What kind of work this was, for metrics and traces. Only words of a closed list, never input. */
  readonly notes: Map<string, string>
}
export type Handler = (request: IncomingMessage, response: ServerResponse, info: RequestInfo) => Promise<void> | void

/** One second less than the 15 s within which every request is answered. */
const REQUEST_TIMEOUT_MS = 14_000
/** Requests in progress of one listener; more are answered 503 at once. */
const MAX_RUNNING = 512
/** Names of errors of systems that we depend on: the request may succeed later, so the answer is 503 and not 500. */
const UNAVAILABLE = new Set(['IssuerUnavailable', 'ObjectStoreError'])
const METHODS = new Set(['GET', 'HEAD', 'POST', 'OPTIONS'])
const CLOSE_TIMEOUT_MS = 5_000
/**
 * Length of the kernel's accept queue, the default maximum of Linux. With Node's 511, a sudden burst of connections
 * loses packets, which clients send again only after 1, 3 and 7 seconds.
 */
const BACKLOG = 4_096

export interface ListenerOptions {
  readonly name: string
  readonly host: string
  readonly port: number
  readonly log: Log
  readonly handle: Handler
  /** Headers of every answer, set before the handler runs. */
  readonly headers: Readonly<Record<string, string>>
  /** Readiness probe for load balancers: whether database and stores can be used. */
  readonly isReady: () => Promise<boolean> | boolean
  /** Default {@link REQUEST_TIMEOUT_MS}. */
  readonly timeoutMs?: number
  /** Prefixes of paths without a time limit, for long uploads. */
  readonly slowPaths?: readonly string[]
  /** Of an API, which pages of other origins call. Without it no header allows them. */
  readonly crossOrigin?: CrossOriginRules
  /** Called for every finished request, except health checks. */
  readonly observe?: Observe
}

export interface Listener {
  readonly port: number
  /** Accepts nothing new, lets running requests finish, then ends. */
  close(): Promise<void>
}

/** @throws ListenError, in words for the operator, when the port is taken or not allowed */
export async function openListener(options: ListenerOptions): Promise<Listener> {
  const state = { running: 0, isClosing: false }
  const server = createServer({
    // `requestTimeout` limits receiving the whole body. Where long uploads are allowed it is off, and other requests
    // have the time limit of `answer`.
    requestTimeout: options.slowPaths ? 0 : 60_000,
    headersTimeout: 10_000,
    keepAliveTimeout: 30_000,
    maxHeaderSize: 16_384,
  })
  server.maxRequestsPerSocket = 10_000
  server.on('request', (request, response) => void answer(request, response, options, state))
  server.on('clientError', (error, socket) => answerClientError(error, socket as Socket))
  await listen(server, options)
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : options.port,
    async close() {
      state.isClosing = true
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      server.closeIdleConnections()
      const force = setTimeout(() => server.closeAllConnections(), CLOSE_TIMEOUT_MS)
      await closed
      clearTimeout(force)
    },
  }
}

class ListenError extends Error {
  override name = 'ListenError'
}

function listen(server: Server, options: ListenerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', error => {
      const code = (error as NodeJS.ErrnoException).code
      const place = `${options.host}:${options.port}`
      if (code === 'EADDRINUSE')
        reject(
          new ListenError(
            `Port ${options.port} (${options.name}) is in use: another program listens on ${place}. End it, or choose another port.`,
          ),
        )
      else if (code === 'EACCES')
        reject(new ListenError(`Port ${options.port} (${options.name}) may not be opened by this user.`))
      else if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
        reject(new ListenError(`HOST=${options.host} is not an address of this machine.`))
      else reject(error)
    })
    server.listen({ port: options.port, host: options.host, backlog: BACKLOG }, () => resolve())
  })
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: ListenerOptions,
  state: { running: number; isClosing: boolean },
): Promise<void> {
  const startedAt = performance.now()
  const requestId = randomUUID()
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
  const abort = new AbortController()
  const notes = new Map<string, string>()
  const isSlow = options.slowPaths?.some(prefix => path.startsWith(prefix)) ?? false
  const timer = isSlow
    ? undefined
    : setTimeout(() => giveUp(request, response, abort, requestId), options.timeoutMs ?? REQUEST_TIMEOUT_MS)
  state.running += 1
  response.once('close', () => {
    clearTimeout(timer)
    state.running -= 1
    if (!response.writableFinished) abort.abort()
    const tookMs = performance.now() - startedAt
    report(options, request, response, path, requestId, tookMs)
    if (path === '/healthz' || path === '/readyz') return
    options.observe?.({
      listener: options.name,
      method: METHODS.has(request.method ?? '') ? String(request.method) : 'OTHER',
      area: areaOf(path),
      status: response.statusCode,
      startedAtMs: Date.now() - tookMs,
      tookMs,
      requestId,
      traceparent: request.headers.traceparent === undefined ? undefined : String(request.headers.traceparent),
      notes,
    })
  })
  for (const [name, value] of Object.entries(options.headers)) response.setHeader(name, value)
  response.setHeader('x-request-id', requestId)
  if (state.isClosing) response.setHeader('connection', 'close')
  try {
    if (path === '/healthz') sendText(response, 200, 'ok')
    else if (path === '/readyz') await answerReady(response, options, state.isClosing)
    else {
      // Before the limit, so that a page can read that it is to come back later.
      if (options.crossOrigin && answerCrossOrigin(request, response, options.crossOrigin)) return
      if (state.running > MAX_RUNNING) throw new HttpError(503, 'busy', { headers: { 'retry-after': '1' } })
      await options.handle(request, response, { requestId, path, signal: abort.signal, notes })
    }
  } catch (error) {
    answerFailure(request, response, error, options, requestId)
  }
}

async function answerReady(response: ServerResponse, options: ListenerOptions, isClosing: boolean): Promise<void> {
  const isReady = !isClosing && (await Promise.resolve(options.isReady()).catch(() => false))
  sendText(response, isReady ? 200 : 503, isReady ? 'ready' : 'not ready')
}

function answerFailure(
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  options: ListenerOptions,
  requestId: string,
): void {
  if (response.headersSent || response.destroyed) {
    response.destroy()
    return
  }
  if (error instanceof HttpError) {
    if (error.status === 413) request.unpipe()
    answerProblem(request, response, error)
    return
  }
  const mayPass = isDatabaseUnavailable(error) || UNAVAILABLE.has(String((error as Error | null)?.name))
  if (!mayPass && (error as { code?: unknown } | null)?.code === 'ECONNRESET') return // the caller went away
  options.log.error({ err: error, requestId, listener: options.name }, 'fault in a request')
  const data = { requestId }
  const problem = mayPass
    ? new HttpError(503, 'not-available', { data, headers: { 'retry-after': '5' } })
    : new HttpError(500, 'fault', { data })
  answerProblem(request, response, problem)
}

function giveUp(request: IncomingMessage, response: ServerResponse, abort: AbortController, requestId: string): void {
  abort.abort()
  const headers = { 'retry-after': '5', connection: 'close' }
  if (!response.headersSent)
    answerProblem(request, response, new HttpError(503, 'timed-out', { data: { requestId }, headers }))
  else response.destroy()
}

function sendText(response: ServerResponse, status: number, text: string): void {
  if (response.headersSent) return
  const body = Buffer.from(`${text}\n`)
  const type = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }
  response.writeHead(status, { ...type, 'content-length': body.length }).end(body)
}

/** Masks long or unusual path segments in the log, because they may be tokens. Our own paths have none. */
const withoutSecrets = (path: string) => path.replaceAll(/[^/]*[^\w.~/-][^/]*|[^/]{25,}/g, '…')

/** Logs requests: every one at `debug`, only slow and failed ones above. */
function report(
  options: ListenerOptions,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  requestId: string,
  tookMs: number,
): void {
  const line = {
    listener: options.name,
    method: request.method,
    path: withoutSecrets(path).slice(0, 200),
    status: response.statusCode,
    ms: Math.round(tookMs * 10) / 10,
    requestId,
  }
  // Load shedding is no failure, and logging each refused request would add to the load.
  const isTurnedAway = response.statusCode === 503 && tookMs < 2_000 && response.hasHeader('retry-after')
  if (isTurnedAway) options.log.debug(line, 'request turned away')
  else if (response.statusCode >= 500) options.log.warn(line, 'request failed')
  else if (tookMs > 2_000) options.log.info(line, 'slow request')
  else options.log.debug(line, 'request')
}
