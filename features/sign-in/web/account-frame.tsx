import type { ReactNode } from 'react'
import { CHANGE_EMAIL_HREF, CHANGE_PASSWORD_HREF, SECURITY_HREF, SESSIONS_HREF } from '../links.ts'
import { HOME_PATH } from '../original-path.ts'
import styles from './account.module.css'
import { SignInFrame } from './sign-in-frame.tsx'

const SCREENS = [
  { id: 'security', href: SECURITY_HREF, label: 'セキュリティ' },
  { id: 'sessions', href: SESSIONS_HREF, label: 'サインイン中の端末' },
  { id: 'password', href: CHANGE_PASSWORD_HREF, label: 'パスワード' },
  { id: 'email', href: CHANGE_EMAIL_HREF, label: 'メールアドレス' },
] as const

/** The frame of the account screens: the card of the sign-in screens with a navigation above. */
export function AccountFrame(props: {
  current: (typeof SCREENS)[number]['id']
  title: string
  email: string | undefined
  children: ReactNode
}) {
  const { current, title, email, children } = props
  return (
    <SignInFrame
      title={title}
      isWide
      above={
        <nav className={styles.tabs} aria-label="アカウントの設定">
          {SCREENS.map(({ id, href, label }) => (
            <a key={id} href={href} aria-current={id === current ? 'page' : undefined}>
              {label}
            </a>
          ))}
        </nav>
      }
      below={
        <p className={styles.foot}>
          <span className={styles.email}>{email}</span>
          <a href={HOME_PATH}>Publisher Center に戻る</a>
        </p>
      }
    >
      {children}
    </SignInFrame>
  )
}
