import { useState } from 'react'
import { originalPath } from '../original-path.ts'
import { signInMessage } from '../refusals.ts'
import type { SecondFactorRequest } from '../session-info.ts'
import { signInWithPasskey } from './passkey.ts'
import styles from './sign-in.module.css'
import { post } from './sign-in-client.ts'
import { FormAlert, SignInFrame, SubmitButton } from './sign-in-frame.tsx'
import { StartAgainView } from './start-again-view.tsx'
import { TextField } from './text-field.tsx'
import { useSubmit } from './use-submit.ts'

/**
 * The second step of a sign-in.
 * Tested by `e2e/account-screens.test.ts`.
 */
export function SecondFactorView({ request }: { request: SecondFactorRequest }) {
  const [isRecovery, setRecovery] = useState(!request.hasTotp && !request.hasPasskey)
  const [isLeaving, setLeaving] = useState(false)
  const [passkeyError, setPasskeyError] = useState<string>()
  const leave = (answer: { location: string }) => {
    setLeaving(true)
    location.assign(originalPath(answer.location))
  }
  const form = useSubmit<{ location: string }>({
    required: { code: 'sign-in/code-required' },
    send: ({ code = '' }) => post('sign-in/second-factor', { ticket: request.ticket, code }),
    onDone: leave,
  })
  async function takePasskey() {
    setPasskeyError(undefined)
    const answer = await signInWithPasskey({ ticket: request.ticket })
    if (answer.ok) leave(answer.value)
    else setPasskeyError(answer.refusals.map(signInMessage).at(0))
  }
  if (form.refusals.some(refusal => refusal.code === 'sign-in/request-expired')) {
    return <StartAgainView reason="expired" />
  }
  const hasForm = isRecovery || request.hasTotp
  return (
    <SignInFrame title="2段階認証">
      <FormAlert text={passkeyError ?? form.formError} />
      {request.hasPasskey && !isRecovery && (
        <button type="button" className={styles.submit} onClick={() => void takePasskey()}>
          パスキーで続ける
        </button>
      )}
      {hasForm && (
        <form {...form.formProps} className={styles.form} key={String(isRecovery)}>
          <TextField
            name="code"
            label={isRecovery ? 'リカバリーコード' : '認証アプリのコード'}
            hint={
              isRecovery
                ? '保存しておいたコードです。1つのコードは一度だけ使用できます。'
                : '認証アプリに表示されている6桁の数字です。'
            }
            inputMode={isRecovery ? 'text' : 'numeric'}
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
            error={form.errorOf('code')}
          />
          <SubmitButton isBusy={form.isBusy || isLeaving} label="サインイン" busyLabel="サインインしています" />
        </form>
      )}
      {request.hasRecoveryCodes && (
        <button
          type="button"
          className={styles.quiet}
          onClick={() => {
            form.clear()
            setRecovery(!isRecovery)
          }}
        >
          {isRecovery ? 'ほかの方法で続ける' : 'リカバリーコードを使う'}
        </button>
      )}
    </SignInFrame>
  )
}
