import type { ApolloClient } from '@apollo/client'
import { skipToken, useQuery } from '@apollo/client/react'
import { Button } from '@pc/ui/button.tsx'
import { useClientOf } from '@pc/ui/clients.tsx'
import { addressOf } from '@pc/ui/define-route.ts'
import { Dialog } from '@pc/ui/dialog.tsx'
import { formatInstantDay } from '@pc/ui/format.ts'
import type { AnnouncementItem } from '@pc/ui/header/announcement-bell.tsx'
import { lazy, Suspense, useEffect, useState } from 'react'
import { announcementPath } from '../links.ts'
import {
  HeaderAnnouncementsDocument,
  type HeaderAnnouncementsQuery,
  ReadAnnouncementsDocument,
} from './header-announcements.gen.ts'

const HtmlBody = lazy(() => import('@pc/ui/html-body.tsx').then(module => ({ default: module.HtmlBody })))

type Announcement = NonNullable<HeaderAnnouncementsQuery['announcements']>['nodes'][number]

export interface HeaderAnnouncements {
  readonly items: readonly AnnouncementItem[]
  /** Unread ones of the level warn, in the order in which they pop up. */
  readonly warnings: readonly Announcement[]
  markRead(ids: readonly string[]): Promise<void>
}

/** New announcements are noticed without a reload. */
const ASKED_AGAIN_MS = 5 * 60_000

/**
 * What is announced to this person now (specification, section 7: enabled, begun, not over, at most 100).
 * @param home where the screens of announcements are: nothing for the console itself, which has them
 */
export function useHeaderAnnouncements(isAllowed: boolean, home = ''): HeaderAnnouncements {
  const client = useClientOf('insight')
  const now = useMomentAsked()
  const { data, previousData } = useQuery(
    HeaderAnnouncementsDocument,
    isAllowed ? { variables: { now }, client } : skipToken,
  )
  const nodes = (data ?? previousData)?.announcements?.nodes ?? []
  return {
    items: nodes.map(node => ({
      ...{ id: node.id, title: node.title, body: node.body, type: node.level, isRead: node.isRead },
      dateText: formatInstantDay(node.updatedAt),
      link: home + addressOf(announcementPath(node.id)),
    })),
    warnings: nodes.filter(node => node.level === 'warn' && !node.isRead),
    markRead: ids => markRead(client, ids),
  }
}

/** ISO 8601. Moves on with every question: what has begun since is among the answers, and what is over is not. */
function useMomentAsked(): string {
  const [moment, setMoment] = useState(() => new Date().toISOString())
  useEffect(() => {
    const timer = setInterval(() => setMoment(new Date().toISOString()), ASKED_AGAIN_MS)
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

/** Unread warnings, one at a time and blocking: confirming one marks it as read by a call, then shows the next. */
export function WarningPopups({ warnings, markRead: mark }: Pick<HeaderAnnouncements, 'warnings' | 'markRead'>) {
  const [confirmed, setConfirmed] = useState<readonly string[]>([])
  const [isBusy, setBusy] = useState(false)
  const left = warnings.filter(warning => !confirmed.includes(warning.id))
  const [current] = left
  if (!current) return null
  const confirm = async () => {
    if (isBusy) return
    setBusy(true)
    try {
      await mark([current.id])
    } catch {
      // The failure has been said; the person is not kept from working, and asked again with the next visit.
    } finally {
      setConfirmed([...confirmed, current.id])
      setBusy(false)
    }
  }
  return (
    <Dialog
      key={current.id}
      role="alertdialog"
      title={current.title}
      onClose={undefined}
      actions={
        <Button tone="primary" aria-disabled={isBusy} onClick={() => void confirm()}>
          {current.closeButtonText}
        </Button>
      }
    >
      <Suspense fallback={null}>
        <HtmlBody html={current.body} />
      </Suspense>
      {left.length > 1 && <p>{`ほかに${left.length - 1}件の重要なお知らせがあります。`}</p>}
    </Dialog>
  )
}
