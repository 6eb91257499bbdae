import { maskedAccountNumber } from '@pc/domain/bank/masked-account-number.ts'
import { sumBy } from '@pc/domain/money/yen.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { refusalMessageJa } from '@pc/domain/refusal-messages.ja.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { readId } from '@pc/platform/graphql/list-arguments.ts'
import { readMonth, writeMonth } from '@pc/platform/graphql/month-argument.ts'
import { acceptedValue } from '@pc/platform/graphql/refusal-error.ts'
import {
  type BatchPlan,
  type PayablePayment,
  planBatch,
  type TransferProblem,
  type TransferRequest,
} from './plan-transfers.ts'
import { MAX_RESULTS } from './record-transfer-results.ts'
import type { TransferFieldDependencies } from './transfer-dependencies.ts'
import { STAFF } from './transfer-rights.ts'
import type { NewTransfer } from './transfer-rows.ts'

interface PlannedRow {
  readonly transfer: NewTransfer
  readonly payments: readonly PayablePayment[]
}
interface ProblemRow {
  readonly problem: TransferProblem
  readonly payments: readonly PayablePayment[]
}

export function transferRequestInput(graph: Graph) {
  const AccountChange = graph.inputType('TransferAccountChange', {
    description: 'Another approved account of the same organisation, for a payment that came back.',
    fields: t => ({ monthlyPaymentId: t.id({ required: true }), bankAccountId: t.id({ required: true }) }),
  })
  return graph.inputType('TransferRequest', {
    fields: t => ({
      dueOn: t.field({ type: 'Date', required: true }),
      transferOn: t.field({ type: 'Date', required: true, description: 'A working day of banks, today or later.' }),
      months: t.stringList({ description: 'Revenue months, YYYY-MM; default: all.' }),
      mediumIds: t.idList({ description: 'Default: all.' }),
      excludedMonthlyPaymentIds: t.idList({
        description: 'Left out, to be sent another time.',
        extensions: { maxItems: MAX_RESULTS },
      }),
      accountChanges: t.field({ type: [AccountChange] }),
      isLateAcknowledged: t.boolean({
        description: 'Transfers that are late by the acts on small suppliers and freelancers are made knowingly.',
      }),
    }),
  })
}

interface GivenRequest {
  readonly dueOn: Day
  readonly transferOn: Day
  readonly months?: readonly string[] | null | undefined
  readonly mediumIds?: readonly string[] | null | undefined
  readonly excludedMonthlyPaymentIds?: readonly string[] | null | undefined
  readonly accountChanges?:
    | readonly { readonly monthlyPaymentId: string; readonly bankAccountId: string }[]
    | null
    | undefined
  readonly isLateAcknowledged?: boolean | null | undefined
}

export function readTransferRequest(given: GivenRequest): TransferRequest {
  const path = (name: string) => ['request', name]
  return {
    dueOn: given.dueOn,
    transferOn: given.transferOn,
    months: given.months?.map(text => readMonth(text, path('months'))),
    mediumIds: given.mediumIds?.map(id => readId(id, path('mediumIds'))),
    excludedPaymentIds: (given.excludedMonthlyPaymentIds ?? []).map(id =>
      readId(id, path('excludedMonthlyPaymentIds')),
    ),
    accounts: new Map(
      (given.accountChanges ?? []).map(({ monthlyPaymentId, bankAccountId }) => [
        readId(monthlyPaymentId, path('accountChanges')),
        readId(bankAccountId, path('accountChanges')),
      ]),
    ),
    isLateAcknowledged: given.isLateAcknowledged ?? false,
  }
}

/** `previewTransfers`: the transfers that a request would make. */
export function addTransferPlanFields(
  graph: Graph,
  RequestInput: ReturnType<typeof transferRequestInput>,
  { database, clock }: TransferFieldDependencies,
): void {
  const Plan = planType(graph)
  graph.queryField('previewTransfers', t =>
    field(t, {
      type: Plan,
      description: 'The transfers that `createTransferBatch` would make of the request now. Nothing is written.',
      args: { request: t.arg({ type: RequestInput, required: true }) },
      // It writes nothing, but only people who may make the batch need the preview.
      allow: 'write:update',
      on: 'insight:monthly_payment.',
      resolve: (_parent, args, _context, permit) =>
        database.inScope(permit.scope, async tx =>
          acceptedValue(await planBatch(tx, clock, readTransferRequest(args.request))),
        ),
    }),
  )
}

