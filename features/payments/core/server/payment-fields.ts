import type { Day } from '@pc/domain/month/day.ts'
import { PAYEE_STATUS_LABELS, PAYMENT_STATUS_LABELS, type PaymentStatus } from '@pc/domain/payment/payment-states.ts'
import { shownYen } from '@pc/domain/report/shown-yen.ts'
import type { HoldReason } from '@pc/domain/settlement/settlement-result.ts'
import { type Clock, thisMonth } from '@pc/platform/clock.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph, GraphContext } from '@pc/platform/graphql/graph.ts'
import { readId, readPage, readSearchWords } from '@pc/platform/graphql/list-arguments.ts'
import { readMonthRange, writeMonth } from '@pc/platform/graphql/month-argument.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import { HOLD_REASONS, reasonText } from './hold-texts.ja.ts'
import {
  listMonthlyPayments,
  PAYMENT_ACTION_TYPES,
  PAYMENT_ORDERS,
  type PaymentList,
  type PaymentRow,
  shownStatus,
} from './payment-store.ts'

/** The label of a status for staff or for payees. */
export function statusLabel(status: PaymentStatus, viewer: GraphContext['viewer']): string {
  return (viewer?.scope.kind === 'all' ? PAYMENT_STATUS_LABELS : PAYEE_STATUS_LABELS)[status]
}

const STATUSES = Object.keys(PAYMENT_STATUS_LABELS) as PaymentStatus[]

export const ESTIMATED_REVENUE =
  'What the reports showed before the month was final; null of an open month, and where nothing was kept.'

/** The estimate in whole yen, as the reports showed it; null when none was kept. */
export function estimatedYen({ shownMicroYen }: { readonly shownMicroYen: bigint | null }): bigint | null {
  return shownMicroYen === null ? null : shownYen(shownMicroYen)
}

/** What other fields about payments name too, or add to. */
export interface PaymentTypes {
  readonly PaymentActionTypeEnum: ReturnType<typeof actionType>
  readonly MonthlyPayment: ReturnType<typeof paymentType>
}

export function addPaymentFields(
  graph: Graph,
  { database, clock }: { readonly database: Database; readonly clock: Clock },
): PaymentTypes {
  const PaymentStatusEnum = statusType(graph)
  const PaymentActionTypeEnum = actionType(graph)
  const MonthlyPayment = paymentType(graph, { database, clock }, PaymentStatusEnum)
  const list = paymentListType(graph, MonthlyPayment)
  const orderBy = graph.enumType('MonthlyPaymentsOrderBy', { values: PAYMENT_ORDERS })
  const param = graph.inputType('MonthlyPaymentsParam', {
    fields: t => ({
      monthFrom: t.string({ description: 'YYYY-MM' }),
      monthTo: t.string({ description: 'YYYY-MM' }),
      agreementIds: t.idList(),
      organizationId: t.id(),
      mediumId: t.id(),
      publisherIds: t.idList(),
      paymentStatuses: t.field({ type: [PaymentStatusEnum] }),
      hasBeenFinalized: t.boolean(),
      actionType: t.field({ type: PaymentActionTypeEnum }),
    }),
  })
  graph.queryField('monthlyPayments', t =>
    field(t, {
      type: list,
      description: 'Payments for each agreement and month. Totals are those of the whole filter, not of the page.',
      args: {
        limit: t.arg.int({ required: true }),
        offset: t.arg.int({ required: true }),
        orderBy: t.arg({ type: orderBy }),
        param: t.arg({ type: param }),
        q: t.arg.string(),
      },
      allow: 'read:list',
      on: 'insight:monthly_payment.',
      resolve(_parent, args, _context, permit) {
        const filter = args.param ?? {}
        return listMonthlyPayments(
          database,
          {
            months: readMonthRange(filter, ['param']),
            agreementIds: filter.agreementIds?.map(id => readId(id, ['param', 'agreementIds'])),
            organizationId: filter.organizationId
              ? readId(filter.organizationId, ['param', 'organizationId'])
              : undefined,
            mediumId: filter.mediumId ? readId(filter.mediumId, ['param', 'mediumId']) : undefined,
            publisherIds: filter.publisherIds?.map(id => readId(id, ['param', 'publisherIds'])),
            statuses: filter.paymentStatuses ? { shown: filter.paymentStatuses, running: thisMonth(clock) } : undefined,
            hasBeenFinalized: filter.hasBeenFinalized ?? undefined,
            actionType: filter.actionType ?? 'all',
            words: readSearchWords(args.q),
          },
          args.orderBy ?? 'MONTH_DESC',
          readPage(args),
          permit,
        )
      },
    }),
  )
  return { PaymentActionTypeEnum, MonthlyPayment }
}

