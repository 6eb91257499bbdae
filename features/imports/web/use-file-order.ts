import { saveFile } from '@pc/ui/data/save-file.ts'
import type { ExportFormat, ExportProgress, ExportRefused, SessionCalls } from '@pc/ui/export/export-order.ts'
import { useFileExports } from '@pc/ui/export/file-exports.tsx'
import { useSessionOrders } from '@pc/ui/export/session-orders.ts'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { askForStepUp } from '@pc/ui/session/step-up-prompt.tsx'
import { useEffect, useRef, useState } from 'react'

interface Answered {
  readonly importId?: string
  readonly isNewPreview?: boolean
  readonly messages?: readonly string[]
  /** Cancelled by the person, or by leaving the screen. */
  readonly isStopped?: boolean
}

/** Compares the name instead of using `instanceof`: importing the class would add a chunk to the landing page's bundle. */
const isRefused = (error: unknown): error is ExportRefused => error instanceof Error && error.name === 'ExportRefused'
const FAILED = '送信できませんでした。通信の状態を確認して、もう一度お試しください。'

/** Sends a file or a confirmation and reports the server's progress. Leaving the screen aborts the request. */
export function useImportOrder() {
  const inSession = useSessionOrders()
  const [progress, setProgress] = useState<ExportProgress>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const send = async (path: `/${string}`, upload: Blob, canStepUp = true): Promise<Answered> => {
    if (!inSession) return { messages: [FAILED] }
    const abort = new AbortController()
    running.current = abort
    setProgress({ rows: 0, total: 0 })
    try {
      const signal = abort.signal
      return await inSession({ withSession: calls => sendImport(calls, path, upload, setProgress, signal) })
    } catch (error) {
      if (abort.signal.aborted) return { isStopped: true }
      if (isRefused(error) && error.needsStepUp && canStepUp && (await askForStepUp())) return send(path, upload, false)
      return { messages: [isRefused(error) ? error.message : FAILED] }
    } finally {
      running.current = undefined
      setProgress(undefined)
    }
  }
  return { send, progress, cancel: () => running.current?.abort() }
}

/** Reads the NDJSON answer: lines of progress, then the result. */
async function sendImport(
  { insightApiOrigin, withToken, jsonLines, refusalOf }: SessionCalls,
  path: `/${string}`,
  upload: Blob,
  onProgress: (progress: ExportProgress) => void,
  signal: AbortSignal,
): Promise<Answered> {
  const type = upload.type || 'application/octet-stream'
  const response = await withToken(token => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': type }
    return fetch(`${insightApiOrigin}${path}`, { method: 'POST', headers, body: upload, signal })
  })
  if (!response.ok || !response.body) throw await refusalOf(response)
  for await (const said of jsonLines<Answered & { readonly done?: number; readonly total?: number }>(response.body)) {
    if (said.done === undefined) return said
    onProgress({ rows: said.done, total: said.total ?? 0 })
  }
  throw new Error('the answer ended early')
}

/** Downloads a template, or the refused rows of a preview. */
export function useTableDownload() {
  const fetchFile = useFileExports()
  return async (fileName: string, request: Readonly<Record<string, unknown>>, format: ExportFormat) => {
    if (!fetchFile) return
    try {
      const order = { path: '/exports/import', body: { ...request, format } } as const
      const { file } = await fetchFile(order, () => {}, new AbortController().signal)
      saveFile(`${fileName}.${format === 'xlsx' ? 'xlsx' : 'csv'}`, file)
    } catch (error) {
      showToast({ tone: 'error', message: isRefused(error) ? error.message : FAILED })
    }
  }
}
