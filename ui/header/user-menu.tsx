import { IconDevices, IconHelpCircle, IconKey, IconLogout, IconMail, IconShieldLock } from '@tabler/icons-react'
import { Popover } from '../feedback/popover.tsx'
import header from './header.module.css'
import styles from './user-menu.module.css'

export interface UserMenuProps {
  email: string
  photoUrl: string | undefined
  canChangeEmail: boolean
  canChangePassword: boolean
  /** The embedded issuer is in use, so second factors and sessions are managed here. */
  canManageSignIn: boolean
  onSignOut: () => void
  /** Shows the setup guide again; absent in applications without one. */
  onShowGuide?: (() => void) | undefined
}

export function UserMenu(props: UserMenuProps) {
  const { email, photoUrl, canChangeEmail, canChangePassword, canManageSignIn, onSignOut, onShowGuide } = props
  return (
    <Popover
      label="アカウント"
      button={props => (
        <button type="button" className={header.iconButton} aria-label={`アカウント：${email}`} {...props}>
          <Avatar email={email} photoUrl={photoUrl} isSmall />
        </button>
      )}
    >
      {close => (
        <div className={styles.user}>
          <div className={styles.person}>
            <Avatar email={email} photoUrl={photoUrl} />
            <span>{email}</span>
          </div>
          <div className={styles.userLinks}>
            {canChangeEmail && (
              <a href="/sso#/change-email" className={styles.userLink}>
                <IconMail size={18} stroke={1.6} aria-hidden />
                メールアドレスを変更
              </a>
            )}
            {canChangePassword && (
              <a href="/sso#/change-pass" className={styles.userLink}>
                <IconKey size={18} stroke={1.6} aria-hidden />
                パスワードを変更
              </a>
            )}
            {canManageSignIn && (
              <>
                <a href="/sso#/security" className={styles.userLink}>
                  <IconShieldLock size={18} stroke={1.6} aria-hidden />
                  セキュリティ
                </a>
                <a href="/sso#/sessions" className={styles.userLink}>
                  <IconDevices size={18} stroke={1.6} aria-hidden />
                  サインイン中の端末
                </a>
              </>
            )}
          </div>
          {onShowGuide && (
            <button
              type="button"
              className={styles.userLink}
              onClick={() => {
                close()
                onShowGuide()
              }}
            >
              <IconHelpCircle size={18} stroke={1.6} aria-hidden />
              はじめてガイドを表示
            </button>
          )}
          <button type="button" className={styles.userLink} onClick={onSignOut}>
            <IconLogout size={18} stroke={1.6} aria-hidden />
            サインアウト
          </button>
        </div>
      )}
    </Popover>
  )
}

/** 42 px wide; without a photo, the first character of the address. */
function Avatar(props: { email: string; photoUrl: string | undefined; isSmall?: boolean }) {
  return (
    <span className={styles.avatar} data-small={props.isSmall || undefined} aria-hidden>
      {props.photoUrl ? (
        <img src={props.photoUrl} alt="" width={42} height={42} referrerPolicy="no-referrer" />
      ) : (
        props.email.slice(0, 1).toUpperCase()
      )}
    </span>
  )
}
