import { useState } from 'react'
import { originalPath } from '../original-path.ts'
import { NEW_PASSWORD_HINT } from './change-password-view.tsx'
import { PasswordField } from './password-field.tsx'
import styles from './sign-in.module.css'
import { post } from './sign-in-client.ts'
import { FormAlert, SignInFrame, SubmitButton } from './sign-in-frame.tsx'
import { StartAgainView } from './start-again-view.tsx'
import { TextField } from './text-field.tsx'
import { useSubmit } from './use-submit.ts'

/**
 * Creates the first user of an empty system for the holder of the link printed at its start.
 * Tested by `e2e/sign-in.test.ts`.
 */
export function FirstAdminView({ secret }: { secret: string }) {
  const [isLeaving, setLeaving] = useState(false)
  const form = useSubmit<{ location: string }>({
    required: { email: 'sign-in/email-required', password: 'sign-in/password-required' },
    send: ({ email = '', password = '' }) => post('first-admin', { secret, email, password }),
    onDone: answer => {
      setLeaving(true)
      location.assign(originalPath(answer.location))
    },
  })
  if (form.refusals.some(refusal => refusal.code === 'sign-in/link-expired')) {
    return <StartAgainView reason="first-admin-expired" />
  }
  return (
    <SignInFrame title="最初の管理者を登録します">
      <form {...form.formProps} className={styles.form}>
        <p>この管理者が、ほかのユーザーを招待し、権限を設定します。</p>
        <FormAlert text={form.formError} />
        <TextField
          name="email"
          label="メールアドレス"
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          error={form.errorOf('email')}
        />
        <PasswordField
          name="password"
          label="パスワード"
          autoComplete="new-password"
          hint={NEW_PASSWORD_HINT}
          error={form.errorOf('password')}
        />
        <SubmitButton isBusy={form.isBusy || isLeaving} label="登録してはじめる" busyLabel="登録しています" />
      </form>
    </SignInFrame>
  )
}
