import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { StatementState } from '@pc/domain/payment/payment-states.ts'
import type { Refusal } from '@pc/domain/refusal.ts'
import { type RefusalCode, refusalMessageJa } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import type { RESOLUTIONS } from '@pc/domain/statement/statement-confirmation.ts'
import { statementSearchText } from '@pc/domain/statement/statement-search.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph, ObjectTypeRef } from '@pc/platform/graphql/graph.ts'
import { readId, readPage, readSearchWords } from '@pc/platform/graphql/list-arguments.ts'
import { loadBatched } from '@pc/platform/graphql/load-batched.ts'
import { readMonth, writeMonth } from '@pc/platform/graphql/month-argument.ts'
import { mutation } from '@pc/platform/graphql/mutation.ts'
import { issueWaitingStatements, listWaiting, type Waiting } from './issue-statements.ts'
import type { StatementDependencies } from './statement-dependencies.ts'
import { addStatementFileFields } from './statement-file-fields.ts'
import { type StatementTypes, statementTypes } from './statement-graph.ts'
import { addStatementSettingsFields } from './statement-settings-fields.ts'
import {
  confirmStatement,
  objectToStatement,
  recordSending,
  resolveStatement,
  reviseStatement,
  withdrawObjection,
} from './statement-steps.ts'
import {
  currentStatements,
  findStatement,
  listStatements,
  STATEMENT_ORDERS,
  searchStatements,
} from './statement-store.ts'
import { addStatementYearFields } from './statement-year-fields.ts'

const RESOURCE = 'insight:statement.' as const
/** Statements that a search returns at most. */
const MAX_FOUND = 20

/** Adds the list and search of statements, the answers of payees and staff, the files, and the payer's settings. */
export function addStatementFields<Payment extends { readonly id: bigint }>(
  graph: Graph,
  dependencies: StatementDependencies & { readonly MonthlyPayment: ObjectTypeRef<Payment> },
): void {
  const types = statementTypes(graph, dependencies.database)
  addStatementOfPayment(graph, dependencies, types)
  addReading(graph, dependencies, types)
  addWaiting(graph, dependencies)
  addAnswers(graph, dependencies, types)
  addIssuing(graph, dependencies, types)
  addStatementFileFields(graph, dependencies)
  addStatementSettingsFields(graph, dependencies)
  addStatementYearFields(graph, dependencies)
}

function addStatementOfPayment<Payment extends { readonly id: bigint }>(
  graph: Graph,
  { database, MonthlyPayment }: StatementDependencies & { readonly MonthlyPayment: ObjectTypeRef<Payment> },
  { Statement }: StatementTypes,
): void {
  graph.objectField(MonthlyPayment, 'statement', t =>
    field(t, {
      type: Statement,
      nullable: true,
      description: 'The statement that counts; null while there is none.',
      allow: 'read:show',
      on: RESOURCE,
      resolve: async (payment, _args, context, permit) =>
        (await loadBatched(context, 'statements', payment.id, ids =>
          database.inScope(permit.scope, tx => currentStatements(tx, ids, permit)),
        )) ?? null,
    }),
  )
}

