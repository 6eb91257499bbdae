import { entityCondition } from '@pc/domain/condition/filter-conversions.ts'
import { EMAIL_CADENCES, EMAIL_MONTH_DAYS, EMAIL_RANKINGS } from '@pc/domain/report/report-email.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { readId } from '@pc/platform/graphql/list-arguments.ts'
import { mutation } from '@pc/platform/graphql/mutation.ts'
import { entityIdFields, entityInputFields } from '../../core/server/entity-argument.ts'
import type { ReportEnums } from '../../core/server/report-enums.ts'
import type { ReportEmailDependencies } from './report-email-jobs.ts'
import { type LastDelivery, type ReportEmailRow, readLastDeliveries, readReportEmails } from './report-email-store.ts'
import { saveReportMail, sendReportMailTest, switchReportEmail } from './save-report-email.ts'

/** Report emails are personal: everybody who may see their own user may have them. */
const OWN_USER = { allow: 'read:show', on: 'iam:user.' } as const

export type ReportEmailSources = Omit<ReportEmailDependencies, 'sendMail' | 'webOrigin' | 'reports'>

interface ShownEmail extends ReportEmailRow {
  readonly last?: LastDelivery | undefined
}

type Enums = ReturnType<typeof mailEnums>

/** The query `reportMails` and its mutations: the caller's own scheduled report emails. */
export function addReportEmailFields(graph: Graph, sources: ReportEmailSources, { Comparison }: ReportEnums): void {
  const { database, clock } = sources
  const enums = mailEnums(graph)
  const ReportMail = mailType(graph, enums, Comparison)
  graph.queryField('reportMails', t =>
    field(t, {
      ...{ type: [ReportMail], ...OWN_USER },
      resolve: (_parent, _args, _context, { scope, viewer }) =>
        database.inScope(scope, async tx => {
          const mails = await readReportEmails(tx, viewer)
          const last = await readLastDeliveries(
            tx,
            mails.map(mail => mail.id),
          )
          return mails.map((mail): ShownEmail => ({ ...mail, last: last.get(mail.id) }))
        }),
    }),
  )
  const ReportMailInput = graph.inputType('ReportMailInput', {
    fields: t => ({
      id: t.id({ description: 'Absent: a new one.' }),
      name: t.string({ required: true }),
      cadence: t.field({ type: enums.Cadence, required: true }),
      hour: t.int({ required: true, description: 'Of the clock in Asia/Tokyo, 0 to 23.' }),
      monthDay: t.field({ type: enums.MonthDay, required: true, defaultValue: 'first' }),
      compareWith: t.field({ type: Comparison, required: true }),
      ranking: t.field({ type: enums.Ranking, required: true }),
      ...entityInputFields(t),
      expectedRevision: t.int(),
    }),
  })
  graph.mutationField('saveReportMail', t =>
    mutation(t, {
      ...{ type: ReportMail, ...OWN_USER, database },
      args: { input: t.arg({ type: ReportMailInput, required: true }) },
      run: ({ input }, write) =>
        saveReportMail(
          {
            ...input,
            id: input.id === null || input.id === undefined ? undefined : readId(input.id, ['input', 'id']),
            expectedRevision: input.expectedRevision ?? undefined,
          },
          clock,
          write,
        ),
    }),
  )
  graph.mutationField('pauseReportMail', t =>
    mutation(t, {
      ...{ type: ReportMail, ...OWN_USER, database },
      args: { id: t.arg.id({ required: true }), isPaused: t.arg.boolean({ required: true }) },
      run: ({ id, isPaused }, write) => switchReportEmail(readId(id, ['id']), { isPaused }, clock, write),
    }),
  )
  for (const [name, isDeleted] of [
    ['deleteReportMail', true],
    ['restoreReportMail', false],
  ] as const) {
    graph.mutationField(name, t =>
      mutation(t, {
        ...{ type: ReportMail, ...OWN_USER, database },
        args: { id: t.arg.id({ required: true }) },
        run: ({ id }, write) => switchReportEmail(readId(id, ['id']), { isDeleted }, clock, write),
      }),
    )
  }
  graph.mutationField('sendReportMailTest', t =>
    mutation(t, {
      ...{ type: 'Boolean', ...OWN_USER, database },
      description: 'Sends what the last mail would have been to the caller, a few times an hour.',
      args: { id: t.arg.id({ required: true }) },
      run: ({ id }, write) => sendReportMailTest(readId(id, ['id']), sources, write),
    }),
  )
}

function mailEnums(graph: Graph) {
  return {
    Cadence: graph.enumType('ReportMailCadence', {
      values: EMAIL_CADENCES,
      description:
        'Daily: of the day before. Weekly: on Monday, of the last Sunday week. Monthly: of the month before.',
    }),
    MonthDay: graph.enumType('ReportMailMonthDay', { values: EMAIL_MONTH_DAYS }),
    Ranking: graph.enumType('ReportMailRanking', { values: EMAIL_RANKINGS }),
    State: graph.enumType('ReportMailState', {
      values: ['waiting', 'queued', 'sent', 'not_sent'] as const,
      description: 'waiting: for the figures of the last day. not_sent: it was stopped, or its reader may not have it.',
    }),
  }
}

function mailType(graph: Graph, { Cadence, MonthDay, Ranking, State }: Enums, Comparison: ReportEnums['Comparison']) {
  const Delivery = graph.objectRef<LastDelivery>('ReportMailDelivery').implement({
    on: 'inherits',
    fields: t => ({
      from: t.expose('periodFrom', { type: 'Date' }),
      to: t.expose('periodTo', { type: 'Date' }),
      state: t.expose('state', { type: State }),
      changedAt: t.expose('changedAt', { type: 'DateTime' }),
    }),
  })
  return graph.objectRef<ShownEmail>('ReportMail').implement({
    on: 'inherits',
    description: 'Key figures that a person has sent to the own address, with the rights of the moment of sending.',
    fields: t => ({
      id: t.expose('id', { type: 'ID' }),
      name: t.exposeString('name'),
      cadence: t.expose('cadence', { type: Cadence }),
      hour: t.exposeInt('hour'),
      monthDay: t.expose('monthDay', { type: MonthDay }),
      compareWith: t.expose('compareWith', { type: Comparison }),
      ranking: t.expose('ranking', { type: Ranking }),
      ...entityIdFields(t, row => entityCondition.parse(row.condition)),
      isPaused: t.exposeBoolean('isPaused'),
      last: t.field({ type: Delivery, nullable: true, resolve: row => row.last ?? null }),
      revision: t.exposeInt('revision', { description: 'Send it back as expectedRevision when saving.' }),
    }),
  })
}
