import { RECALL_STATES } from '@pc/domain/payment/payment-states.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import type { TransferRecall } from './recall-transfers.ts'
import { STAFF } from './transfer-rights.ts'

export function transferRecallType(graph: Graph) {
  const State = graph.enumType('TransferRecallState', { values: RECALL_STATES })
  return graph.objectRef<TransferRecall>('TransferRecall').implement({
    on: STAFF,
    description:
      'That the bank shall not carry out a transfer whose day has not come, or that it did so all the same: asked by one person, decided by another.',
    fields: t => ({
      transferId: t.expose('transferId', { type: 'ID' }),
      state: t.field({ type: State, resolve: row => row.state }),
      reason: t.exposeString('reason', {
        description: 'Why it is recalled, or how it is known that the bank paid it.',
      }),
      requestedAt: t.expose('requestedAt', { type: 'DateTime' }),
      requestedByEmail: t.exposeString('requestedByEmail', {
        nullable: true,
        description: 'Who asked; null when gone.',
      }),
      isOwnRequest: t.boolean({
        description: 'The caller asked for it, and may take it back but not confirm it.',
        resolve: (row, _args, context) => row.requestedByUid === context.viewer?.uid,
      }),
      decidedAt: t.expose('decidedAt', { type: 'DateTime', nullable: true }),
      decidedByEmail: t.exposeString('decidedByEmail', { nullable: true, description: 'Who decided; null when gone.' }),
      bankReference: t.exposeString('bankReference', {
        nullable: true,
        description: 'How the bank says that it will not carry out the order.',
      }),
      paidOn: t.field({
        type: 'Date',
        nullable: true,
        description: 'The day on which the bank paid it all the same.',
        resolve: row => row.paidOn,
      }),
      bankNotedAt: t.expose('bankNotedAt', { type: 'DateTime', nullable: true, description: 'When that was noted.' }),
    }),
  })
}
