import { hasLabels } from '@pc/domain/condition/filter-conversions.ts'
import { isArticleLabelKind } from '@pc/domain/report/article-label.ts'
import type { PinnableView } from '@pc/ui/chart/report-slots.tsx'
import { IconMail, IconPinned, IconPrinter } from '@tabler/icons-react'
import styles from './report-menu.module.css'

interface ReportMenuPanelProps {
  pin: PinnableView | undefined
  onPin: () => void
  onEmail: () => void
  onClose: () => void
}

/** The panel below the menu button. Its code is loaded on hover or focus. */
export function ReportMenuPanel({ pin, onPin, onEmail, onClose }: ReportMenuPanelProps) {
  // Report emails show publishers' total figures, so a view filtered by label cannot be emailed.
  const canBeEmailed = pin !== undefined && !isOfLabels(pin)
  return (
    <div className={styles.menu}>
      {pin && (
        <button
          type="button"
          onClick={() => {
            onClose()
            onPin()
          }}
        >
          <IconPinned size={16} aria-hidden />
          ボードに追加
        </button>
      )}
      {canBeEmailed && (
        <button
          type="button"
          onClick={() => {
            onClose()
            onEmail()
          }}
        >
          <IconMail size={16} aria-hidden />
          メールで受け取る
        </button>
      )}
      <button
        type="button"
        onClick={() => {
          onClose()
          window.print()
        }}
      >
        <IconPrinter size={16} aria-hidden />
        印刷
      </button>
    </div>
  )
}

function isOfLabels(pin: PinnableView): boolean {
  return isArticleLabelKind(pin.groupBy ?? '') || hasLabels(pin)
}
