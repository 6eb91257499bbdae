import { auditRowId } from '@pc/domain/payment/audit-row-id.ts'
import { refusal } from '@pc/domain/refusal.ts'
import { ok, refused } from '@pc/domain/result.ts'
import { recordName } from '@pc/domain/transfer/transfer-records.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { readId } from '@pc/platform/graphql/list-arguments.ts'
import { mutation } from '@pc/platform/graphql/mutation.ts'
import { correctReturnFee } from '../../core/server/return-fees.ts'
import { createTransferBatch } from './create-transfer-batch.ts'
import { cancelTransferBatch, exportTransferBatch } from './export-transfer-batch.ts'
import { type RecordRef, recordSplitResults } from './record-split-results.ts'
import { MAX_RESULTS, recordTransferResults, resultChanges } from './record-transfer-results.ts'
import { resendRecords } from './resend-records.ts'
import type { TransferFieldDependencies } from './transfer-dependencies.ts'
import { readTransferRequest, type transferRequestInput } from './transfer-plan-fields.ts'
import { PAYMENT } from './transfer-rights.ts'
import { readBatchRow } from './transfer-store.ts'
import type { TransferTypes } from './transfer-type.ts'

/** Mutations by which people make, export and cancel batches and record results. */
export function addTransferMutations(
  graph: Graph,
  { Batch, State }: TransferTypes,
  RequestInput: ReturnType<typeof transferRequestInput>,
  dependencies: TransferFieldDependencies,
): void {
  addBatches(graph, { Batch }, RequestInput, dependencies)
  addRecordResults(graph, { State }, dependencies)
  addResending(graph, { Batch }, dependencies)
}

function addBatches(
  graph: Graph,
  { Batch }: Pick<TransferTypes, 'Batch'>,
  RequestInput: ReturnType<typeof transferRequestInput>,
  { database, clock }: TransferFieldDependencies,
): void {
  const rowId = (id: bigint) => auditRowId('transferBatch', id)
  graph.mutationField('createTransferBatch', t =>
    mutation(t, {
      type: Batch,
      description: 'Makes the transfers of the request: all of them, or none.',
      args: {
        request: t.arg({ type: RequestInput, required: true }),
        expectedHash: t.arg.string({ description: 'Of the preview; refused when something has changed since.' }),
      },
      allow: 'write:update',
      on: PAYMENT,
      database,
      needsStepUp: true,
      async run({ request, expectedHash }, write) {
        const read = readTransferRequest(request)
        const actor = { clock, actorUid: write.permit.viewer.uid }
        const made = await createTransferBatch(write.tx, actor, read, expectedHash ?? undefined)
        if (!made.ok) return made
        const { id, ...after } = made.value
        const accounts = [...read.accounts].map(([payment, account]) => `${payment}→${account}`)
        write.record({
          action: 'create-transfers',
          resource: PAYMENT,
          rowId: rowId(id),
          before: null,
          after: { ...after, dueOn: read.dueOn, transferOn: read.transferOn, accountChanges: accounts },
        })
        return ok((await readBatchRow(write.tx, clock, id))!)
      },
    }),
  )
  graph.mutationField('exportTransferBatch', t =>
    mutation(t, {
      type: Batch,
      description: 'Fixes the bank file; ask `transferFile` for its bytes. Once more has no effect.',
      args: {
        id: t.arg.id({ required: true }),
        isLateAcknowledged: t.arg.boolean({
          description: 'Transfers that are late by the acts on small suppliers and freelancers are sent knowingly.',
        }),
      },
      allow: 'write:update',
      on: PAYMENT,
      database,
      async run(args, write) {
        const id = readId(args.id, ['id'])
        const actor = { clock, actorUid: write.permit.viewer.uid }
        const exported = await exportTransferBatch(write.tx, actor, id, {
          isLateAcknowledged: args.isLateAcknowledged ?? false,
        })
        if (!exported.ok) return exported
        const { isFirst, id: _id, ...after } = exported.value
        if (isFirst) write.record({ action: 'export', resource: PAYMENT, rowId: rowId(id), before: null, after })
        else write.recordNothing()
        return ok((await readBatchRow(write.tx, clock, id))!)
      },
    }),
  )
  graph.mutationField('cancelTransferBatch', t =>
    mutation(t, {
      type: Batch,
      description: 'Gives up a batch whose file was never written; its payments may go into another one.',
      args: { id: t.arg.id({ required: true }), reason: t.arg.string({ required: true }) },
      allow: 'write:update',
      on: PAYMENT,
      database,
      async run({ id: text, reason }, write) {
        const id = readId(text, ['id'])
        const cancelled = await cancelTransferBatch(write.tx, { clock, actorUid: write.permit.viewer.uid }, id, reason)
        if (!cancelled.ok) return cancelled
        const after = { transfers: cancelled.value.transfers, reason }
        write.record({ action: 'cancel-transfers', resource: PAYMENT, rowId: rowId(id), before: null, after })
        return ok((await readBatchRow(write.tx, clock, id))!)
      },
    }),
  )
}

