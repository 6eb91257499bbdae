import { useState } from 'react'
import { HOME_PATH } from '../original-path.ts'
import { PASSWORD_MIN_LENGTH } from '../refusals.ts'
import type { SessionInfo } from '../session-info.ts'
import { AccountFrame } from './account-frame.tsx'
import { PasswordField } from './password-field.tsx'
import styles from './sign-in.module.css'
import { post } from './sign-in-client.ts'
import { FormAlert, SignInFrame, SubmitButton } from './sign-in-frame.tsx'
import { useSubmit } from './use-submit.ts'

export const NEW_PASSWORD_HINT = `${PASSWORD_MIN_LENGTH}文字以上。覚えやすい言葉を3つ以上つなげると安全です。`

/** Tested by `e2e/sign-in.test.ts`. */
export function ChangePasswordView({ info }: { info: SessionInfo }) {
  const [isDone, setDone] = useState(false)
  const form = useSubmit({
    required: { currentPassword: 'sign-in/password-required', newPassword: 'sign-in/password-required' },
    send: ({ currentPassword = '', newPassword = '' }) => post('change-pass', { currentPassword, newPassword }),
    onDone: () => setDone(true),
  })
  if (isDone) {
    return (
      <SignInFrame title="パスワードを変更しました">
        <p role="status">ほかの端末やブラウザーでのサインインは終了しました。</p>
        <a className={styles.submit} href={HOME_PATH}>
          Publisher Center に戻る
        </a>
      </SignInFrame>
    )
  }
  return (
    <AccountFrame current="password" title="パスワードの変更" email={info.user?.email}>
      <form {...form.formProps} className={styles.form}>
        <FormAlert text={form.formError} />
        {/* Tells password managers whose password changes. */}
        <input type="hidden" name="username" autoComplete="username" value={info.user?.email ?? ''} readOnly />
        <PasswordField
          name="currentPassword"
          label="現在のパスワード"
          autoComplete="current-password"
          error={form.errorOf('currentPassword')}
        />
        <PasswordField
          name="newPassword"
          label="新しいパスワード"
          autoComplete="new-password"
          hint={NEW_PASSWORD_HINT}
          error={form.errorOf('newPassword')}
        />
        <SubmitButton isBusy={form.isBusy} label="パスワードを変更する" busyLabel="変更しています" />
      </form>
    </AccountFrame>
  )
}
