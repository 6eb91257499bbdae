import { type ConditionOf, defineCondition } from '@pc/domain/condition/condition.ts'
import { id, oneOf, page, text } from '@pc/domain/condition/params.ts'
import { FEED_STATES } from '@pc/domain/feed/feed-health.ts'
import { FEED_TYPES } from '@pc/domain/feed/feed-type.ts'

export const FEED_LIST_ORDERS = [
  ...(['UPDATEDAT_DESC', 'UPDATEDAT_ASC', 'NAME_ASC', 'NAME_DESC', 'ID_ASC', 'ID_DESC'] as const),
  ...(['CREATEDAT_ASC', 'CREATEDAT_DESC'] as const),
] as const

export const FEED_PAGE_SIZE = 100

export const feedCondition = defineCondition({
  q: text(),
  mediumId: id(),
  publisherId: id(),
  type: oneOf(['all', ...FEED_TYPES]),
  health: oneOf(['all', ...FEED_STATES]),
  state: oneOf(['enabled', 'disabled', 'all']),
  order: oneOf(FEED_LIST_ORDERS),
  page: page(FEED_PAGE_SIZE),
})

export type FeedCondition = ConditionOf<typeof feedCondition>
