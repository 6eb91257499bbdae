import { type ConditionOf, defineCondition } from '@pc/domain/condition/condition.ts'
import { page } from '@pc/domain/condition/params.ts'

export const TRANSFER_PAGE_SIZE = 20
export const transferCondition = defineCondition({ page: page(TRANSFER_PAGE_SIZE) })
export type TransferCondition = ConditionOf<typeof transferCondition>

export const TRANSFER_ROWS_PAGE_SIZE = 100
export const transferBatchCondition = defineCondition({ page: page(TRANSFER_ROWS_PAGE_SIZE) })
export type TransferBatchCondition = ConditionOf<typeof transferBatchCondition>
