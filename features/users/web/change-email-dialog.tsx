import { Button } from '@pc/ui/elements/button.tsx'
import { Dialog } from '@pc/ui/feedback/dialog.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { useDialogSubmission } from '@pc/ui/form/use-dialog-submission.ts'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { useId, useState } from 'react'
import { UpdateEmailDocument } from './user-edit-iam.gen.ts'
import type { EditedUser } from './user-rights.ts'
import styles from './users.module.css'

export function ChangeEmailDialog({ user, onClose }: { user: EditedUser; onClose: () => void }) {
  const update = useSubmission(UpdateEmailDocument, 'iam')
  const [email, setEmail] = useState('')
  const { problem, isBusy, submit } = useDialogSubmission(
    '変更できませんでした。通信状態を確認して、もう一度お試しください。',
  )
  const id = useId()
  const change = async () => {
    await update({ uid: user.uid, email: email.trim() })
    const message = user.invitation
      ? `${email.trim()}に招待メールを送信しました`
      : `${email.trim()}への変更を依頼しました。本人か、ほかの管理者の承認を待っています`
    showToast({ tone: 'success', message })
    onClose()
  }
  return (
    <Dialog
      title="メールアドレスを変更"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>キャンセル</Button>
          <Button type="submit" form={`${id}-form`} tone="primary" aria-disabled={isBusy}>
            {user.invitation ? 'メールを送信する' : '変更を依頼する'}
          </Button>
        </>
      }
    >
      <form
        id={`${id}-form`}
        noValidate
        onSubmit={event => {
          event.preventDefault()
          void submit(change)
        }}
      >
        <p>現在のメールアドレス：{user.email}</p>
        {!user.invitation && (
          <p>
            現在と新しいメールアドレスの両方に、確認のメールを送信します。本人が両方で承認するか、ほかの管理者が承認すると変更されます。
          </p>
        )}
        <div className={styles.field}>
          <label htmlFor={id}>新しいメールアドレス</label>
          <input
            id={id}
            type="email"
            value={email}
            maxLength={254}
            autoComplete="off"
            aria-invalid={problem !== undefined}
            aria-describedby={problem === undefined ? undefined : `${id}-error`}
            onChange={event => setEmail(event.target.value)}
          />
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
