import { type Day, dayParts } from '../month/day.ts'
import type { JobKind } from './manual-operation.ts'

/** People identify a manual operation by its kind and day, not by its number. */

const JOB_KIND_LABELS: Readonly<Record<JobKind, string>> = {
  ssp: 'SSP収益の分配',
  ssp_video: '動画SSP収益の分配',
  ssp_live: 'ライブSSP収益の分配',
  csv: '個別調整（CSV）',
  reset: '取り消し（リセット）',
}

export function jobKindLabel(kind: JobKind): string {
  return JOB_KIND_LABELS[kind]
}

/** 7月3日登録 */
export function enteredText(enteredOn: Day): string {
  const { month, date } = dayParts(enteredOn)
  return `${month}月${date}日登録`
}

/** 「SSP収益の分配」（7月3日登録） */
export function jobText({ kind, enteredOn }: { readonly kind: JobKind; readonly enteredOn: Day }): string {
  return `「${JOB_KIND_LABELS[kind]}」（${enteredText(enteredOn)}）`
}

/**
 * The name of an operation in a refusal: the text that the screen put in place of the number, or the number itself.
 */
export function jobName(job: string | number | undefined): string {
  return /^\d+$/.test(String(job)) ? `処理${job}` : String(job)
}
