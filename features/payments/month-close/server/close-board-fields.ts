import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { readId } from '@pc/platform/graphql/list-arguments.ts'
import { readMonth, writeMonth } from '@pc/platform/graphql/month-argument.ts'
import { acknowledgementType, checkKindType } from './acknowledgement-fields.ts'
import { type BoardCheck, type BoardDependencies, type BoardRow, monthCloseBoard } from './close-board.ts'
import type { CheckState } from './close-finding.ts'
import { type CloseConsequences, type CloseProgress, readCloseConsequences } from './close-progress.ts'

/** Media of one board. */
const MAX_BOARD_ROWS = 200

export function addBoard(graph: Graph, dependencies: BoardDependencies) {
  const Kind = checkKindType(graph)
  const State = graph.enumType('CloseCheckState', { values: ['green', 'amber', 'red', 'waiting'] as const })
  const MonthStateEnum = graph.enumType('MonthState', { values: ['open', 'computed', 'finalized', 'paid'] as const })
  const Acknowledged = acknowledgementType(graph)
  const Check = graph.objectRef<BoardCheck>('CloseCheck').implement({
    on: 'insight:dividend.',
    fields: t => ({
      kind: t.field({ type: Kind, resolve: check => check.kind }),
      state: t.field({ type: State, resolve: (check): CheckState => check.state }),
      label: t.exposeString('label'),
      detail: t.exposeString('detail'),
      link: t.exposeString('link', { nullable: true, description: 'Where in the console it is cured.' }),
      subject: t.exposeString('subjectSha256', {
        nullable: true,
        description: 'Names what was found, where it may have a good reason; for `acknowledgeCloseCheck`.',
      }),
      acknowledgements: t.field({
        type: [Acknowledged],
        description:
          'Why what was found is right as it is, at most one while the month is open. Of a final month the reasons that people left before it was closed, the first of them first; the last ten.',
        resolve: check => [...check.acknowledgements],
      }),
    }),
  })
  const Progress = graph.objectRef<CloseProgress>('MonthCloseProgress').implement({
    on: 'insight:dividend.',
    fields: t => ({
      unnotifiedStatements: t.exposeInt('unnotifiedStatements', {
        description: 'Statements that wait for an answer and whose payee is about to be written to.',
      }),
      statementsWithoutRecipient: t.exposeInt('statementsWithoutRecipient', {
        description: 'Statements whose payee has nobody to write to; told as soon as there is somebody.',
      }),
      scheduledPayments: t.exposeInt('scheduledPayments', { description: 'In no file for the bank yet.' }),
      exportedPayments: t.exposeInt('exportedPayments', { description: 'In a file for the bank, without an answer.' }),
      paidPayments: t.exposeInt('paidPayments', { description: 'Paid by the bank, or by hand.' }),
    }),
  })
  const Row = graph.objectRef<BoardRow>('MonthCloseRow').implement({
    on: 'insight:dividend.',
    fields: t => ({
      mediumId: t.expose('mediumId', { type: 'ID' }),
      mediumName: t.exposeString('mediumName'),
      month: t.string({ resolve: row => writeMonth(row.month) }),
      state: t.field({ type: MonthStateEnum, resolve: row => row.state }),
      monthlyDividendManualOperationId: t.expose('operationId', { type: 'ID', nullable: true }),
      computedAt: t.expose('computedAt', { type: 'DateTime', nullable: true }),
      finalizedAt: t.expose('finalizedAt', { type: 'DateTime', nullable: true }),
      hash: t.exposeString('hash', { nullable: true }),
      payments: t.exposeInt('payments', { description: 'Agreements of the month, paid or not.' }),
      unpaidPayments: t.exposeInt('unpaidPayments', {
        description: 'Of them, those that pay nothing this time: carried over or held.',
      }),
      payment: t.expose('paymentYen', { type: 'Long' }),
      paymentIncludingTax: t.expose('paymentIncludingTaxYen', { type: 'Long' }),
      revenue: t.expose('revenueYen', { type: 'Long' }),
      carriedOver: t.expose('carriedYen', { type: 'Long', description: 'Left to later months, before tax.' }),
      heldForAccount: t.expose('heldYen', { type: 'Long', description: 'Of it, what is held for lack of an account.' }),
      previousPaymentIncludingTax: t.expose('previousPaymentIncludingTaxYen', {
        type: 'Long',
        nullable: true,
        description: 'What the month before paid, with tax, in yen; null where it is not final or there is none.',
      }),
      returnedPayments: t.int({ resolve: row => row.progress.returnedPayments }),
      progress: t.field({
        type: Progress,
        description: 'How far the money of a final month has come.',
        resolve: row => row.progress,
      }),
      canFinalize: t.exposeBoolean('canFinalize'),
      checks: t.field({ type: [Check], resolve: row => [...row.checks] }),
    }),
  })
  graph.queryField('monthCloseBoard', t =>
    field(t, {
      type: [Row],
      // More media, with their checks and reasons, would exceed the cost limit of one GraphQL operation.
      maxRows: MAX_BOARD_ROWS,
      args: { month: t.arg.string({ required: true, description: 'YYYY-MM' }) },
      allow: 'read:list',
      on: 'insight:dividend.',
      resolve: async (_parent, args, _context, permit) => [
        ...(await monthCloseBoard(dependencies, readMonth(args.month, ['month']), permit.viewer.uid)),
      ],
    }),
  )
  addConsequences(graph, dependencies)
  return Kind
}

function addConsequences(graph: Graph, { database }: BoardDependencies): void {
  const Consequences = graph.objectRef<CloseConsequences>('MonthCloseConsequences').implement({
    on: 'insight:dividend.',
    fields: t => ({
      statements: t.exposeInt('statements', { description: 'Statements that are issued.' }),
      payees: t.exposeInt('payees', { description: 'Organisations that they are issued to.' }),
      recipients: t.exposeInt('recipients', { description: 'People who get an email.' }),
      payeesWithoutRecipient: t.stringList({
        description: 'Organisations without anybody to write to, the first 20.',
        resolve: row => [...row.payeesWithoutRecipient],
      }),
      payeesWithoutRecipientCount: t.exposeInt('payeesWithoutRecipientCount', {
        description: 'All organisations without anybody to write to.',
      }),
    }),
  })
  graph.queryField('monthCloseConsequences', t =>
    field(t, {
      type: Consequences,
      description: 'What finalising a month of these media would send out, by the amounts that are computed now.',
      args: {
        month: t.arg.string({ required: true, description: 'YYYY-MM' }),
        mediumIds: t.arg.idList({ required: true, extensions: { maxItems: MAX_BOARD_ROWS } }),
      },
      allow: 'read:list',
      on: 'insight:dividend.',
      resolve: (_parent, args, _context, permit) => {
        const month = readMonth(args.month, ['month'])
        const mediumIds = args.mediumIds.map((id, index) => readId(id, ['mediumIds', index]))
        return database.inScope(permit.scope, tx => readCloseConsequences(tx, month, mediumIds), { readOnly: true })
      },
    }),
  )
}
