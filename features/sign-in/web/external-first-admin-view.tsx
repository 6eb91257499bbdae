import { useEffect, useState } from 'react'
import { type BindingStart, bindAtProvider, type ExternalProvider } from './external-client.ts'
import { NOT_OPENED } from './external-sign-in.tsx'
import styles from './sign-in.module.css'
import { post } from './sign-in-client.ts'
import { FormAlert, SignInFrame, SubmitButton } from './sign-in-frame.tsx'
import { StartAgainView } from './start-again-view.tsx'
import { TextField } from './text-field.tsx'
import { useSubmit } from './use-submit.ts'

/** `email` is fixed if the operator named it. The account is the one that signs in at the provider next. */
type Link = { readonly email: string | null }

/**
 * Creates the first administrator for the holder of the printed link, where people sign in at an external provider.
 * Tested by `e2e/external-issuer.test.ts`.
 */
export function ExternalFirstAdminView({ secret, provider }: { secret: string; provider: ExternalProvider }) {
  const [link, setLink] = useState<Link | 'loading' | 'expired' | 'failed'>('loading')
  useEffect(() => {
    let isCurrent = true
    void post<Link>('first-admin/show', { secret }).then(answer => {
      if (!isCurrent) return
      const isExpired = !answer.ok && answer.refusals.some(refusal => refusal.code === 'sign-in/link-expired')
      setLink(answer.ok ? answer.value : isExpired ? 'expired' : 'failed')
    })
    return () => {
      isCurrent = false
    }
  }, [secret])
  if (link === 'loading') return <p className="loading">読み込み中</p>
  if (link === 'expired') return <StartAgainView reason="first-admin-expired" />
  if (link === 'failed') return <StartAgainView reason="failed" />
  return <FirstAdminForm secret={secret} provider={provider} email={link.email} />
}

function FirstAdminForm(props: { secret: string; provider: ExternalProvider; email: string | null }) {
  const { secret, provider, email } = props
  const [problem, setProblem] = useState<string>()
  const [isLeaving, setLeaving] = useState(false)
  const form = useSubmit<BindingStart>({
    required: email === null ? { email: 'sign-in/email-required' } : {},
    send: values => {
      setProblem(undefined)
      return post('first-admin/bind', { secret, email: values.email ?? '' })
    },
    onDone: begun => {
      setLeaving(true)
      bindAtProvider(provider, begun).catch(() => {
        setLeaving(false)
        setProblem(NOT_OPENED)
      })
    },
  })
  if (form.refusals.some(refusal => refusal.code === 'sign-in/link-expired'))
    return <StartAgainView reason="first-admin-expired" />
  return (
    <SignInFrame title="最初の管理者を登録します">
      <form {...form.formProps} className={styles.form}>
        <p>この管理者が、ほかのユーザーを招待し、権限を設定します。</p>
        <p>次に会社のサインイン画面が開きます。そこでサインインしたアカウントが、管理者のアカウントになります。</p>
        <FormAlert text={problem ?? form.formError} />
        {email === null ? (
          <TextField
            name="email"
            label="メールアドレス"
            type="email"
            inputMode="email"
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
            error={form.errorOf('email')}
          />
        ) : (
          <div className={styles.field}>
            <span className={styles.caption}>メールアドレス</span>
            <strong className={styles.email}>{email}</strong>
          </div>
        )}
        <SubmitButton
          isBusy={form.isBusy || isLeaving}
          label="会社のアカウントで続ける"
          busyLabel="サインイン画面を開いています"
        />
      </form>
    </SignInFrame>
  )
}
