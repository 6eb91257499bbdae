import type { TransferState } from '@pc/domain/payment/payment-states.ts'
import { ok } from '@pc/domain/result.ts'
import { MAX_SENT_FILE_BYTES } from '@pc/domain/sent-size.ts'
import { recordName } from '@pc/domain/transfer/transfer-records.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { mutation } from '@pc/platform/graphql/mutation.ts'
import { acceptedValue, refuse } from '@pc/platform/graphql/refusal-error.ts'
import {
  type BookedResult,
  importTransferResult,
  previewTransferResult,
  type ResultFile,
  type ResultPreview,
  type ResultRow,
} from './import-transfer-result.ts'
import { resultChanges } from './record-transfer-results.ts'
import type { TransferFieldDependencies } from './transfer-dependencies.ts'
import { PAYMENT, STAFF } from './transfer-rights.ts'
import type { TransferTypes } from './transfer-type.ts'

function readFile(given: {
  readonly fileName: string
  readonly contentBase64: string
  readonly on?: ResultFile['on'] | undefined
}) {
  const content = Buffer.from(given.contentBase64, 'base64')
  if (content.byteLength === 0 || content.byteLength > MAX_SENT_FILE_BYTES)
    refuse('transfer/result-unreadable', ['file'])
  return { name: given.fileName, content, on: given.on ?? null }
}

/** The bank's answer: a preview, then the import. */
export function addTransferResultFields(
  graph: Graph,
  { State }: Pick<TransferTypes, 'State'>,
  { database, clock }: TransferFieldDependencies,
): void {
  const FileInput = graph.inputType('TransferResultFile', {
    fields: t => ({
      fileName: t.string({ required: true }),
      contentBase64: t.string({ required: true, description: 'The bank’s answer, or the filled-in table.' }),
      on: t.field({
        type: 'Date',
        description: 'The day on which the bank did it. Default: paid on the day of the batch, returned today.',
      }),
    }),
  })
  const Outcome = graph.enumType('TransferOutcome', { values: ['paid', 'returned', 'unknown'] as const })
  const Effect = graph.enumType('TransferResultEffect', {
    values: ['book', 'unchanged', 'unknown', 'conflict'] as const,
  })
  const Row = graph.objectRef<ResultRow>('TransferResultRow').implement({
    on: STAFF,
    fields: t => ({
      transferId: t.string({
        description: 'With the number of the record where the transfer has several.',
        resolve: row => recordName(row.transferNumber, row.recordNumber),
      }),
      partnerName: t.exposeString('partnerName', { nullable: true }),
      transferAmount: t.expose('amountYen', { type: 'Long' }),
      outcome: t.field({ type: Outcome, resolve: row => row.outcome }),
      reason: t.exposeString('reason'),
      state: t.field({ type: State, nullable: true, resolve: row => row.state as TransferState | null }),
      effect: t.field({ type: Effect, resolve: row => row.effect }),
      note: t.exposeString('note', { nullable: true }),
      recalledBatchId: t.expose('recalledBatchId', {
        type: 'ID',
        nullable: true,
        description: 'The batch of a recalled transfer that the bank paid: there two persons record it as paid.',
      }),
    }),
  })
  const Preview = graph.objectRef<ResultPreview>('TransferResultPreview').implement({
    on: STAFF,
    fields: t => ({
      missing: t.exposeInt('missing', { description: 'Exported transfers of the same batches without a line.' }),
      rows: t.field({ type: [Row], resolve: preview => [...preview.rows] }),
    }),
  })
  graph.queryField('previewTransferResult', t =>
    field(t, {
      type: Preview,
      description: 'What a result would book, line by line. Nothing is written.',
      args: { file: t.arg({ type: FileInput, required: true }) },
      allow: 'write:update',
      on: PAYMENT,
      resolve: (_parent, args, _context, permit) =>
        database.inScope(permit.scope, async tx =>
          acceptedValue(await previewTransferResult(tx, clock, readFile(args.file))),
        ),
    }),
  )
  const Booked = graph.objectRef<Omit<BookedResult, 'recorded'>>('BookedTransferResult').implement({
    on: STAFF,
    fields: t => ({
      paid: t.exposeInt('paid'),
      returned: t.exposeInt('returned'),
      unchanged: t.exposeInt('unchanged'),
      unknown: t.exposeInt('unknown'),
    }),
  })
  graph.mutationField('importTransferResult', t =>
    mutation(t, {
      type: Booked,
      description: 'Books what a result says. The same file once more changes nothing.',
      args: { file: t.arg({ type: FileInput, required: true }) },
      allow: 'write:update',
      on: PAYMENT,
      database,
      needsStepUp: true,
      async run(args, write) {
        const file = readFile(args.file)
        const booked = await importTransferResult(write.tx, { clock, actorUid: write.permit.viewer.uid }, file)
        if (!booked.ok) return booked
        const { recorded, ...counts } = booked.value
        if (recorded.length === 0) write.recordNothing()
        const facts = { fileName: file.name, ...(file.on === null ? {} : { on: file.on }) }
        for (const change of resultChanges(recorded, facts)) write.record(change)
        return ok(counts)
      },
    }),
  )
}
