import { useClientOf } from '@pc/ui/data/clients.tsx'
import { Button } from '@pc/ui/elements/button.tsx'
import type { Impersonation } from '@pc/ui/session/viewer.tsx'
import { IconEye } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { EndImpersonationDocument } from './impersonate-iam.gen.ts'
import styles from './impersonation-banner.module.css'

/** Shows who is impersonated, why and for how long, and ends the impersonation. */
export function ImpersonationNotice({ impersonation }: { impersonation: Impersonation }) {
  const client = useClientOf('iam')
  const minutesLeft = useMinutesLeft(impersonation.endsAt)
  const [isEnding, setEnding] = useState(false)
  const end = async () => {
    setEnding(true)
    try {
      await client.mutate({ mutation: EndImpersonationDocument })
      location.reload()
    } catch {
      // The error message has been shown. If the impersonation expired or ended in another window, the next load shows
      // that.
      setEnding(false)
    }
  }
  return (
    <section className={styles.banner} aria-label="ほかのユーザーとしての表示">
      <IconEye size={20} stroke={1.8} aria-hidden />
      <p>
        <b>{impersonation.email}</b>として表示しています（閲覧のみ。変更はできません）
        <small>
          理由：{impersonation.reason} ／ <span role="timer">{`残り${minutesLeft}分で自動的に終了します`}</span>
        </small>
      </p>
      <Button disabled={isEnding} onClick={() => void end()}>
        表示を終了する
      </Button>
    </section>
  )
}

const MINUTE_MS = 60_000

/** Counts the minutes down. At the end the page is reloaded as the signed-in person. */
function useMinutesLeft(endsAt: string): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const ticking = setInterval(() => setNow(Date.now()), MINUTE_MS / 6)
    const ending = setTimeout(() => location.reload(), Math.max(0, Date.parse(endsAt) - Date.now()) + 1000)
    return () => {
      clearInterval(ticking)
      clearTimeout(ending)
    }
  }, [endsAt])
  return Math.max(0, Math.ceil((Date.parse(endsAt) - now) / MINUTE_MS))
}
