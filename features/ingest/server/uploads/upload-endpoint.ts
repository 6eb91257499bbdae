import type { IncomingMessage, ServerResponse } from 'node:http'
import { decide } from '@pc/domain/access/decide.ts'
import type { Viewer } from '@pc/domain/access/viewer-scope.ts'
import { addDays } from '@pc/domain/month/day.ts'
import { actorOf } from '@pc/platform/audit/record-read.ts'
import { today } from '@pc/platform/clock.ts'
import type { Handler, RequestInfo } from '@pc/platform/http/listener.ts'
import { parseJson, storable } from '@pc/platform/http/parse-json.ts'
import { readBody } from '@pc/platform/http/read-body.ts'
import { codeOfStatus } from '@pc/platform/http/status-codes.ts'
import { INGEST_UPLOADS } from '../../uploads.ts'
import { isDataset } from '../checking/dataset-columns.ts'
import { dryRun } from '../dry-run/dry-run.ts'
import { dryRunAnswer } from '../dry-run/dry-run-answer.ts'
import { recogniseDataset } from '../dry-run/recognise-dataset.ts'
import { importAnswer } from '../import-answer.ts'
import { importBatch } from '../import-batch.ts'
import type { ImportProgress, ImportRequest } from '../import-request.ts'
import type { IngestContext } from '../ingest-context.ts'
import { INGEST_MESSAGES } from '../ingest-messages.ts'
import { IngestRefusal } from '../ingest-refusal.ts'
import { receiveSource } from '../reading/source-files.ts'
import { templateFile } from './dataset-template.ts'
import { KEPT_MS, keepUpload, purgeUploads, readUpload, removeUpload } from './upload-files.ts'

interface UploadDependencies {
  readonly context: IngestContext
  readonly authenticate: (authorization: string | undefined) => Promise<Viewer | null>
  readonly sourceAddress: (request: IncomingMessage) => string
  /** Logs an internal error and returns the id of the log entry. */
  readonly reportFault: (error: unknown) => string
}

const TEMPLATE = /^\/ingest\/templates\/([\w-]{1,30})\.csv$/
const STEP = /^\/ingest\/uploads\/([0-9a-f]{64})\/(check|publish|discard)$/
/** Uploads at once, of one person and of all. */
const UPLOADS = { ofOne: 2, ofAll: 8 }
/** Checks and publications at once, of one person and of all: each unpacks a file before it waits for the import lock. */
const STEPS = { ofOne: 4, ofAll: 8 }
const MAX_BODY_BYTES = 4096
/** Interval of progress lines: proxies close a response that is silent for a minute. */
const SIGN_OF_LIFE_MS = 5_000

/**
 * For the person on the screen, with a bearer token: `POST /ingest/uploads` takes a file, `…/<sha256>/check` says what an
 * import of it would do, `…/<sha256>/publish` imports it, `…/<sha256>/discard` forgets it. `check` and `publish` answer
 * lines of JSON: `progress` until the last one, which is `answer` or `problem`.
 * Tested by `features/ingest/server/ingest-uploads.test.ts`.
 */
