import type { ApolloClient } from '@apollo/client'
import { ReadAnnouncementsDocument } from './mark-read.gen.ts'

/** Marks announcements as read, and updates them in every place of the cache. */
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
