import { useState } from 'react'
import { signInHref } from '../links.ts'
import type { SessionInfo } from '../session-info.ts'
import styles from './sign-in.module.css'
import { post } from './sign-in-client.ts'
import { FormAlert, SignInFrame, SubmitButton } from './sign-in-frame.tsx'
import { TextField } from './text-field.tsx'
import { useSubmit } from './use-submit.ts'

/**
 * Shows the same whether or not the address has an account.
 * Tested by `e2e/account-screens.test.ts`.
 */
export function ForgotPasswordView({ info }: { info: SessionInfo }) {
  const [sentTo, setSentTo] = useState<string>()
  const form = useSubmit<string>({
    required: { email: 'sign-in/email-required' },
    send: async ({ email = '' }) => {
      const answer = await post<object>('forgot-pass', { email })
      return answer.ok ? { ok: true, value: email.trim() } : answer
    },
    onDone: setSentTo,
  })
  if (info.provider.kind === 'external') {
    return (
      <SignInFrame title="パスワードを忘れた場合">
        <p>パスワードは、会社のアカウント管理画面で再設定してください。</p>
        <a className={styles.submit} href={signInHref()}>
          サインインに戻る
        </a>
      </SignInFrame>
    )
  }
  if (sentTo !== undefined) {
    return (
      <SignInFrame title="メールをご確認ください">
        <p role="status">
          <strong className={styles.email}>{sentTo}</strong>{' '}
          が登録されている場合は、再設定のリンクをお送りしました。1時間以内に開いてください。
        </p>
        <p className={styles.hint}>
          届かないときは、迷惑メールのフォルダーと、入力したメールアドレスをご確認ください。招待をまだ受けていない場合は、招待メールのリンクを開いてください。
        </p>
        <a className={styles.submit} href={signInHref()}>
          サインインに戻る
        </a>
      </SignInFrame>
    )
  }
  return (
    <SignInFrame title="パスワードを忘れた場合">
      <form {...form.formProps} className={styles.form}>
        <p>登録したメールアドレスに、再設定のリンクをお送りします。</p>
        <FormAlert text={form.formError} />
        <TextField
          name="email"
          label="メールアドレス"
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          error={form.errorOf('email')}
        />
        <SubmitButton isBusy={form.isBusy} label="リンクを送る" busyLabel="送信しています" />
        <a className={styles.quiet} href={signInHref()}>
          サインインに戻る
        </a>
      </form>
    </SignInFrame>
  )
}
