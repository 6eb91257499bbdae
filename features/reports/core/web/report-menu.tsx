import { entitiesOf } from '@pc/domain/condition/entity-filter.ts'
import { PinDialog, type PinnableView } from '@pc/ui/chart/report-slots.tsx'
import { Button } from '@pc/ui/elements/button.tsx'
import { Popover } from '@pc/ui/feedback/popover.tsx'
import { lazy } from '@pc/ui/routing/lazy.ts'
import { lazyPart } from '@pc/ui/routing/lazy-part.tsx'
import type { Viewer } from '@pc/ui/session/viewer.tsx'
import { IconDots } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import styles from './report-menu.module.css'

const ReportEmailDialog = lazy(() =>
  import('./report-email-dialog.tsx').then(module => ({ default: module.ReportEmailDialog })),
)

const ReportMenuPanel = lazyPart(async () => (await import('./report-menu-panel.tsx')).ReportMenuPanel)

/** The menu of rarer actions on a report: pin to a board, email, print. */
export function ReportMenu({ pin, viewer }: { pin: PinnableView | undefined; viewer: Viewer }) {
  const [isPinning, setPinning] = useState(false)
  const [isEmailing, setEmailing] = useState(false)
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
            onPointerEnter={ReportMenuPanel.load}
            onFocus={ReportMenuPanel.load}
          />
        )}
      >
        {close => (
          <Suspense fallback={<div className={styles.menu} role="status" aria-label="読み込み中" />}>
            <ReportMenuPanel
              pin={pin}
              onPin={() => setPinning(true)}
              onEmail={() => setEmailing(true)}
              onClose={close}
            />
          </Suspense>
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
