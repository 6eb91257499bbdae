import { useSessionOrders } from '@pc/ui/export/session-orders.ts'
import { useEffect, useRef, useState } from 'react'
import { MAX_DELIVERY_BYTES } from '../uploads.ts'
import {
  type Checked,
  type DeliveryOptions,
  DeliveryProblem,
  type Published,
  runStep,
  type StepProgress,
  type Upload,
  uploadFile,
} from './send-delivery.ts'

/** The state of an upload, from the choice of a file to its publication. */
export type Delivery =
  | { readonly step: 'empty' }
  | { readonly step: 'uploading'; readonly file: File; readonly share: number }
  | { readonly step: 'unknown'; readonly file: File; readonly upload: Upload }
  | {
      readonly step: 'checking' | 'publishing'
      readonly file: File
      readonly upload: Upload
      readonly options: DeliveryOptions
      readonly progress: StepProgress
    }
  | {
      readonly step: 'checked'
      readonly file: File
      readonly upload: Upload
      readonly options: DeliveryOptions
      readonly answer: Checked
    }
  | { readonly step: 'published'; readonly file: File; readonly answer: Published }
  /** `repeat` is undefined when the same attempt would fail again. */
  | { readonly step: 'failed'; readonly file: File; readonly message: string; readonly repeat?: () => void }

export interface DeliveryActions {
  readonly delivery: Delivery
  choose(files: readonly File[]): void
  /** Checks again with another dataset, or with the person's decision about wrong rows or a conflicting batch. */
  change(options: DeliveryOptions): void
  publish(): void
  /** Aborts the running request and discards the file, also on the server. */
  cancel(): void
}

/** State and actions of an upload. @param onPublished called after a publication, to reload the list */
export function useDelivery(onPublished: () => void): DeliveryActions {
  const inSession = useSessionOrders()
  const [delivery, setDelivery] = useState<Delivery>({ step: 'empty' })
  const stop = useRef<AbortController | undefined>(undefined)
  useEffect(() => () => stop.current?.abort(), [])

  /** Runs `work` and aborts the previous attempt, whose late result is ignored. */
  const attempt = (file: File, work: (signal: AbortSignal) => Promise<void>, repeat: () => void) => {
    stop.current?.abort()
    const own = new AbortController()
    stop.current = own
    work(own.signal).catch((error: unknown) => {
      if (own.signal.aborted) return
      const message =
        error instanceof DeliveryProblem ? error.message : '取り込めませんでした。もう一度お試しください。'
      const canRepeat = !(error instanceof DeliveryProblem) || error.canRepeat
      setDelivery({ step: 'failed', file, message, ...(canRepeat ? { repeat } : {}) })
    })
  }

  const send = (file: File) =>
    attempt(
      file,
      async signal => {
        setDelivery({ step: 'uploading', file, share: 0 })
        const onShare = (share: number) => {
          if (!signal.aborted) setDelivery({ step: 'uploading', file, share })
        }
        const upload = await inSession?.({ withSession: calls => uploadFile(calls, file, onShare, signal) })
        if (!upload || signal.aborted) return
        if (upload.dataset === null) setDelivery({ step: 'unknown', file, upload })
        else check(file, upload, { dataset: upload.dataset, quarantine: false })
      },
      () => send(file),
    )

  const check = (file: File, upload: Upload, options: DeliveryOptions) =>
    attempt(
      file,
      async signal => {
        const at = { file, upload, options }
        const onProgress = (progress: StepProgress) => {
          if (!signal.aborted) setDelivery({ step: 'checking', ...at, progress })
        }
        onProgress({ step: 'wait' })
        const named = { ...options, name: file.name }
        const answer = await inSession?.({
          withSession: calls => runStep<Checked>(calls, 'check', upload.sha256, named, onProgress, signal),
        })
        if (answer && !signal.aborted) setDelivery({ step: 'checked', ...at, answer })
      },
      () => check(file, upload, options),
    )

  const publish = (file: File, upload: Upload, options: DeliveryOptions) =>
    attempt(
      file,
      async signal => {
        const onProgress = (progress: StepProgress) =>
          setDelivery({ step: 'publishing', file, upload, options, progress })
        onProgress({ step: 'wait' })
        const named = { ...options, name: file.name }
        const answer = await inSession?.({
          withSession: calls => runStep<Published>(calls, 'publish', upload.sha256, named, onProgress, signal),
        })
        if (!answer || signal.aborted) return
        // Another delivery came since the dry run, so the file is checked again.
        if (answer.status === 'refused') return check(file, upload, options)
        setDelivery({ step: 'published', file, answer })
        onPublished()
      },
      () => publish(file, upload, options),
    )

  return {
    delivery,
    choose(chosen) {
      const [file, ...others] = chosen
      if (!file) return
      if (others.length > 0) {
        const message = 'ファイルは1つずつ取り込みます。1つだけを選んでください。'
        return setDelivery({ step: 'failed', file, message })
      }
      if (file.size > MAX_DELIVERY_BYTES) {
        const message = 'ファイルが大きすぎます（上限 2GB）。期間を分けるか、gzip で圧縮してください。'
        return setDelivery({ step: 'failed', file, message })
      }
      if (file.size === 0) {
        const message = 'ファイルが空です。書き出しが完了しているか確認してください。'
        return setDelivery({ step: 'failed', file, message })
      }
      send(file)
    },
    change(options) {
      if ('upload' in delivery) check(delivery.file, delivery.upload, options)
    },
    publish() {
      if (delivery.step === 'checked') publish(delivery.file, delivery.upload, delivery.options)
    },
    cancel() {
      stop.current?.abort()
      if ('upload' in delivery) {
        const { sha256 } = delivery.upload
        const options = { dataset: delivery.upload.dataset ?? '', quarantine: false, name: '' }
        const forget = { withSession: (calls: Parameters<typeof runStep>[0]) => discard(calls, sha256, options) }
        void inSession?.(forget)
      }
      setDelivery({ step: 'empty' })
    },
  }
}

/** Ignores failures: the server purges uploads after two hours. */
function discard(
  ...[session, sha256, options]: [Parameters<typeof runStep>[0], string, Parameters<typeof runStep>[3]]
) {
  return runStep(session, 'discard', sha256, options, () => {}, new AbortController().signal).catch(() => undefined)
}
