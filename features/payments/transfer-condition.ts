import { type ConditionOf, defineCondition } from '@pc/domain/condition/condition.ts'
import { oneOf, page, text } from '@pc/domain/condition/params.ts'

export const TRANSFER_PAGE_SIZE = 20
export const transferCondition = defineCondition({
  page: page(TRANSFER_PAGE_SIZE),
  /** `recall`: only batches with a recall that waits for a second person. */
  waiting: oneOf(['all', 'recall'], 'all'),
  /** The open dialog: `create` makes the batch of the next due day, `result` reads the bank's answer. */
  dialog: oneOf(['none', 'create', 'result'], 'none'),
})
export type TransferCondition = ConditionOf<typeof transferCondition>

export const TRANSFER_ROWS_PAGE_SIZE = 100
export const transferBatchCondition = defineCondition({
  page: page(TRANSFER_ROWS_PAGE_SIZE),
  /** The amount that is explained beside the list (`explain-address.ts`), and the node of its tree. */
  explain: text(),
  at: text(),
})
export type TransferBatchCondition = ConditionOf<typeof transferBatchCondition>
