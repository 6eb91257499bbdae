import { entitiesOf } from '@pc/domain/condition/entity-filter.ts'
import { hasLabels } from '@pc/domain/condition/filter-conversions.ts'
import { isArticleLabelKind } from '@pc/domain/report/article-label.ts'
import { PinDialog, type PinnableView } from '@pc/ui/chart/report-slots.tsx'
import { Button } from '@pc/ui/elements/button.tsx'
import { Popover } from '@pc/ui/feedback/popover.tsx'
import { lazy } from '@pc/ui/routing/lazy.ts'
import type { Viewer } from '@pc/ui/session/viewer.tsx'
import { IconDots, IconMail, IconPinned, IconPrinter } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import styles from './report-menu.module.css'

const ReportEmailDialog = lazy(() =>
  import('./report-email-dialog.tsx').then(module => ({ default: module.ReportEmailDialog })),
)

/** What is done with a report now and then: boards, mail and paper. */
export function ReportMenu({ pin, viewer }: { pin: PinnableView | undefined; viewer: Viewer }) {
  const [isPinning, setPinning] = useState(false)
  const [isEmailing, setEmailing] = useState(false)
  // Mails are about everything that publishers earn, articles of an author are a part of it.
  const canBeEmailed = pin !== undefined && !isOfLabels(pin)
  return (
    <>
      <Popover
        label="その他の操作"
        button={popover => (
          <Button
            {...popover}
            aria-label="その他の操作"
            title="その他の操作"
            icon={<IconDots size={16} aria-hidden />}
          />
        )}
      >
        {close => (
          <div className={styles.menu}>
            {pin && (
              <button
                type="button"
                onClick={() => {
                  close()
                  setPinning(true)
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
                  close()
                  setEmailing(true)
                }}
              >
                <IconMail size={16} aria-hidden />
                メールで受け取る
              </button>
            )}
            <button
              type="button"
              onClick={() => {
                close()
                window.print()
              }}
            >
              <IconPrinter size={16} aria-hidden />
              印刷
            </button>
          </div>
        )}
      </Popover>
      {pin && isEmailing && (
        <Suspense fallback={null}>
          <ReportEmailDialog viewer={viewer} filter={entitiesOf(pin)} onClose={() => setEmailing(false)} />
        </Suspense>
      )}
      {pin && isPinning && <PinDialog view={pin} onClose={() => setPinning(false)} />}
    </>
  )
}

function isOfLabels(pin: PinnableView): boolean {
  return isArticleLabelKind(pin.groupBy ?? '') || hasLabels(pin)
}
