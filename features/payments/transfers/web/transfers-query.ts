import type { ScreenContext } from '@pc/ui/routing/define-route.ts'
import {
  type TransferBatchCondition,
  type TransferCondition,
  transferBatchCondition,
  transferCondition,
} from '../../transfer-condition.ts'
import { TransferBatchDocument, type TransferBatchQueryVariables } from './transfer-batch.gen.ts'
import { TransfersDocument, type TransfersQueryVariables } from './transfers.gen.ts'

export const transfersQuery = {
  document: TransfersDocument,
  variables: (condition: TransferCondition): TransfersQueryVariables => ({
    ...transferCondition.pageVariables(condition),
    hasRecallToDecide: condition.waiting === 'recall',
  }),
}

export const transferBatchQuery = {
  document: TransferBatchDocument,
  variables: (condition: TransferBatchCondition, { ids }: Pick<ScreenContext, 'ids'>): TransferBatchQueryVariables => ({
    ...transferBatchCondition.pageVariables(condition),
    id: ids.id ?? '',
  }),
}
