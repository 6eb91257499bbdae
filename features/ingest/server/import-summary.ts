import type { DryRunAnswer, SummaryAnswer } from './dry-run/dry-run-answer.ts'
import type { ImportAnswer } from './import-answer.ts'
import type { RowError } from './ingest-refusal.ts'
import type { ReplayReport } from './publishing/replay-day.ts'

/**
 * What the command says about one file, in Japanese; the first line is the outcome.
 * Tested by `features/ingest/server/ingest-endpoint.test.ts`.
 */
export function importSummary(file: string, answer: ImportAnswer, seconds: number): string {
  const lines = [`${answer.status === 'refused' ? '✗' : '✓'} ${file}: ${answer.message}`]
  if (answer.batch) {
    const speed = seconds > 0 ? Math.round(answer.batch.rows / seconds).toLocaleString('ja-JP') : '-'
    lines.push(`  バッチID: ${answer.batch.id}（第${answer.batch.revision}版、${answer.batch.dataset}）`)
    if (answer.status === 'applied') lines.push(`  所要時間：${seconds.toFixed(1)}秒（毎秒 ${speed}行）`)
  }
  return [...lines, ...errorLines(answer)].join('\n')
}

/** The same for a dry run. */
export function dryRunSummary(file: string, answer: DryRunAnswer): string {
  const { dataset, format, summary, replaces, finalMonths } = answer
  const lines = [`${answer.status === 'refused' ? '✗' : '✓'} ${file}: ${answer.message}`]
  if (dataset !== null) lines.push(`  データセット：${dataset}（${format}）`)
  if (summary) lines.push(...summaryLines(summary))
  if (replaces)
    lines.push(
      `  置き換えるバッチ：${replaces.id}（第${replaces.revision}版、${daysText(replaces)}、${number(replaces.rows)}行）`,
    )
  if (finalMonths.length > 0) {
    const months = finalMonths.map(({ mediumId, month }) => `${month} 媒体 ${mediumId}`)
    lines.push(`  確定済みの月の数値が変わります（差額は次の未確定の月に計上します）：${months.join('、')}`)
  }
  return [...lines, ...errorLines(answer)].join('\n')
}

/** Days that the terminal prints; the endpoint's answer has them all. */
const PRINTED_DAYS = 31

function summaryLines({ rows, badRows, totals, days, dayCount, ...period }: SummaryAnswer): string[] {
  const named = (values: readonly string[]) =>
    values.flatMap((value, at) =>
      totals[at] && value !== '0' ? [`${totals[at].column} ${number(BigInt(value))}`] : [],
    )
  const shown = days.slice(0, PRINTED_DAYS)
  return [
    `  行数：${number(rows)}行（誤りのある行 ${number(badRows)}行）`,
    ...(period.firstDay === null ? [] : [`  期間：${daysText(period)}（${number(dayCount)}日分）`]),
    ...(totals.length === 0 ? [] : [`  合計：${named(totals.map(({ total }) => total)).join('、') || 'すべて 0'}`]),
    ...shown.map(one => `  ${one.day}: ${number(one.rows)}行、${named(one.totals).join('、') || 'すべて 0'}`),
    ...(dayCount > shown.length ? [`  ほか ${number(dayCount - shown.length)}日分`] : []),
  ]
}

function errorLines({ errors, badRows }: { readonly errors: readonly RowError[]; readonly badRows: number }): string[] {
  const listed = new Set(errors.map(({ line }) => line)).size
  return [
    ...errors.map(({ line, column, message }) => `  ${line}行目${column ? ` ${column}` : ''}: ${message}`),
    ...(badRows > listed ? [`  ほか ${number(badRows - listed)}行に誤りがあります。`] : []),
  ]
}

function daysText({
  firstDay,
  lastDay,
}: {
  readonly firstDay: string | null
  readonly lastDay: string | null
}): string {
  if (firstDay === null) return '日付なし'
  return firstDay === lastDay ? firstDay : `${firstDay} から ${lastDay}`
}

const number = (value: bigint | number) => value.toLocaleString('ja-JP')

export function replaySummary(report: ReplayReport): string {
  const { of, batchIds, storedRows, rebuiltRows, differences, listed } = report
  const lines = [
    `${of}: 元のファイル ${batchIds.length}件から作り直しました（保存 ${storedRows.toLocaleString('ja-JP')}行、再計算 ${rebuiltRows.toLocaleString('ja-JP')}行）。`,
    differences === 0
      ? '✓ 差異はありません。'
      : `✗ ${differences.toLocaleString('ja-JP')}か所に差異があります。管理者に連絡してください。`,
  ]
  for (const { table, key, column, stored, rebuilt } of listed) {
    lines.push(`  ${table} ${key} ${column}: 保存 ${stored ?? 'なし'}、再計算 ${rebuilt ?? 'なし'}`)
  }
  return lines.join('\n')
}
