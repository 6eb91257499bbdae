import type { SessionCalls } from '@pc/ui/export/export-order.ts'
import { INGEST_UPLOADS } from '../uploads.ts'

/** The browser's client of `server/uploads/upload-endpoint.ts`. */
export interface Upload {
  readonly sha256: string
  readonly format: string
  /** Null when the columns fit no dataset; `message` names the differences from the closest one. */
  readonly dataset: string | null
  readonly message: string
}

export interface DeliveryOptions {
  readonly dataset: string
  readonly quarantine: boolean
  readonly replaces?: string | undefined
}

export interface RowProblem {
  readonly line: number
  readonly column: string
  readonly message: string
}

export interface BatchFacts {
  readonly batchNo: string
  readonly id: string
  readonly rows: number
  readonly firstDay: string | null
  readonly lastDay: string | null
}

export interface Checked {
  readonly status: 'acceptable' | 'unchanged' | 'refused'
  readonly code: string
  readonly message: string
  readonly summary: {
    readonly rows: number
    readonly badRows: number
    readonly firstDay: string | null
    readonly lastDay: string | null
    readonly totals: readonly { readonly column: string; readonly label: string; readonly total: string }[]
    readonly dayCount: number
    readonly days: readonly { readonly day: string; readonly rows: number; readonly totals: readonly string[] }[]
  } | null
  readonly batch: BatchFacts | null
  readonly replaces: BatchFacts | null
  readonly finalMonths: readonly { readonly mediumId: string; readonly month: string }[]
  readonly otherBatchId: string | null
  readonly badRows: number
  readonly errors: readonly RowProblem[]
}

export interface Published {
  readonly status: 'applied' | 'unchanged' | 'refused'
  readonly message: string
  readonly batch: BatchFacts | null
}

export interface StepProgress {
  readonly step: 'wait' | 'check' | 'publish'
  readonly share?: number
}

/** A failure with a message for the person: the server's, or a general one when it did not answer. */
export class DeliveryProblem extends Error {
  override name = 'DeliveryProblem'
  readonly canRepeat: boolean

  constructor(message: string, canRepeat: boolean) {
    super(message)
    this.canRepeat = canRepeat
  }
}

const NETWORK = '通信が途切れました。接続を確認して、もう一度お試しください。'

/** Uses XMLHttpRequest, because `fetch` reports no upload progress. @param onShare called with 0 to 1 */
export async function uploadFile(
  calls: SessionCalls,
  file: File,
  onShare: (share: number) => void,
  signal: AbortSignal,
): Promise<Upload> {
  const send = (token: string) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open('POST', INGEST_UPLOADS)
      request.setRequestHeader('authorization', `Bearer ${token}`)
      request.setRequestHeader('content-type', 'application/octet-stream')
      request.upload.onprogress = event => onShare(event.total > 0 ? event.loaded / event.total : 1)
      request.onload = () => resolve({ status: request.status, text: request.responseText })
      request.onerror = () => reject(new DeliveryProblem(NETWORK, true))
      request.onabort = () => reject(signal.reason)
      signal.addEventListener('abort', () => request.abort(), { once: true })
      request.send(file)
    })
  signal.throwIfAborted()
  const answer = await calls.withToken(send)
  if (answer.status === 200) return JSON.parse(answer.text) as Upload
  throw problemOf(answer.status, answer.text)
}

/** Calls a step of the endpoint, reports its progress lines, and resolves with its answer. @throws DeliveryProblem */
export async function runStep<T>(
  calls: SessionCalls,
  step: 'check' | 'publish' | 'discard',
  sha256: string,
  options: DeliveryOptions & { readonly name: string },
  onProgress: (progress: StepProgress) => void,
  signal: AbortSignal,
): Promise<T> {
  const send = async (token: string) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const request = { method: 'POST', headers, body: JSON.stringify(options), signal }
    return fetch(`${INGEST_UPLOADS}/${sha256}/${step}`, request).catch((error: unknown) => {
      signal.throwIfAborted()
      throw error instanceof TypeError ? new DeliveryProblem(NETWORK, true) : error
    })
  }
  const response = await calls.withToken(send)
  if (!response.ok || !response.body) throw problemOf(response.status, await response.text())
  return readLines<T>(calls, response.body, onProgress, signal)
}

async function readLines<T>(
  { jsonLines }: SessionCalls,
  body: ReadableStream<Uint8Array>,
  onProgress: (progress: StepProgress) => void,
  signal: AbortSignal,
): Promise<T> {
  try {
    for await (const said of jsonLines<{ answer?: T; problem?: string; progress?: StepProgress }>(body)) {
      if (said.answer) return said.answer
      if (said.problem !== undefined) throw new DeliveryProblem(said.problem, true)
      if (said.progress) onProgress(said.progress)
    }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof DeliveryProblem) throw error
  }
  throw new DeliveryProblem(NETWORK, true)
}

function problemOf(status: number, text: string): DeliveryProblem {
  let message: unknown
  try {
    message = (JSON.parse(text) as { message?: unknown }).message
  } catch {
    // Not JSON: the answer comes from a proxy.
  }
  const isBusy = status >= 500
  return typeof message === 'string' ? new DeliveryProblem(message, isBusy) : new DeliveryProblem(NETWORK, true)
}