function addReading(
  graph: Graph,
  { database }: StatementDependencies,
  { Statement, List, State }: StatementTypes,
): void {
  const orderBy = graph.enumType('StatementsOrderBy', { values: STATEMENT_ORDERS })
  const param = graph.inputType('StatementsParam', {
    fields: t => ({
      issuedFrom: t.field({ type: 'Date', description: 'Day of issue, from this one on.' }),
      issuedTo: t.field({ type: 'Date' }),
      dueFrom: t.field({ type: 'Date', description: 'Due day, from this one on.' }),
      dueTo: t.field({ type: 'Date' }),
      amountFrom: t.field({ type: 'Long', description: 'Total including tax, yen, from this one on.' }),
      amountTo: t.field({ type: 'Long' }),
      organizationId: t.id(),
      monthFrom: t.string({ description: 'YYYY-MM' }),
      monthTo: t.string({ description: 'YYYY-MM' }),
      mediumId: t.id(),
      agreementIds: t.idList(),
      monthlyPaymentIds: t.idList(),
      ids: t.idList(),
      states: t.field({ type: [State] }),
    }),
  })
  graph.queryField('statements', t =>
    field(t, {
      type: List,
      description:
        'The archive: found by day, amount and payee (`q`) and their combinations. The sum is that of the whole filter; the counts are those of every state, whatever `states` chooses.',
      args: {
        limit: t.arg.int({ required: true }),
        offset: t.arg.int({ required: true }),
        orderBy: t.arg({ type: orderBy }),
        param: t.arg({ type: param }),
        q: t.arg.string({
          description:
            "Words of the payee's name or reading, the agreement's name or code, the number, or months as people write them.",
        }),
      },
      allow: 'read:list',
      on: RESOURCE,
      resolve(_parent, args, _context, permit) {
        const filter = args.param ?? {}
        const idOf = (id: string | null | undefined, name: string) => (id ? readId(id, ['param', name]) : undefined)
        const idsOf = (ids: readonly string[] | null | undefined, name: string) =>
          ids?.map(id => readId(id, ['param', name]))
        return listStatements(
          database,
          {
            issuedFrom: filter.issuedFrom ?? undefined,
            issuedTo: filter.issuedTo ?? undefined,
            dueFrom: filter.dueFrom ?? undefined,
            dueTo: filter.dueTo ?? undefined,
            amountFrom: filter.amountFrom ?? undefined,
            amountTo: filter.amountTo ?? undefined,
            organizationId: idOf(filter.organizationId, 'organizationId'),
            monthFrom: readOptionalMonth(filter.monthFrom, ['param', 'monthFrom']),
            monthTo: readOptionalMonth(filter.monthTo, ['param', 'monthTo']),
            mediumId: idOf(filter.mediumId, 'mediumId'),
            agreementIds: idsOf(filter.agreementIds, 'agreementIds'),
            monthlyPaymentIds: idsOf(filter.monthlyPaymentIds, 'monthlyPaymentIds'),
            ids: idsOf(filter.ids, 'ids'),
            states: (filter.states as StatementState[] | null | undefined) ?? undefined,
            words: readWords(args.q),
          },
          args.orderBy ?? 'ISSUEDON_DESC',
          readPage(args),
          permit,
        )
      },
    }),
  )
  graph.queryField('searchStatements', t =>
    field(t, {
      type: [Statement],
      description: 'The latest that count and that `q` finds, as in `statements`; at most 20, and not counted.',
      args: { q: t.arg.string({ required: true }), limit: t.arg.int({ required: true }) },
      allow: 'read:list',
      on: RESOURCE,
      async resolve(_parent, { q, limit }, _context, permit) {
        const { limit: most } = readPage({ limit, offset: 0 })
        return [...(await searchStatements(database, readWords(q), Math.min(most, MAX_FOUND), permit))]
      },
    }),
  )
  graph.queryField('statement', t =>
    field(t, {
      type: Statement,
      nullable: true,
      args: { id: t.arg.id({ required: true }) },
      allow: 'read:show',
      on: RESOURCE,
      resolve: async (_parent, args, _context, permit) => {
        const id = readId(args.id, ['id'])
        return (await database.inScope(permit.scope, tx => findStatement(tx, id, permit))) ?? null
      },
    }),
  )
}

function readWords(typed: string | null | undefined): readonly string[] {
  return readSearchWords(typed && statementSearchText(typed))
}

function readOptionalMonth(text: string | null | undefined, path: readonly string[]): YearMonth | undefined {
  return text ? readMonth(text, path) : undefined
}

function addWaiting(graph: Graph, dependencies: StatementDependencies): void {
  const WaitingType = graph.objectRef<Waiting>('PaymentWithoutStatement').implement({
    on: 'insight:dividend.',
    fields: t => ({
      monthlyPaymentId: t.expose('monthlyPaymentId', { type: 'ID' }),
      mediumId: t.expose('mediumId', { type: 'ID' }),
      month: t.string({ resolve: row => writeMonth(row.month) }),
      agreementName: t.exposeString('agreementName'),
      agreementCode: t.exposeString('agreementCode'),
      total: t.expose('totalYen', { type: 'Long' }),
      reasons: t.stringList({
        description: 'What is in the way, in Japanese; none when it can be issued.',
        resolve: row => row.refusals.map(refusalMessageJa),
      }),
    }),
  })
  graph.queryField('paymentsWithoutStatement', t =>
    field(t, {
      type: [WaitingType],
      description: 'Finalised payments that no statement was issued of, at most 1,000. For staff.',
      allow: 'read:list',
      on: 'insight:dividend.',
      resolve: async (_parent, _args, _context, permit) =>
        (await dependencies.database.inScope(permit.scope, tx => listWaiting(tx, dependencies))).slice(0, 1_000),
    }),
  )
}

