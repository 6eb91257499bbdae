import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { readMonth, writeMonth } from '@pc/platform/graphql/month-argument.ts'
import { acknowledgementType, checkKindType } from './acknowledgement-fields.ts'
import { type BoardCheck, type BoardDependencies, type BoardRow, monthCloseBoard } from './close-board.ts'
import type { CheckState } from './close-finding.ts'

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
      returnedPayments: t.exposeInt('returnedPayments'),
      canFinalize: t.exposeBoolean('canFinalize'),
      checks: t.field({ type: [Check], resolve: row => [...row.checks] }),
    }),
  })
  graph.queryField('monthCloseBoard', t =>
    field(t, {
      type: [Row],
      // With their checks and reasons, more media would pass the cost limit of one operation.
      maxRows: MAX_BOARD_ROWS,
      args: { month: t.arg.string({ required: true, description: 'YYYY-MM' }) },
      allow: 'read:list',
      on: 'insight:dividend.',
      resolve: async (_parent, args, _context, permit) => [
        ...(await monthCloseBoard(dependencies, readMonth(args.month, ['month']), permit.viewer.uid)),
      ],
    }),
  )
  return Kind
}
