import { ChangeEmailView } from '@pc/features/sign-in/web/change-email-view.tsx'
import { ChangePasswordView } from '@pc/features/sign-in/web/change-password-view.tsx'
import { ConfirmEmailView } from '@pc/features/sign-in/web/confirm-email-view.tsx'
import { FirstAdminView } from '@pc/features/sign-in/web/first-admin-view.tsx'
import { ForgotPasswordView } from '@pc/features/sign-in/web/forgot-password-view.tsx'
import { InvitationView } from '@pc/features/sign-in/web/invitation-view.tsx'
import { ResetPasswordView } from '@pc/features/sign-in/web/reset-password-view.tsx'
import { SessionGate } from '@pc/features/sign-in/web/session-gate.tsx'
import { SignInView } from '@pc/features/sign-in/web/sign-in-view.tsx'
import { SignOutView } from '@pc/features/sign-in/web/sign-out-view.tsx'
import { StartAgainView } from '@pc/features/sign-in/web/start-again-view.tsx'
import { lazy, type ReactNode, Suspense, useEffect, useSyncExternalStore } from 'react'

/** Settings that few people open: loaded with their first use. */
const SecurityView = lazy(async () => ({
  default: (await import('@pc/features/sign-in/web/security-view.tsx')).SecurityView,
}))
const SessionsView = lazy(async () => ({
  default: (await import('@pc/features/sign-in/web/sessions-view.tsx')).SessionsView,
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
 * `/change-email`, `/change-pass`, `/security`, `/sessions`, `/first-admin/{secret}`.
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
    case 'security':
      return {
        title: 'セキュリティ',
        content: <SessionGate needs="user">{info => <SecurityView info={info} />}</SessionGate>,
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
      return { title: '招待', content: <InvitationView secret={rest} /> }
    case 'first-admin':
      return { title: '管理者の登録', content: <FirstAdminView secret={rest} /> }
    default:
      return { title: 'ページが見つかりません', content: <StartAgainView reason="unknown-page" /> }
  }
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
