import { ok } from '@pc/domain/result.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { readId } from '@pc/platform/graphql/list-arguments.ts'
import { mutation } from '@pc/platform/graphql/mutation.ts'
import { MAX_MARKED, type MarkedPayment, markPaid, markReturned } from './mark-payments.ts'
import type { TransferFieldDependencies } from './transfer-dependencies.ts'

/** Mutations by which people mark payments as paid or returned without a bank file or a result file. */
export function addMarkPaymentFields(graph: Graph, { database, clock }: TransferFieldDependencies): void {
  const note = (payments: readonly MarkedPayment[], action: 'mark_paid' | 'mark_returned') =>
    payments.map(({ id, before, after, returnFeeYen }) => ({
      action,
      resource: 'insight:monthly_payment.' as const,
      rowId: id,
      before: { paymentStatus: before },
      after: { paymentStatus: after, ...(returnFeeYen === undefined ? {} : { returnFeeYen }) },
    }))
  graph.mutationField('markPaid', t =>
    mutation(t, {
      type: 'Int',
      description: 'The bank has paid these payments; answers how many. All of them or none.',
      args: {
        ids: t.arg.idList({ required: true, extensions: { maxItems: MAX_MARKED } }),
        paidOn: t.arg({ type: 'Date', required: true }),
      },
      allow: 'write:update',
      on: 'insight:monthly_payment.',
      database,
      needsStepUp: true,
      async run({ ids, paidOn }, write) {
        const actor = { clock, actorUid: write.permit.viewer.uid }
        const marked = await markPaid(
          write.tx,
          actor,
          ids.map(id => readId(id, ['ids'])),
          paidOn,
        )
        if (!marked.ok) return marked
        if (marked.value.length === 0) write.recordNothing()
        for (const change of note(marked.value, 'mark_paid')) write.record(change)
        return ok(marked.value.length)
      },
    }),
  )
  graph.mutationField('markReturned', t =>
    mutation(t, {
      type: 'Int',
      description: 'The bank sent these payments back; answers how many. All of them or none.',
      args: {
        ids: t.arg.idList({ required: true, extensions: { maxItems: MAX_MARKED } }),
        reason: t.arg.string({ required: true }),
      },
      allow: 'write:update',
      on: 'insight:monthly_payment.',
      database,
      needsStepUp: true,
      async run({ ids, reason }, write) {
        const actor = { clock, actorUid: write.permit.viewer.uid }
        const marked = await markReturned(
          write.tx,
          actor,
          ids.map(id => readId(id, ['ids'])),
          reason,
        )
        if (!marked.ok) return marked
        if (marked.value.length === 0) write.recordNothing()
        for (const change of note(marked.value, 'mark_returned')) write.record(change)
        return ok(marked.value.length)
      },
    }),
  )
}
