import type { SecurityInfo } from '../session-info.ts'
import styles from './account.module.css'
import signInStyles from './sign-in.module.css'
import { tokyoTime } from './tokyo-time.ts'

/** Says why and until when a second factor is needed, and links to the screen that the person wanted. */
export function EnrolmentNotice({ security, target }: { security: SecurityInfo; target: string }) {
  const { secondFactorDueAt: dueAt } = security
  if (dueAt === null) {
    return (
      <a className={signInStyles.submit} href={target}>
        Publisher Center に進む
      </a>
    )
  }
  const isOverdue = Date.parse(dueAt) <= Date.now()
  return (
    <div className={styles.setup} role="status">
      <p>
        お使いのロールでは、お金やアカウントを守るために2段階認証が必要です。認証アプリかパスキーのどちらかを設定してください。
      </p>
      <p>
        {isOverdue
          ? '設定の期限を過ぎているため、設定が終わるまで Publisher Center は利用できません。'
          : `${tokyoTime(dueAt)}までに設定してください。期限を過ぎると、設定するまで利用できなくなります。`}
      </p>
      {!isOverdue && (
        <p>
          <a href={target}>あとで設定する</a>
        </p>
      )}
    </div>
  )
}
