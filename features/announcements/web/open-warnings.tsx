import { Button } from '@pc/ui/elements/button.tsx'
import { HtmlBody } from '@pc/ui/elements/html-body.tsx'
import { Dialog } from '@pc/ui/feedback/dialog.tsx'
import { useState } from 'react'
import type { HeaderAnnouncementsQuery } from './header-announcements.gen.ts'

interface OpenWarningsProps {
  readonly warnings: NonNullable<HeaderAnnouncementsQuery['announcements']>['nodes']
  markRead(ids: readonly string[]): Promise<void>
}

/** Shows one warning at a time in a blocking dialog. Confirming marks it as read and shows the next. */
export function OpenWarnings({ warnings, markRead: mark }: OpenWarningsProps) {
  const [confirmed, setConfirmed] = useState<readonly string[]>([])
  const [isBusy, setBusy] = useState(false)
  const left = warnings.filter(warning => !confirmed.includes(warning.id))
  const [current] = left
  if (!current) return null
  const confirm = async () => {
    if (isBusy) return
    setBusy(true)
    try {
      await mark([current.id])
    } catch {
      // The error message is shown. The person may continue, and sees the warning again at the next visit.
    } finally {
      setConfirmed([...confirmed, current.id])
      setBusy(false)
    }
  }
  return (
    <Dialog
      key={current.id}
      role="alertdialog"
      title={current.title}
      onClose={undefined}
      actions={
        <Button tone="primary" aria-disabled={isBusy} onClick={() => void confirm()}>
          {current.closeButtonText}
        </Button>
      }
    >
      <HtmlBody html={current.body} />
      {left.length > 1 && <p>{`ほかに${left.length - 1}件の重要なお知らせがあります。`}</p>}
    </Dialog>
  )
}
