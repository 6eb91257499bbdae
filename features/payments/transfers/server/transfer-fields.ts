import { type Clock, today } from '@pc/platform/clock.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { readId, readPage } from '@pc/platform/graphql/list-arguments.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import { HOLD_TEXTS } from '../../core/server/hold-texts.ja.ts'
import type { TransferFieldDependencies } from './transfer-dependencies.ts'
import { STAFF } from './transfer-rights.ts'
import {
  type BatchRow,
  listBatches,
  type PayableDay,
  payableDays,
  readBatchRow,
  type UnpaidReason,
  unpaidReasons,
} from './transfer-store.ts'
import type { TransferTypes } from './transfer-type.ts'

/** What there is to send and what was sent. */
export function addTransferFields(
  graph: Graph,
  { Batch }: TransferTypes,
  dependencies: TransferFieldDependencies,
): void {
  const { database, clock } = dependencies
  const BatchList = graph
    .objectRef<{ readonly total: number; readonly nodes: readonly BatchRow[] }>('TransferBatchList')
    .implement({
      on: STAFF,
      fields: t => ({
        total: t.exposeInt('total'),
        nodes: t.field({ type: [Batch], resolve: list => [...list.nodes] }),
      }),
    })
  graph.queryField('transferBatches', t =>
    field(t, {
      type: BatchList,
      args: {
        limit: t.arg.int({ required: true }),
        offset: t.arg.int({ required: true }),
        hasRecallToDecide: t.arg.boolean({ description: 'Only those with a recall that waits for a second person.' }),
      },
      allow: 'read:list',
      on: STAFF,
      resolve: (_parent, args, _context, permit) => {
        const filter = { isToDecide: args.hasRecallToDecide ?? false }
        return database.inScope(permit.scope, tx => listBatches(tx, today(clock), readPage(args), filter))
      },
    }),
  )
  graph.queryField('transferBatch', t =>
    field(t, {
      type: Batch,
      nullable: true,
      args: { id: t.arg.id({ required: true }) },
      allow: 'read:list',
      on: STAFF,
      resolve: (_parent, args, _context, permit) =>
        database.inScope(permit.scope, async tx => (await readBatchRow(tx, clock, readId(args.id, ['id']))) ?? null),
    }),
  )
  addPayable(graph, database, clock)
}

function addPayable(graph: Graph, database: Database, clock: Clock): void {
  const PayableDayType = graph.objectRef<PayableDay>('PayableDay').implement({
    on: STAFF,
    description: 'Finalised payments of one due day that no transfer sends yet.',
    fields: t => ({
      dueOn: t.field({ type: 'Date', resolve: row => row.dueOn }),
      transferOn: t.field({
        type: 'Date',
        description: 'The first day on which the bank could still move the money.',
        resolve: row => row.transferOn,
      }),
      isLate: t.exposeBoolean('isLate'),
      paymentCount: t.exposeInt('payments'),
      returnedPaymentCount: t.exposeInt('returnedPayments'),
      paymentIncludingTax: t.expose('paymentIncludingTaxYen', { type: 'Long' }),
    }),
  })
  const UnpaidReasonType = graph.objectRef<UnpaidReason>('UnpaidReason').implement({
    on: STAFF,
    description: 'Rows of the latest finalised month of each medium that carry a balance on instead of being paid.',
    fields: t => ({
      reason: t.exposeString('reason'),
      text: t.string({ resolve: row => HOLD_TEXTS[row.reason] }),
      paymentCount: t.int({ resolve: row => Number(row.payments) }),
      carriedOverToNext: t.expose('carriedYen', { type: 'Long' }),
    }),
  })
  graph.queryField('payableDays', t =>
    field(t, {
      type: [PayableDayType],
      allow: 'read:list',
      on: STAFF,
      resolve: (_parent, _args, _context, permit) =>
        database.inScope(permit.scope, async tx => [...(await payableDays(tx, clock))]),
    }),
  )
  graph.queryField('unpaidReasons', t =>
    field(t, {
      type: [UnpaidReasonType],
      allow: 'read:list',
      on: STAFF,
      resolve: (_parent, _args, _context, permit) =>
        database.inScope(permit.scope, async tx => [...(await unpaidReasons(tx))]),
    }),
  )
}
