import type { ChainBreak } from '@pc/domain/payment/snapshot-chain.ts'
import { ok, refused } from '@pc/domain/result.ts'
import { thisMonth } from '@pc/platform/clock.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { readId } from '@pc/platform/graphql/list-arguments.ts'
import { readMonth } from '@pc/platform/graphql/month-argument.ts'
import { mutation } from '@pc/platform/graphql/mutation.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import type { PaymentParts } from '../../core/server/compute-month.ts'
import { beforeBooks, firstOpenMonth } from '../../core/server/first-month.ts'
import { readMonthKey } from '../../core/server/month-key-argument.ts'
import { monthText } from '../../core/server/payment-fields.ts'
import { acknowledgementType, addAcknowledgementFields, checkKindType } from './acknowledgement-fields.ts'
import { type AuditParts, auditMonth } from './audit-month.ts'
import { namedRows } from './board-names.ts'
import { type CheckedChain, checkChains } from './check-chains.ts'
import { type BoardCheck, type BoardRow, monthCloseBoard, type StatementReasons } from './close-board.ts'
import type { CheckState } from './close-finding.ts'
import { COMPUTE_JOB } from './compute-job.ts'

export type CloseFieldParts = PaymentParts & AuditParts & { readonly statementReasons: StatementReasons }

/** The month-close board, what happened to a month, the checks on demand, and what the bank did with payments. */
export function addCloseFields(graph: Graph, parts: CloseFieldParts): void {
  addAcknowledgementFields(graph, addBoard(graph, parts), parts)
  addFirstOpenMonth(graph, parts)
  addLog(graph, parts.database)
  addViolations(graph, parts.database)
  addChain(graph, parts)
  addComputing(graph, parts)
}

/** Media of one board. */
const MAX_BOARD_ROWS = 200

function addBoard(graph: Graph, parts: CloseFieldParts) {
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
      month: t.string({ resolve: row => monthText(row.month) }),
      state: t.field({ type: MonthStateEnum, resolve: row => row.state }),
      monthlyDividendManualOperationId: t.expose('operationId', { type: 'ID', nullable: true }),
      computedAt: t.expose('computedAt', { type: 'DateTime', nullable: true }),
      finalizedAt: t.expose('finalizedAt', { type: 'DateTime', nullable: true }),
      hash: t.exposeString('hash', { nullable: true }),
      payments: t.exposeInt('payments'),
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
        ...(await monthCloseBoard(parts, readMonth(args.month, ['month']), permit.viewer.uid)),
      ],
    }),
  )
  return Kind
}

function addFirstOpenMonth(graph: Graph, { database, stats, clock }: CloseFieldParts): void {
  graph.queryField('firstOpenMonth', t =>
    field(t, {
      type: 'Int',
      description: 'YYYYMM. From when new terms hold unless somebody says otherwise.',
      allow: 'write:create',
      on: 'insight:agreement.',
      resolve: () => firstOpenMonth(database, stats, thisMonth(clock)),
    }),
  )
}

interface LogRow {
  readonly id: bigint
  readonly mediumId: bigint
  readonly month: number
  readonly at: Date
  readonly actorUid: string | null
  readonly actorEmail: string | null
  readonly action: string
  readonly detail: string
}

function addLog(graph: Graph, database: Database): void {
  const Entry = graph.objectRef<LogRow>('MonthCloseLogEntry').implement({
    on: 'insight:dividend.',
    fields: t => ({
      id: t.expose('id', { type: 'ID' }),
      mediumId: t.expose('mediumId', { type: 'ID' }),
      month: t.string({ resolve: row => monthText(row.month) }),
      at: t.expose('at', { type: 'DateTime' }),
      actorUid: t.exposeID('actorUid', { nullable: true }),
      actorEmail: t.exposeString('actorEmail', { nullable: true }),
      action: t.exposeString('action'),
      detail: t.exposeString('detail'),
    }),
  })
  graph.queryField('monthCloseLog', t =>
    field(t, {
      type: [Entry],
      description: 'Who did what to a month, the latest first; at most 500 entries.',
      args: { month: t.arg.string({ required: true, description: 'YYYY-MM' }), mediumId: t.arg.id() },
      allow: 'read:list',
      on: 'insight:dividend.',
      resolve: (_parent, args, _context, permit) =>
        database.inScope(permit.scope, tx => {
          let query = tx
            .selectFrom('monthCloseLog as l')
            .leftJoin('users as u', 'u.uid', 'l.actorUid')
            .selectAll('l')
            .select('u.email as actorEmail')
            .where('l.month', '=', readMonth(args.month, ['month']))
            .orderBy('l.id', 'desc')
            .limit(500)
          if (args.mediumId) query = query.where('l.mediumId', '=', readId(args.mediumId, ['mediumId']))
          return query.execute()
        }),
    }),
  )
}

interface ViolationRow {
  readonly mediumId: bigint
  readonly month: number
  readonly ranAt: Date
  readonly invariant: string
  readonly rowName: string
  readonly detail: string
}

