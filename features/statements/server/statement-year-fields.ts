import { refusal } from '@pc/domain/refusal.ts'
import { refused } from '@pc/domain/result.ts'
import { RESIDENCES } from '@pc/domain/transfer/withholding.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { acceptedValue } from '@pc/platform/graphql/refusal-error.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import {
  type PayeeTaxYear,
  readPayeeTaxYear,
  readStatementYear,
  type StatementYear,
  type YearOfPayee,
} from './statement-years.ts'

/** A year of statements by payee, and the data of that year for the tax office. */
export function addStatementYearFields(graph: Graph, { database }: { readonly database: Database }): void {
  const on = 'insight:statement.' as const
  const Payee = graph.objectRef<YearOfPayee>('StatementYearOfPayee').implement({
    on,
    fields: t => ({
      organizationId: t.expose('organizationId', { type: 'ID' }),
      payeeName: t.exposeString('payeeName'),
      statements: t.expose('statements', { type: 'Long' }),
      totalWithoutTax: t.expose('totalWithoutTaxYen', { type: 'Long' }),
      totalTax: t.expose('totalTaxYen', { type: 'Long' }),
      total: t.expose('totalYen', { type: 'Long' }),
      withholding: t.expose('withholdingYen', { type: 'Long', description: 'Withheld from what is paid.' }),
      fee: t.expose('feeYen', { type: 'Long', description: 'Borne by the payee, of what is paid.' }),
      transferred: t.expose('transferredYen', { type: 'Long' }),
      unpaid: t.expose('unpaidYen', { type: 'Long', description: 'Totals of statements that are not paid yet.' }),
    }),
  })
  const Year = graph.objectRef<StatementYear>('StatementYear').implement({
    on,
    fields: t => ({
      year: t.exposeInt('year'),
      statements: t.expose('statements', { type: 'Long' }),
      totalWithoutTax: t.expose('totalWithoutTaxYen', { type: 'Long' }),
      totalTax: t.expose('totalTaxYen', { type: 'Long' }),
      total: t.expose('totalYen', { type: 'Long' }),
      withholding: t.expose('withholdingYen', { type: 'Long' }),
      unpaid: t.expose('unpaidYen', { type: 'Long' }),
      nodes: t.field({ type: [Payee], resolve: year => [...year.nodes] }),
    }),
  })
  graph.queryField('statementYear', t =>
    field(t, {
      type: Year,
      description: 'The statements that are due in a calendar year, by payee. Yen.',
      args: { year: t.arg.int({ required: true }) },
      allow: 'read:list',
      on,
      resolve: (_parent, { year }, _context, permit) =>
        database.inScope(permit.scope, tx => readStatementYear(tx, checkedYear(year), permit)),
    }),
  )
  addTaxYear(graph, database)
}

function addTaxYear(graph: Graph, database: Database): void {
  const on = 'insight:dividend.' as const
  const Kind = graph.enumType('TaxYearPayeeKind', { values: ['company', 'individual'] as const })
  const Residence = graph.enumType('TaxYearPayeeResidence', { values: RESIDENCES })
  const TaxYear = graph.objectRef<PayeeTaxYear>('PayeeTaxYear').implement({
    on,
    fields: t => ({
      organizationId: t.expose('organizationId', { type: 'ID' }),
      payeeName: t.exposeString('payeeName'),
      payeeKind: t.field({ type: Kind, resolve: row => row.payeeKind }),
      payeeResidence: t.field({ type: Residence, resolve: row => row.payeeResidence }),
      address: t.exposeString('address', { description: 'With its postal code; empty where it is not known.' }),
      total: t.expose('totalYen', { type: 'Long' }),
      totalTax: t.expose('totalTaxYen', { type: 'Long' }),
      withholding: t.expose('withholdingYen', { type: 'Long' }),
      unpaid: t.expose('unpaidYen', { type: 'Long' }),
      needsPaymentRecord: t.exposeBoolean('needsPaymentRecord'),
      unregistered: t.expose('unregisteredYen', {
        type: 'Long',
        description: 'Including tax, while the payee was not registered.',
      }),
      aboveLimit: t.expose('aboveLimitYen', {
        type: 'Long',
        description: 'What of it lies above the yearly limit of the transitional deduction.',
      }),
    }),
  })
  graph.queryField('payeeTaxYear', t =>
    field(t, {
      type: [TaxYear],
      maxRows: 10_000,
      description:
        'Data for payment records of individuals and non-residents, and for the yearly limit of unregistered payees. For staff.',
      args: { year: t.arg.int({ required: true }) },
      allow: 'read:list',
      on,
      resolve: async (_parent, { year }, _context, permit) => [
        ...(await database.inScope(permit.scope, tx => readPayeeTaxYear(tx, checkedYear(year)))),
      ],
    }),
  )
}

function checkedYear(year: number): number {
  if (year >= 2020 && year <= 2200) return year
  return acceptedValue(refused(refusal('month/not-a-year', ['year'])))
}
