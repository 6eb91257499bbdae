import { today } from '@pc/platform/clock.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { readPage } from '@pc/platform/graphql/list-arguments.ts'
import { writeMonth } from '@pc/platform/graphql/month-argument.ts'
import { lateReasonText } from './late-revenue.ts'
import { type LegalDeadline, readLegalDeadlines } from './legal-deadlines.ts'
import type { TransferFieldDependencies } from './transfer-dependencies.ts'
import { STAFF } from './transfer-rights.ts'

/** `legalDeadlines`: revenue that is or would be paid too late under the acts on small suppliers and freelancers. */
export function addLegalDeadlineFields(graph: Graph, { database, clock }: TransferFieldDependencies): void {
  const Row = graph.objectRef<LegalDeadline>('LegalDeadline').implement({
    on: STAFF,
    description: 'Revenue of a payee whom the acts protect that would pass its last legal day, or has passed it.',
    fields: t => ({
      agreementId: t.expose('agreementId', { type: 'ID' }),
      agreementName: t.exposeString('agreementName'),
      partnerName: t.exposeString('partnerName'),
      revenueGeneratedAtMonth: t.string({
        description: 'The oldest revenue month in it, YYYY-MM.',
        resolve: row => writeMonth(row.oldestMonth),
      }),
      amount: t.expose('amountYen', {
        type: 'Long',
        nullable: true,
        description:
          'Yen with tax; without tax where it is kept back, as no payment was made up. Null: the month is not computed.',
      }),
      dueOn: t.field({
        type: 'Date',
        nullable: true,
        description: 'As it is agreed; null: the month is not computed.',
        resolve: row => row.dueOn,
      }),
      lastLegalDay: t.field({
        type: 'Date',
        description: 'The end of the month after the revenue month.',
        resolve: row => row.lastLegalDay,
      }),
      isPassed: t.boolean({
        description: 'The last legal day is over.',
        resolve: row => row.lastLegalDay < today(clock),
      }),
      reason: t.string({
        description: 'Japanese: why it is late.',
        resolve: lateReasonText,
      }),
    }),
  })
  const List = graph
    .objectRef<{ readonly total: number; readonly nodes: readonly LegalDeadline[] }>('LegalDeadlineList')
    .implement({
      on: STAFF,
      fields: t => ({
        total: t.exposeInt('total'),
        nodes: t.field({ type: [Row], resolve: list => [...list.nodes] }),
      }),
    })
  graph.queryField('legalDeadlines', t =>
    field(t, {
      type: List,
      description:
        'What months that are over have not paid to protected payees and is late by law, the first day first.',
      args: { limit: t.arg.int({ required: true }), offset: t.arg.int({ required: true }) },
      allow: 'read:list',
      on: STAFF,
      async resolve(_parent, args, _context, permit) {
        const { limit, offset } = readPage(args)
        const all = await database.inScope(permit.scope, tx => readLegalDeadlines(tx, today(clock)))
        return { total: all.length, nodes: all.slice(offset, offset + limit) }
      },
    }),
  )
}
