import { originalPath } from '@pc/features/sign-in/original-path.ts'
import type { SessionInfo } from '@pc/features/sign-in/session-info.ts'
import { ChangeEmailView } from '@pc/features/sign-in/web/change-email-view.tsx'
import { ChangePasswordView } from '@pc/features/sign-in/web/change-password-view.tsx'
import { ConfirmEmailView } from '@pc/features/sign-in/web/confirm-email-view.tsx'
import type { ExternalProvider } from '@pc/features/sign-in/web/external-client.ts'
import { FirstAdminView } from '@pc/features/sign-in/web/first-admin-view.tsx'
import { ForgotPasswordView } from '@pc/features/sign-in/web/forgot-password-view.tsx'
import { InvitationView } from '@pc/features/sign-in/web/invitation-view.tsx'
import { ResetPasswordView } from '@pc/features/sign-in/web/reset-password-view.tsx'
import { SessionGate } from '@pc/features/sign-in/web/session-gate.tsx'
import { SignInView } from '@pc/features/sign-in/web/sign-in-view.tsx'
import { SignOutView } from '@pc/features/sign-in/web/sign-out-view.tsx'
import { StartAgainView } from '@pc/features/sign-in/web/start-again-view.tsx'
import { lazy } from '@pc/ui/routing/lazy.ts'
import { type ReactNode, Suspense, useEffect, useSyncExternalStore } from 'react'

/** Rarely used settings, loaded on demand. */
const SecurityView = lazy(async () => ({
  default: (await import('@pc/features/sign-in/web/security-view.tsx')).SecurityView,
}))
const SessionsView = lazy(async () => ({
  default: (await import('@pc/features/sign-in/web/sessions-view.tsx')).SessionsView,
}))

const AccountChangeView = lazy(async () => ({
  default: (await import('@pc/features/sign-in/web/account-change-view.tsx')).AccountChangeView,
}))

/** Screens for an external issuer only. */
const ExternalFirstAdminView = lazy(async () => ({
  default: (await import('@pc/features/sign-in/web/external-first-admin-view.tsx')).ExternalFirstAdminView,
}))
const BindView = lazy(async () => ({ default: (await import('@pc/features/sign-in/web/bind-view.tsx')).BindView }))
const ExternalStepUp = lazy(async () => ({
  default: (await import('@pc/features/sign-in/web/external-sign-in.tsx')).ExternalStepUp,
}))
const RefusedView = lazy(async () => ({
  default: (await import('@pc/features/sign-in/web/refused-view.tsx')).RefusedView,
}))

const onHashChange = (notify: () => void) => {
  addEventListener('hashchange', notify)
  return () => removeEventListener('hashchange', notify)
}

interface Screen {
  readonly title: string
  readonly content: ReactNode
}

/**
 * Hash routes: `/signin/{original path}`, `/signout`, `/forgot-pass`, `/reset-pass/{secret}`, `/invite/{secret}`,
 * `/change-email`, `/account-change/{secret}`, `/change-pass`, `/security`, `/second-factor/{original path}`,
 * `/sessions`, `/first-admin/{secret}`. With an external issuer also `/bind`, `/step-up/{original path}`,
 * `/refused/{reason}`.
 */
function screenAt(hash: string): Screen {
  const [, name = '', rest = ''] = /^#\/?([^/]*)\/?(.*)$/s.exec(hash) ?? []
  switch (name) {
    case '':
    case 'signin':
      return {
        title: 'サインイン',
        content: <SessionGate>{info => <SignInView info={info} requestedPath={rest} />}</SessionGate>,
      }
    case 'signout':
      return { title: 'サインアウト', content: <SessionGate>{info => <SignOutView info={info} />}</SessionGate> }
    case 'change-pass':
      return {
        title: 'パスワードの変更',
        content: <SessionGate needs="user">{info => <ChangePasswordView info={info} />}</SessionGate>,
      }
    case 'change-email':
      return rest
        ? { title: 'メールアドレスの変更', content: <ConfirmEmailView secret={rest} /> }
        : {
            title: 'メールアドレスの変更',
            content: <SessionGate needs="user">{info => <ChangeEmailView info={info} />}</SessionGate>,
          }
    case 'account-change':
      return { title: 'アカウントの変更の確認', content: <AccountChangeView secret={rest} /> }
    case 'security':
      return {
        title: 'セキュリティ',
        content: <SessionGate needs="user">{info => <SecurityView info={info} />}</SessionGate>,
      }
    case 'second-factor':
      return {
        title: '2段階認証の設定',
        content: <SessionGate needs="user">{info => <SecurityView info={info} enrolFor={rest} />}</SessionGate>,
      }
    case 'sessions':
      return {
        title: 'サインイン中の端末',
        content: <SessionGate needs="user">{info => <SessionsView info={info} />}</SessionGate>,
      }
    case 'forgot-pass':
      return {
        title: 'パスワードを忘れた場合',
        content: <SessionGate>{info => <ForgotPasswordView info={info} />}</SessionGate>,
      }
    case 'reset-pass':
      return { title: 'パスワードの再設定', content: <ResetPasswordView secret={rest} /> }
    case 'invite':
      return {
        title: '招待',
        content: <SessionGate>{({ provider }) => <InvitationView secret={rest} provider={provider} />}</SessionGate>,
      }
    case 'first-admin':
      return {
        title: '管理者の登録',
        content: atIssuer(
          provider => <ExternalFirstAdminView secret={rest} provider={provider} />,
          <FirstAdminView secret={rest} />,
        ),
      }
    case 'bind':
      return { title: 'アカウントの登録', content: atIssuer(provider => <BindView provider={provider} />) }
    case 'step-up':
      return {
        title: '本人確認',
        content: atIssuer(provider => <ExternalStepUp provider={provider} target={originalPath(rest)} />),
      }
    case 'refused':
      return {
        title: 'サインイン',
        content: atIssuer((provider, { supportContact }) => (
          <RefusedView provider={provider} reason={rest} supportContact={supportContact} />
        )),
      }
    default:
      return { title: 'ページが見つかりません', content: <StartAgainView reason="unknown-page" /> }
  }
}

/** A screen for an external issuer, and its replacement with the embedded one. */
function atIssuer(
  external: (provider: ExternalProvider, info: SessionInfo) => ReactNode,
  embedded: ReactNode = <StartAgainView reason="unknown-page" />,
): ReactNode {
  return (
    <SessionGate>{info => (info.provider.kind === 'external' ? external(info.provider, info) : embedded)}</SessionGate>
  )
}

export function SsoRoutes() {
  const hash = useSyncExternalStore(onHashChange, () => location.hash)
  const { title, content } = screenAt(hash)
  useEffect(() => {
    document.title = `${title} - Publisher Center`
  }, [title])
  return (
    <Suspense fallback={<p className="loading">読み込み中</p>}>
      <div key={hash}>{content}</div>
    </Suspense>
  )
}
