import { type ConditionOf, defineCondition } from '@pc/domain/condition/condition.ts'
import { oneOf, page, text } from '@pc/domain/condition/params.ts'

/** Orders as the API names them. */
export const ORGANIZATION_SORTS = ['NAME_ASC', 'NAME_DESC', 'ID_ASC', 'ID_DESC'] as const
export const ORGANIZATION_PAGE_SIZE = 50

/** The filter of the list of organisations. */
export const organizationCondition = defineCondition({
  q: text(),
  sort: oneOf(ORGANIZATION_SORTS),
  page: page(ORGANIZATION_PAGE_SIZE),
})
export type OrganizationCondition = ConditionOf<typeof organizationCondition>
