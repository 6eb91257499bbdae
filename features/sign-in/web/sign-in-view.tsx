import { useState } from 'react'
import { originalPath } from '../original-path.ts'
import type { SessionInfo } from '../session-info.ts'
import { DemoHint } from './demo-hint.tsx'
import { post } from './endpoint.ts'
import { ExternalSignIn } from './external-sign-in.tsx'
import { PasswordField } from './password-field.tsx'
import styles from './sign-in.module.css'
import { FormAlert, SignInFrame, SubmitButton } from './sign-in-frame.tsx'
import { StartAgainView } from './start-again-view.tsx'
import { TextField } from './text-field.tsx'
import { useSubmit } from './use-submit.ts'

/** Signs in and goes on to the path that was asked for. `requestedPath` is untrusted text from the address. */
export function SignInView({ info, requestedPath }: { info: SessionInfo; requestedPath: string }) {
  const target = originalPath(requestedPath)
  // An authorisation request that leads here wants the password, also of somebody who is signed in.
  const isRequest = target.startsWith('/oidc/')
  const [wantsForm, setWantsForm] = useState(isRequest)
  if (info.provider.kind === 'external') return <ExternalSignIn provider={info.provider} target={target} />
  if (info.user && !wantsForm) {
    return (
      <SignInFrame title="サインイン済みです">
        <p>
          <strong className={styles.email}>{info.user.email}</strong> としてサインインしています。
        </p>
        <a className={styles.submit} href={target}>
          続ける
        </a>
        <button type="button" className={styles.quiet} onClick={() => setWantsForm(true)}>
          別のアカウントでサインインする
        </button>
      </SignInFrame>
    )
  }
  return <PasswordSignIn target={target} isDemo={info.isDemo} />
}

function PasswordSignIn({ target, isDemo }: { target: string; isDemo: boolean }) {
  const [isLeaving, setLeaving] = useState(false)
  const form = useSubmit<{ location: string }>({
    required: { email: 'sign-in/email-required', password: 'sign-in/password-required' },
    send: ({ email = '', password = '' }) => post('sign-in', { email, password, originalPath: target }),
    onDone: answer => {
      setLeaving(true)
      location.assign(originalPath(answer.location))
    },
  })
  if (form.refusals.some(refusal => refusal.code === 'sign-in/request-expired')) {
    return <StartAgainView reason="expired" />
  }
  return (
    <SignInFrame title="サインイン" below={isDemo && <DemoHint />}>
      <form {...form.formProps} className={styles.form}>
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
        <PasswordField
          name="password"
          label="パスワード"
          autoComplete="current-password"
          error={form.errorOf('password')}
        />
        <SubmitButton isBusy={form.isBusy || isLeaving} label="サインイン" busyLabel="サインインしています" />
      </form>
    </SignInFrame>
  )
}
