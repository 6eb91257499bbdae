import { ChangeEmailView } from '@pc/features/sign-in/web/change-email-view.tsx'
import { ChangePasswordView } from '@pc/features/sign-in/web/change-password-view.tsx'
import { ConfirmEmailView } from '@pc/features/sign-in/web/confirm-email-view.tsx'
import { FirstAdminView } from '@pc/features/sign-in/web/first-admin-view.tsx'
import { SessionGate } from '@pc/features/sign-in/web/session-gate.tsx'
import { SignInView } from '@pc/features/sign-in/web/sign-in-view.tsx'
import { SignOutView } from '@pc/features/sign-in/web/sign-out-view.tsx'
import { StartAgainView } from '@pc/features/sign-in/web/start-again-view.tsx'
import { type ReactNode, useEffect, useSyncExternalStore } from 'react'

const onHashChange = (notify: () => void) => {
  addEventListener('hashchange', notify)
  return () => removeEventListener('hashchange', notify)
}

interface Screen {
  readonly title: string
  readonly content: ReactNode
}

/** Hash routes: `/signin/{original path}`, `/signout`, `/change-email`, `/change-pass`, `/first-admin/{secret}`. */
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
  return <div key={hash}>{content}</div>
}