function actionType(graph: Graph) {
  return graph.enumType('PaymentActionType', { values: PAYMENT_ACTION_TYPES })
}

function paymentListType(graph: Graph, MonthlyPayment: ReturnType<typeof paymentType>) {
  return graph.objectRef<PaymentList>('MonthlyPaymentList').implement({
    on: 'insight:monthly_payment.',
    fields: t => ({
      total: t.exposeInt('total'),
      sum: t.expose('sumYen', { type: 'Long', description: 'Payments including tax, yen.' }),
      sumWithoutTax: t.expose('sumWithoutTaxYen', { type: 'Long' }),
      taxSum: t.expose('taxSumYen', { type: 'Long' }),
      sumRevenue: t.expose('sumRevenueYen', { type: 'Long' }),
      sumRevenueTax: t.expose('sumRevenueTaxYen', { type: 'Long' }),
      sumRevenueWithoutTax: t.expose('sumRevenueWithoutTaxYen', { type: 'Long' }),
      sumManualAdjustment: t.expose('sumAdjustmentYen', {
        type: 'Long',
        description: 'Without tax. Revenue and adjustments that were not paid are carried over.',
      }),
      nodes: t.field({ type: [MonthlyPayment], resolve: found => [...found.nodes] }),
    }),
  })
}

function statusType(graph: Graph) {
  return graph.enumType('PaymentStatus', { values: STATUSES })
}

