import { type ConditionOf, defineCondition } from '@pc/domain/condition/condition.ts'
import { id, oneOf, page, text } from '@pc/domain/condition/params.ts'

/** The orders of all lists, and those of agreements. */
export const AGREEMENT_LIST_ORDERS = [
  ...(['UPDATEDAT_DESC', 'UPDATEDAT_ASC', 'ID_ASC', 'ID_DESC', 'CREATEDAT_ASC', 'CREATEDAT_DESC'] as const),
  ...(['TERMINATEDAT_ASC', 'TERMINATEDAT_DESC', 'ISPAYMENTDISABLED_ASC', 'ISPAYMENTDISABLED_DESC'] as const),
  ...(['NAME_ASC', 'NAME_DESC'] as const),
] as const

export const AGREEMENT_PAGE_SIZE = 100
/** What an agreement needs from people: a decision about its renewal, or an account for its payments. */
export const AGREEMENT_NEEDS = ['renewal', 'account'] as const
export type AgreementNeed = (typeof AGREEMENT_NEEDS)[number]

export const agreementCondition = defineCondition({
  q: text(),
  mediumId: id(),
  organizationId: id(),
  state: oneOf(['active', 'terminating', 'terminated', 'all']),
  payment: oneOf(['all', 'enabled', 'disabled']),
  need: oneOf(['all', ...AGREEMENT_NEEDS]),
  order: oneOf(AGREEMENT_LIST_ORDERS),
  page: page(AGREEMENT_PAGE_SIZE),
})

export type AgreementCondition = ConditionOf<typeof agreementCondition>
