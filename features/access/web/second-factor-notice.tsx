import { useQuery } from '@apollo/client/react'
import { SECURITY_HREF } from '@pc/features/sign-in/links.ts'
import { useClientOf } from '@pc/ui/data/clients.tsx'
import { formatInstant } from '@pc/ui/text/format.ts'
import { IconShieldLock } from '@tabler/icons-react'
import styles from './second-factor-notice.module.css'
import { SecondFactorNoticeDocument } from './second-factor-notice-iam.gen.ts'

/**
 * Says until when and where to set up a second factor; shown only to people whose roles need one and who have none.
 */
export function SecondFactorNotice() {
  const client = useClientOf('iam')
  const { data } = useQuery(SecondFactorNoticeDocument, { client, fetchPolicy: 'cache-and-network' })
  const notice = data?.secondFactorNotice
  if (!notice) return null
  return (
    <section className={styles.notice} aria-label="2段階認証のお願い">
      <IconShieldLock size={20} stroke={1.8} aria-hidden />
      <p>
        <b>2段階認証を設定してください</b>（期限：{formatInstant(notice.dueAt)}）
        <small>
          {notice.isAtIssuer
            ? '会社のアカウントに2段階認証を設定し、サインインし直してください。期限を過ぎると利用できなくなります。'
            : 'お使いのロールでは必須です。期限を過ぎると、設定するまで利用できなくなります。'}
        </small>
      </p>
      {!notice.isAtIssuer && <a href={SECURITY_HREF}>設定する</a>}
    </section>
  )
}