function addViolations(graph: Graph, database: Database): void {
  const ViolationType = graph.objectRef<ViolationRow>('InvariantViolation').implement({
    on: 'insight:dividend.',
    fields: t => ({
      mediumId: t.expose('mediumId', { type: 'ID' }),
      month: t.string({ resolve: row => monthText(row.month) }),
      foundAt: t.expose('ranAt', { type: 'DateTime' }),
      invariant: t.exposeString('invariant'),
      row: t.exposeString('rowName'),
      detail: t.exposeString('detail'),
    }),
  })
  graph.queryField('invariantViolations', t =>
    field(t, {
      type: [ViolationType],
      description: 'What the last check of each month found; empty when the books hold. For the banner to staff.',
      args: { month: t.arg.string({ description: 'YYYY-MM; default: every month.' }) },
      allow: 'read:list',
      on: 'insight:dividend.',
      resolve: (_parent, args, _context, permit) =>
        database.inScope(permit.scope, async tx => {
          let query = tx
            .selectFrom('invariantViolations as v')
            .innerJoin('invariantRuns as r', 'r.id', 'v.runId')
            .select(['r.mediumId', 'r.month', 'r.ranAt', 'v.invariant', 'v.rowName', 'v.detail'])
            .where('r.id', 'in', eb =>
              eb
                .selectFrom('invariantRuns as latest')
                .select(inner => inner.fn.max('latest.id').as('id'))
                .groupBy(['latest.mediumId', 'latest.month']),
            )
            .orderBy('r.month', 'desc')
            .orderBy('r.mediumId')
            .orderBy('v.number')
            .limit(500)
          if (args.month) query = query.where('r.month', '=', readMonth(args.month, ['month']))
          const found = await query.execute()
          const named = await namedRows(
            tx,
            found.map(each => each.rowName),
          )
          return found.map((each, index) => ({ ...each, rowName: named[index]! }))
        }),
    }),
  )
}

function addChain(graph: Graph, parts: CloseFieldParts): void {
  const Break = graph.objectRef<ChainBreak>('ChainBreak').implement({
    on: 'insight:dividend.',
    fields: t => ({
      month: t.string({ resolve: found => monthText(found.month) }),
      agreementId: t.id({ nullable: true, resolve: found => found.agreementId?.toString() ?? null }),
    }),
  })
  const Chain = graph.objectRef<CheckedChain>('CheckedChain').implement({
    on: 'insight:dividend.',
    fields: t => ({
      mediumId: t.expose('mediumId', { type: 'ID' }),
      mediumName: t.exposeString('mediumName'),
      months: t.exposeInt('months'),
      breaks: t.field({ type: [Break], resolve: found => [...found.breaks] }),
    }),
  })
  graph.queryField('checkFinalizedChains', t =>
    field(t, {
      type: [Chain],
      description:
        'Computes the hashes of finalised months anew from the rows and compares the chain: empty breaks mean that nothing was changed afterwards. A month whose rows nobody has touched since it was checked, at most ten minutes ago, is not hashed again.',
      args: { mediumId: t.arg.id({ description: 'Default: every medium with finalised months.' }) },
      allow: 'read:list',
      on: 'insight:dividend.',
      resolve: async (_parent, args) => [
        ...(await checkChains(parts, args.mediumId ? readId(args.mediumId, ['mediumId']) : undefined)),
      ],
    }),
  )
}

function addComputing(graph: Graph, parts: CloseFieldParts): void {
  const { database } = parts
  graph.mutationField('computeMonth', t =>
    mutation(t, {
      type: 'Boolean',
      description: 'Enqueues the computation of a month, after which it is checked; ask the board for the result.',
      args: { month: t.arg.string({ required: true, description: 'YYYY-MM' }), mediumId: t.arg.id({ required: true }) },
      allow: 'write:create',
      on: 'insight:dividend.',
      database,
      async run(given, write) {
        const key = await readMonthKey(write.tx, given)
        if (!key.ok) return key
        const { mediumId, month } = key.value
        const tooEarly = await beforeBooks(write.tx, key.value, ['month'])
        if (tooEarly) return refused(tooEarly)
        await parts.jobs.enqueue(write.tx, COMPUTE_JOB, {
          ...{ mediumId: mediumId.toString(), month },
          actorUid: write.permit.viewer.uid,
        })
        write.recordNothing()
        return ok(true)
      },
    }),
  )
  graph.mutationField('runInvariants', t =>
    mutation(t, {
      type: 'Int',
      description: 'Checks a month now; answers the number of violations.',
      args: { month: t.arg.string({ required: true, description: 'YYYY-MM' }), mediumId: t.arg.id({ required: true }) },
      allow: 'write:create',
      on: 'insight:dividend.',
      database,
      async prepare(given, permit) {
        const key = await database.inScope(permit.scope, tx => readMonthKey(tx, given))
        if (!key.ok) return key
        return ok((await auditMonth(parts, key.value, 'demand', permit.viewer.uid)).length)
      },
      async run(_given, write, _context, found) {
        write.recordNothing()
        return found
      },
    }),
  )
}
