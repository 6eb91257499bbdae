import { type ConditionOf, defineCondition } from '@pc/domain/condition/condition.ts'
import { oneOf, page, text } from '@pc/domain/condition/params.ts'

export const TRANSFER_PAGE_SIZE = 20
export const transferCondition = defineCondition({
  page: page(TRANSFER_PAGE_SIZE),
  /** `recall`: only batches with a recall that waits for a second person. */
  waiting: oneOf(['all', 'recall'], 'all'),
})
export type TransferCondition = ConditionOf<typeof transferCondition>

export const TRANSFER_ROWS_PAGE_SIZE = 100
export const transferBatchCondition = defineCondition({
  page: page(TRANSFER_ROWS_PAGE_SIZE),
  /** The amount whose origin is open beside the list, and how deep: see explain-address.ts. */
  explain: text(),
  at: text(),
})
export type TransferBatchCondition = ConditionOf<typeof transferBatchCondition>
