import type { IncomingMessage, ServerResponse } from 'node:http'
import { codeOfStatus } from '@pc/platform/http/status-codes.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { ANY_DATASET, DATASETS, isDataset } from './checking/dataset-columns.ts'
import { dryRun } from './dry-run/dry-run.ts'
import { dryRunAnswer } from './dry-run/dry-run-answer.ts'
import { importAnswer } from './import-answer.ts'
import { importBatch } from './import-batch.ts'
import type { ImportRequest } from './import-request.ts'
import type { IngestContext } from './ingest-context.ts'
import { answerControl } from './ingest-control.ts'
import { findIngestKey, INGEST_SCOPE } from './ingest-key-store.ts'
import { INGEST_MESSAGES } from './ingest-messages.ts'
import { isUnavailable } from './publishing/complete-batch.ts'

/** @returns true when the request was answered; false, with the request untouched, when its path is not the import's */
export type IngestEndpoint = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>

export interface EndpointOptions {
  /** `api-key` for networks; `control-socket` where the operating system already let only the operator in. */
  readonly access: 'api-key' | 'control-socket'
  /** Logs an internal error and returns the id of the log entry. */
  readonly reportFault: (error: unknown) => string
}

const PREFIX = '/ingest/v1/'
const CONTENT_TYPES = new Set([
  'text/csv',
  'application/csv',
  'application/x-ndjson',
  'application/ndjson',
  'application/jsonl',
  'application/vnd.apache.parquet',
  'application/x-parquet',
  'application/gzip',
  'application/x-gzip',
  'application/zstd',
  'application/octet-stream',
])
const ENCODINGS = new Set(['identity', 'gzip', 'x-gzip', 'zstd'])
/** Each upload is written to disk before it waits for the import lock, so that many at once would fill the disk. */
const UPLOADS_AT_ONCE = 8

/** `POST /ingest/v1/<dataset>` with the delivery as its body. */
export function ingestEndpoint(context: IngestContext, options: EndpointOptions): IngestEndpoint {
  let uploads = 0
  return async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    if (!url.pathname.startsWith(PREFIX)) return false
    const name = url.pathname.slice(PREFIX.length)
    try {
      if (options.access === 'control-socket' && (await answerControl(context, name, url, request, response)))
        return true
      const sender = await admit(context, options, name, request)
      if ('status' in sender) {
        refuse(response, sender)
      } else if (uploads >= UPLOADS_AT_ONCE) {
        refuse(response, {
          status: 503,
          message: '取り込みが混み合っています。しばらくしてからもう一度お送りください。',
          headers: { 'Retry-After': '30' },
        })
      } else {
        uploads += 1
        try {
          await take(context, { name, url, apiKeyId: sender.apiKeyId }, request, response)
        } finally {
          uploads -= 1
        }
      }
    } catch (error) {
      if (request.destroyed && !request.complete) return true // the sender went away: nobody waits for an answer
      const id = options.reportFault(error)
      const mayPass = isUnavailable(error)
      refuse(response, {
        status: mayPass ? 503 : 500,
        ...(mayPass ? { headers: { 'Retry-After': '30' } } : {}),
        message: `サーバーエラーが発生しました。時間をおいてもう一度お送りください（受付番号 ${id}）。`,
      })
    }
    return true
  }
}

interface Problem {
  readonly status: number
  readonly message: string
  readonly headers?: Readonly<Record<string, string>>
}

/** `apiKeyId` is undefined on the control socket, which only the operator's account can open. */
interface Sender {
  readonly apiKeyId: bigint | undefined
}

async function admit(
  context: IngestContext,
  options: EndpointOptions,
  dataset: string,
  request: IncomingMessage,
): Promise<Sender | Problem> {
  const sender = options.access === 'api-key' ? await senderOfKey(context, request) : { apiKeyId: undefined }
  return 'status' in sender ? sender : (refuseRequest(context, dataset, request) ?? sender)
}

/** Refuses whatever the address and headers show to be wrong, before the body is read. */
function refuseRequest(context: IngestContext, dataset: string, request: IncomingMessage): Problem | undefined {
  if (!isDataset(dataset) && dataset !== ANY_DATASET)
    return { status: 404, message: INGEST_MESSAGES.notADataset(dataset.slice(0, 60), DATASETS) }
  if (request.method !== 'POST') {
    return { status: 405, message: 'POST でお送りください。', headers: { Allow: 'POST' } }
  }
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (type !== undefined && !CONTENT_TYPES.has(type)) return { status: 415, message: INGEST_MESSAGES.unknownFormat }
  const charset = /charset\s*=\s*"?([\w-]+)/i.exec(request.headers['content-type'] ?? '')?.[1]?.toLowerCase()
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    return { status: 415, message: INGEST_MESSAGES.unknownFormat }
  }
  const encoding = request.headers['content-encoding']?.trim().toLowerCase()
  if (encoding !== undefined && !ENCODINGS.has(encoding))
    return { status: 415, message: INGEST_MESSAGES.unknownEncoding }
  if (Number(request.headers['content-length'] ?? 0) > context.limits.sourceBytes) {
    return { status: 413, message: INGEST_MESSAGES.tooLarge(context.limits.sourceBytes) }
  }
  return undefined
}

async function senderOfKey(context: IngestContext, request: IncomingMessage): Promise<Sender | Problem> {
  const secret = /^Bearer ([\w.~+/-]{1,200}=*)$/i.exec(request.headers.authorization ?? '')?.[1]
  const at = new Date(context.clock.now())
  const key = secret && (await context.database.inScope(SYSTEM, tx => findIngestKey(tx, secret, at)))
  if (!key) {
    const headers = { 'WWW-Authenticate': 'Bearer realm="ingest"' }
    return {
      status: 401,
      message: 'APIキーが正しくありません。Authorization: Bearer <APIキー> を付けてください。',
      headers,
    }
  }
  if (!key.scopes.includes(INGEST_SCOPE)) return { status: 403, message: 'このAPIキーでは取り込みできません。' }
  return { apiKeyId: key.id }
}

async function take(
  context: IngestContext,
  { name, url, apiKeyId }: Sender & { readonly name: string; readonly url: URL },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const header = request.headers['x-batch-id']
  const isSet = (flag: string) => ['1', 'true'].includes(url.searchParams.get(flag) ?? '')
  const delivery: ImportRequest = {
    dataset: isDataset(name) ? name : undefined,
    apiKeyId,
    input: request,
    batchId: url.searchParams.get('batchId') ?? (typeof header === 'string' ? header : undefined),
    replaces: url.searchParams.get('replaces') ?? undefined,
    quarantine: isSet('quarantine'),
    sourceName: url.searchParams.get('name') ?? '',
  }
  if (isSet('dryRun')) {
    const tried = await dryRun(context, delivery)
    const status = tried.verdict.kind === 'refused' ? tried.verdict.refusal.status : 200
    return answerJson(response, status, dryRunAnswer(tried), request.complete)
  }
  const outcome = await importBatch(context, delivery)
  const status = outcome.kind === 'refused' ? outcome.refusal.status : 200
  answerJson(response, status, importAnswer(outcome), request.complete)
}

function refuse(response: ServerResponse, { status, message, headers = {} }: Problem): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  answerJson(response, status, { status: 'refused', code: codeOfStatus(status), message }, false)
}

/** @param keepsConnection false when the body was not read to its end: the connection cannot be used again */
function answerJson(response: ServerResponse, status: number, body: object, keepsConnection: boolean): void {
  if (!keepsConnection) response.setHeader('Connection', 'close')
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  })
  response.end(`${JSON.stringify(body)}\n`)
}
