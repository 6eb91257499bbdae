import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { writeMonth } from '@pc/platform/graphql/month-argument.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import { type PayoutMonth, readPayoutMonths } from './payout-months.ts'

/** Months of one timeline. */
const MAX_PAYOUT_MONTHS = 24

/** Adds `payoutMonths`: how far the payments of each final month have come. */
export function addPayoutMonthFields(graph: Graph, { database }: { readonly database: Database }): void {
  const on = 'insight:monthly_payment.' as const
  const Month = graph.objectRef<PayoutMonth>('PayoutMonth').implement({
    on,
    description: 'What became of the payments of a final month. Yen with tax, before fee and withholding.',
    fields: t => ({
      month: t.string({ resolve: row => writeMonth(row.month) }),
      payments: t.exposeInt('payments', { description: 'Payments above zero.' }),
      total: t.expose('totalYen', { type: 'Long', description: 'What the month pays, in yen.' }),
      scheduled: t.expose('scheduledYen', { type: 'Long', description: 'Of it, in no file for the bank yet, in yen.' }),
      exported: t.expose('exportedYen', { type: 'Long', description: 'Of it, in a file for the bank, in yen.' }),
      paid: t.expose('paidYen', { type: 'Long', description: 'Of it, paid, in yen.' }),
      returned: t.expose('returnedYen', { type: 'Long', description: 'Of it, came back from the bank, in yen.' }),
      carriedOver: t.expose('carriedYen', { type: 'Long', description: 'Left to later months, before tax, in yen.' }),
      dueOn: t.expose('dueOn', {
        type: 'Date',
        nullable: true,
        description: 'The first due day of what is not paid; null: nothing is left to pay.',
      }),
      paidOn: t.expose('paidOn', { type: 'Date', nullable: true, description: 'The last day of payment.' }),
    }),
  })
  graph.queryField('payoutMonths', t =>
    field(t, {
      type: [Month],
      description: 'The latest final months, the newest first, with what became of their payments.',
      maxRows: MAX_PAYOUT_MONTHS,
      allow: 'read:list',
      on,
      resolve: async (_parent, _args, _context, permit) => [
        ...(await database.inScope(permit.scope, tx => readPayoutMonths(tx, permit, MAX_PAYOUT_MONTHS), {
          readOnly: true,
        })),
      ],
    }),
  )
}
