import { type Clock, today } from '@pc/platform/clock.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import { type CashForecast, forecastCash } from './cash-forecast.ts'

type DueDate = CashForecast['dueDates'][number]
type Payee = CashForecast['payees'][number]

/** The next due dates by payee: for staff with the drafts of open months, for a payee its own final ones. */
export function addCashForecastFields(
  graph: Graph,
  { database, clock }: { readonly database: Database; readonly clock: Clock },
): void {
  const on = 'insight:monthly_payment.' as const
  const Due = graph.objectRef<DueDate>('CashForecastDueDate').implement({
    on,
    fields: t => ({
      dueOn: t.expose('dueOn', { type: 'Date' }),
      confirmed: t.expose('confirmedYen', { type: 'Long', description: 'Of finalised payments, including tax.' }),
      draft: t.expose('draftYen', { type: 'Long', description: 'Of drafts of open months, as computed last.' }),
    }),
  })
  const PayeeType = graph.objectRef<Payee>('CashForecastPayee').implement({
    on,
    fields: t => ({
      organizationId: t.expose('organizationId', { type: 'ID' }),
      partnerName: t.exposeString('partnerName'),
      overdue: t.expose('overdueYen', { type: 'Long' }),
      amounts: t.field({
        type: [Due],
        description: 'One for each of the due dates.',
        resolve: payee => [...payee.amounts],
      }),
      total: t.expose('totalYen', { type: 'Long' }),
    }),
  })
  const Forecast = graph.objectRef<CashForecast>('CashForecast').implement({
    on,
    fields: t => ({
      dueDates: t.field({ type: [Due], resolve: forecast => [...forecast.dueDates] }),
      overdue: t.expose('overdueYen', { type: 'Long', description: 'Finalised, due before today and not paid.' }),
      payees: t.field({ type: [PayeeType], resolve: forecast => [...forecast.payees] }),
    }),
  })
  graph.queryField('cashForecast', t =>
    field(t, {
      type: Forecast,
      description: 'What leaves the account on the next three due dates, by payee; before fees and withholding. Yen.',
      allow: 'read:list',
      on,
      resolve: (_parent, _args, _context, permit) =>
        database.inScope(permit.scope, tx => forecastCash(tx, today(clock), permit)),
    }),
  )
}
