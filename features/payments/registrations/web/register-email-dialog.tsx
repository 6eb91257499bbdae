import { registerMail } from '@pc/domain/agreement/registration-status.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { dayText } from '@pc/domain/month/day-text.ja.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { copyWithToast } from '@pc/ui/elements/copy-with-toast.ts'
import { Dialog } from '@pc/ui/feedback/dialog.tsx'
import styles from '../../core/web/payments.module.css'
import type { WatchedNumber } from './registration-words.ts'

/** A text for an email that staff send with their own mail program; nothing is sent from here. */
export function RegisterMailDialog({ row, onClose }: { row: WatchedNumber; onClose: () => void }) {
  const { subject, body } = registerMail({
    name: row.partnerName,
    number: row.registrationNumber,
    standing: row.standing,
    endedText: row.endedOn ? dayText(row.endedOn as Day) : '',
  })
  return (
    <Dialog
      title={`${row.partnerName}への連絡文`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>閉じる</Button>
          <Button tone="primary" onClick={() => void copyWithToast(`${subject}\n\n${body}`, '連絡文')}>
            コピーする
          </Button>
        </>
      }
    >
      <p className={styles.mailNote}>この画面からは送信しません。コピーして、お使いのメールから送ってください。</p>
      <p className={styles.mailSubject}>{subject}</p>
      <pre className={styles.mailBody}>{body}</pre>
    </Dialog>
  )
}
