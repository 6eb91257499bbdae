import { ok, refused } from '@pc/domain/result.ts'
import { thisMonth } from '@pc/platform/clock.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { readId } from '@pc/platform/graphql/list-arguments.ts'
import { readMonth, writeMonth } from '@pc/platform/graphql/month-argument.ts'
import { mutation } from '@pc/platform/graphql/mutation.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import type { PaymentDependencies } from '../../core/server/compute-month.ts'
import { beforeBooks, firstOpenMonth } from '../../core/server/first-month.ts'
import { readMonthKey } from '../../core/server/month-key-argument.ts'
import { addAcknowledgementFields } from './acknowledgement-fields.ts'
import { type AuditDependencies, auditMonth } from './audit-month.ts'
import type { StatementReasons } from './close-board.ts'
import { addBoard } from './close-board-fields.ts'
import { COMPUTE_JOB } from './compute-job.ts'
import { addChains, addViolations } from './invariant-fields.ts'

export type CloseFieldDependencies = PaymentDependencies &
  AuditDependencies & { readonly statementReasons: StatementReasons }

/** The close board, the log of a month, computations and checks on demand. */
export function addCloseFields(graph: Graph, parts: CloseFieldDependencies): void {
  addAcknowledgementFields(graph, addBoard(graph, parts), parts)
  addFirstOpenMonth(graph, parts)
  addLog(graph, parts.database)
  addViolations(graph, parts.database)
  addChains(graph, parts)
  addComputing(graph, parts)
}

function addFirstOpenMonth(graph: Graph, { database, stats, clock }: CloseFieldDependencies): void {
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
      month: t.string({ resolve: row => writeMonth(row.month) }),
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

function addComputing(graph: Graph, parts: CloseFieldDependencies): void {
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
