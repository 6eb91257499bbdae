import { type Clock, thisMonth } from '@pc/platform/clock.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { readId, readPage, readSearchWords } from '@pc/platform/graphql/list-arguments.ts'
import { readMonthRange, writeMonth } from '@pc/platform/graphql/month-argument.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import { reasonText } from '../../core/server/hold-texts.ja.ts'
import { ESTIMATED_REVENUE, estimatedYen, type PaymentTypes, statusLabel } from '../../core/server/payment-fields.ts'
import { PAYMENT_ORDERS, shownStatus } from '../../core/server/payment-store.ts'
import {
  listPublisherPayments,
  type PublisherPaymentList,
  type PublisherPaymentRow,
} from './publisher-payment-store.ts'

export function addPublisherPaymentFields(
  graph: Graph,
  parts: { readonly database: Database; readonly clock: Clock } & Pick<PaymentTypes, 'PaymentActionTypeEnum'>,
): void {
  const { database, PaymentActionTypeEnum } = parts
  const list = listType(graph, parts)
  const orderBy = graph.enumType('MonthlyPublisherPaymentsOrderBy', { values: PAYMENT_ORDERS })
  const param = graph.inputType('MonthlyPublisherPaymentsParam', {
    fields: t => ({
      monthFrom: t.string({ description: 'YYYY-MM' }),
      monthTo: t.string({ description: 'YYYY-MM' }),
      monthlyPaymentId: t.id(),
      agreementIds: t.idList(),
      organizationId: t.id(),
      mediumId: t.id(),
      publisherIds: t.idList(),
      hasBeenFinalized: t.boolean(),
      actionType: t.field({ type: PaymentActionTypeEnum, description: 'Of the payment that the part belongs to.' }),
    }),
  })
  graph.queryField('monthlyPublisherPayments', t =>
    field(t, {
      type: list,
      description: "The publishers' parts of payments. Totals are those of the whole filter, not of the page.",
      args: {
        limit: t.arg.int({ required: true }),
        offset: t.arg.int({ required: true }),
        orderBy: t.arg({ type: orderBy }),
        param: t.arg({ type: param }),
        q: t.arg.string(),
      },
      allow: 'read:list',
      on: 'insight:monthly_publisher_payment.',
      resolve(_parent, args, _context, permit) {
        const filter = args.param ?? {}
        const id = (name: 'monthlyPaymentId' | 'organizationId' | 'mediumId') => {
          const text = filter[name]
          return text ? readId(text, ['param', name]) : undefined
        }
        return listPublisherPayments(
          database,
          {
            months: readMonthRange(filter, ['param']),
            monthlyPaymentId: id('monthlyPaymentId'),
            organizationId: id('organizationId'),
            mediumId: id('mediumId'),
            agreementIds: filter.agreementIds?.map(each => readId(each, ['param', 'agreementIds'])),
            publisherIds: filter.publisherIds?.map(each => readId(each, ['param', 'publisherIds'])),
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
}

function listType(graph: Graph, parts: { readonly database: Database; readonly clock: Clock }) {
  const PublisherPayment = publisherPaymentType(graph, parts)
  return graph.objectRef<PublisherPaymentList>('MonthlyPublisherPaymentList').implement({
    on: 'insight:monthly_publisher_payment.',
    fields: t => ({
      total: t.exposeInt('total'),
      sumRevenueWithoutTax: t.expose('sumRevenueYen', { type: 'Long' }),
      sumManualAdjustment: t.expose('sumAdjustmentYen', { type: 'Long' }),
      sumWithoutTax: t.expose('sumPaymentYen', { type: 'Long' }),
      nodes: t.field({ type: [PublisherPayment], resolve: found => [...found.nodes] }),
    }),
  })
}

interface RuleSnapshotRow {
  readonly ownAdsRateUnits: number
  readonly sspRateUnits: number
  readonly videoSspRateUnits: number
  readonly liveSspRateUnits: number
  readonly isTargetForSspAllocation: boolean
  readonly isTargetForVideoSspAllocation: boolean
  readonly isTargetForLiveSspAllocation: boolean
}

function publisherPaymentType(
  graph: Graph,
  { database, clock }: { readonly database: Database; readonly clock: Clock },
) {
  const RuleSnapshot = graph.objectRef<RuleSnapshotRow>('MonthlyRuleSnapshot').implement({
    on: 'insight:rule_snapshot.',
    description: 'The rates of the month, in units: 100 = 1 %.',
    fields: t => ({
      paymentRate: t.exposeInt('ownAdsRateUnits'),
      sspPaymentRate: t.exposeInt('sspRateUnits'),
      videoSspPaymentRate: t.exposeInt('videoSspRateUnits'),
      liveSspPaymentRate: t.exposeInt('liveSspRateUnits'),
      isTargetForSspAllocation: t.exposeBoolean('isTargetForSspAllocation'),
      isTargetForVideoSspAllocation: t.exposeBoolean('isTargetForVideoSspAllocation'),
      isTargetForLiveSspAllocation: t.exposeBoolean('isTargetForLiveSspAllocation'),
    }),
  })
  return graph.objectRef<PublisherPaymentRow>('MonthlyPublisherPayment').implement({
    on: 'insight:monthly_publisher_payment.',
    description: "A publisher's part of a payment. Yen without tax.",
    fields: t => ({
      id: t.expose('id', { type: 'ID' }),
      monthlyPaymentId: t.expose('monthlyPaymentId', { type: 'ID' }),
      publisherId: t.expose('publisherId', { type: 'ID' }),
      publisherName: t.exposeString('publisherName'),
      agreementId: t.expose('agreementId', { type: 'ID' }),
      agreementName: t.exposeString('agreementName'),
      agreementCode: t.exposeString('agreementCode'),
      partnerName: t.exposeString('partnerName'),
      mediumId: t.expose('mediumId', { type: 'ID' }),
      organizationId: t.expose('organizationId', { type: 'ID' }),
      hasBeenFinalized: t.exposeBoolean('hasBeenFinalized'),
      paymentStatusLabel: t.string({
        resolve: (row, _args, { viewer }) => statusLabel(shownStatus(row, thisMonth(clock)), viewer),
      }),
      reasonText: t.string({
        nullable: true,
        description: 'Why the payment that it belongs to pays nothing, in Japanese.',
        resolve: reasonText,
      }),
      revenueGeneratedAtMonth: t.string({ resolve: row => writeMonth(row.month) }),
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
      referenceTax: t.expose('referenceTaxYen', {
        type: 'Long',
        description: "Its part of the statement's tax, for reference.",
      }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
      ruleSnapshot: field(t, {
        type: RuleSnapshot,
        nullable: true,
        allow: 'read:show',
        on: 'insight:rule_snapshot.',
        // As SYSTEM: the field's right is checked above, and the row is one that the viewer was given.
        resolve: async row =>
          (await database.inScope(SYSTEM, tx =>
            tx
              .selectFrom('monthlyRuleSnapshots')
              .selectAll()
              .where('monthlyPublisherPaymentId', '=', row.id)
              .executeTakeFirst(),
          )) ?? null,
      }),
    }),
  })
}
