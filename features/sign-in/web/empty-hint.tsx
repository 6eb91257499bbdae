import styles from './sign-in.module.css'

/** Shown by a system without users, where nobody can sign in before the first administrator is registered. */
export function EmptyHint() {
  return (
    <aside className={styles.demo} aria-label="最初の管理者の登録">
      <p>
        <strong>まだユーザーがいません。</strong>
        最初の管理者は、システムの起動時に表示されたリンクから登録します（24時間以内、1回だけ有効）。
      </p>
      <p>リンクが見つからないときは、システムの担当者に「npm run first-admin」での発行を依頼してください。</p>
    </aside>
  )
}
