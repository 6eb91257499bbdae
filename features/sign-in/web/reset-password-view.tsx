import { useState } from 'react'
import { signInHref } from '../links.ts'
import { NEW_PASSWORD_HINT } from './change-password-view.tsx'
import { PasswordField } from './password-field.tsx'
import styles from './sign-in.module.css'
import { post } from './sign-in-client.ts'
import { FormAlert, SignInFrame, SubmitButton } from './sign-in-frame.tsx'
import { StartAgainView } from './start-again-view.tsx'
import { useSubmit } from './use-submit.ts'

/**
 * Opened by the link of an email.
 * Tested by `e2e/account-screens.test.ts`.
 */
export function ResetPasswordView({ secret }: { secret: string }) {
  const [email, setEmail] = useState<string>()
  const form = useSubmit<{ email: string }>({
    required: { newPassword: 'sign-in/password-required' },
    send: ({ newPassword = '' }) => post('reset-pass', { secret, newPassword }),
    onDone: answer => setEmail(answer.email),
  })
  if (form.refusals.some(refusal => refusal.code === 'sign-in/link-expired')) {
    return <StartAgainView reason="reset-link-expired" />
  }
  if (email !== undefined) {
    return (
      <SignInFrame title="パスワードを設定しました">
        <p role="status">
          <strong className={styles.email}>{email}</strong>{' '}
          と新しいパスワードでサインインしてください。すべての端末でのサインインは終了しました。
        </p>
        <a className={styles.submit} href={signInHref()}>
          サインインする
        </a>
      </SignInFrame>
    )
  }
  return (
    <SignInFrame title="パスワードの再設定">
      <form {...form.formProps} className={styles.form}>
        <FormAlert text={form.formError} />
        <PasswordField
          name="newPassword"
          label="新しいパスワード"
          autoComplete="new-password"
          hint={NEW_PASSWORD_HINT}
          autoFocus
          error={form.errorOf('newPassword')}
        />
        <SubmitButton isBusy={form.isBusy} label="パスワードを設定する" busyLabel="設定しています" />
      </form>
    </SignInFrame>
  )
}
