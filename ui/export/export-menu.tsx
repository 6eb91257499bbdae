import { IconDownload } from '@tabler/icons-react'
import { Suspense, useEffect, useRef, useState } from 'react'
import { Button } from '../elements/button.tsx'
import { Popover } from '../feedback/popover.tsx'
import { showToast } from '../feedback/toasts.tsx'
import { lazyPart } from '../routing/lazy-part.tsx'
import styles from './export-menu.module.css'
import { type ExportFormat, type ExportProgress, ExportRefused } from './export-order.ts'
import { useFileExports } from './file-exports.tsx'

const ExportPanel = lazyPart(async () => (await import('./export-panel.tsx')).ExportPanel)

interface ExportMenuProps {
  /** Without its ending. */
  fileName: string
  path: `/${string}`
  /** Filters and columns of the screen, for the server. */
  request: Readonly<Record<string, unknown>>
  /** Expected number of rows, as far as the screen knows. */
  total: number | undefined
  /** What the file contains, where it differs from the screen. */
  note?: string
}

const NOTE = '表示中の条件・項目・並び順で、ページに分かれている行も含めてすべて書き出します。'

/**
 * Exports all rows of the screen's table and shows the progress. Closing the panel does not stop the export; leaving
 * the screen does.
 */
export function ExportMenu({ fileName, path, request, total, note = NOTE }: ExportMenuProps) {
  const fetchFile = useFileExports()
  const [format, setFormat] = useState<ExportFormat>('csv')
  const [progress, setProgress] = useState<ExportProgress>()
  const running = useRef<AbortController>(undefined)
  // Leaving the screen aborts the export.
  useEffect(() => () => running.current?.abort(), [])
  const start = async (close: () => void) => {
    if (!fetchFile) return
    const abort = new AbortController()
    running.current = abort
    setProgress({ rows: 0, total: total ?? 0 })
    try {
      const { file, rows } = await fetchFile({ path, body: { ...request, format } }, setProgress, abort.signal)
      const { saveFile } = await import('../data/save-file.ts')
      saveFile(`${fileName}.${format === 'xlsx' ? 'xlsx' : 'csv'}`, file)
      showToast({ tone: 'success', message: `${rows.toLocaleString('ja-JP')}件を書き出しました。` })
      close()
    } catch (error) {
      if (abort.signal.aborted) showToast({ tone: 'warning', message: '書き出しを中止しました。' })
      else if (error instanceof ExportRefused) showToast({ tone: 'error', message: error.message })
      else showToast({ tone: 'error', message: '書き出せませんでした。通信の状態を確認して、もう一度お試しください。' })
    } finally {
      running.current = undefined
      setProgress(undefined)
    }
  }
  const percent = progress && progress.total > 0 ? Math.floor((progress.rows / progress.total) * 100) : undefined
  return (
    <Popover
      label="書き出し"
      button={popover => (
        <Button
          {...popover}
          disabled={total === 0 || !fetchFile}
          title={total === 0 ? '書き出すデータがありません' : '表示中の条件と項目で、すべての行を書き出します'}
          icon={<IconDownload size={16} aria-hidden />}
          onPointerEnter={ExportPanel.load}
          onFocus={ExportPanel.load}
        >
          {progress ? (
            // The same width as the button before: otherwise the buttons beside it and the screen below would move.
            <span className={styles.running}>
              <span className="visually-hidden">書き出し中 </span>
              {percent === undefined ? '…' : `${percent}%`}
            </span>
          ) : (
            '書き出し'
          )}
        </Button>
      )}
    >
      {close => (
        <Suspense fallback={<div className={styles.panel} role="status" aria-label="読み込み中" />}>
          <ExportPanel
            {...{ format, progress, total, note }}
            onFormat={setFormat}
            onStart={() => void start(close)}
            onCancel={() => running.current?.abort()}
          />
        </Suspense>
      )}
    </Popover>
  )
}
