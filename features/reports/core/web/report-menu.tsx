import { entitiesOf } from '@pc/domain/condition/entity-filter.ts'
import { isArticleLabelKind } from '@pc/domain/report/article-label.ts'
import { PinDialog, type PinnableView } from '@pc/ui/chart/report-slots.tsx'
import { Button } from '@pc/ui/elements/button.tsx'
import { Popover } from '@pc/ui/feedback/popover.tsx'
import { addressOf } from '@pc/ui/routing/define-route.ts'
import { lazy } from '@pc/ui/routing/lazy.ts'
import type { Viewer } from '@pc/ui/session/viewer.tsx'
import { IconDots, IconLayoutGrid, IconMail, IconMailCog, IconPinned, IconPrinter } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { BOARDS_PATH } from '../../../boards/links.ts'
import { REPORT_EMAILS_PATH } from '../../links.ts'
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
  const mayReadBoards = viewer.can('read:list', 'insight:board.')
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
            <a href={addressOf(REPORT_EMAILS_PATH)}>
              <IconMailCog size={16} aria-hidden />
              レポートメール一覧
            </a>
            {mayReadBoards && (
              <a href={addressOf(BOARDS_PATH)}>
                <IconLayoutGrid size={16} aria-hidden />
                ボード一覧
              </a>
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

function isOfLabels({ groupBy = '', authorId = [], sectionId = [], tagId = [] }: PinnableView): boolean {
  return isArticleLabelKind(groupBy) || authorId.length + sectionId.length + tagId.length > 0
}
