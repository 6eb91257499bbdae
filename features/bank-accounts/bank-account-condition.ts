import { type ConditionOf, defineCondition } from '@pc/domain/condition/condition.ts'
import { id, oneOf, page, text } from '@pc/domain/condition/params.ts'

export const BANK_ACCOUNT_LIST_ORDERS = [
  ...(['UPDATEDAT_DESC', 'UPDATEDAT_ASC', 'ID_ASC', 'ID_DESC', 'CREATEDAT_ASC', 'CREATEDAT_DESC'] as const),
] as const

export const BANK_ACCOUNT_PAGE_SIZE = 100

export const bankAccountCondition = defineCondition({
  q: text(),
  organizationId: id(),
  state: oneOf(['all', 'requested', 'approved', 'rejected']),
  order: oneOf(BANK_ACCOUNT_LIST_ORDERS),
  page: page(BANK_ACCOUNT_PAGE_SIZE),
})

export type BankAccountCondition = ConditionOf<typeof bankAccountCondition>

/** The first values of the form of a new account. */
export const bankAccountDraftCondition = defineCondition({
  /** `all`: every agreement changes to the account, as when a bank is changed. */
  agreements: oneOf(['none', 'all']),
})
export type BankAccountDraftCondition = ConditionOf<typeof bankAccountDraftCondition>
