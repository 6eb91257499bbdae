import { ROLES } from '@pc/domain/access/role.ts'
import { type ConditionOf, defineCondition } from '@pc/domain/condition/condition.ts'
import { id, oneOf, page, text } from '@pc/domain/condition/params.ts'

/** Orders as the API names them. The default is by email address, ascending. */
export const USER_SORTS = [
  'EMAIL_ASC',
  'EMAIL_DESC',
  'CREATEDAT_DESC',
  'CREATEDAT_ASC',
  'ENABLED_DESC',
  'ENABLED_ASC',
] as const
export const USER_PAGE_SIZE = 50

/** The filter of the list of users. */
export const userCondition = defineCondition({
  q: text(),
  organizationId: id(),
  state: oneOf(['all', 'enabled', 'disabled']),
  role: oneOf(['all', ...ROLES]),
  sort: oneOf(USER_SORTS),
  page: page(USER_PAGE_SIZE),
})
export type UserCondition = ConditionOf<typeof userCondition>

/** The filter of the list of open invitations. */
export const invitationCondition = defineCondition({
  q: text(),
  state: oneOf(['open', 'expired']),
  page: page(USER_PAGE_SIZE),
})
export type InvitationCondition = ConditionOf<typeof invitationCondition>
