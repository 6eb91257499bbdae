import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Viewer } from '@pc/domain/access/viewer-scope.ts'
import type { Refusal } from '@pc/domain/refusal.ts'
import { type RefusalCode, refusalMessageJa } from '@pc/domain/refusal-messages.ja.ts'
import type { Result } from '@pc/domain/result.ts'
import { GraphQLError } from 'graphql'
import { actorOf, recordRead } from '../audit/record-read.ts'
import { HttpError } from '../http/http-error.ts'
import type { Handler } from '../http/listener.ts'
import { parseJson, storable } from '../http/parse-json.ts'
import { demandJson, readBody } from '../http/read-body.ts'
import { codeOfStatus } from '../http/status-codes.ts'
import type { Log } from '../log.ts'
import type { Database } from '../postgres/database.ts'
import { csvFile } from './csv-file.ts'
import { EXPORT_FORMATS, type ExportFormat, type ExportTable } from './export-table.ts'
import { xlsxFile } from './xlsx-file.ts'

/** The parsed request body. `open` decides which table it names. */
export type ExportRequest = Readonly<Record<string, unknown>>

interface ExportEndpoint {
  readonly database: Database
  readonly log: Log
  readonly authenticate: (authorization: string | undefined) => Promise<Viewer | null>
  readonly sourceAddress: (request: IncomingMessage) => string
  /**
   * Finds the table. Throws an access error when the viewer may not read it, and refuses a body that it cannot
   * interpret.
   */
  readonly open: (
    viewer: Viewer,
    request: ExportRequest,
    signal: AbortSignal,
  ) => Promise<Result<ExportTable, Refusal<RefusalCode>>>
  /** How long a caller may read nothing before the download is aborted. Default {@link STALL_MS}. */
  readonly stallMs?: number
}

const MAX_BODY_BYTES = 64 * 1024
const BODY_MS = 10_000
const STALL_MS = 60_000
/** Exports that may run at the same time: of one person, and in this process. */
const MAX_OF_ONE = 2
const MAX_OF_ALL = 16
/** Media type of an answer in frames: chunks of the file with progress reports between them. */
const FRAMES = 'application/x-publisher-center-export'
const CONTENT_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  'csv-cp932': 'text/csv; charset=windows-31j',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

/**
 * `POST /exports/…` with a bearer token: streams a table as a file. The body names the table and its `format`; the
 * export is in the audit log before the first byte. With `Accept: application/x-publisher-center-export` the answer
 * consists of frames (one byte of kind, four of length): kind 1 is a chunk of the file, kind 2 progress as JSON.
 */
export function exportHandler(endpoint: ExportEndpoint): Handler {
  const running = new Map<string, number>()
  return async (request, response, info) => {
    if (request.method !== 'POST')
      throw new HttpError(405, 'method-not-allowed', { data: { allowed: 'POST' }, headers: { allow: 'POST, OPTIONS' } })
    demandJson(request)
    const requested = readRequest(storable(parseJson(await readSmallBody(request))))
    const viewer = await endpoint.authenticate(request.headers.authorization)
    if (!viewer) return answerProblem(response, 401, 'サインインが必要です。もう一度サインインしてください。')
    const all = [...running.values()].reduce((sum, count) => sum + count, 0)
    if ((running.get(viewer.uid) ?? 0) >= MAX_OF_ONE || all >= MAX_OF_ALL) {
      const text = 'ほかの書き出しが終わるまでお待ちください。同時に書き出せるのは2件までです。'
      return answerProblem(response, 429, text, { 'retry-after': '5' })
    }
    running.set(viewer.uid, (running.get(viewer.uid) ?? 0) + 1)
    try {
      const opened = await openTable(endpoint, viewer, requested, info.signal)
      if (!opened.ok) return answerProblem(response, opened.status, opened.message)
      const format = requested.format as ExportFormat
      await recordRead(
        endpoint.database,
        actorOf(viewer, { requestId: info.requestId, sourceAddress: endpoint.sourceAddress(request) }),
        {
          action: 'download',
          resource: opened.table.resource,
          rowId: 'list',
          what: whatOf(opened.table, format),
        },
      )
      await send(endpoint, request, response, opened.table, format, info.signal)
    } finally {
      const left = (running.get(viewer.uid) ?? 1) - 1
      if (left > 0) running.set(viewer.uid, left)
      else running.delete(viewer.uid)
    }
  }
}

