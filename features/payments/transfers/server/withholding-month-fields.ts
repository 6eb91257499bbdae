import { refusal } from '@pc/domain/refusal.ts'
import { refused } from '@pc/domain/result.ts'
import { RESIDENCES } from '@pc/domain/transfer/withholding.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { writeMonth } from '@pc/platform/graphql/month-argument.ts'
import { acceptedValue } from '@pc/platform/graphql/refusal-error.ts'
import type { TransferFieldDependencies } from './transfer-dependencies.ts'
import { STAFF } from './transfer-rights.ts'
import { readWithholdingMonths, type WithholdingMonth } from './withholding-months.ts'

/** `withholdingMonths`: the withheld tax that is payable to the tax office for the months of a year. */
export function addWithholdingMonthFields(graph: Graph, { database }: TransferFieldDependencies): void {
  const Residence = graph.enumType('WithholdingFormResidence', { values: RESIDENCES })
  const Month = graph.objectRef<WithholdingMonth>('WithholdingMonth').implement({
    on: STAFF,
    description:
      'One form of payment: what was withheld from payees whom the bank paid in a month, without what came back until the tax was payable. Residents and non-residents have a form each.',
    fields: t => ({
      month: t.string({ description: 'YYYY-MM', resolve: row => writeMonth(row.month) }),
      residence: t.field({ type: Residence, description: 'Whose form it is.', resolve: row => row.residence }),
      payees: t.expose('payees', { type: 'Long', description: 'How many payees something was withheld from.' }),
      payment: t.expose('paymentYen', { type: 'Long', description: 'What was paid to them, in yen without tax.' }),
      withholding: t.expose('withholdingYen', { type: 'Long' }),
      returned: t.expose('returnedYen', {
        type: 'Long',
        description:
          'Tax of payments that came back in the month after it had been payable, in yen: to be claimed back.',
      }),
      unsettled: t.expose('unsettled', {
        type: 'Long',
        description: 'Transfers of the month whose outcome the bank has not told; not in the sums.',
      }),
      payableOn: t.field({
        type: 'Date',
        nullable: true,
        description: 'The last day to pay it to the tax office; null where the holidays of its year are unknown.',
        resolve: row => row.payableOn,
      }),
      taxes: t.exposeString('taxes', { description: 'Japanese: the names of the taxes in it.' }),
    }),
  })
  graph.queryField('withholdingMonths', t =>
    field(t, {
      type: [Month],
      maxRows: 24,
      description: 'Income tax withheld, by the calendar month of the payment. For staff.',
      args: { year: t.arg.int({ required: true }) },
      allow: 'read:list',
      on: STAFF,
      async resolve(_parent, { year }, _context, permit) {
        if (year < 2020 || year > 2200) return acceptedValue(refused(refusal('month/not-a-year', ['year'])))
        return [...(await database.inScope(permit.scope, tx => readWithholdingMonths(tx, year)))]
      },
    }),
  )
}
