import { endOfDay, startOfDay } from '@pc/domain/month/tokyo-day.ts'
import { formatYearMonth } from '@pc/domain/month/year-month.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { readId, readPage, readSearch } from '@pc/platform/graphql/list-arguments.ts'
import { mutation } from '@pc/platform/graphql/mutation.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import { INGEST_DATASETS, INGEST_RESULTS } from '../ingest-condition.ts'
import {
  findIngestBatch,
  type IngestBatchRow,
  type IngestCorrection,
  type IngestError,
  type IngestFilter,
  listIngestBatches,
  listIngestCorrections,
  listIngestErrors,
} from './ingest-history-store.ts'
import { abandonIngestBatch } from './publishing/abandon-batch.ts'

/** Deliveries contain the platform's own revenue, so the history needs the right to see that. */
const RIGHT = { allow: 'read:list', on: 'insight:revenue_detail.' } as const

/** The history of deliveries, for staff. */
export function addIngestHistoryFields(graph: Graph, { database }: { readonly database: Database }): void {
  const types = ingestTypes(graph, database)
  graph.queryField('ingestBatches', t =>
    field(t, {
      type: types.IngestBatchList,
      description: 'Deliveries of figures, articles and videos, the last one first.',
      args: {
        limit: t.arg.int({ required: true }),
        offset: t.arg.int({ required: true }),
        param: t.arg({ type: types.IngestBatchesParam }),
        q: t.arg.string({ description: 'A part of the batch id, of the file name, or of the checksum.' }),
      },
      ...RIGHT,
      resolve(_parent, args, _context, permit) {
        const { dataset, result, mediumId, from, to, day } = args.param ?? {}
        const filter: IngestFilter = {
          dataset: dataset ?? undefined,
          result: result ?? undefined,
          mediumId: mediumId == null ? undefined : readId(String(mediumId), ['param', 'mediumId']),
          from: from == null ? undefined : new Date(startOfDay(from)),
          until: to == null ? undefined : new Date(endOfDay(to)),
          day: day ?? undefined,
          pattern: readSearch(args.q),
        }
        return listIngestBatches(database, filter, readPage(args), permit)
      },
    }),
  )
  graph.queryField('ingestBatch', t =>
    field(t, {
      type: types.IngestBatch,
      nullable: true,
      args: { id: t.arg.id({ required: true }) },
      ...RIGHT,
      resolve: async (_parent, { id }, _context, permit) =>
        (await findIngestBatch(database, readId(id, ['id']), permit)) ?? null,
    }),
  )
  graph.mutationField('abandonIngestBatch', t =>
    mutation(t, {
      type: 'Boolean',
      args: { id: t.arg.id({ required: true }) },
      allow: 'write:create',
      on: 'insight:ingest.',
      description: 'Gives up a delivery that cannot be published. What it was to replace stays visible.',
      database,
      run: ({ id }, write) => abandonIngestBatch(readId(id, ['id']), write),
    }),
  )
}

function ingestTypes(graph: Graph, database: Database) {
  const on = RIGHT.on
  const Dataset = graph.enumType('IngestDataset', { values: INGEST_DATASETS })
  const Result = graph.enumType('IngestResult', { values: INGEST_RESULTS })
  const RowError = graph.objectRef<IngestError>('IngestError').implement({
    on,
    fields: t => ({
      line: t.expose('line', { type: 'Long' }),
      column: t.exposeString('columnName', { description: 'Empty: the row as a whole.' }),
      reason: t.exposeString('reason'),
      sourceText: t.exposeString('sourceText', { description: 'The row as it came, shortened.' }),
    }),
  })
  const ErrorList = graph.objectRef<{ total: number; nodes: IngestError[] }>('IngestErrorList').implement({
    on,
    fields: t => ({ total: t.exposeInt('total'), nodes: t.expose('nodes', { type: [RowError] }) }),
  })
  const Correction = graph.objectRef<IngestCorrection>('IngestCorrection').implement({
    on,
    fields: t => ({
      dividendId: t.expose('dividendId', { type: 'ID' }),
      mediumId: t.expose('mediumId', { type: 'ID' }),
      originMonth: t.string({ resolve: row => formatYearMonth(row.originMonth) }),
      month: t.string({ description: 'That it was booked to.', resolve: row => formatYearMonth(row.month) }),
      amount: t.expose('amountYen', { type: 'Long' }),
      bookedAt: t.expose('bookedAt', { type: 'DateTime' }),
    }),
  })
  const IngestBatch = graph.objectRef<IngestBatchRow>('IngestBatch').implement({
    on,
    fields: t => ({
      id: t.expose('batchNo', { type: 'ID' }),
      dataset: t.field({ type: Dataset, resolve: row => row.dataset }),
      batchId: t.exposeString('batchId'),
      revision: t.exposeInt('revision'),
      result: t.field({ type: Result, resolve: row => row.result }),
      sourceName: t.exposeString('sourceName'),
      sha256: t.exposeString('contentSha256'),
      apiKeyName: t.exposeString('apiKeyName', { nullable: true }),
      deliveredBy: t.exposeString('deliveredBy', {
        nullable: true,
        description:
          'Email of the person who uploaded it; null: it came with a key, or from the machine of the system.',
      }),
      receivedAt: t.expose('receivedAt', { type: 'DateTime' }),
      appliedAt: t.expose('appliedAt', { type: 'DateTime', nullable: true }),
      rows: t.expose('rowsTotal', { type: 'Long', description: 'Of the file; 0 where it was refused.' }),
      badRows: t.expose('badRows', { type: 'Long' }),
      movedRows: t.expose('movedRows', {
        type: 'Long',
        description: 'Articles or videos that it gave to another publisher.',
      }),
      firstDay: t.expose('firstDay', { type: 'Date', nullable: true }),
      lastDay: t.expose('lastDay', { type: 'Date', nullable: true }),
      mediumIds: t.idList({ resolve: row => row.mediumIds.map(String) }),
      refusedBecause: t.exposeString('refusedBecause'),
      replacesId: t.exposeID('replacesBatchNo', { nullable: true }),
      replacedById: t.exposeID('replacedByBatchNo', { nullable: true }),
      errors: field(t, {
        type: ErrorList,
        nullable: true,
        args: { limit: t.arg.int({ required: true }), offset: t.arg.int({ required: true }) },
        ...RIGHT,
        resolve: ({ batchNo }, args, _context, permit) => listIngestErrors(database, batchNo, readPage(args), permit),
      }),
      corrections: field(t, {
        type: [Correction],
        nullable: true,
        description: 'Entries that book what finalised months differ by since it came.',
        ...RIGHT,
        resolve: ({ batchNo }, _args, _context, permit) => listIngestCorrections(database, batchNo, permit),
      }),
    }),
  })
  const IngestBatchList = graph.objectRef<{ total: number; nodes: IngestBatchRow[] }>('IngestBatchList').implement({
    on,
    fields: t => ({ total: t.exposeInt('total'), nodes: t.expose('nodes', { type: [IngestBatch] }) }),
  })
  const IngestBatchesParam = graph.inputType('IngestBatchesParam', {
    fields: t => ({
      dataset: t.field({ type: Dataset }),
      result: t.field({ type: Result }),
      mediumId: t.id(),
      from: t.field({ type: 'Date', description: 'Of receipt.' }),
      to: t.field({ type: 'Date', description: 'Of receipt; included.' }),
      day: t.field({ type: 'Date', description: 'One that the figures are about.' }),
    }),
  })
  return { IngestBatch, IngestBatchList, IngestBatchesParam }
}