function planType(graph: Graph) {
  const Payment = graph.objectRef<PayablePayment>('PayablePayment').implement({
    on: STAFF,
    fields: t => ({
      monthlyPaymentId: t.expose('monthlyPaymentId', { type: 'ID' }),
      agreementId: t.expose('agreementId', { type: 'ID' }),
      agreementName: t.exposeString('agreementName'),
      organizationId: t.expose('organizationId', { type: 'ID' }),
      mediumId: t.expose('mediumId', { type: 'ID' }),
      revenueGeneratedAtMonth: t.string({ resolve: row => writeMonth(row.month) }),
      paymentIncludingTax: t.expose('paymentIncludingTaxYen', { type: 'Long' }),
      isReturned: t.exposeBoolean('isReturned'),
      returnedReason: t.exposeString('returnedReason', { nullable: true }),
    }),
  })
  const Planned = graph.objectRef<PlannedRow>('PlannedTransfer').implement({
    on: STAFF,
    fields: t => ({
      partnerName: t.string({ resolve: row => row.transfer.partnerName }),
      bankName: t.string({ resolve: row => row.transfer.account.bankName }),
      branchName: t.string({ resolve: row => row.transfer.account.branchName }),
      accountNumber: t.string({ resolve: row => maskedAccountNumber(row.transfer.account.accountNumber) }),
      holder: t.string({ resolve: row => row.transfer.account.holder }),
      paymentIncludingTax: t.field({ type: 'Long', resolve: row => row.transfer.paymentIncludingTaxYen }),
      withholding: t.field({ type: 'Long', resolve: row => row.transfer.withholdingYen }),
      fee: t.field({ type: 'Long', resolve: row => row.transfer.feeYen }),
      feeBorneByPayee: t.field({ type: 'Long', resolve: row => row.transfer.feeBorneByPayeeYen }),
      transferAmount: t.field({ type: 'Long', resolve: row => row.transfer.transferAmountYen }),
      payments: t.field({ type: [Payment], resolve: row => [...row.payments] }),
      recordAmounts: t.field({
        type: ['Long'],
        description: 'What each record of the bank file sends; several above the bank’s limit.',
        resolve: row => (row.transfer.records ?? []).map(record => record.amountYen),
      }),
    }),
  })
  const Problem = graph.objectRef<ProblemRow>('TransferProblem').implement({
    on: STAFF,
    description:
      'Payments that cannot be sent: nothing is made until they are left out or the cause is gone. As a warning, they can.',
    fields: t => ({
      code: t.string({ resolve: row => row.problem.refusal.code }),
      message: t.string({ resolve: row => refusalMessageJa(row.problem.refusal) }),
      payee: t.string({ resolve: row => row.problem.payee }),
      payments: t.field({ type: [Payment], resolve: row => [...row.payments] }),
    }),
  })
  const sumOf = (plan: BatchPlan, amount: (transfer: NewTransfer) => bigint) => sumBy(plan.transfers, amount)
  const paymentsOf = (plan: BatchPlan, ids: readonly bigint[]) =>
    ids.flatMap(id => {
      const payment = plan.payments.get(id)
      return payment ? [payment] : []
    })
  return graph.objectRef<BatchPlan>('TransferPlan').implement({
    on: STAFF,
    fields: t => ({
      transferLimit: t.field({
        type: 'Long',
        description: 'The most that one record may hold.',
        resolve: plan => plan.source.transferLimitYen,
      }),
      hash: t.exposeString('hash', { description: 'For `expectedHash`: what is made is what was looked at.' }),
      dueOn: t.field({ type: 'Date', resolve: plan => plan.dueOn }),
      transferOn: t.field({ type: 'Date', resolve: plan => plan.transferOn }),
      sourceName: t.string({
        description: 'The account that the money leaves.',
        resolve: ({ source }) =>
          `${source.bankName} ${source.branchName} ${maskedAccountNumber(source.accountNumber)}（${source.clientName}）`,
      }),
      paymentIncludingTax: t.field({ type: 'Long', resolve: plan => sumOf(plan, each => each.paymentIncludingTaxYen) }),
      withholding: t.field({ type: 'Long', resolve: plan => sumOf(plan, each => each.withholdingYen) }),
      fee: t.field({ type: 'Long', resolve: plan => sumOf(plan, each => each.feeYen) }),
      feeBorneByPayee: t.field({ type: 'Long', resolve: plan => sumOf(plan, each => each.feeBorneByPayeeYen) }),
      transferAmount: t.field({ type: 'Long', resolve: plan => sumOf(plan, each => each.transferAmountYen) }),
      transfers: t.field({
        type: [Planned],
        resolve: plan =>
          plan.transfers.map(transfer => ({
            transfer,
            payments: paymentsOf(
              plan,
              transfer.parts.map(part => part.monthlyPaymentId),
            ),
          })),
      }),
      problems: t.field({
        type: [Problem],
        resolve: plan => plan.problems.map(problem => ({ problem, payments: paymentsOf(plan, problem.paymentIds) })),
      }),
      warnings: t.field({
        type: [Problem],
        description:
          'What is to be known of the transfers. `transfer/late-by-law` refuses them unless `isLateAcknowledged`; `transfer/fee-of-unknown` and `transfer/payment-stopped` are reported.',
        resolve: plan => plan.warnings.map(problem => ({ problem, payments: paymentsOf(plan, problem.paymentIds) })),
      }),
    }),
  })
}
