import styles from './sign-in.module.css'

const EXAMPLES = [
  ['admin@example.jp', 'すべての操作'],
  ['insight.viewer@example.jp', '社内の閲覧者'],
  ['insight.publisher_admin@example.jp', 'パブリッシャーの管理者'],
] as const

/** Shown only by a demonstration: the addresses that exist. The password was printed when the system started. */
export function DemoHint() {
  return (
    <aside className={styles.demo} aria-label="デモ環境のご案内">
      <p>
        <strong>デモ環境です。</strong>データはすべて架空のものです。次のようなアカウントでサインインできます。
      </p>
      <dl>
        {EXAMPLES.map(([email, what]) => (
          <div key={email}>
            <dt>{email}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <p>パスワードは、起動したターミナルに表示されています。</p>
    </aside>
  )
}
