import { formatYearMonth, type YearMonth } from '@pc/domain/month/year-month.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { readMonth } from '@pc/platform/graphql/month-argument.ts'
import { mutation } from '@pc/platform/graphql/mutation.ts'
import type { StatementDependencies } from './statement-dependencies.ts'
import { listSettings, type StatementSettings, saveStatementSettings } from './statement-settings.ts'

const RESOURCE = 'insight:statement.' as const

/** The payer's data on statements, dated by the month of issue. Only staff read and change it. */
export function addStatementSettingsFields(graph: Graph, { database, clock }: StatementDependencies): void {
  const Settings = graph.objectRef<StatementSettings>('StatementSettings').implement({
    on: RESOURCE,
    fields: t => ({
      validFromMonth: t.string({ resolve: row => formatYearMonth(row.validFromMonth as YearMonth) }),
      payerName: t.exposeString('payerName'),
      payerAddress: t.exposeString('payerAddress'),
      payerRegistrationNumber: t.exposeString('payerRegistrationNumber'),
      deemedConfirmationDays: t.exposeInt('deemedConfirmationDays'),
      revision: t.exposeInt('revision'),
    }),
  })
  const Input = graph.inputType('StatementSettingsInput', {
    fields: t => ({
      validFromMonth: t.string({ required: true, description: 'YYYY-MM: for documents issued from this month on.' }),
      payerName: t.string({ required: true }),
      payerAddress: t.string(),
      payerRegistrationNumber: t.string({ required: true }),
      deemedConfirmationDays: t.int({ required: true }),
    }),
  })
  graph.queryField('statementSettings', t =>
    field(t, {
      type: [Settings],
      description: 'The latest first. For staff; publishers get none.',
      allow: 'read:list',
      on: RESOURCE,
      resolve: (_parent, _args, _context, permit) => database.inScope(permit.scope, listSettings),
    }),
  )
  graph.mutationField('saveStatementSettings', t =>
    mutation(t, {
      type: Settings,
      args: { input: t.arg({ type: Input, required: true }), expectedRevision: t.arg.int() },
      allow: 'write:create',
      on: RESOURCE,
      database,
      run({ input, expectedRevision }, write) {
        const month = readMonth(input.validFromMonth, ['input', 'validFromMonth'])
        return saveStatementSettings(
          write,
          clock,
          {
            validFromMonth: month,
            payerName: input.payerName,
            payerAddress: input.payerAddress ?? '',
            payerRegistrationNumber: input.payerRegistrationNumber,
            deemedConfirmationDays: input.deemedConfirmationDays,
          },
          expectedRevision,
        )
      },
    }),
  )
}
