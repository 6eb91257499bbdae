import type { ScreenContext } from '@pc/ui/routing/define-route.ts'
import type { Viewer } from '@pc/ui/session/viewer.tsx'
import { type FeedCondition, feedCondition } from '../feed-condition.ts'
import { FeedEditDocument, FeedsDocument, type FeedsQueryVariables } from './feeds.gen.ts'

export const feedsQuery = {
  document: FeedsDocument,
  variables(condition: FeedCondition): FeedsQueryVariables {
    const { q, mediumId, publisherId, type, health, state, order } = condition
    const { limit, offset } = feedCondition.pageVariables(condition)
    return {
      limit,
      offset,
      orderBy: order,
      ...(q === '' ? {} : { q }),
      param: {
        ...(mediumId === undefined ? {} : { mediumId }),
        ...(publisherId === undefined ? {} : { publisherId }),
        ...(type === 'all' ? {} : { type }),
        ...(health === 'all' ? {} : { state: health }),
        ...(state === 'all' ? {} : { enabled: state === 'enabled' }),
      },
    }
  },
}

/** Which fields of a feed the person may see and send. */
export function feedRights({ can }: Pick<Viewer, 'can'>) {
  return {
    shown: {
      withInHouse: can('read:show', 'insight:in_house_field.'),
      withNotes: can('read:show', 'insight:in_house_note.'),
      withRevenue: can('read:show', 'insight:summary_stats.'),
    },
    sendable: {
      inHouse: can('write:update', 'insight:in_house_field.'),
      notes: can('write:update', 'insight:in_house_note.'),
    },
  }
}

export const feedEditQuery = {
  document: FeedEditDocument,
  variables: (_condition: object, { ids, viewer }: ScreenContext) => ({
    id: ids.id ?? '',
    ...feedRights(viewer).shown,
  }),
}
