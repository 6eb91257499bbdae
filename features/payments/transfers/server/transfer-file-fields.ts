import { RESULT_CSV_HEADER } from '@pc/domain/bank/transfer-result-csv.ts'
import { auditRowId } from '@pc/domain/payment/audit-row-id.ts'
import { TRANSFER_STATE_LABELS } from '@pc/domain/payment/payment-states.ts'
import { ok } from '@pc/domain/result.ts'
import { recordName } from '@pc/domain/transfer/transfer-records.ts'
import { actorOf, recordRead } from '@pc/platform/audit/record-read.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph, ObjectTypeRef } from '@pc/platform/graphql/graph.ts'
import { readId } from '@pc/platform/graphql/list-arguments.ts'
import { readMonth } from '@pc/platform/graphql/month-argument.ts'
import { acceptedValue } from '@pc/platform/graphql/refusal-error.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { readBatch } from '../../core/server/bank-file.ts'
import { csvTable, exportJournal } from './export-journal.ts'
import { readExportedFile } from './export-transfer-batch.ts'
import type { TransferFieldDependencies } from './transfer-dependencies.ts'
import { PAYMENT, STAFF } from './transfer-rights.ts'

const DETAIL = 'insight:revenue_detail.' as const

interface DownloadedFile {
  readonly fileName: string
  readonly bytes: Uint8Array
  readonly sha256: string | null
}

/** Files that leave the system; each download is noted in the audit log. */
export function addTransferFileFields(graph: Graph, parts: TransferFieldDependencies): void {
  const File = graph.objectRef<DownloadedFile>('DownloadedFile').implement({
    on: STAFF,
    fields: t => ({
      fileName: t.exposeString('fileName'),
      contentBase64: t.string({ resolve: file => Buffer.from(file.bytes).toString('base64') }),
      byteCount: t.int({ resolve: file => file.bytes.byteLength }),
      sha256: t.exposeString('sha256', { nullable: true }),
    }),
  })
  addBankFiles(graph, File, parts)
  addJournal(graph, File, parts)
}

type FileType = ObjectTypeRef<DownloadedFile>

function addBankFiles(graph: Graph, File: FileType, { database }: TransferFieldDependencies): void {
  const what = (file: DownloadedFile) => ({ fileName: file.fileName, bytes: file.bytes.byteLength })
  graph.queryField('transferFile', t =>
    field(t, {
      type: File,
      description: 'The bank file of an exported batch: the same bytes every time. Noted in the audit log.',
      args: { id: t.arg.id({ required: true }) },
      allow: 'write:update',
      on: PAYMENT,
      async resolve(_parent, args, context, permit) {
        const id = readId(args.id, ['id'])
        const file = acceptedValue(await database.inScope(permit.scope, tx => readExportedFile(tx, id)))
        const read = {
          action: 'download',
          resource: PAYMENT,
          rowId: auditRowId('transferBatch', id),
          what: what(file),
        } as const
        await recordRead(database, actorOf(permit.viewer, context), read)
        return file
      },
    }),
  )
  graph.queryField('transferResultTemplate', t =>
    field(t, {
      type: File,
      description: 'The transfers of an exported batch as a table to fill in. Noted in the audit log.',
      args: { id: t.arg.id({ required: true }) },
      allow: 'write:update',
      on: PAYMENT,
      async resolve(_parent, args, context, permit) {
        const id = readId(args.id, ['id'])
        const file = acceptedValue(await database.inScope(permit.scope, tx => resultTemplate(tx, id)))
        const read = {
          action: 'download',
          resource: PAYMENT,
          rowId: auditRowId('transferBatch', id),
          what: what(file),
        } as const
        await recordRead(database, actorOf(permit.viewer, context), read)
        return file
      },
    }),
  )
}

/** Rows of the template for results. */
const MAX_TEMPLATE = 20_000

async function resultTemplate(tx: Transaction, id: bigint) {
  const batch = await readExportedFile(tx, id)
  if (!batch.ok) return batch
  const { records = [] } = (await readBatch(tx, id)) ?? {}
  const rows = records
    .slice(0, MAX_TEMPLATE)
    .map(row => [
      recordName(row.id, row.number),
      row.partnerName,
      row.bankName,
      row.branchName,
      row.amountYen.toString(),
      row.state === 'exported' ? '' : TRANSFER_STATE_LABELS[row.state],
      '',
    ])
  const fileName = batch.value.fileName.replace('sogo-furikomi', 'kekka').replace('.txt', '.csv')
  return ok({ fileName, sha256: null, bytes: Buffer.from(`\uFEFF${csvTable([RESULT_CSV_HEADER, ...rows])}`) })
}

function addJournal(graph: Graph, File: FileType, { database }: TransferFieldDependencies): void {
  const Scope = graph.enumType('JournalScope', { values: ['close', 'settlement'] as const })
  const Format = graph.enumType('JournalFormat', { values: ['generic', 'freee', 'money_forward'] as const })
  const Encoding = graph.enumType('JournalEncoding', { values: ['utf8', 'cp932'] as const })
  graph.queryField('journalFile', t =>
    field(t, {
      type: File,
      description:
        'Journal entries. close: accrual and payable of a revenue month. settlement: what the bank paid and sent back in a calendar month. Noted in the audit log.',
      args: {
        month: t.arg.string({ required: true, description: 'YYYY-MM' }),
        scope: t.arg({ type: Scope, required: true }),
        format: t.arg({ type: Format, required: true }),
        encoding: t.arg({ type: Encoding, required: true }),
      },
      allow: 'read:show',
      on: DETAIL,
      async resolve(_parent, args, context, permit) {
        const request = { ...args, month: readMonth(args.month, ['month']) }
        const file = acceptedValue(await database.inScope(permit.scope, tx => exportJournal(tx, request)))
        const what = { fileName: file.fileName, entries: file.entries }
        const read = { action: 'download', resource: DETAIL, rowId: `journal-${args.month}`, what } as const
        await recordRead(database, actorOf(permit.viewer, context), read)
        return { ...file, sha256: null }
      },
    }),
  )
}