/** The record that an id such as `123-2` names; undefined for the id of a whole transfer. */
function readRecordName(id: string): RecordRef | undefined {
  const [, transfer, record] = /^(\d{1,18})-(\d{1,5})$/.exec(id) ?? []
  return transfer === undefined ? undefined : { transferId: BigInt(transfer), number: Number(record) }
}

function addResending(
  graph: Graph,
  { Batch }: Pick<TransferTypes, 'Batch'>,
  { database, clock }: TransferFieldDependencies,
) {
  graph.mutationField('resendTransferRecords', t =>
    mutation(t, {
      type: Batch,
      description: 'Sends the records of a transfer that came back once more, in a bank file of their own.',
      args: {
        transferId: t.arg.id({ required: true }),
        transferOn: t.arg({ type: 'Date', required: true }),
        isLateAcknowledged: t.arg.boolean({
          description: 'What is late by the acts on small suppliers and freelancers on that day is sent knowingly.',
        }),
      },
      allow: 'write:update',
      on: PAYMENT,
      database,
      needsStepUp: true,
      async run({ transferId, transferOn, isLateAcknowledged }, write) {
        const actor = { clock, actorUid: write.permit.viewer.uid }
        const id = readId(transferId, ['transferId'])
        const made = await resendRecords(write.tx, actor, id, transferOn, isLateAcknowledged ?? false)
        if (!made.ok) return made
        const { id: batchId, transfers: records, totalYen, lateByLaw } = made.value
        const after = { transferId, transferOn, records, totalYen, lateByLaw }
        write.record({
          action: 'resend-records',
          resource: PAYMENT,
          rowId: auditRowId('transferBatch', batchId),
          before: null,
          after,
        })
        return ok((await readBatchRow(write.tx, clock, batchId))!)
      },
    }),
  )
}

function addRecordResults(
  graph: Graph,
  { State }: Pick<TransferTypes, 'State'>,
  { database, clock }: TransferFieldDependencies,
) {
  graph.mutationField('settleTransfers', t =>
    mutation(t, {
      type: 'Int',
      description: 'The bank has paid these transfers, or sent them back; answers how many. All of them or none.',
      args: {
        ids: t.arg.idList({
          required: true,
          description: 'Of transfers, or of single records of transfers that have several: `123-2`.',
          extensions: { maxItems: MAX_RESULTS },
        }),
        state: t.arg({ type: State, required: true, description: '`paid` or `returned`.' }),
        on: t.arg({ type: 'Date', required: true }),
        reason: t.arg.string({ required: true, description: 'How it is known, or why it came back.' }),
        returnFee: t.arg({
          type: 'Long',
          description:
            'What the bank charges for each that came back, each of several records included, in yen. Default: the usual fee.',
        }),
      },
      allow: 'write:update',
      on: PAYMENT,
      database,
      needsStepUp: true,
      async run({ ids, state, on, reason, returnFee }, write) {
        if (state !== 'paid' && state !== 'returned') {
          return refused(refusal('transfer/state-not-allowed', ['state'], { id: ids[0] ?? '', state }))
        }
        const actor = { clock, actorUid: write.permit.viewer.uid }
        const result = { outcome: state, on, reason, by: 'hand', returnFeeYen: returnFee ?? undefined } as const
        const refs = ids.flatMap(id => readRecordName(id) ?? [])
        const whole = ids.filter(id => !readRecordName(id)).map(id => readId(id, ['ids']))
        const recorded = await recordTransferResults(write.tx, actor, whole, result)
        if (!recorded.ok) return recorded
        const records = await recordSplitResults(write.tx, actor, refs, result)
        if (!records.ok) return records
        const changed = [...recorded.value, ...records.value]
        if (changed.length === 0) write.recordNothing()
        const facts = { on, reason }
        for (const change of resultChanges(changed, facts)) write.record(change)
        return ok(recorded.value.length + new Set(refs.map(ref => recordName(ref.transferId, ref.number))).size)
      },
    }),
  )
  graph.mutationField('correctTransferReturnFee', t =>
    mutation(t, {
      type: 'Long',
      description: 'Corrects what the bank charged for one return; answers the fee. Its journal follows.',
      args: {
        id: t.arg.id({
          required: true,
          description: 'Of the transfer that came back, or of one of its records: `123-2`.',
        }),
        return: t.arg.int({ description: 'Which of its `returns`; may be left out where there is one.' }),
        fee: t.arg({ type: 'Long', required: true, description: 'In yen, tax included; 0: nothing was charged.' }),
      },
      allow: 'write:update',
      on: PAYMENT,
      database,
      needsStepUp: true,
      async run({ id: text, fee, return: given }, write) {
        const ref = readRecordName(text) ?? { transferId: readId(text, ['id']), number: 0 }
        const corrected = await correctReturnFee(write.tx, clock, ref, fee, given ?? undefined)
        if (!corrected.ok) return corrected
        const { beforeYen, afterYen, returnNumber } = corrected.value
        if (beforeYen === afterYen) write.recordNothing()
        else {
          write.record({
            action: 'correct_return_fee',
            resource: PAYMENT,
            rowId: auditRowId('transfer', recordName(ref.transferId, ref.number)),
            before: { returnFeeYen: beforeYen },
            after: { returnFeeYen: afterYen, returnNumber },
          })
        }
        return ok(afterYen)
      },
    }),
  )
}
