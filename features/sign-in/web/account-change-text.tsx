import type { AccountChangeInfo } from '../session-info.ts'
import styles from './sign-in.module.css'

/** Describes the change to the person whose account it is. */
export function AccountChangeText({ change }: { change: AccountChangeInfo }) {
  const { kind, email, newEmail, isDone } = change
  if (kind === 'email')
    return (
      <p>
        メールアドレスが <strong className={styles.email}>{email}</strong> から{' '}
        <strong className={styles.email}>{newEmail}</strong>{' '}
        {isDone ? 'に変更されました。' : 'に変更されようとしています。管理者が依頼しました。まだ変更されていません。'}
      </p>
    )
  if (kind === 'second-factor')
    return (
      <p>
        {isDone
          ? '2段階認証（認証アプリ、パスキー、リカバリーコード）がすべて解除されました。'
          : '管理者が、2段階認証（認証アプリ、パスキー、リカバリーコード）をすべて解除するよう依頼しました。まだ解除されていません。'}
      </p>
    )
  return (
    <p>
      {isDone
        ? '会社のアカウントを切り替えるための招待メールをお送りしました。'
        : '管理者が、サインインに使う会社のアカウントの切り替えを依頼しました。承認すると、招待メールが届きます。'}
    </p>
  )
}
