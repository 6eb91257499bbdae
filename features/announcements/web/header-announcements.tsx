import { skipToken, useQuery } from '@apollo/client/react'
import { useClientOf } from '@pc/ui/data/clients.tsx'
import type { AnnouncementItem } from '@pc/ui/header/announcement-item.ts'
import { addressOf } from '@pc/ui/routing/define-route.ts'
import { lazyPart } from '@pc/ui/routing/lazy-part.tsx'
import { formatInstantDay } from '@pc/ui/text/format.ts'
import { Suspense, useEffect, useState } from 'react'
import { announcementPath } from '../links.ts'
import { HeaderAnnouncementsDocument, type HeaderAnnouncementsQuery } from './header-announcements.gen.ts'

const OpenWarnings = lazyPart(async () => (await import('./open-warnings.tsx')).OpenWarnings)

type Announcement = NonNullable<HeaderAnnouncementsQuery['announcements']>['nodes'][number]

export interface HeaderAnnouncements {
  readonly items: readonly AnnouncementItem[]
  /** Unread announcements of the level `warn`, in the order in which they are shown. */
  readonly warnings: readonly Announcement[]
  markRead(ids: readonly string[]): Promise<void>
}

/** Polling interval, so that new announcements appear without a reload. */
const REFRESH_MS = 5 * 60_000

/**
 * The announcements that are shown to this person now: enabled, begun, not ended, at most 100.
 * @param home prefix of the application that has the announcement screens; empty within the console itself
 */
export function useHeaderAnnouncements(isAllowed: boolean, home = ''): HeaderAnnouncements {
  const client = useClientOf('insight')
  const now = useRefreshedNow()
  const { data, previousData } = useQuery(
    HeaderAnnouncementsDocument,
    isAllowed ? { variables: { now }, client } : skipToken,
  )
  const nodes = (data ?? previousData)?.announcements?.nodes ?? []
  return {
    items: nodes.map(node => ({
      id: node.id,
      title: node.title,
      body: node.body,
      type: node.level,
      isRead: node.isRead,
      dateText: formatInstantDay(node.updatedAt),
      link: home + addressOf(announcementPath(node.id)),
    })),
    warnings: nodes.filter(node => node.level === 'warn' && !node.isRead),
    markRead: async ids => (await import('./mark-read.ts')).markRead(client, ids),
  }
}

/**
 * The time of the query in ISO 8601. It advances with every poll, so that announcements appear and disappear on time.
 */
function useRefreshedNow(): string {
  const [moment, setMoment] = useState(() => new Date().toISOString())
  useEffect(() => {
    const timer = setInterval(() => setMoment(new Date().toISOString()), REFRESH_MS)
    return () => clearInterval(timer)
  }, [])
  return moment
}

/** Unread warnings; their code is loaded only when there are any. */
export function WarningPopups(props: Pick<HeaderAnnouncements, 'warnings' | 'markRead'>) {
  if (props.warnings.length === 0) return null
  return (
    <Suspense fallback={null}>
      <OpenWarnings {...props} />
    </Suspense>
  )
}
