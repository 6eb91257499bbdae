import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Viewer } from '@pc/domain/access/viewer-scope.ts'
import { refusal } from '@pc/domain/refusal.ts'
import { refusalMessageJa } from '@pc/domain/refusal-messages.ja.ts'
import type { Result } from '@pc/domain/result.ts'
import { withoutHiddenCharacters } from '@pc/domain/text/name-text.ts'
import type { GraphContext } from '@pc/platform/graphql/graph.ts'
import { demandNoImpersonation, demandPerson, demandStepUp } from '@pc/platform/graphql/guard.ts'
import { HttpError } from '@pc/platform/http/http-error.ts'
import type { Handler, RequestInfo } from '@pc/platform/http/listener.ts'
import { parseJson } from '@pc/platform/http/parse-json.ts'
import { demandJson, readBody } from '@pc/platform/http/read-body.ts'
import type { Log } from '@pc/platform/log.ts'
import { MAX_TABLE_FILE_MB } from '@pc/platform/spreadsheet/table-row.ts'
import { GraphQLError } from 'graphql'
import { type Confirmation, confirmImport } from './confirm-import.ts'
import { demandImporter, type Importer } from './import-access.ts'
import type { ImportKind, Refused } from './import-kind.ts'
import { type ImportDependencies, type Progress, previewImport } from './preview-import.ts'

interface ImportEndpoint extends ImportDependencies {
  readonly log: Log
  readonly authenticate: (authorization: string | undefined) => Promise<Viewer | null>
  readonly sourceAddress: (request: IncomingMessage) => string
}

export const IMPORT_PATH = '/imports'
const MAX_FILE_BYTES = MAX_TABLE_FILE_MB * 1_048_576
const MAX_JSON_BYTES = 4_096
const MAX_FILE_NAME = 255
const BODY_MS = 120_000
const PROGRESS_MS = 200
/** Imports at once per process, of all people: a preview keeps a processor busy for seconds. */
const MAX_RUNNING = 2

/** The last line of an answer. */
type Answered =
  | { readonly importId: string; readonly isNewPreview?: boolean }
  | { readonly messages: readonly string[] }

/**
 * `POST /imports?kind=…&name=…` with a file creates a preview, `POST /imports?confirm=…` with JSON saves one. The answer is
 * NDJSON: lines of progress, then the result.
 * Tested by `features/imports/server/imports.test.ts`.
 */
export function importHandler(endpoint: ImportEndpoint): Handler {
  let running = 0
  return async (request, response, info) => {
    if (request.method !== 'POST')
      throw new HttpError(405, 'method-not-allowed', { data: { allowed: 'POST' }, headers: { allow: 'POST, OPTIONS' } })
    const context = await contextOf(endpoint, request, info)
    const address = new URL(request.url ?? '/', 'http://localhost')
    const isConfirmation = address.searchParams.has('confirm')
    const kind = endpoint.kinds.find(one => one.name === address.searchParams.get('kind'))
    // Checked before the body is read and before the request counts against `MAX_RUNNING`.
    const importer = await importerOf(endpoint, response, context, kind, isConfirmation)
    if (!importer || !kind) return
    if (running >= MAX_RUNNING) throw new HttpError(503, 'busy', { headers: { 'retry-after': '5' } })
    running += 1
    try {
      const body = isConfirmation ? await readConfirmation(request) : await readFile(request)
      if (!body) return sendProblem(response, 413, tooLarge())
      const name = fileNameOf(address.searchParams.get('name')) || kind.fileName
      await stream(endpoint, response, info, progress => workOn(endpoint, kind, importer, name, body, progress))
    } finally {
      running -= 1
    }
  }
}

/** Cut by characters (code points), which is how PostgreSQL counts. */
function fileNameOf(sent: string | null): string {
  const characters = [...withoutHiddenCharacters(sent ?? '')]
  return characters.slice(0, MAX_FILE_NAME).join('').trim()
}

/** Undefined when the request was already answered: unknown kind, or missing right. */
async function importerOf(
  endpoint: ImportEndpoint,
  response: ServerResponse,
  context: GraphContext,
  kind: ImportKind | undefined,
  isConfirmation: boolean,
): Promise<Importer | undefined> {
  let importer: Importer | undefined
  await asProblem(response, async () => {
    const viewer = demandPerson(context)
    demandNoImpersonation(context)
    if (!kind) return sendProblem(response, 400, refusalMessageJa(refusal('import/kind-unknown')))
    const found = demandImporter(viewer, kind, context)
    if (isConfirmation && kind.needsStepUp) await demandStepUp(context, endpoint.database)
    importer = found
  })
  return importer
}

