import { auditRowId } from '@pc/domain/payment/audit-row-id.ts'
import { ok } from '@pc/domain/result.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { readId } from '@pc/platform/graphql/list-arguments.ts'
import { mutation } from '@pc/platform/graphql/mutation.ts'
import { decideRecall, noteBankRecall, requestRecall } from './recall-transfers.ts'
import { decideRecalledPayment, requestRecalledPayment } from './recalled-payments.ts'
import { resultChanges } from './record-transfer-results.ts'
import type { TransferFieldDependencies } from './transfer-dependencies.ts'
import { PAYMENT } from './transfer-rights.ts'
import type { TransferTypes } from './transfer-type.ts'

/** Mutations of recalls. A request needs a reason and the decision of a second person. */
export function addTransferRecallFields(
  graph: Graph,
  { Recall }: Pick<TransferTypes, 'Recall'>,
  { database, clock }: TransferFieldDependencies,
): void {
  const rowId = (transferId: bigint) => auditRowId('transfer', transferId)
  graph.mutationField('requestTransferRecall', t =>
    mutation(t, {
      type: Recall,
      description:
        'Asks that a transfer of an exported file be marked as returned before its day. Another person decides.',
      args: { id: t.arg.id({ required: true }), reason: t.arg.string({ required: true }) },
      allow: 'write:update',
      on: PAYMENT,
      database,
      needsStepUp: true,
      async run(args, write) {
        const id = readId(args.id, ['id'])
        const actor = { clock, actorUid: write.permit.viewer.uid }
        const requested = await requestRecall(write.tx, actor, id, args.reason)
        if (!requested.ok) return requested
        const after = { reason: requested.value.reason }
        write.record({ action: 'request_recall', resource: PAYMENT, rowId: rowId(id), before: null, after })
        return requested
      },
    }),
  )
  graph.mutationField('decideTransferRecall', t =>
    mutation(t, {
      type: Recall,
      description: 'Confirms what another person asked for, which marks the transfer as returned, or ends the request.',
      args: {
        id: t.arg.id({ required: true, description: 'Of the transfer.' }),
        isConfirmed: t.arg.boolean({
          required: true,
          description: 'False ends the request: rejected, or taken back by who asked.',
        }),
      },
      allow: 'write:update',
      on: PAYMENT,
      database,
      needsStepUp: true,
      async run(args, write) {
        const id = readId(args.id, ['id'])
        const actor = { clock, actorUid: write.permit.viewer.uid }
        const decided = await decideRecall(write.tx, actor, id, args.isConfirmed)
        if (!decided.ok) return decided
        const { recall, recorded } = decided.value
        const after = { reason: recall.reason, requestedBy: recall.requestedByEmail }
        if (recorded.length === 0) {
          write.record({ action: 'reject_recall', resource: PAYMENT, rowId: rowId(id), before: null, after })
        }
        for (const change of resultChanges(recorded, after)) write.record(change)
        return ok(recall)
      },
    }),
  )
  graph.mutationField('requestRecalledTransferPayment', t =>
    mutation(t, {
      type: Recall,
      description:
        'Asks that a recalled transfer be recorded as paid, as the bank carried it out all the same. Another person decides; until then its payments are not sent again.',
      args: {
        id: t.arg.id({ required: true, description: 'Of the transfer.' }),
        on: t.arg({ type: 'Date', required: true, description: 'The day on which the bank paid.' }),
        reason: t.arg.string({ required: true, description: 'How it is known.' }),
      },
      allow: 'write:update',
      on: PAYMENT,
      database,
      needsStepUp: true,
      async run({ id: text, ...given }, write) {
        const id = readId(text, ['id'])
        const actor = { clock, actorUid: write.permit.viewer.uid }
        const requested = await requestRecalledPayment(write.tx, actor, id, given)
        if (!requested.ok) return requested
        const { reason, paidOn } = requested.value
        const after = { reason, paidOn }
        write.record({ action: 'request_recalled_payment', resource: PAYMENT, rowId: rowId(id), before: null, after })
        return requested
      },
    }),
  )
  graph.mutationField('decideRecalledTransferPayment', t =>
    mutation(t, {
      type: Recall,
      description: 'Confirms what another person asked for, which marks the transfer as paid, or ends the request.',
      args: {
        id: t.arg.id({ required: true, description: 'Of the transfer.' }),
        isConfirmed: t.arg.boolean({
          required: true,
          description: 'False ends the request: rejected, or taken back by who asked.',
        }),
      },
      allow: 'write:update',
      on: PAYMENT,
      database,
      needsStepUp: true,
      async run(args, write) {
        const id = readId(args.id, ['id'])
        const actor = { clock, actorUid: write.permit.viewer.uid }
        const decided = await decideRecalledPayment(write.tx, actor, id, args.isConfirmed)
        if (!decided.ok) return decided
        const { recall, recorded } = decided.value
        const after = { reason: recall.reason, paidOn: recall.paidOn, requestedBy: recall.requestedByEmail }
        if (recorded.length === 0) {
          write.record({ action: 'reject_recalled_payment', resource: PAYMENT, rowId: rowId(id), before: null, after })
        }
        for (const change of resultChanges(recorded, after)) write.record(change)
        return ok(recall)
      },
    }),
  )
  graph.mutationField('noteTransferRecallByBank', t =>
    mutation(t, {
      type: Recall,
      description: 'The bank will not carry out a recalled transfer: its payments may go into another one at once.',
      args: {
        id: t.arg.id({ required: true, description: 'Of the transfer.' }),
        reference: t.arg.string({ required: true, description: 'What the bank said: a number, or who confirmed it.' }),
      },
      allow: 'write:update',
      on: PAYMENT,
      database,
      needsStepUp: true,
      async run(args, write) {
        const id = readId(args.id, ['id'])
        const actor = { clock, actorUid: write.permit.viewer.uid }
        const noted = await noteBankRecall(write.tx, actor, id, args.reference)
        if (!noted.ok) return noted
        const after = { bankReference: noted.value.bankReference }
        write.record({ action: 'note_bank_recall', resource: PAYMENT, rowId: rowId(id), before: null, after })
        return noted
      },
    }),
  )
}
