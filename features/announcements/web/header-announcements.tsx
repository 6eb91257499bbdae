import type { ApolloClient } from '@apollo/client'
import { skipToken, useQuery } from '@apollo/client/react'
import { useClientOf } from '@pc/ui/data/clients.tsx'
import type { AnnouncementItem } from '@pc/ui/header/announcement-item.ts'
import { addressOf } from '@pc/ui/routing/define-route.ts'
import { lazyPart } from '@pc/ui/routing/lazy-part.tsx'
import { formatInstantDay } from '@pc/ui/text/format.ts'
import { Suspense, useEffect, useState } from 'react'
import { announcementPath } from '../links.ts'
import {
  HeaderAnnouncementsDocument,
  type HeaderAnnouncementsQuery,
  ReadAnnouncementsDocument,
} from './header-announcements.gen.ts'

const OpenWarnings = lazyPart(async () => (await import('./open-warnings.tsx')).OpenWarnings)

type Announcement = NonNullable<HeaderAnnouncementsQuery['announcements']>['nodes'][number]

export interface HeaderAnnouncements {
  readonly items: readonly AnnouncementItem[]
  /** Unread ones of the level warn, in the order in which they pop up. */
  readonly warnings: readonly Announcement[]
  markRead(ids: readonly string[]): Promise<void>
}

/** New announcements are noticed without a reload. */
const REFRESH_MS = 5 * 60_000

/**
 * The announcements for this person now: enabled, begun, not ended, at most 100.
 * @param home where the screens of announcements are: nothing for the console itself, which has them
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
    markRead: ids => markRead(client, ids),
  }
}

/** ISO 8601. Moves on with every question: what has begun since is among the answers, and what is over is not. */
function useRefreshedNow(): string {
  const [moment, setMoment] = useState(() => new Date().toISOString())
  useEffect(() => {
    const timer = setInterval(() => setMoment(new Date().toISOString()), REFRESH_MS)
    return () => clearInterval(timer)
  }, [])
  return moment
}

/** Marks announcements as read, and shows them as read wherever they stand. */
export async function markRead(client: ApolloClient, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const { data } = await client.mutate({ mutation: ReadAnnouncementsDocument, variables: { ids: [...ids] } })
  for (const id of data?.readAnnouncements ?? []) {
    client.cache.modify({
      id: client.cache.identify({ __typename: 'Announcement', id }) ?? '',
      fields: { isRead: () => true },
    })
  }
}

/** Unread warnings, whose code comes for those alone who have any. */
export function WarningPopups(props: Pick<HeaderAnnouncements, 'warnings' | 'markRead'>) {
  if (props.warnings.length === 0) return null
  return (
    <Suspense fallback={null}>
      <OpenWarnings {...props} />
    </Suspense>
  )
}