async function workOn(
  endpoint: ImportEndpoint,
  kind: ImportKind,
  importer: Importer,
  name: string,
  body: Buffer | Confirmation,
  progress: Progress,
): Promise<Result<Answered, Refused>> {
  if (Buffer.isBuffer(body)) {
    const previewed = await previewImport(endpoint, kind, importer, { name, bytes: body }, progress)
    return previewed.ok ? { ok: true, value: { importId: String(previewed.value.id) } } : previewed
  }
  const confirmed = await confirmImport(endpoint, kind, importer, body, progress)
  if (!confirmed.ok) return confirmed
  const { row, isNewPreview } = confirmed.value
  return { ok: true, value: { importId: String(row.id), isNewPreview } }
}

async function contextOf(endpoint: ImportEndpoint, request: IncomingMessage, info: RequestInfo): Promise<GraphContext> {
  return {
    viewer: await endpoint.authenticate(request.headers.authorization),
    requestId: info.requestId,
    sourceAddress: endpoint.sourceAddress(request),
    signal: info.signal,
    permits: new Map(),
  }
}

/** Runs a check and answers its GraphQL error as an HTTP problem. */
async function asProblem(response: ServerResponse, check: () => Promise<void>): Promise<void> {
  try {
    await check()
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error
    const { code, needsStepUp } = error.extensions
    sendProblem(response, code === 'UNAUTHENTICATED' ? 401 : 403, error.message, { needsStepUp: needsStepUp === true })
  }
}

function sendProblem(response: ServerResponse, status: number, message: string, more: object = {}): void {
  const type = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }
  // The rest of the body is not read, so the connection is closed.
  response.writeHead(status, { ...type, connection: 'close' })
  response.end(JSON.stringify({ message, messages: [message], ...more }))
}

const tooLarge = () => refusalMessageJa(refusal('spreadsheet/too-large', [], { maxMb: MAX_TABLE_FILE_MB }))

/** Undefined when the file is too large. */
async function readFile(request: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_FILE_BYTES) return undefined
  return inTime(request, async () => {
    const pieces: Buffer[] = []
    let size = 0
    for await (const piece of request as AsyncIterable<Buffer>) {
      size += piece.length
      if (size > MAX_FILE_BYTES) return undefined
      pieces.push(piece)
    }
    return Buffer.concat(pieces)
  })
}

async function readConfirmation(request: IncomingMessage): Promise<Confirmation> {
  demandJson(request)
  const body = parseJson(await inTime(request, () => readBody(request, MAX_JSON_BYTES)))
  if (typeof body !== 'object' || body === null) throw new HttpError(400, 'body-not-object')
  const { importId, previewSha256, withoutRefused, sendsInvitations } = body as Record<string, unknown>
  const id = typeof importId === 'string' && /^[1-9]\d{0,17}$/.test(importId) ? BigInt(importId) : 0n
  return {
    importId: id,
    previewSha256: String(previewSha256),
    withoutRefused: withoutRefused === true,
    sendsInvitations: sendsInvitations === true,
  }
}

/** Limits the time to receive the body, because the listener has no limit for this path. */
async function inTime<T>(request: IncomingMessage, read: () => Promise<T>): Promise<T> {
  const timer = setTimeout(() => request.destroy(new Error('the request did not arrive')), BODY_MS)
  try {
    return await read()
  } finally {
    clearTimeout(timer)
  }
}

async function stream(
  endpoint: ImportEndpoint,
  response: ServerResponse,
  info: RequestInfo,
  work: (progress: Progress) => Promise<Result<Answered, Refused>>,
) {
  response.writeHead(200, { 'content-type': 'application/x-ndjson; charset=utf-8', 'cache-control': 'no-store' })
  let sentAt = 0
  const line = (said: object) => void (response.destroyed || response.write(`${JSON.stringify(said)}\n`))
  const onRows = (done: number, total: number) => {
    if (performance.now() - sentAt < PROGRESS_MS && done < total) return
    sentAt = performance.now()
    line({ done, total })
  }
  try {
    const result = await work({ signal: info.signal, onRows })
    const answered: Answered = result.ok
      ? result.value
      : { messages: result.refusals.map(one => refusalMessageJa(one)) }
    line(answered)
  } catch (error) {
    if (!info.signal.aborted) endpoint.log.error({ err: error, requestId: info.requestId }, 'fault in an import')
    line({ messages: [faultText(info.requestId)] })
  }
  response.end()
}

const faultText = (requestId: string) =>
  `処理中に問題が発生しました。何も取り込まれていません。時間をおいてもう一度お試しください。（受付番号：${requestId}）`
