import { useState } from 'react'
import { HOME_PATH } from '../original-path.ts'
import type { SecurityInfo, SessionInfo } from '../session-info.ts'
import { AccountFrame } from './account-frame.tsx'
import styles from './sign-in.module.css'
import { post } from './sign-in-client.ts'
import { FormAlert, SignInFrame, SubmitButton } from './sign-in-frame.tsx'
import { StepUpForm } from './step-up-form.tsx'
import { TextField } from './text-field.tsx'
import { useLoaded } from './use-loaded.ts'
import { useSubmit } from './use-submit.ts'

/** Tested by `e2e/sign-in.test.ts`. */
export function ChangeEmailView({ info }: { info: SessionInfo }) {
  const [state, reload] = useLoaded<SecurityInfo>('security')
  const [sentTo, setSentTo] = useState<string>()
  /** What was typed. The step-up may expire while the form is open: after the next one the form shows it again. */
  const [typed, setTyped] = useState('')
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
      {state.kind === 'loading' && <p role="status">読み込み中</p>}
      {state.kind === 'failed' && <FormAlert text="設定を読み込めませんでした。ページを再読み込みしてください。" />}
      {state.kind === 'loaded' &&
        (state.value.needsStepUp ? (
          <StepUpForm security={state.value} onDone={() => void reload()} />
        ) : (
          <NewEmailForm
            current={info.user?.email}
            typed={typed}
            onStepUpNeeded={email => {
              setTyped(email)
              void reload()
            }}
            onSent={setSentTo}
          />
        ))}
    </AccountFrame>
  )
}

interface NewEmailFormProps {
  readonly current: string | undefined
  readonly typed: string
  readonly onStepUpNeeded: (typed: string) => void
  readonly onSent: (email: string) => void
}

function NewEmailForm({ current, typed, onStepUpNeeded, onSent }: NewEmailFormProps) {
  const form = useSubmit<string>({
    required: { email: 'sign-in/email-required' },
    send: async ({ email = '' }) => {
      const answer = await post<object>('change-email', { email })
      if (answer.ok) return { ok: true, value: email.trim() }
      if (answer.refusals.some(refusal => refusal.code === 'sign-in/step-up-needed')) onStepUpNeeded(email)
      return answer
    },
    onDone: onSent,
  })
  return (
    <form {...form.formProps} className={styles.form}>
      <p>
        現在のメールアドレス：<strong className={styles.email}>{current}</strong>
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
        defaultValue={typed}
        error={form.errorOf('email')}
      />
      <SubmitButton isBusy={form.isBusy} label="確認メールを送る" busyLabel="送信しています" />
    </form>
  )
}
