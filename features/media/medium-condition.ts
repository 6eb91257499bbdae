import { type ConditionOf, defineCondition } from '@pc/domain/condition/condition.ts'
import { oneOf, page, text } from '@pc/domain/condition/params.ts'

export const MEDIUM_LIST_ORDERS = [
  'DISPLAYORDER_ASC',
  'DISPLAYORDER_DESC',
  'ID_ASC',
  'ID_DESC',
  'NAME_ASC',
  'NAME_DESC',
  'UPDATEDAT_ASC',
  'UPDATEDAT_DESC',
] as const
export const MEDIUM_PAGE_SIZE = 100

export const mediumCondition = defineCondition({
  q: text(),
  state: oneOf(['all', 'active', 'retired']),
  order: oneOf(MEDIUM_LIST_ORDERS),
  page: page(MEDIUM_PAGE_SIZE),
})
export type MediumCondition = ConditionOf<typeof mediumCondition>