/** Reads the body with its own time limit, because the listener has none for this path. */
async function readSmallBody(request: IncomingMessage): Promise<string> {
  const timer = setTimeout(() => request.destroy(new Error('the request did not arrive')), BODY_MS)
  try {
    return await readBody(request, MAX_BODY_BYTES)
  } finally {
    clearTimeout(timer)
  }
}

function readRequest(body: unknown): ExportRequest {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new HttpError(400, 'body-not-object')
  const request = body as ExportRequest
  if (!EXPORT_FORMATS.some(format => format === request.format))
    throw new HttpError(400, 'format-unknown', { data: { formats: EXPORT_FORMATS.join('、') } })
  return request
}

async function openTable(endpoint: ExportEndpoint, viewer: Viewer, request: ExportRequest, signal: AbortSignal) {
  try {
    const result = await endpoint.open(viewer, request, signal)
    if (result.ok) return { ok: true, table: result.value } as const
    return { ok: false, status: 400, message: result.refusals.map(refusalMessageJa).join('\n') } as const
  } catch (error) {
    const code = error instanceof GraphQLError ? error.extensions.code : undefined
    if (code === 'FORBIDDEN') return { ok: false, status: 403, message: (error as Error).message } as const
    if (code === 'BAD_REQUEST') return { ok: false, status: 400, message: (error as Error).message } as const
    throw error
  }
}

function whatOf({ fileName, title, total, columns, facts }: ExportTable, format: ExportFormat) {
  return {
    report: title,
    file: `${fileName}.${endingOf(format)}`,
    format,
    rows: total,
    columns: columns.map(column => column.header).join('、'),
    ...Object.fromEntries(facts),
  }
}

function endingOf(format: ExportFormat): string {
  return format === 'xlsx' ? 'xlsx' : 'csv'
}

async function send(
  endpoint: ExportEndpoint,
  request: IncomingMessage,
  response: ServerResponse,
  table: ExportTable,
  format: ExportFormat,
  signal: AbortSignal,
): Promise<void> {
  const isFramed = (request.headers.accept ?? '').includes(FRAMES)
  const name = `${table.fileName}.${endingOf(format)}`
  response.writeHead(200, {
    'content-type': isFramed ? FRAMES : CONTENT_TYPES[format],
    'content-disposition': `attachment; filename="${name}"`,
    'cache-control': 'no-store',
    'x-export-rows': String(table.total),
  })
  let rows = 0
  const onRows = (count: number) => (rows += count)
  const file = format === 'xlsx' ? xlsxFile(table, signal, onRows) : csvFile(table, format, signal, onRows)
  const write = (bytes: Uint8Array) => writeOut(response, bytes, endpoint.stallMs ?? STALL_MS, signal)
  const writeProgress = () => write(frame(2, Buffer.from(JSON.stringify({ rows, total: table.total }))))
  let reported = -1
  if (isFramed) await writeProgress()
  for await (const piece of file) {
    signal.throwIfAborted()
    await write(isFramed ? frame(1, piece) : piece)
    if (isFramed && rows !== reported) await writeProgress()
    reported = rows
    // Yields to the event loop, so that a long export does not block other requests of this process.
    await new Promise<void>(resolve => setImmediate(resolve))
  }
  if (isFramed) await writeProgress()
  response.end()
}

function frame(kind: 1 | 2, bytes: Uint8Array): Buffer {
  const head = Buffer.alloc(5)
  head[0] = kind
  head.writeUInt32BE(bytes.length, 1)
  return Buffer.concat([head, bytes])
}

/** Waits while the caller reads slowly; aborts when it reads nothing for `stallMs`. */
async function writeOut(response: ServerResponse, bytes: Uint8Array, stallMs: number, signal: AbortSignal) {
  if (response.destroyed) throw new Error('the caller went away')
  if (response.write(bytes)) return
  await once(response, 'drain', { signal: AbortSignal.any([signal, AbortSignal.timeout(stallMs)]) })
}

function answerProblem(
  response: ServerResponse,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const body = Buffer.from(JSON.stringify({ message, code: codeOfStatus(status) }))
  const type = { 'content-type': 'application/json; charset=utf-8', 'content-length': String(body.length) }
  response.writeHead(status, { ...type, 'cache-control': 'no-store', ...headers }).end(body)
}
