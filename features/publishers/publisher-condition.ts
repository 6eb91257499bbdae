import { type ConditionOf, defineCondition } from '@pc/domain/condition/condition.ts'
import { id, oneOf, page, text } from '@pc/domain/condition/params.ts'

export const PUBLISHER_LIST_ORDERS = [
  ...(['NAME_ASC', 'NAME_DESC', 'ID_ASC', 'ID_DESC'] as const),
  ...(['CREATEDAT_ASC', 'CREATEDAT_DESC', 'UPDATEDAT_ASC', 'UPDATEDAT_DESC'] as const),
] as const

export const PUBLISHER_PAGE_SIZE = 100

export const publisherCondition = defineCondition({
  q: text(),
  organizationId: id(),
  state: oneOf(['enabled', 'disabled', 'all']),
  order: oneOf(PUBLISHER_LIST_ORDERS),
  page: page(PUBLISHER_PAGE_SIZE),
})

export type PublisherCondition = ConditionOf<typeof publisherCondition>
