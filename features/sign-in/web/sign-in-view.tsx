import { lazy } from '@pc/ui/routing/lazy.ts'
import { Suspense, useState } from 'react'
import { FORGOT_PASSWORD_HREF, SECURITY_HREF } from '../links.ts'
import { originalPath } from '../original-path.ts'
import { signInMessage } from '../refusals.ts'
import type { SecondFactorRequest, SessionInfo } from '../session-info.ts'
import { DemoHint } from './demo-hint.tsx'
import { EmptyHint } from './empty-hint.tsx'
import { ExternalSignIn } from './external-sign-in.tsx'
import { PasswordField } from './password-field.tsx'
import styles from './sign-in.module.css'
import { post } from './sign-in-client.ts'
import { FormAlert, SignInFrame, SubmitButton } from './sign-in-frame.tsx'
import { StartAgainView } from './start-again-view.tsx'
import { SupportContact } from './support-contact.tsx'
import { TextField } from './text-field.tsx'
import { useSubmit } from './use-submit.ts'

/** Few people need these parts, so they are not part of the first load. */
const SecurityView = lazy(async () => ({ default: (await import('./security-view.tsx')).SecurityView }))
const SecondFactorView = lazy(async () => ({ default: (await import('./second-factor-view.tsx')).SecondFactorView }))

/**
 * Signs in and goes to the requested path. `requestedPath` is untrusted text from the address.
 * Tested by `e2e/sign-in.test.ts`.
 */
export function SignInView({ info, requestedPath }: { info: SessionInfo; requestedPath: string }) {
  const target = originalPath(requestedPath)
  // An authorisation request that leads here requires the password even when somebody is signed in.
  const isRequest = target.startsWith('/oidc/')
  const [wantsForm, setWantsForm] = useState(isRequest)
  if (info.provider.kind === 'external')
    return <ExternalSignIn provider={info.provider} target={target} isEmpty={info.isEmpty} />
  if (info.user?.mustEnrol && !isRequest) return <SecurityView info={info} enrolFor={target} />
  if (info.user && !wantsForm) {
    return (
      <SignInFrame title="サインイン済みです">
        <p>
          <strong className={styles.email}>{info.user.email}</strong> としてサインインしています。
        </p>
        <a className={styles.submit} href={target}>
          続ける
        </a>
        <a className={styles.quiet} href={SECURITY_HREF}>
          アカウントの設定
        </a>
        <button type="button" className={styles.quiet} onClick={() => setWantsForm(true)}>
          別のアカウントでサインインする
        </button>
      </SignInFrame>
    )
  }
  return <PasswordSignIn target={target} info={info} hasPasskeys={info.provider.hasPasskeys} />
}

type SignedIn = { readonly location: string }

function PasswordSignIn(props: { target: string; info: SessionInfo; hasPasskeys: boolean }) {
  const { target, hasPasskeys } = props
  const { isDemo, isEmpty, supportContact } = props.info
  const [isLeaving, setLeaving] = useState(false)
  const [secondFactor, setSecondFactor] = useState<SecondFactorRequest>()
  const [passkeyError, setPasskeyError] = useState<string>()
  const leave = (answer: SignedIn) => {
    setLeaving(true)
    location.assign(originalPath(answer.location))
  }
  const form = useSubmit<SignedIn | { readonly secondFactor: SecondFactorRequest }>({
    required: { email: 'sign-in/email-required', password: 'sign-in/password-required' },
    send: ({ email = '', password = '' }) => post('sign-in', { email, password, originalPath: target }),
    onDone: answer => ('secondFactor' in answer ? setSecondFactor(answer.secondFactor) : leave(answer)),
  })
  async function takePasskey() {
    setPasskeyError(undefined)
    const { signInWithPasskey } = await import('./passkey.ts')
    const answer = await signInWithPasskey({ originalPath: target })
    if (answer.ok) leave(answer.value)
    else setPasskeyError(answer.refusals.map(signInMessage).at(0))
  }
  if (secondFactor) {
    return (
      <Suspense fallback={<p className="loading">読み込み中</p>}>
        <SecondFactorView request={secondFactor} />
      </Suspense>
    )
  }
  if (form.refusals.some(refusal => refusal.code === 'sign-in/request-expired')) {
    return <StartAgainView reason="expired" />
  }
  return (
    <SignInFrame
      title="サインイン"
      below={
        <>
          {isDemo && <DemoHint />}
          {isEmpty && <EmptyHint />}
          <SupportContact contact={supportContact} />
        </>
      }
    >
      <form {...form.formProps} className={styles.form}>
        <FormAlert text={passkeyError ?? form.formError} />
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
        <p className={styles.beside}>
          <a href={FORGOT_PASSWORD_HREF}>パスワードを忘れた場合</a>
        </p>
        <SubmitButton isBusy={form.isBusy || isLeaving} label="サインイン" busyLabel="サインインしています" />
        {hasPasskeys && (
          <button type="button" className={styles.secondary} onClick={() => void takePasskey()}>
            パスキーでサインイン
          </button>
        )}
      </form>
    </SignInFrame>
  )
}
