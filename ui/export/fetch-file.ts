import type { RuntimeConfig } from '../runtime-config.ts'
import type { Session } from '../session/session.ts'
import {
  type ExportFormat,
  type ExportOrder,
  type ExportProgress,
  ExportRefused,
  type SessionCalls,
  type SessionOrder,
} from './export-order.ts'
import { jsonLines } from './json-lines.ts'
import { withToken } from './with-token.ts'

const FRAMES = 'application/x-publisher-center-export'
const TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv;charset=utf-8',
  'csv-cp932': 'text/csv;charset=windows-31j',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

export async function fetchFile(
  config: Pick<RuntimeConfig, 'insightApiOrigin' | 'clientVersion'>,
  session: Pick<Session, 'idToken' | 'renew'>,
  order: ExportOrder,
  onProgress: (progress: ExportProgress) => void,
  signal: AbortSignal,
): Promise<{ readonly file: Blob; readonly rows: number }> {
  // Orders of `useSessionOrders` use the same function, so that the first page loads only one.
  if (isSessionOrder(order)) {
    const { insightApiOrigin } = config
    const calls = {
      insightApiOrigin,
      jsonLines,
      refusalOf,
      withToken: withToken.bind(null, session) as SessionCalls['withToken'],
    }
    return order.withSession(calls) as never
  }
  const { path, body } = order
  const send = (token: string) =>
    fetch(`${config.insightApiOrigin}${path}`, {
      method: 'POST',
      credentials: 'include',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'X-Client-Version': config.clientVersion,
        accept: FRAMES,
      },
      body: JSON.stringify(body),
      signal,
    })
  const response = await withToken(session, send)
  if (!response.ok || !response.body) throw await refusalOf(response)
  if (body.format === undefined) return { file: await response.blob(), rows: 0 }
  return readFrames(response.body, TYPES[body.format], onProgress)
}

function isSessionOrder(order: object): order is SessionOrder<unknown> {
  return 'withSession' in order
}

async function refusalOf(response: Response): Promise<Error> {
  const answer: unknown = await response.json().catch(() => undefined)
  const { message, needsStepUp } = (answer ?? {}) as { message?: unknown; needsStepUp?: unknown }
  if (typeof message !== 'string') return new Error(`status ${response.status}`)
  return Object.assign(new ExportRefused(message), { needsStepUp: needsStepUp === true })
}

/**
 * Reads frames: one byte of kind, four of length; kind 1 is a piece of the file, 2 the progress. A file that ends early
 * is an error.
 */
async function readFrames(
  body: ReadableStream<Uint8Array>,
  type: string,
  onProgress: (progress: ExportProgress) => void,
) {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  const decoder = new TextDecoder()
  let rest = new Uint8Array(0)
  let progress: ExportProgress = { rows: 0, total: 0 }
  const reader = body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    rest = joined(rest, value)
    let at = 0
    while (rest.length - at >= 5) {
      const length = new DataView(rest.buffer, rest.byteOffset + at + 1, 4).getUint32(0)
      if (rest.length - at - 5 < length) break
      const content = rest.slice(at + 5, at + 5 + length)
      if (rest[at] === 1) pieces.push(content)
      else {
        progress = JSON.parse(decoder.decode(content)) as ExportProgress
        onProgress(progress)
      }
      at += 5 + length
    }
    rest = rest.slice(at)
  }
  if (rest.length > 0 || progress.rows < progress.total) throw new Error('the file ended early')
  return { file: new Blob(pieces, { type }), rows: progress.rows }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length)
  all.set(first)
  all.set(second, first.length)
  return all
}
