import { post } from './endpoint.ts'
import { PasswordField } from './password-field.tsx'
import styles from './sign-in.module.css'
import { FormAlert, SubmitButton } from './sign-in-frame.tsx'
import { TextField } from './text-field.tsx'
import { useSubmit } from './use-submit.ts'

/** Asks again who is there, before what protects the account is changed. */
export function StepUpForm(props: { email: string; hasTotp: boolean; onDone: () => void }) {
  const { email, hasTotp, onDone } = props
  const form = useSubmit<object>({
    required: {
      currentPassword: 'sign-in/password-required',
      ...(hasTotp ? { code: 'sign-in/code-required' as const } : {}),
    },
    send: ({ currentPassword = '', code = '' }) => post('step-up', { currentPassword, code }),
    onDone,
  })
  return (
    <form {...form.formProps} className={styles.form}>
      <p>設定を変更する前に、もう一度本人確認をしてください。確認は10分間有効です。</p>
      <FormAlert text={form.formError} />
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <PasswordField
        name="currentPassword"
        label="現在のパスワード"
        autoComplete="current-password"
        error={form.errorOf('currentPassword')}
      />
      {hasTotp && (
        <TextField
          name="code"
          label="認証アプリのコード"
          hint="認証アプリに表示されている6桁の数字、またはリカバリーコードです。"
          inputMode="text"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          error={form.errorOf('code')}
        />
      )}
      <SubmitButton isBusy={form.isBusy} label="確認する" busyLabel="確認しています" />
    </form>
  )
}
