import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { readId, readPage } from '@pc/platform/graphql/list-arguments.ts'
import { readMonth } from '@pc/platform/graphql/month-argument.ts'
import { mutation } from '@pc/platform/graphql/mutation.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import type { ManualOperationDependencies } from './manual-operation-dependencies.ts'
import { addEntryFields } from './manual-operation-entry-fields.ts'
import {
  listMonthOperations,
  type MonthOperationRow,
  OPERATION_ORDERS,
  readManualOperation,
  readMonthOperation,
} from './manual-operation-store.ts'
import {
  kindEnum,
  type ManualOperationRef,
  type MonthOperationRef,
  manualOperationType,
  methodEnum,
  monthOperationType,
} from './manual-operation-type.ts'

/**
 * Closes a month of several media; the month close supplies it. It does the slow work outside of any transaction and
 * returns the function that closes the months within one.
 */
export type PrepareOperation = (operation: {
  readonly month: YearMonth
  readonly mediumIds: readonly bigint[] | undefined
}) => Promise<
  (
    tx: Transaction,
    uid: string,
  ) => Promise<Result<{ readonly mediumIds: readonly bigint[]; readonly isWhole: boolean }, Refusal<RefusalCode>>>
>

export interface ManualOperationFieldDependencies {
  readonly manualOperations: ManualOperationDependencies
  readonly prepareOperation: PrepareOperation
}

export function addManualOperationFields(graph: Graph, dependencies: ManualOperationFieldDependencies): void {
  const Kind = kindEnum(graph)
  const Method = methodEnum(graph)
  const ManualOperation = manualOperationType(graph, Kind, Method)
  const Operation = monthOperationType(graph, ManualOperation)
  addQueries(graph, dependencies, Operation, ManualOperation)
  addEntryFields(graph, dependencies.manualOperations, { Kind, Method, ManualOperation })
  addFinalize(graph, dependencies, Operation)
}

function addQueries(
  graph: Graph,
  { manualOperations }: ManualOperationFieldDependencies,
  Operation: MonthOperationRef,
  ManualOperation: ManualOperationRef,
) {
  const { database } = manualOperations
  const OperationList = graph
    .objectRef<{ total: number; nodes: readonly MonthOperationRow[] }>('MonthlyDividendManualOperationList')
    .implement({
      on: 'insight:dividend.',
      fields: t => ({
        total: t.exposeInt('total'),
        nodes: t.field({ type: [Operation], resolve: found => [...found.nodes] }),
      }),
    })
  const orderBy = graph.enumType('MonthlyDividendManualOperationsOrderBy', { values: OPERATION_ORDERS })
  const param = graph.inputType('MonthlyDividendManualOperationsParam', {
    fields: t => ({
      id: t.id(),
      dividendMonth: t.string({ description: 'YYYY-MM' }),
      mediumId: t.id(),
      hasBeenFinalized: t.boolean(),
    }),
  })
  graph.queryField('monthlyDividendManualOperations', t =>
    field(t, {
      type: OperationList,
      args: {
        limit: t.arg.int({ required: true }),
        offset: t.arg.int({ required: true }),
        orderBy: t.arg({ type: orderBy }),
        param: t.arg({ type: param }),
      },
      allow: 'read:list',
      on: 'insight:dividend.',
      resolve(_parent, args, _context, permit) {
        const { id, dividendMonth, mediumId, hasBeenFinalized } = args.param ?? {}
        const filter = {
          id: id ? readId(id, ['param', 'id']) : undefined,
          month: dividendMonth ? readMonth(dividendMonth, ['param', 'dividendMonth']) : undefined,
          mediumId: mediumId ? readId(mediumId, ['param', 'mediumId']) : undefined,
          hasBeenFinalized: hasBeenFinalized ?? undefined,
        }
        return listMonthOperations(database, filter, args.orderBy ?? 'DIVIDENDMONTH_DESC', readPage(args), permit)
      },
    }),
  )
  graph.queryField('monthlyDividend', t =>
    field(t, {
      type: ManualOperation,
      nullable: true,
      description: 'One entry with the state of its job; ask again while it waits or runs.',
      args: { id: t.arg.id({ required: true }) },
      allow: 'read:list',
      on: 'insight:dividend.',
      resolve: async (_parent, args, _context, permit) =>
        (await database.inScope(permit.scope, tx => readManualOperation(tx, readId(args.id, ['id'])))) ?? null,
    }),
  )
}

/** Long, because marking every row of a large month as final is one statement. */
const CLOSE_TIMEOUT_MS = 60_000

function addFinalize(
  graph: Graph,
  { manualOperations, prepareOperation }: ManualOperationFieldDependencies,
  Operation: MonthOperationRef,
) {
  graph.mutationField('finalizeMonthlyDividendManualOperation', t =>
    mutation(t, {
      type: Operation,
      description: 'Closes the month: every medium that is still open, or those that are named. All of them or none.',
      args: { id: t.arg.id({ required: true }), mediumIds: t.arg.idList() },
      allow: 'write:update',
      on: 'insight:dividend.',
      database: manualOperations.database,
      needsStepUp: true,
      statementTimeoutMs: CLOSE_TIMEOUT_MS,
      retryOn: 'payment/changed-while-closing',
      async prepare({ id, mediumIds }, permit) {
        const operationId = readId(id, ['id'])
        const operation = await manualOperations.database.inScope(permit.scope, tx =>
          tx.selectFrom('dividendOperations').select('month').where('id', '=', operationId).executeTakeFirst(),
        )
        return (
          operation &&
          prepareOperation({
            month: operation.month as YearMonth,
            mediumIds: mediumIds?.map(each => readId(each, ['mediumIds'])),
          })
        )
      },
      async run({ id }, write, _context, commit) {
        const operationId = readId(id, ['id'])
        const before = await write.tx
          .selectFrom('dividendOperations')
          .selectAll()
          .where('id', '=', operationId)
          .forUpdate()
          .executeTakeFirst()
        if (!before || !commit) return refused(refusal('dividend/operation-unknown', ['id']))
        const closed = await commit(write.tx, write.permit.viewer.uid)
        if (!closed.ok) return closed
        if (closed.value.isWhole) {
          await write.tx
            .updateTable('dividendOperations')
            .set({ hasBeenFinalized: true, finalizedAt: new Date(manualOperations.clock.now()) })
            .where('id', '=', operationId)
            .execute()
        }
        write.record({
          action: 'finalize',
          resource: 'insight:dividend.',
          rowId: operationId,
          before: { hasBeenFinalized: false },
          after: {
            month: before.month,
            mediumIds: closed.value.mediumIds.map(String),
            hasBeenFinalized: closed.value.isWhole,
          },
        })
        const after = await readMonthOperation(write.tx, operationId)
        if (!after) throw new Error('the operation that was just finalised is gone')
        return ok(after)
      },
    }),
  )
}
