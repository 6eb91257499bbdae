import { formatYearMonth, type YearMonth } from '@pc/domain/month/year-month.ts'
import { MAX_CSV_ROWS } from '@pc/domain/payment/adjustment-csv.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { demandPermit } from '@pc/platform/graphql/guard.ts'
import { readId } from '@pc/platform/graphql/list-arguments.ts'
import { readMonth } from '@pc/platform/graphql/month-argument.ts'
import { mutation } from '@pc/platform/graphql/mutation.ts'
import { refuse } from '@pc/platform/graphql/refusal-error.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { createManualOperation } from './create-manual-operation.ts'
import type { ManualOperationDependencies } from './manual-operation-dependencies.ts'
import type { ManualOperationInput, RawRow } from './manual-operation-entry.ts'
import { readManualOperation, readMonthOperation } from './manual-operation-store.ts'
import type { KindRef, ManualOperationRef, MethodRef } from './manual-operation-type.ts'
import { type ManualOperationPreview, type PreviewRow, previewManualOperation } from './preview-manual-operation.ts'
import { withdrawManualOperation } from './withdraw-manual-operation.ts'

/** Preview, creation and withdrawal of entries. A job books an entry; only a failed one can be withdrawn. */
export function addEntryFields(
  graph: Graph,
  dependencies: ManualOperationDependencies,
  {
    Kind,
    Method,
    ManualOperation,
  }: { readonly Kind: KindRef; readonly Method: MethodRef; readonly ManualOperation: ManualOperationRef },
): void {
  const inputs = inputTypes(graph, Kind, Method)
  addPreview(graph, dependencies, inputs)
  addCreate(graph, dependencies, inputs, ManualOperation)
  addWithdraw(graph, dependencies, ManualOperation)
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
      extraRevenueMonth: t.string({
        description: 'YYYY-MM; default: the month itself. Of a csv entry the month of the rows that name none.',
      }),
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
  readonly kind: ManualOperationInput['kind']
  readonly dividendMethod: ManualOperationInput['method']
  readonly extraRevenue?: bigint | null | undefined
  readonly extraRevenueMonth?: string | null | undefined
  readonly notes?: string | null | undefined
}
type GivenRow = { readonly agreementId: string; readonly publisherId: string } & Partial<
  Record<'amount' | 'weight' | 'reason' | 'originMonth', string | null | undefined>
>

async function readInput(
  tx: Transaction,
  given: GivenInput,
): Promise<Result<ManualOperationInput, Refusal<RefusalCode>>> {
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
    const operation = await readMonthOperation(tx, readId(id, path))
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

function addPreview(graph: Graph, dependencies: ManualOperationDependencies, { Input, Row }: Inputs): void {
  const PreviewError = graph.objectRef<ManualOperationPreview['errors'][number]>('DividendRowError').implement({
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
      originMonth: t.string({
        nullable: true,
        description: 'YYYY-MM, the month that the row of a csv entry corrects; null: the month itself.',
        resolve: row => (row.originMonth === null ? null : formatYearMonth(row.originMonth)),
      }),
    }),
  })
  const Preview = graph.objectRef<ManualOperationPreview>('DividendPreview').implement({
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
        rawData: t.arg({ type: [Row], required: false, extensions: { maxItems: MAX_CSV_ROWS } }),
      },
      allow: 'write:create',
      on: 'insight:dividend.',
      resolve: (_parent, args, _context, permit) =>
        dependencies.database.inScope(
          permit.scope,
          async tx => {
            const input = await readInput(tx, args.input)
            if (!input.ok) return refusedOf(input.refusals)
            return previewManualOperation(tx, dependencies, input.value, rawRows(args.rawData))
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

function addCreate(
  graph: Graph,
  dependencies: ManualOperationDependencies,
  { Input, Row }: Inputs,
  ManualOperation: ManualOperationRef,
) {
  graph.mutationField('createDividend', t =>
    mutation(t, {
      type: ManualOperation,
      description: 'Enters a pool, a correction or a reset; a job books it. A reset needs the right to delete.',
      args: {
        input: t.arg({ type: Input, required: true }),
        rawData: t.arg({ type: [Row], required: false, extensions: { maxItems: MAX_CSV_ROWS } }),
      },
      allow: 'write:create',
      on: 'insight:dividend.',
      database: dependencies.database,
      async run({ input: given, rawData }, write, context) {
        if (given.kind === 'reset') demandPermit(context, 'write:delete', 'insight:dividend.')
        const input = await readInput(write.tx, given)
        if (!input.ok) return input
        const userUid = write.permit.viewer.uid
        const entry = { input: input.value, rawRows: rawRows(rawData), userUid }
        const created = await createManualOperation(write.tx, dependencies, entry)
        if (!created.ok) return created
        const manualOperation = await readManualOperation(write.tx, created.value)
        if (!manualOperation) throw new Error('the manual operation that was just made is gone')
        write.record({
          action: 'create',
          resource: 'insight:dividend.',
          rowId: manualOperation.id,
          before: null,
          after: {
            mediumId: manualOperation.mediumId,
            month: manualOperation.month,
            kind: manualOperation.kind,
            method: manualOperation.method,
            extraRevenueYen: manualOperation.extraRevenueYen,
            rows: entry.rawRows.length,
          },
        })
        return ok(manualOperation)
      },
    }),
  )
}

function addWithdraw(graph: Graph, dependencies: ManualOperationDependencies, ManualOperation: ManualOperationRef) {
  graph.mutationField('withdrawDividend', t =>
    mutation(t, {
      type: ManualOperation,
      description: 'Takes back one failed entry, which has booked nothing; what was booked is taken back by a reset.',
      args: { id: t.arg.id({ required: true }) },
      allow: 'write:create',
      on: 'insight:dividend.',
      database: dependencies.database,
      async run({ id }, write) {
        const entryId = readId(id, ['id'])
        const withdrawn = await withdrawManualOperation(write.tx, dependencies, entryId, write.permit.viewer.uid)
        if (!withdrawn.ok) return withdrawn
        const manualOperation = await readManualOperation(write.tx, entryId)
        if (!manualOperation) throw new Error('the manual operation that was just withdrawn is gone')
        const { withdrawnAt } = manualOperation
        write.record({
          action: 'withdraw',
          resource: 'insight:dividend.',
          rowId: entryId,
          before: { withdrawnAt: null },
          after: { withdrawnAt },
        })
        return ok(manualOperation)
      },
    }),
  )
}
