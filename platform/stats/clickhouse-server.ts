import fs from 'node:fs'
import { Readable } from 'node:stream'
import { text as readText } from 'node:stream/consumers'
import { ClickHouseLogLevel, type ClickHouseSettings, createClient } from '@clickhouse/client'
import type { ClickHouseTransport } from './clickhouse-client.ts'
import { StatsStoreError, StatsTimeoutError } from './stats-store-error.ts'

const PROGRESS_EVERY_MS = 20_000
/**
 * Longest silence on a connection: four missed progress reports mean that the server is gone, however long the
 * statement takes. Reads have their own, shorter limit.
 */
const REQUEST_TIMEOUT_MS = 4 * PROGRESS_EVERY_MS
const DEFAULT_DATABASE = 'publisher_center_stats'

/**
 * HTTP transport to a ClickHouse server. The URL has user and password; its path names the database (default:
 * publisher_center_stats).
 * Tested by `platform/stats/clickhouse-store.test.ts`.
 */
export function clickHouseServer(address: string): ClickHouseTransport {
  const url = new URL(address)
  const database = decodeURIComponent(url.pathname.slice(1)) || DEFAULT_DATABASE
  if (!/^[a-z][a-z0-9_]*$/.test(database)) throw new RangeError(`not a database name: ${database}`)
  const client = createClient({
    url: url.origin,
    database: 'default',
    application: 'publisher-center',
    request_timeout: REQUEST_TIMEOUT_MS,
    // Progress headers keep proxies from closing the connection during a long statement.
    clickhouse_settings: {
      send_progress_in_http_headers: 1,
      http_headers_progress_interval_ms: String(PROGRESS_EVERY_MS),
    },
    log: { level: ClickHouseLogLevel.OFF }, // the caller logs errors once
    ...(url.username ? { username: decodeURIComponent(url.username) } : {}),
    ...(url.password ? { password: decodeURIComponent(url.password) } : {}),
  })

  async function answer(query: string, options: Parameters<ClickHouseTransport['send']>[1]): Promise<string> {
    const { params, settings, format, rows, timeoutMs, signal } = options
    signal?.throwIfAborted()
    const deadline = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs)
    const signals = [signal, deadline].filter(each => each !== undefined)
    const limits: ClickHouseSettings =
      timeoutMs === undefined
        ? {}
        : { max_execution_time: Math.ceil(timeoutMs / 1000), cancel_http_readonly_queries_on_client_close: 1 }
    try {
      const result = await client.exec({
        query: format ? `${query}\nformat ${format}` : query,
        clickhouse_settings: { ...settings, ...limits },
        ...(params === undefined ? {} : { query_params: { ...params } }),
        ...(rows === undefined ? {} : { values: Readable.from([rows], { objectMode: false }) }),
        ...(signals.length === 0 ? {} : { abort_signal: AbortSignal.any(signals) }),
      })
      const text = await readText(result.stream)
      if (format === undefined) mustBeSilent(text)
      return text
    } catch (cause) {
      signal?.throwIfAborted()
      if (deadline?.aborted || isServerTimeout(cause)) {
        throw new StatsTimeoutError(`the statement was stopped after ${timeoutMs} ms`, { cause })
      }
      throw isUnreachable(cause) ? unreachable(url, cause) : cause
    }
  }

  return {
    database,
    send: answer,
    async loadParquet(into, columns, parquetFile, settings) {
      const result = await client.exec({
        query: `insert into ${into} (${columns.join(', ')}) format Parquet`,
        clickhouse_settings: { ...settings },
        values: fs.createReadStream(parquetFile),
      })
      mustBeSilent(await readText(result.stream))
    },
    close: () => client.close(),
  }
}

/**
 * Detects late errors: after its first progress header ClickHouse has sent status 200, and reports an error in the
 * body.
 * @throws Error
 */
function mustBeSilent(answer: string): void {
  if (answer.trim() !== '') throw new Error(`ClickHouse: ${answer.trim().slice(0, 2_000)}`)
}

function codeOf(cause: unknown): string {
  return typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : ''
}

/** Code 159 is TIMEOUT_EXCEEDED. */
function isServerTimeout(cause: unknown): boolean {
  return codeOf(cause) === '159'
}

function isUnreachable(cause: unknown): boolean {
  if (cause instanceof Error && cause.message === 'Timeout error.') return true // the client's own timeout has no code
  return /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EHOSTUNREACH|ETIMEDOUT|EPIPE|EAI_AGAIN|516)$/.test(codeOf(cause))
}

function unreachable(url: URL, cause: unknown): StatsStoreError {
  return new StatsStoreError(
    'unreachable',
    [
      `The ClickHouse server ${url.host} of CLICKHOUSE_URL does not answer or refuses the user.`,
      'Check that it runs, the address, the user and the password, then start again.',
      `It says: ${cause instanceof Error ? cause.message : String(cause)}`,
    ].join('\n'),
    { cause },
  )
}