function paymentType(
  graph: Graph,
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  Status: ReturnType<typeof statusType>,
) {
  const Snapshot = snapshotType(graph)
  const Reason = graph.enumType('PaymentHoldReason', { values: HOLD_REASONS })
  const PaidMonth = paidMonthType(graph)
  return graph.objectRef<PaymentRow>('MonthlyPayment').implement({
    on: 'insight:monthly_payment.',
    description:
      'What one agreement earned, is owed and is paid for a month. Yen without tax where nothing else is said.',
    fields: t => ({
      id: t.expose('id', { type: 'ID' }),
      monthlyAgreementSnapshotId: t.expose('monthlyAgreementSnapshotId', { type: 'ID' }),
      monthlyAgreementSnapshot: t.field({ type: Snapshot, resolve: row => row }),
      agreementId: t.expose('agreementId', { type: 'ID' }),
      mediumId: t.expose('mediumId', { type: 'ID' }),
      organizationId: t.expose('organizationId', { type: 'ID' }),
      hasBeenFinalized: t.exposeBoolean('hasBeenFinalized'),
      paymentStatus: t.field({ type: Status, resolve: row => shownStatus(row, thisMonth(clock)) }),
      paymentStatusLabel: t.string({
        resolve: (row, _args, { viewer }) => statusLabel(shownStatus(row, thisMonth(clock)), viewer),
      }),
      reason: t.field({ type: Reason, nullable: true, resolve: row => row.reasonCode as HoldReason['code'] | null }),
      reasonText: t.string({
        nullable: true,
        description: 'Why nothing is paid, in Japanese.',
        resolve: reasonText,
      }),
      productAdsRevenue: t.expose('adsRevenueYen', { type: 'Long' }),
      sspRevenue: t.expose('sspRevenueYen', { type: 'Long' }),
      videoSSPRevenue: t.expose('videoSspRevenueYen', { type: 'Long' }),
      liveSSPRevenue: t.expose('liveSspRevenueYen', { type: 'Long' }),
      fixedRevenueApplied: t.expose('fixedRevenueAppliedYen', { type: 'Long' }),
      minimumTopUpRevenue: t.expose('minimumTopUpRevenueYen', { type: 'Long' }),
      revenue: t.expose('revenueYen', { type: 'Long' }),
      estimatedRevenue: t.field({
        type: 'Long',
        nullable: true,
        description: ESTIMATED_REVENUE,
        resolve: row => estimatedYen(row),
      }),
      manualAdjustmentRevenue: t.expose('manualAdjustmentRevenueYen', { type: 'Long' }),
      carriedOverRevenue: t.expose('carriedOverRevenueYen', { type: 'Long' }),
      cumulativeRevenue: t.expose('cumulativeRevenueYen', { type: 'Long' }),
      carriedOverToNext: t.expose('carriedOverToNextYen', { type: 'Long' }),
      payment: t.expose('paymentYen', { type: 'Long' }),
      taxRate: t.expose('taxRatePercent', { type: 'Int', description: 'Per cent.' }),
      paymentTax: t.expose('paymentTaxYen', { type: 'Long' }),
      paymentIncludingTax: t.expose('paymentIncludingTaxYen', { type: 'Long' }),
      revenueGeneratedAtMonth: t.string({ resolve: row => writeMonth(row.month) }),
      finalizedAt: t.expose('finalizedAt', { type: 'DateTime', nullable: true }),
      finalizedAtMonth: t.string({
        nullable: true,
        resolve: row => (row.finalizedAtMonth === null ? null : writeMonth(row.finalizedAtMonth)),
      }),
      scheduledMonth: t.string({
        nullable: true,
        description: 'The month it is to be paid in.',
        resolve: row => (row.scheduledMonth === null ? null : writeMonth(row.scheduledMonth)),
      }),
      paidAtMonth: t.string({
        nullable: true,
        resolve: row => (row.paidAtMonth === null ? null : writeMonth(row.paidAtMonth)),
      }),
      paidOn: t.field({ type: 'Date', nullable: true, resolve: row => row.paidOn as Day | null }),
      returnedReason: t.exposeString('returnedReason', { nullable: true }),
      dueOnNominal: t.field({ type: 'Date', resolve: row => row.dueOnNominal as Day }),
      dueOn: t.field({ type: 'Date', resolve: row => row.dueOn as Day }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
      inputTaxByMonth: field(t, {
        type: [PaidMonth],
        nullable: true,
        description: "Staff only: the payment by generated month with the platform's input tax.",
        allow: 'read:show',
        on: 'insight:revenue_detail.',
        resolve: row => readPaidMonths(database, row.id),
      }),
    }),
  })
}

function snapshotType(graph: Graph) {
  return graph.objectRef<PaymentRow>('MonthlyAgreementSnapshot').implement({
    on: 'insight:agreement_snapshot.',
    fields: t => ({
      id: t.expose('monthlyAgreementSnapshotId', { type: 'ID' }),
      month: t.string({ resolve: row => writeMonth(row.month) }),
      agreementName: t.exposeString('agreementName'),
      agreementCode: t.exposeString('agreementCode'),
      partnerName: t.exposeString('partnerName'),
      qualifiedInvoiceIssuer: t.exposeBoolean('qualifiedInvoiceIssuer'),
      invoiceRegistrationNumber: t.exposeString('invoiceRegistrationNumber', { nullable: true }),
    }),
  })
}

interface PaidMonthRow {
  readonly generatedMonth: number
  readonly amountYen: bigint
  readonly ratePercent: number
  readonly taxYen: bigint
  readonly isQualified: boolean
  readonly deductiblePercent: number
  readonly deductibleTaxYen: bigint
  readonly nonDeductibleTaxYen: bigint
}

function paidMonthType(graph: Graph) {
  return graph.objectRef<PaidMonthRow>('PaidMonth').implement({
    on: 'insight:revenue_detail.',
    fields: t => ({
      generatedMonth: t.string({ resolve: row => writeMonth(row.generatedMonth) }),
      amount: t.expose('amountYen', { type: 'Long' }),
      taxRate: t.exposeInt('ratePercent'),
      tax: t.expose('taxYen', { type: 'Long' }),
      isQualified: t.exposeBoolean('isQualified'),
      deductiblePercent: t.exposeInt('deductiblePercent'),
      deductibleTax: t.expose('deductibleTaxYen', { type: 'Long' }),
      nonDeductibleTax: t.expose('nonDeductibleTaxYen', { type: 'Long' }),
    }),
  })
}

/** Their table has no rows of payees; the field's right and the payment's own row decide who sees them. */
function readPaidMonths(database: Database, paymentId: bigint): Promise<PaidMonthRow[]> {
  return database.inScope(SYSTEM, tx =>
    tx
      .selectFrom('monthlyPaidBuckets')
      .selectAll()
      .where('monthlyPaymentId', '=', paymentId)
      .orderBy('generatedMonth')
      .execute(),
  )
}
