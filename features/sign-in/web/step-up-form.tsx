import { proveByPasskey } from '@pc/ui/session/step-up.ts'
import { useState } from 'react'
import { SIGN_IN_MESSAGES, type SignInRefusalCode, signInMessage } from '../refusals.ts'
import type { SecurityInfo } from '../session-info.ts'
import { PasswordField } from './password-field.tsx'
import styles from './sign-in.module.css'
import { post } from './sign-in-client.ts'
import { FormAlert, SubmitButton } from './sign-in-frame.tsx'
import { TextField } from './text-field.tsx'
import { useSubmit } from './use-submit.ts'

interface StepUpProps {
  security: SecurityInfo
  onDone: () => void
}

/**
 * Asks the person to authenticate again (step-up) before a change to the protection of the account.
 * Tested by `e2e/account-screens.test.ts`.
 */
export function StepUpForm(props: StepUpProps) {
  const [isByPassword, setByPassword] = useState(!props.security.canProveByPasskey)
  return isByPassword ? <ByPassword {...props} /> : <ByPasskey {...props} onOtherWay={() => setByPassword(true)} />
}

const isCode = (code: string): code is SignInRefusalCode => code in SIGN_IN_MESSAGES

function ByPasskey({ onDone, onOtherWay }: StepUpProps & { onOtherWay: () => void }) {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const prove = async () => {
    if (isBusy) return
    setBusy(true)
    setProblem(undefined)
    const answer = await proveByPasskey()
    if (answer.ok) return onDone()
    const { code = 'sign-in/not-reached', data = {} } = answer.refusal ?? {}
    setProblem(signInMessage({ code: isCode(code) ? code : 'sign-in/fault', data }))
    setBusy(false)
  }
  return (
    <div className={styles.form}>
      <p>設定を変更する前に、パスキーで本人確認を行ってください。確認は10分間有効です。</p>
      <FormAlert text={problem} />
      <button type="button" className={styles.submit} aria-disabled={isBusy} onClick={() => void prove()}>
        パスキーで確認する
      </button>
      <button type="button" className={styles.quiet} onClick={onOtherWay}>
        パスワードとコードで確認する
      </button>
    </div>
  )
}

function ByPassword({ security: { email, hasTotp, needsCode }, onDone }: StepUpProps) {
  const form = useSubmit<object>({
    required: {
      currentPassword: 'sign-in/password-required',
      ...(needsCode ? { code: 'sign-in/code-required' as const } : {}),
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
      {needsCode && (
        <TextField
          name="code"
          label={hasTotp ? '認証アプリのコード' : 'リカバリーコード'}
          hint={
            hasTotp
              ? '認証アプリに表示されている6桁の数字、またはリカバリーコードです。'
              : '保存しておいたコードです。1つのコードは一度だけ使用できます。'
          }
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