function addAnswers(
  graph: Graph,
  dependencies: StatementDependencies,
  { Statement, ResolutionEnum }: StatementTypes,
): void {
  const { database } = dependencies
  const common = { type: Statement, allow: 'write:update', on: RESOURCE, database } as const
  const Line = graph.inputType('ObjectedLineInput', {
    fields: t => ({ label: t.string({ required: true }), reason: t.string({ required: true }) }),
  })
  graph.mutationField('confirmStatement', t =>
    mutation(t, {
      ...common,
      description: 'The payee agrees to the very text it saw.',
      args: { id: t.arg.id({ required: true }), hash: t.arg.string({ required: true }) },
      run: (args, write) => confirmStatement(write, dependencies, readId(args.id, ['id']), args.hash),
    }),
  )
  graph.mutationField('objectToStatement', t =>
    mutation(t, {
      ...common,
      description: 'The payee says which lines are wrong, and why. The document stays as it is.',
      args: {
        id: t.arg.id({ required: true }),
        hash: t.arg.string({ required: true }),
        text: t.arg.string(),
        lines: t.arg({ type: [Line] }),
      },
      run: (args, write) =>
        objectToStatement(write, dependencies, readId(args.id, ['id']), {
          seenHash: args.hash,
          text: args.text ?? '',
          lines: args.lines ?? [],
        }),
    }),
  )
  graph.mutationField('withdrawStatementObjection', t =>
    mutation(t, {
      ...common,
      description: 'The payee takes back its objection, which nobody has answered yet.',
      args: { id: t.arg.id({ required: true }) },
      run: (args, write) => withdrawObjection(write, dependencies, readId(args.id, ['id'])),
    }),
  )
  graph.mutationField('recordStatementSending', t =>
    mutation(t, {
      ...common,
      description:
        'Staff records how a statement was sent to a payee that nobody could be told for; from then on silence counts.',
      args: {
        id: t.arg.id({ required: true }),
        how: t.arg.string({ required: true, description: 'By post, for example.' }),
      },
      run: (args, write) => recordSending(write, dependencies, readId(args.id, ['id']), args.how),
    }),
  )
  graph.mutationField('resolveStatement', t =>
    mutation(t, {
      ...common,
      description: 'Staff answers an objection: the statement stands, or the adjustment of a later month corrects it.',
      args: {
        id: t.arg.id({ required: true }),
        resolution: t.arg({ type: ResolutionEnum, required: true }),
        text: t.arg.string({ required: true }),
        adjustmentMonth: t.arg.string({ description: 'YYYY-MM; only for `adjusted_later`.' }),
      },
      run: (args, write) =>
        resolveStatement(write, dependencies, readId(args.id, ['id']), {
          text: args.text,
          resolution: args.resolution satisfies (typeof RESOLUTIONS)[number],
          adjustmentMonth: readOptionalMonth(args.adjustmentMonth, ['adjustmentMonth']) ?? null,
        }),
    }),
  )
}

function addIssuing(graph: Graph, dependencies: StatementDependencies, { Statement }: StatementTypes): void {
  const { database } = dependencies
  const common = { allow: 'write:create', on: RESOURCE, database } as const
  graph.mutationField('reviseStatement', t =>
    mutation(t, {
      ...common,
      type: Statement,
      description: 'Replaces a document by its next revision: the same number and figures, today’s payer and account.',
      args: { id: t.arg.id({ required: true }), reason: t.arg.string({ required: true }) },
      run: (args, write) => reviseStatement(write, dependencies, readId(args.id, ['id']), args.reason),
    }),
  )
  graph.mutationField('issueStatements', t =>
    mutation(t, {
      ...common,
      type: 'Int',
      description: 'Issues the statements of finalised payments that have none yet, as far as they can be; how many.',
      args: { month: t.arg.string({ description: 'YYYY-MM; default: every month.' }) },
      async run(args, write): Promise<Result<number, Refusal<RefusalCode>>> {
        const month = readOptionalMonth(args.month, ['month'])
        const issued = await issueWaitingStatements(write.tx, dependencies, month, write.permit.viewer.uid)
        if (!issued.ok) return refused(...issued.refusals)
        const ids = issued.value.map(String)
        if (ids.length === 0) write.recordNothing()
        else write.record({ action: 'issue', resource: RESOURCE, rowId: ids[0] ?? '', before: null, after: { ids } })
        return ok(ids.length)
      },
    }),
  )
}
