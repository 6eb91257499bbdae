import type { Screen } from '../routing/define-route.ts'
import { helpAddress } from '../routing/help-address.ts'
import type { RuntimeConfig } from '../runtime-config.ts'
import { isPublisherUser, useViewer } from '../session/viewer.tsx'
import { todayInTokyo } from '../text/clock-day.ts'

interface FooterProps {
  screens: readonly Screen[]
  /** The path of the current screen, as its route has it. */
  path: string
  config: Pick<RuntimeConfig, 'supportContact' | 'statusUrl'>
}

/** The footer of every screen: the manual's part about it and, if the operator has set them, status page and contact. */
export function ApplicationFooter({ screens, path, config: { supportContact: contact, statusUrl } }: FooterProps) {
  const help = helpAddress(screens, path, isPublisherUser(useViewer())) ?? '/docs/index.html'
  return (
    <>
      <span>© {todayInTokyo().slice(0, 4)} Publisher Center</span>
      <a href={help} target="_blank" rel="noreferrer">
        <span aria-hidden>？</span>この画面の使い方
      </a>
      {statusUrl && (
        <a href={statusUrl} target="_blank" rel="noreferrer">
          障害情報
        </a>
      )}
      {contact !== undefined && (
        <span>
          お問い合わせ：<a href={contact.includes('://') ? contact : `mailto:${contact}`}>{contact}</a>
        </span>
      )}
    </>
  )
}
