import { formatYearMonth, type YearMonth } from '@pc/domain/month/year-month.ts'
import { RETENTION_RULES, type RetentionRule } from '@pc/domain/retention/retention-rules.ts'
import type { Clock } from '@pc/platform/clock.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { readId } from '@pc/platform/graphql/list-arguments.ts'
import { readMonth } from '@pc/platform/graphql/month-argument.ts'
import { mutation } from '@pc/platform/graphql/mutation.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import type { Tables } from '@pc/platform/postgres/tables.ts'
import type { Selectable } from 'kysely'
import { findHolds, type LegalHold, placeLegalHold, releaseLegalHold } from './place-legal-hold.ts'

interface Dependencies {
  readonly database: Database
  readonly clock: Clock
}
const ON = 'insight:legal_hold.' as const
/** Latest runs shown, newest first. */
const LATEST_RUNS = 100

/** Retention rules, runs of the job, and legal holds. */
export function addRetentionFields(graph: Graph, { database, clock }: Dependencies): void {
  const { Retention, Hold } = retentionTypes(graph)
  graph.queryField('retention', t =>
    field(t, {
      type: Retention,
      allow: 'read:list',
      on: ON,
      resolve: (_parent, _args, _context, permit) =>
        database.inScope(
          permit.scope,
          async tx => ({
            holds: await findHolds(tx),
            runs: await tx.selectFrom('retentionRuns').selectAll().orderBy('id', 'desc').limit(LATEST_RUNS).execute(),
          }),
          { readOnly: true },
        ),
    }),
  )
  const Input = graph.inputType('LegalHoldInput', {
    fields: t => ({
      organizationId: t.id({ description: 'Without it: of every organisation.' }),
      fromMonth: t.string({ description: 'YYYY-MM; without both months: of every month.' }),
      toMonth: t.string(),
      reason: t.string({ required: true }),
    }),
  })
  graph.mutationField('placeLegalHold', t =>
    mutation(t, {
      type: Hold,
      args: { input: t.arg({ type: Input, required: true }) },
      allow: 'write:create',
      on: ON,
      database,
      run: ({ input: { organizationId, fromMonth, toMonth, reason } }, write) => {
        const draft = {
          organizationId: organizationId ? readId(organizationId, ['input', 'organizationId']) : null,
          fromMonth: fromMonth ? readMonth(fromMonth, ['input', 'fromMonth']) : null,
          toMonth: toMonth ? readMonth(toMonth, ['input', 'toMonth']) : null,
          reason,
        }
        return placeLegalHold(draft, clock.now(), write)
      },
    }),
  )
  graph.mutationField('releaseLegalHold', t =>
    mutation(t, {
      type: Hold,
      args: { id: t.arg.id({ required: true }), reason: t.arg.string({ required: true }) },
      allow: 'write:update',
      on: ON,
      database,
      run: ({ id, reason }, write) => releaseLegalHold(readId(id, ['id']), reason, clock.now(), write),
    }),
  )
}

function retentionTypes(graph: Graph) {
  const DeletedBy = graph.enumType('RetentionDeletedBy', { values: ['job', 'other', 'nobody'] as const })
  const Rule = graph.objectRef<RetentionRule>('RetentionRule').implement({
    on: 'inherits',
    fields: t => ({
      id: t.exposeID('id'),
      label: t.exposeString('label'),
      why: t.exposeString('why'),
      deletedBy: t.field({ type: DeletedBy, resolve: rule => rule.deletedBy }),
      months: t.int({ nullable: true, resolve: rule => (rule.deletedBy === 'job' ? rule.months : null) }),
      days: t.int({ nullable: true, resolve: rule => (rule.deletedBy === 'other' ? rule.days : null) }),
    }),
  })
  const writeMonthOrNull = (month: number | null) => (month === null ? null : formatYearMonth(month as YearMonth))
  const Hold = graph.objectRef<LegalHold>('LegalHold').implement({
    on: ON,
    fields: t => ({
      id: t.expose('id', { type: 'ID' }),
      organizationId: t.expose('organizationId', { type: 'ID', nullable: true }),
      organizationName: t.exposeString('organizationName', { nullable: true }),
      fromMonth: t.string({ nullable: true, resolve: hold => writeMonthOrNull(hold.fromMonth) }),
      toMonth: t.string({ nullable: true, resolve: hold => writeMonthOrNull(hold.toMonth) }),
      reason: t.exposeString('reason'),
      placedByEmail: t.exposeString('placedByEmail'),
      placedAt: t.expose('placedAt', { type: 'DateTime' }),
      releasedAt: t.expose('releasedAt', { type: 'DateTime', nullable: true }),
      releasedByEmail: t.exposeString('releasedByEmail', { nullable: true }),
      releaseReason: t.exposeString('releaseReason', { nullable: true }),
    }),
  })
  const Run = graph.objectRef<Selectable<Tables['retentionRuns']>>('RetentionRun').implement({
    on: 'inherits',
    fields: t => ({
      id: t.expose('id', { type: 'ID' }),
      ranAt: t.expose('ranAt', { type: 'DateTime' }),
      kind: t.exposeString('kind'),
      keptSince: t.expose('keptSince', { type: 'Date' }),
      deleted: t.expose('deleted', { type: 'Long' }),
      held: t.expose('held', { type: 'Long', description: 'Over, and kept by a hold.' }),
    }),
  })
  const Retention = graph
    .objectRef<{ readonly holds: readonly LegalHold[]; readonly runs: readonly Selectable<Tables['retentionRuns']>[] }>(
      'Retention',
    )
    .implement({
      on: ON,
      fields: t => ({
        rules: t.field({ type: [Rule], resolve: () => [...RETENTION_RULES] }),
        holds: t.field({ type: [Hold], resolve: found => [...found.holds] }),
        runs: t.field({ type: [Run], resolve: found => [...found.runs] }),
      }),
    })
  return { Retention, Hold }
}