export function uploadEndpoint(dependencies: UploadDependencies): Handler {
  const uploading = new Map<string, number>()
  const looking = new Map<string, number>()
  return async (request, response, info) => {
    const template = TEMPLATE.exec(info.path)?.[1]
    if (template !== undefined && isDataset(template) && request.method === 'GET') {
      const day = addDays(today(dependencies.context.clock), -1)
      return sendTemplate(response, template, templateFile(template, day))
    }
    const step = STEP.exec(info.path)
    if (!step && info.path !== INGEST_UPLOADS) return problem(response, 404, 'URLが正しくありません。')
    if (request.method !== 'POST') return problem(response, 405, 'POST でお送りください。', { allow: 'POST' })
    const viewer = await dependencies.authenticate(request.headers.authorization)
    const refused = refusalOf(viewer)
    if (refused || !viewer) return problem(response, refused?.status ?? 401, refused?.message ?? '')
    try {
      if (step) {
        const answer = () => answerStep(dependencies, viewer, step[1] ?? '', step[2] ?? '', request, response, info)
        // Discarding is cheap and must work while checks are running, so it is not limited.
        if (step[2] === 'discard') await answer()
        else await limited(looking, STEPS, viewer.uid, response, answer)
      } else
        await limited(uploading, UPLOADS, viewer.uid, response, () => receive(dependencies, viewer, request, response))
    } catch (error) {
      if (info.signal.aborted || (request.destroyed && !request.complete)) return
      if (error instanceof IngestRefusal) return problem(response, error.status, error.message, {}, error.code)
      if ((error as { code?: unknown }).code === 'ENOSPC')
        return problem(response, 507, 'サーバーのディスクに空きがありません。システムの管理者に連絡してください。')
      const faultId = dependencies.reportFault(error)
      problem(response, 500, `サーバーエラーが発生しました。もう一度お試しください（受付番号 ${faultId}）。`)
    }
  }
}

function refusalOf(viewer: Viewer | null): { status: number; message: string } | undefined {
  if (!viewer) return { status: 401, message: 'サインインが必要です。もう一度サインインしてください。' }
  if (!decide(viewer, 'write:create', 'insight:ingest.'))
    return { status: 403, message: '統計データを取り込む権限がありません。' }
  if (!viewer.impersonatedBy) return undefined
  const message = `${viewer.email}として表示している間は、取り込めません。表示を終了してから操作してください。`
  return { status: 403, message }
}

async function limited(
  running: Map<string, number>,
  most: { readonly ofOne: number; readonly ofAll: number },
  uid: string,
  response: ServerResponse,
  work: () => Promise<void>,
): Promise<void> {
  const own = running.get(uid) ?? 0
  const all = [...running.values()].reduce((sum, count) => sum + count, 0)
  if (own >= most.ofOne || all >= most.ofAll) {
    const message = 'ほかのファイルを処理しています。終わってからもう一度お試しください。'
    return problem(response, 503, message, { 'retry-after': '30' })
  }
  running.set(uid, own + 1)
  try {
    await work()
  } finally {
    const left = (running.get(uid) ?? 1) - 1
    if (left > 0) running.set(uid, left)
    else running.delete(uid)
  }
}

async function receive(
  { context }: UploadDependencies,
  { uid }: Viewer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { limits } = context
  if (Number(request.headers['content-length'] ?? 0) > limits.sourceBytes)
    return problem(response, 413, INGEST_MESSAGES.tooLarge(limits.sourceBytes), {}, 'ingest/too-large')
  if (!(await purgeUploads(context))) {
    const message = '確認中のファイルが多いため、受け取れません。しばらくしてからもう一度お試しください。'
    return problem(response, 503, message, { 'retry-after': '600' })
  }
  const source = await receiveSource(request, context, limits)
  try {
    const recognised = await recogniseDataset(context, source).catch((error: unknown) => {
      if (error instanceof IngestRefusal) return error
      throw error
    })
    await keepUpload(context, uid, source)
    // Purges the upload after it expires, even if nobody uploads again. After a restart the start purges.
    setTimeout(() => purgeUploads(context).catch(() => {}), KEPT_MS + 60_000).unref()
    const isKnown = typeof recognised === 'string'
    const dataset = { dataset: isKnown ? recognised : null, message: isKnown ? '' : recognised.message }
    sendJson(response, 200, { sha256: source.sha256, format: source.format, bytes: source.contentBytes, ...dataset })
  } finally {
    source.dispose()
  }
}

