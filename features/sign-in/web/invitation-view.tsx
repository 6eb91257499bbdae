import { useEffect, useState } from 'react'
import { originalPath } from '../original-path.ts'
import { signInMessage } from '../refusals.ts'
import type { SessionInfo } from '../session-info.ts'
import { NEW_PASSWORD_HINT } from './change-password-view.tsx'
import { type BindingStart, bindAtProvider, type ExternalProvider } from './external-client.ts'
import { LeaveButton, useLeaving } from './external-sign-in.tsx'
import { PasswordField } from './password-field.tsx'
import styles from './sign-in.module.css'
import { post } from './sign-in-client.ts'
import { FormAlert, SignInFrame, SubmitButton } from './sign-in-frame.tsx'
import { StartAgainView } from './start-again-view.tsx'
import { useSubmit } from './use-submit.ts'

interface Invitation {
  readonly email: string
  readonly organization: string | null
}

/**
 * Opened by the link of an invitation. Shows whom it is for and lets the person choose a password.
 * Tested by `e2e/users.test.ts`.
 */
export function InvitationView({ secret, provider }: { secret: string; provider: SessionInfo['provider'] }) {
  const [invitation, setInvitation] = useState<Invitation | 'loading' | 'expired' | 'failed'>('loading')
  const [isLeaving, setLeaving] = useState(false)
  useEffect(() => {
    let isCurrent = true
    void post<Invitation>('invite', { secret }).then(answer => {
      if (!isCurrent) return
      const isExpired = !answer.ok && answer.refusals.some(refusal => refusal.code === 'sign-in/link-expired')
      setInvitation(answer.ok ? answer.value : isExpired ? 'expired' : 'failed')
    })
    return () => {
      isCurrent = false
    }
  }, [secret])
  const form = useSubmit<{ location: string }>({
    required: { password: 'sign-in/password-required' },
    send: ({ password = '' }) => post('invite/accept', { secret, password }),
    onDone: answer => {
      setLeaving(true)
      location.assign(originalPath(answer.location))
    },
  })
  const isUsedUp = form.refusals.some(refusal => refusal.code === 'sign-in/link-expired')
  if (invitation === 'expired' || isUsedUp) return <StartAgainView reason="invitation-expired" />
  if (invitation === 'failed') {
    return (
      <SignInFrame title="接続できません">
        <FormAlert text="サーバーに接続できませんでした。通信環境を確認して、もう一度お試しください。" />
        <button type="button" className={styles.submit} onClick={() => location.reload()}>
          もう一度試す
        </button>
      </SignInFrame>
    )
  }
  if (invitation === 'loading') return <p className="loading">読み込み中</p>
  if (provider.kind === 'external')
    return <ExternalInvitation secret={secret} provider={provider} invitation={invitation} />
  return (
    <SignInFrame title="Publisher Center へようこそ">
      <form {...form.formProps} className={styles.form}>
        <p>
          <Membership of={invitation} />
          パスワードを設定すると、利用をはじめられます。
        </p>
        <FormAlert text={form.formError} />
        <Address of={invitation} />
        {/* Tells password managers whose password this is. */}
        <input type="hidden" name="username" autoComplete="username" value={invitation.email} readOnly />
        <PasswordField
          name="password"
          label="パスワード"
          autoComplete="new-password"
          hint={NEW_PASSWORD_HINT}
          autoFocus
          error={form.errorOf('password')}
        />
        <SubmitButton isBusy={form.isBusy || isLeaving} label="設定してはじめる" busyLabel="設定しています" />
      </form>
    </SignInFrame>
  )
}

function Membership({ of: { organization } }: { of: Invitation }) {
  if (organization === null) return null
  return (
    <>
      <strong className={styles.email}>{organization}</strong> のメンバーとして招待されています。
    </>
  )
}

function Address({ of: { email } }: { of: Invitation }) {
  return (
    <div className={styles.field}>
      <span className={styles.caption}>メールアドレス</span>
      <strong className={styles.email}>{email}</strong>
    </div>
  )
}

/** With an external provider, its account is bound instead of choosing a password. */
function ExternalInvitation(props: { secret: string; provider: ExternalProvider; invitation: Invitation }) {
  const { secret, provider, invitation } = props
  const leaving = useLeaving(async () => {
    const begun = await post<BindingStart>('invite/bind', { secret })
    if (!begun.ok) return begun.refusals.map(signInMessage).at(0) ?? ''
    return void (await bindAtProvider(provider, begun.value))
  })
  return (
    <SignInFrame title="Publisher Center へようこそ">
      <div className={styles.form}>
        <p>
          <Membership of={invitation} />
          会社のアカウントでサインインすると、利用をはじめられます。次からも、そのアカウントでサインインします。
        </p>
        <FormAlert text={leaving.problem} />
        <Address of={invitation} />
        <LeaveButton leaving={leaving} label="会社のアカウントで続ける" />
      </div>
    </SignInFrame>
  )
}
