import {
  IMPERSONATION_MINUTES,
  MAX_IMPERSONATION_REASON,
  MIN_IMPERSONATION_REASON,
} from '@pc/domain/access/impersonation.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Dialog } from '@pc/ui/feedback/dialog.tsx'
import { useDialogSubmission } from '@pc/ui/form/use-dialog-submission.ts'
import { useDialogText } from '@pc/ui/form/use-dialog-text.ts'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { PERSON_LEAVES } from '@pc/ui/session/session-ended.ts'
import { useId, useState } from 'react'
import { StartImpersonationDocument } from './user-edit-iam.gen.ts'
import type { EditedUser } from './user-rights.ts'
import styles from './users.module.css'

const CONSOLE = '/gpc/'

/** Starts the impersonation of a publisher's user. The audit log stores the reason. */
export function ImpersonateDialog({ user, onClose }: { user: EditedUser; onClose: () => void }) {
  const start = useSubmission(StartImpersonationDocument, 'iam')
  const [reason, setReason] = useState('')
  const { close, release } = useDialogText({
    dialog: 'view as',
    values: { reason },
    restore: kept => setReason(kept.reason),
    onClose,
  })
  const { problem, isBusy, submit } = useDialogSubmission(
    '始められませんでした。通信状態を確認して、もう一度お試しください。',
  )
  const id = useId()
  const begin = async () => {
    await start({ uid: user.uid, reason })
    dispatchEvent(new Event(PERSON_LEAVES))
    release()
    location.assign(CONSOLE)
  }
  return (
    <Dialog
      title={`${user.email}として表示`}
      onClose={close}
      actions={
        <>
          <Button onClick={close}>キャンセル</Button>
          <Button type="submit" form={`${id}-form`} tone="primary" aria-disabled={isBusy}>
            {`${IMPERSONATION_MINUTES}分間表示する`}
          </Button>
        </>
      }
    >
      <form
        id={`${id}-form`}
        noValidate
        onSubmit={event => {
          event.preventDefault()
          void submit(begin)
        }}
      >
        <p>
          {`この方に見える画面とデータをそのまま表示します。閲覧のみで、変更はできません。${IMPERSONATION_MINUTES}分たつと自動的に終了します。`}
        </p>
        <div className={styles.field}>
          <label htmlFor={id}>表示する理由</label>
          <textarea
            id={id}
            rows={3}
            maxLength={MAX_IMPERSONATION_REASON}
            value={reason}
            placeholder="例：お問い合わせ番号1234の画面を確認するため"
            aria-invalid={problem !== undefined}
            aria-describedby={problem === undefined ? `${id}-hint` : `${id}-hint ${id}-error`}
            onChange={event => setReason(event.target.value)}
          />
          <p id={`${id}-hint`} className={styles.hint}>
            {`${MIN_IMPERSONATION_REASON}文字以上で入力してください。誰が、誰として、なぜ表示したかが操作の記録に残ります。`}
          </p>
          {problem !== undefined && (
            <p id={`${id}-error`} className={styles.error} role="alert">
              {problem}
            </p>
          )}
        </div>
      </form>
    </Dialog>
  )
}
