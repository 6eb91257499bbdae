import { EARLIEST_MONTH, formatYearMonth, parseYearMonth, type YearMonth } from '@pc/domain/month/year-month.ts'
import { type DividendJob, dividendExtraRevenue, JOB_KINDS } from '@pc/domain/payment/dividend-job.ts'
import type { JobStatus } from '@pc/domain/payment/payment-states.ts'
import { DIVIDEND_METHODS } from '@pc/domain/payment/settlement-input.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { demandPermit } from '@pc/platform/graphql/guard.ts'
import { readId, readPage } from '@pc/platform/graphql/list-arguments.ts'
import { mutation } from '@pc/platform/graphql/mutation.ts'
import { refuse } from '@pc/platform/graphql/refusal-error.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { createDividend } from './create-dividend.ts'
import type { DividendInput, RawRow } from './dividend-entry.ts'
import type { DividendParts } from './dividend-parts.ts'
import {
  type DividendRow,
  listOperations,
  OPERATION_ORDERS,
  type OperationRow,
  readDividend,
  readOperation,
} from './dividend-store.ts'
import { type DividendPreview, type PreviewRow, previewDividend } from './preview-dividend.ts'
import { withdrawDividend } from './withdraw-dividend.ts'

/**
 * Closes the months of an operation; the feature that keeps the months brings it. Prepared outside of any transaction, it
 * answers what closes them within one.
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

export interface DividendFieldParts {
  readonly dividends: DividendParts
  readonly prepareOperation: PrepareOperation
}

export function addDividendFields(graph: Graph, parts: DividendFieldParts): void {
  const Kind = kindOf(graph)
  const Method = methodOf(graph)
  const Dividend = dividendType(graph, Kind, Method)
  const Operation = operationType(graph, Dividend)
  addQueries(graph, parts, Operation, Dividend)
  const inputs = inputTypes(graph, Kind, Method)
  addPreview(graph, parts, inputs)
  addCreate(graph, parts, inputs, Dividend)
  addWithdraw(graph, parts, Dividend)
  addFinalize(graph, parts, Operation)
}

type KindRef = ReturnType<typeof kindOf>
type MethodRef = ReturnType<typeof methodOf>
const kindOf = (graph: Graph) => graph.enumType('DividendKind', { values: JOB_KINDS })
const methodOf = (graph: Graph) => graph.enumType('DividendMethod', { values: DIVIDEND_METHODS })

function dividendType(graph: Graph, Kind: KindRef, Method: MethodRef) {
  const Status = graph.enumType('DividendJobStatus', { values: ['pending', 'running', 'success', 'failed'] as const })
  const Operator = graph.objectRef<DividendRow>('DividendOperator').implement({
    on: 'insight:dividend.',
    fields: t => ({
      uid: t.exposeID('userUid', { nullable: true }),
      email: t.exposeString('userEmail', { nullable: true }),
    }),
  })
  return graph.objectRef<DividendRow>('MonthlyDividend').implement({
    on: 'insight:dividend.',
    description: 'A pool, a correction or a reset of a month, and the job that books it.',
    fields: t => ({
      id: t.expose('id', { type: 'ID' }),
      monthlyDividendManualOperationId: t.expose('operationId', { type: 'ID' }),
      mediumId: t.expose('mediumId', { type: 'ID' }),
      kind: t.field({ type: Kind, resolve: row => row.kind as (typeof JOB_KINDS)[number] }),
      dividendMethod: t.field({ type: Method, resolve: row => row.method as (typeof DIVIDEND_METHODS)[number] }),
      dividendMonth: t.string({ resolve: row => formatYearMonth(row.month as YearMonth) }),
      extraRevenue: t.expose('extraRevenueYen', { type: 'Long' }),
      extraRevenueMonth: t.string({ resolve: row => formatYearMonth(row.extraRevenueMonth as YearMonth) }),
      notes: t.exposeString('notes'),
      jobStatus: t.field({ type: Status, resolve: row => row.jobStatus as JobStatus }),
      progress: t.exposeInt('progress', { description: 'How far the job is, per cent.' }),
      failureText: t.exposeString('failureText', { nullable: true, description: 'Why it failed, in Japanese.' }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      startedAt: t.expose('startedAt', { type: 'DateTime', nullable: true }),
      completedAt: t.expose('completedAt', { type: 'DateTime', nullable: true }),
      withdrawnAt: t.expose('withdrawnAt', {
        type: 'DateTime',
        nullable: true,
        description: 'When a failed entry was taken back; it is no longer in the way of a close.',
      }),
      reversedByDividendId: t.expose('reversedByDividendId', { type: 'ID', nullable: true }),
      userUid: t.exposeID('userUid', { nullable: true }),
      user: t.field({ type: Operator, resolve: row => row }),
    }),
  })
}
type DividendRef = ReturnType<typeof dividendType>

function operationType(graph: Graph, Dividend: DividendRef) {
  return graph.objectRef<OperationRow>('MonthlyDividendManualOperation').implement({
    on: 'insight:dividend.',
    fields: t => ({
      id: t.expose('id', { type: 'ID' }),
      dividendMonth: t.string({ resolve: row => formatYearMonth(row.month as YearMonth) }),
      dividendExtraRevenue: t.field({ type: 'Long', resolve: row => extraRevenueOf(row).totalYen }),
      dividendExtraRevenuePayment: t.field({ type: 'Long', resolve: row => extraRevenueOf(row).paymentYen }),
      dividendExtraRevenueDiscard: t.field({ type: 'Long', resolve: row => extraRevenueOf(row).discardYen }),
      hasBeenFinalized: t.exposeBoolean('hasBeenFinalized'),
      finalizedAt: t.expose('finalizedAt', { type: 'DateTime', nullable: true }),
      dividends: t.field({ type: [Dividend], resolve: row => [...row.dividends] }),
    }),
  })
}
type OperationRef = ReturnType<typeof operationType>

function extraRevenueOf(row: OperationRow) {
  return dividendExtraRevenue(
    row.dividends.map(
      (each): DividendJob => ({
        jobId: each.id,
        kind: each.kind as DividendJob['kind'],
        method: each.method as DividendJob['method'],
        status: each.jobStatus as JobStatus,
        reversedByJobId: each.reversedByDividendId,
        extraRevenueYen: each.extraRevenueYen,
      }),
    ),
  )
}

function addQueries(graph: Graph, { dividends }: DividendFieldParts, Operation: OperationRef, Dividend: DividendRef) {
  const { database } = dividends
  const OperationList = graph
    .objectRef<{ total: number; nodes: readonly OperationRow[] }>('MonthlyDividendManualOperationList')
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
        const { dividendMonth, mediumId, hasBeenFinalized } = args.param ?? {}
        const filter = {
          month: dividendMonth ? readMonth(dividendMonth, ['param', 'dividendMonth']) : undefined,
          mediumId: mediumId ? readId(mediumId, ['param', 'mediumId']) : undefined,
          hasBeenFinalized: hasBeenFinalized ?? undefined,
        }
        return listOperations(database, filter, args.orderBy ?? 'DIVIDENDMONTH_DESC', readPage(args), permit)
      },
    }),
  )
  graph.queryField('monthlyDividend', t =>
    field(t, {
      type: Dividend,
      nullable: true,
      description: 'One entry with the state of its job; ask again while it waits or runs.',
      args: { id: t.arg.id({ required: true }) },
      allow: 'read:list',
      on: 'insight:dividend.',
      resolve: async (_parent, args, _context, permit) =>
        (await database.inScope(permit.scope, tx => readDividend(tx, readId(args.id, ['id'])))) ?? null,
    }),
  )
}

function readMonth(text: string, path: readonly string[]): YearMonth {
  const month = parseYearMonth(text)
  if (month === undefined || month < EARLIEST_MONTH) refuse('payment/month-invalid', path)
  return month
}

function inputTypes(graph: Graph, Kind: KindRef, Method: MethodRef) {
  const Input = graph.inputType('CreateDividendInput', {
    fields: t => ({
      monthlyDividendManualOperationId: t.id({ description: 'The month by its operation, or by `dividendMonth`.' }),
      dividendMonth: t.string({ description: 'YYYY-MM' }),
      mediumId: t.id({ required: true }),
      kind: t.field({ type: Kind, required: true }),
      dividendMethod: t.field({ type: Method, required: true }),
      extraRevenue: t.field({
        type: 'Long',
        description: 'The pool in yen. Of a csv entry the sum of its rows, compared when it is given.',
      }),
      extraRevenueMonth: t.string({ description: 'YYYY-MM; default: the month itself.' }),
      notes: t.string(),
    }),
  })
  const Row = graph.inputType('DividendRawRow', {
    description: 'A line as it was typed or uploaded. Amounts for csv, weights for pools.',
    fields: t => ({
      agreementId: t.string({ required: true }),
      publisherId: t.string({ required: true }),
      amount: t.string(),
      weight: t.string(),
      reason: t.string(),
      originMonth: t.string(),
    }),
  })
  return { Input, Row }
}
type Inputs = ReturnType<typeof inputTypes>

interface GivenInput {
  readonly monthlyDividendManualOperationId?: string | null | undefined
  readonly dividendMonth?: string | null | undefined
  readonly mediumId: string
  readonly kind: DividendInput['kind']
  readonly dividendMethod: DividendInput['method']
  readonly extraRevenue?: bigint | null | undefined
  readonly extraRevenueMonth?: string | null | undefined
  readonly notes?: string | null | undefined
}
type GivenRow = { readonly agreementId: string; readonly publisherId: string } & Partial<
  Record<'amount' | 'weight' | 'reason' | 'originMonth', string | null | undefined>
>

async function readInput(tx: Transaction, given: GivenInput): Promise<Result<DividendInput, Refusal<RefusalCode>>> {
  const month = await monthOf(tx, given)
  if (!month.ok) return month
  return ok({
    mediumId: readId(given.mediumId, ['input', 'mediumId']),
    month: month.value,
    kind: given.kind,
    method: given.dividendMethod,
    extraRevenueYen: given.extraRevenue ?? null,
    extraRevenueMonth: given.extraRevenueMonth?.trim() ?? '',
    notes: given.notes?.trim() ?? '',
  })
}

async function monthOf(tx: Transaction, given: GivenInput): Promise<Result<YearMonth, Refusal<RefusalCode>>> {
  const { monthlyDividendManualOperationId: id, dividendMonth } = given
  if (id) {
    const path = ['input', 'monthlyDividendManualOperationId']
    const operation = await readOperation(tx, readId(id, path))
    return operation ? ok(operation.month as YearMonth) : refused(refusal('dividend/operation-unknown', path))
  }
  if (!dividendMonth) return refused(refusal('dividend/month-missing', ['input', 'dividendMonth']))
  return ok(readMonth(dividendMonth, ['input', 'dividendMonth']))
}

function rawRows(rows: readonly GivenRow[] | null | undefined): readonly RawRow[] {
  return (rows ?? []).map(row => ({
    agreementId: row.agreementId,
    publisherId: row.publisherId,
    amount: row.amount ?? '',
    weight: row.weight ?? '',
    reason: row.reason ?? '',
    originMonth: row.originMonth ?? '',
  }))
}

function addPreview(graph: Graph, { dividends }: DividendFieldParts, { Input, Row }: Inputs): void {
  const PreviewError = graph.objectRef<DividendPreview['errors'][number]>('DividendRowError').implement({
    on: 'insight:dividend.',
    fields: t => ({
      line: t.exposeInt('line', { nullable: true, description: 'From 1; null: the entry as a whole.' }),
      field: t.exposeString('field'),
      message: t.exposeString('message'),
    }),
  })
  const PreviewRowType = graph.objectRef<PreviewRow>('DividendPreviewRow').implement({
    on: 'insight:dividend.',
    fields: t => ({
      line: t.exposeInt('line'),
      agreementId: t.expose('agreementId', { type: 'ID' }),
      agreementName: t.exposeString('agreementName'),
      publisherId: t.expose('publisherId', { type: 'ID' }),
      publisherName: t.exposeString('publisherName'),
      weight: t.expose('weight', { type: 'Long', nullable: true }),
      allocated: t.expose('allocatedYen', { type: 'Long' }),
      rateUnits: t.exposeInt('rateUnits', { nullable: true }),
      amount: t.expose('amountYen', { type: 'Long' }),
    }),
  })
  const Preview = graph.objectRef<DividendPreview>('DividendPreview').implement({
    on: 'insight:dividend.',
    fields: t => ({
      isAcceptable: t.exposeBoolean('isAcceptable'),
      errors: t.field({ type: [PreviewError], resolve: found => [...found.errors] }),
      rows: t.field({ type: [PreviewRowType], resolve: found => [...found.rows] }),
      total: t.expose('totalYen', { type: 'Long' }),
      shared: t.expose('sharedYen', { type: 'Long' }),
      retained: t.expose('retainedYen', { type: 'Long' }),
    }),
  })
  graph.queryField('previewDividend', t =>
    field(t, {
      type: Preview,
      description: 'What createDividend would book, row by row, and what is wrong with it. Nothing is written.',
      args: {
        input: t.arg({ type: Input, required: true }),
        rawData: t.arg({ type: [Row], required: false }),
      },
      allow: 'write:create',
      on: 'insight:dividend.',
      resolve: (_parent, args, _context, permit) =>
        dividends.database.inScope(
          permit.scope,
          async tx => {
            const input = await readInput(tx, args.input)
            if (!input.ok) return refusedOf(input.refusals)
            return previewDividend(tx, dividends, input.value, rawRows(args.rawData))
          },
          { isolation: 'repeatable read', readOnly: true },
        ),
    }),
  )
}

function refusedOf(refusals: readonly Refusal<RefusalCode>[]): never {
  const [first] = refusals
  return refuse(first?.code ?? 'dividend/month-missing', (first?.path ?? []).map(String), first?.data)
}

function addCreate(graph: Graph, { dividends }: DividendFieldParts, { Input, Row }: Inputs, Dividend: DividendRef) {
  graph.mutationField('createDividend', t =>
    mutation(t, {
      type: Dividend,
      description: 'Enters a pool, a correction or a reset; a job books it. A reset needs the right to delete.',
      args: {
        input: t.arg({ type: Input, required: true }),
        rawData: t.arg({ type: [Row], required: false }),
      },
      allow: 'write:create',
      on: 'insight:dividend.',
      database: dividends.database,
      async run({ input: given, rawData }, write, context) {
        if (given.kind === 'reset') demandPermit(context, 'write:delete', 'insight:dividend.')
        const input = await readInput(write.tx, given)
        if (!input.ok) return input
        const userUid = write.permit.viewer.uid
        const entry = { input: input.value, rawRows: rawRows(rawData), userUid }
        const created = await createDividend(write.tx, dividends, entry)
        if (!created.ok) return created
        const dividend = await readDividend(write.tx, created.value)
        if (!dividend) throw new Error('the dividend that was just made is gone')
        write.record({
          action: 'create',
          resource: 'insight:dividend.',
          rowId: dividend.id,
          before: null,
          after: {
            mediumId: dividend.mediumId,
            month: dividend.month,
            kind: dividend.kind,
            method: dividend.method,
            extraRevenueYen: dividend.extraRevenueYen,
            rows: entry.rawRows.length,
          },
        })
        return ok(dividend)
      },
    }),
  )
}

function addWithdraw(graph: Graph, { dividends }: DividendFieldParts, Dividend: DividendRef) {
  graph.mutationField('withdrawDividend', t =>
    mutation(t, {
      type: Dividend,
      description: 'Takes back one failed entry, which has booked nothing; what was booked is taken back by a reset.',
      args: { id: t.arg.id({ required: true }) },
      allow: 'write:create',
      on: 'insight:dividend.',
      database: dividends.database,
      async run({ id }, write) {
        const dividendId = readId(id, ['id'])
        const withdrawn = await withdrawDividend(write.tx, dividends, dividendId, write.permit.viewer.uid)
        if (!withdrawn.ok) return withdrawn
        const dividend = await readDividend(write.tx, dividendId)
        if (!dividend) throw new Error('the dividend that was just withdrawn is gone')
        const { withdrawnAt } = dividend
        write.record({
          action: 'withdraw',
          resource: 'insight:dividend.',
          rowId: dividendId,
          before: { withdrawnAt: null },
          after: { withdrawnAt },
        })
        return ok(dividend)
      },
    }),
  )
}

/** Marking every row of a large month is one statement; a busy machine has time for it. */
const CLOSE_TIMEOUT_MS = 60_000

function addFinalize(graph: Graph, { dividends, prepareOperation }: DividendFieldParts, Operation: OperationRef) {
  graph.mutationField('finalizeMonthlyDividendManualOperation', t =>
    mutation(t, {
      type: Operation,
      description: 'Closes the month: every medium that is still open, or those that are named. All of them or none.',
      args: { id: t.arg.id({ required: true }), mediumIds: t.arg.idList() },
      allow: 'write:update',
      on: 'insight:dividend.',
      database: dividends.database,
      statementTimeoutMs: CLOSE_TIMEOUT_MS,
      async prepare({ id, mediumIds }, permit) {
        const operationId = readId(id, ['id'])
        const operation = await dividends.database.inScope(permit.scope, tx =>
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
            .set({ hasBeenFinalized: true, finalizedAt: new Date(dividends.clock.now()) })
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
        const after = await readOperation(write.tx, operationId)
        if (!after) throw new Error('the operation that was just finalised is gone')
        return ok(after)
      },
    }),
  )
}
