import { useState } from 'react'
import { HOME_PATH } from '../original-path.ts'
import type { SessionInfo } from '../session-info.ts'
import { AccountFrame } from './account-frame.tsx'
import { post } from './endpoint.ts'
import { PasswordField } from './password-field.tsx'
import styles from './sign-in.module.css'
import { FormAlert, SignInFrame, SubmitButton } from './sign-in-frame.tsx'
import { TextField } from './text-field.tsx'
import { useSubmit } from './use-submit.ts'

export function ChangeEmailView({ info }: { info: SessionInfo }) {
  const [sentTo, setSentTo] = useState<string>()
  const form = useSubmit<string>({
    required: { email: 'sign-in/email-required', currentPassword: 'sign-in/password-required' },
    send: async ({ email = '', currentPassword = '' }) => {
      const answer = await post<object>('change-email', { email, currentPassword })
      return answer.ok ? { ok: true, value: email.trim() } : answer
    },
    onDone: setSentTo,
  })
  if (sentTo !== undefined) {
    return (
      <SignInFrame title="確認メールを送信しました">
        <p role="status">
          <strong className={styles.email}>{sentTo}</strong>{' '}
          に届いたメールのリンクを、1時間以内に開いてください。開くまで、メールアドレスは変更されません。
        </p>
        <a className={styles.submit} href={HOME_PATH}>
          Publisher Center に戻る
        </a>
      </SignInFrame>
    )
  }
  return (
    <AccountFrame current="email" title="メールアドレスの変更" email={info.user?.email}>
      <form {...form.formProps} className={styles.form}>
        <p>
          現在のメールアドレス：<strong className={styles.email}>{info.user?.email}</strong>
        </p>
        <FormAlert text={form.formError} />
        <TextField
          name="email"
          label="新しいメールアドレス"
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          error={form.errorOf('email')}
        />
        <PasswordField
          name="currentPassword"
          label="現在のパスワード"
          autoComplete="current-password"
          error={form.errorOf('currentPassword')}
        />
        <SubmitButton isBusy={form.isBusy} label="確認メールを送る" busyLabel="送信しています" />
      </form>
    </AccountFrame>
  )
}