async function answerStep(
  dependencies: UploadDependencies,
  viewer: Viewer,
  sha256: string,
  step: string,
  request: IncomingMessage,
  response: ServerResponse,
  info: RequestInfo,
): Promise<void> {
  const { context } = dependencies
  const options = readOptions(storable(parseJson(await readBody(request, MAX_BODY_BYTES))))
  if (step === 'discard') {
    await removeUpload(context, viewer.uid, sha256)
    return sendJson(response, 200, {})
  }
  if (!options) return problem(response, 400, 'データセットを指定してください。')
  const input = await readUpload(context, viewer.uid, sha256)
  if (input === undefined)
    return problem(
      response,
      410,
      'ファイルの保存期間（2時間）が過ぎました。もう一度ファイルを選んでください。',
      {},
      'ingest/expired',
    )
  const lines = openLines(response)
  const delivery: ImportRequest = {
    ...options,
    expectedSha256: sha256,
    onProgress: lines.report,
    input,
  }
  try {
    if (step === 'check') {
      lines.end({ answer: dryRunAnswer(await dryRun(context, { ...delivery, signal: info.signal })) })
      return
    }
    const deliveredBy = actorOf(viewer, {
      requestId: info.requestId,
      sourceAddress: dependencies.sourceAddress(request),
    })
    const answer = importAnswer(await importBatch(context, { ...delivery, deliveredBy }))
    // An upload that cannot be removed now is purged when it expires.
    if (answer.status !== 'refused') await removeUpload(context, viewer.uid, sha256).catch(() => {})
    lines.end({ answer })
  } catch (error) {
    if (info.signal.aborted && step === 'check') return lines.end({})
    const faultId = dependencies.reportFault(error)
    lines.end({ problem: `サーバーエラーが発生しました。もう一度お試しください（受付番号 ${faultId}）。` })
  } finally {
    input.destroy()
  }
}

type StepOptions = Pick<ImportRequest, 'dataset' | 'quarantine' | 'replaces' | 'sourceName'>

function readOptions(body: unknown): StepOptions | undefined {
  const { dataset, quarantine, replaces, name } = (body ?? {}) as Readonly<Record<string, unknown>>
  if (typeof dataset !== 'string' || !isDataset(dataset)) return undefined
  return {
    dataset,
    quarantine: quarantine === true,
    sourceName: typeof name === 'string' ? name : '',
    ...(typeof replaces === 'string' ? { replaces } : {}),
  }
}

/** Opens an NDJSON answer that writes a line at least every {@link SIGN_OF_LIFE_MS}, and progress only when it changed. */
function openLines(response: ServerResponse) {
  const type = { 'content-type': 'application/x-ndjson; charset=utf-8', 'x-accel-buffering': 'no' }
  response.writeHead(200, { ...type, 'cache-control': 'no-store' })
  let last = '{"progress":{"step":"wait"}}\n'
  const write = (line: string) => {
    if (!response.destroyed) response.write(line)
  }
  write(last)
  const timer = setInterval(() => write(last), SIGN_OF_LIFE_MS)
  return {
    report(progress: ImportProgress) {
      if (progress.step === 'receive') return
      const share = 'share' in progress ? { share: Math.round(progress.share * 100) / 100 } : {}
      const line = `${JSON.stringify({ progress: { step: progress.step, ...share } })}\n`
      if (line !== last) write(line)
      last = line
    },
    end(line: object) {
      clearInterval(timer)
      response.end(`${JSON.stringify(line)}\n`)
    },
  }
}

function sendTemplate(response: ServerResponse, dataset: string, text: string): void {
  response.writeHead(200, {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${dataset}.csv"`,
    'cache-control': 'no-store',
  })
  response.end(text)
}

function problem(
  response: ServerResponse,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  code: string = codeOfStatus(status),
): void {
  // Closes the connection, because the body may not have been read to its end.
  sendJson(response, status, { message, code }, { ...headers, connection: 'close' })
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
) {
  if (response.headersSent) return void response.destroy()
  const type = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }
  response.writeHead(status, { ...type, ...headers }).end(JSON.stringify(body))
}
