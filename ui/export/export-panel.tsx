import type { ReactNode } from 'react'
import { Button } from '../elements/button.tsx'
import styles from './export-menu.module.css'
import type { ExportFormat, ExportProgress } from './export-order.ts'

const FORMATS: readonly { value: ExportFormat; label: string; hint: string }[] = [
  { value: 'csv', label: 'CSV（UTF-8）', hint: '多くの表計算ソフトやシステムで開けます。' },
  {
    value: 'csv-cp932',
    label: 'CSV（Shift_JIS）',
    hint: '古いソフト向けです。表せない文字は「?」になります。',
  },
  { value: 'xlsx', label: 'Excel（.xlsx）', hint: '書式と、条件・項目の説明が付きます。' },
]

interface ExportPanelProps {
  format: ExportFormat
  onFormat: (format: ExportFormat) => void
  /** Undefined: no export is running. */
  progress: ExportProgress | undefined
  /** Expected number of rows, as far as the screen knows. */
  total: number | undefined
  note: string
  onStart: () => void
  onCancel: () => void
}

/**
 * The panel below the export button: the choice of format, or the progress. Its code loads when pointer or focus come
 * near.
 */
export function ExportPanel({
  format,
  onFormat,
  progress,
  total,
  note,
  onStart,
  onCancel,
}: ExportPanelProps): ReactNode {
  return (
    <div className={styles.panel}>
      {progress ? (
        <Running progress={progress} onCancel={onCancel} />
      ) : (
        <>
          <fieldset className={styles.formats}>
            <legend>ファイルの形式</legend>
            {FORMATS.map(({ value, label, hint }) => (
              <label key={value}>
                <input type="radio" name="export-format" checked={format === value} onChange={() => onFormat(value)} />
                <span>
                  {label}
                  <small>{hint}</small>
                </span>
              </label>
            ))}
          </fieldset>
          <p className={styles.note}>{note}</p>
          <Button tone="primary" onClick={onStart}>
            {total === undefined ? '書き出す' : `${total.toLocaleString('ja-JP')}件を書き出す`}
          </Button>
        </>
      )}
    </div>
  )
}

function Running({ progress, onCancel }: { progress: ExportProgress; onCancel: () => void }) {
  const { rows, total } = progress
  return (
    <>
      <p role="status" className={styles.progress}>
        書き出しています
        <span className="num">{`${rows.toLocaleString('ja-JP')} / ${total.toLocaleString('ja-JP')}件`}</span>
      </p>
      <progress aria-label="書き出しの進み" max={Math.max(total, 1)} value={rows} />
      <p className={styles.note}>このパネルを閉じても続きます。画面を移動すると中止します。</p>
      <Button onClick={onCancel}>書き出しを中止する</Button>
    </>
  )
}
