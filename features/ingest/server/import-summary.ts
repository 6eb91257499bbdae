import type { ImportAnswer } from './import-answer.ts'
import type { ReplayReport } from './replay-day.ts'

/** What the command says about one file, in Japanese; the first line is the outcome. */
export function importSummary(file: string, answer: ImportAnswer, seconds: number): string {
  const lines = [`${answer.status === 'refused' ? '✗' : '✓'} ${file}: ${answer.message}`]
  if (answer.batch) {
    const speed = seconds > 0 ? Math.round(answer.batch.rows / seconds).toLocaleString('ja-JP') : '-'
    lines.push(`  バッチID: ${answer.batch.id}（第${answer.batch.revision}版、${answer.batch.dataset}）`)
    if (answer.status === 'applied') lines.push(`  所要時間: ${seconds.toFixed(1)}秒（毎秒 ${speed}行）`)
  }
  for (const { line, column, message } of answer.errors) {
    lines.push(`  ${line}行目${column ? ` ${column}` : ''}: ${message}`)
  }
  const listed = new Set(answer.errors.map(({ line }) => line)).size
  if (answer.badRows > listed)
    lines.push(`  ほか ${(answer.badRows - listed).toLocaleString('ja-JP')}行に誤りがあります。`)
  return lines.join('\n')
}

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
