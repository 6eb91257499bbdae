import { MINIMUM_REVENUE_TYPES } from '@pc/domain/agreement/minimum-revenue.ts'
import type { MonthDifference, PayeeAmounts, PayeeDifference } from '@pc/domain/payment/what-if.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { readId } from '@pc/platform/graphql/list-arguments.ts'
import { acceptedValue } from '@pc/platform/graphql/refusal-error.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import { readMonth } from './month-argument.ts'
import { rateOrNothing, whatIfMonth } from './what-if.ts'

/** `whatIfMonth`: the month with other rates, terms, pools or threshold; nothing is written. */
export function addWhatIfFields(
  graph: Graph,
  parts: { readonly database: Database; readonly stats: StatsStore },
): void {
  const Difference = differenceType(graph)
  const Input = inputType(graph)
  graph.queryField('whatIfMonth', t =>
    field(t, {
      type: Difference,
      args: {
        month: t.arg.string({ required: true, description: 'YYYY-MM' }),
        mediumId: t.arg.id({ required: true }),
        change: t.arg({ type: Input, required: true }),
      },
      allow: 'write:create',
      on: 'insight:dividend.',
      async resolve(_parent, { month, mediumId, change }) {
        const key = { mediumId: readId(mediumId, ['mediumId']), month: readMonth(month, ['month']) }
        return acceptedValue(
          await whatIfMonth(parts, key, {
            payoutThresholdYen: change.payoutThreshold ?? undefined,
            agreements: (change.agreements ?? []).map(each => ({
              agreementId: readId(each.agreementId, ['change', 'agreements']),
              isPaymentDisabled: each.isPaymentDisabled ?? undefined,
              terms: {
                ...(each.fixedRevenue == null ? {} : { fixedRevenueYen: each.fixedRevenue }),
                ...(each.minimumRevenue == null ? {} : { minimumRevenueYen: each.minimumRevenue }),
                ...(each.minimumRevenueType == null ? {} : { minimumRevenueType: each.minimumRevenueType }),
              },
            })),
            rates: (change.rates ?? []).map(each => ({
              agreementId: readId(each.agreementId, ['change', 'rates']),
              publisherId: readId(each.publisherId, ['change', 'rates']),
              share: {
                ...rateOrNothing('ownAdsRateUnits', each.paymentRate),
                ...rateOrNothing('sspRateUnits', each.sspPaymentRate),
                ...rateOrNothing('videoSspRateUnits', each.videoSspPaymentRate),
                ...rateOrNothing('liveSspRateUnits', each.liveSspPaymentRate),
              },
            })),
            pools: (change.pools ?? []).map(each => ({
              jobId: readId(each.dividendId, ['change', 'pools']),
              poolYen: each.extraRevenue,
            })),
          }),
        )
      },
    }),
  )
}

function inputType(graph: Graph) {
  const MinimumType = graph.enumType('WhatIfMinimumRevenueType', { values: MINIMUM_REVENUE_TYPES })
  const Agreement = graph.inputType('WhatIfAgreement', {
    fields: t => ({
      agreementId: t.id({ required: true }),
      fixedRevenue: t.field({ type: 'Long' }),
      minimumRevenue: t.field({ type: 'Long' }),
      minimumRevenueType: t.field({ type: MinimumType }),
      isPaymentDisabled: t.boolean(),
    }),
  })
  const Rate = graph.inputType('WhatIfRate', {
    description: 'Rates in units: 100 = 1 %.',
    fields: t => ({
      agreementId: t.id({ required: true }),
      publisherId: t.id({ required: true }),
      paymentRate: t.int(),
      sspPaymentRate: t.int(),
      videoSspPaymentRate: t.int(),
      liveSspPaymentRate: t.int(),
    }),
  })
  const Pool = graph.inputType('WhatIfPool', {
    fields: t => ({ dividendId: t.id({ required: true }), extraRevenue: t.field({ type: 'Long', required: true }) }),
  })
  return graph.inputType('WhatIfInput', {
    fields: t => ({
      payoutThreshold: t.field({ type: 'Long' }),
      agreements: t.field({ type: [Agreement] }),
      rates: t.field({ type: [Rate] }),
      pools: t.field({ type: [Pool] }),
    }),
  })
}

function differenceType(graph: Graph) {
  const Amounts = graph.objectRef<PayeeAmounts>('WhatIfAmounts').implement({
    on: 'insight:dividend.',
    fields: t => ({
      revenue: t.expose('revenueYen', { type: 'Long' }),
      payment: t.expose('paymentYen', { type: 'Long' }),
      paymentIncludingTax: t.expose('paymentIncludingTaxYen', { type: 'Long' }),
      carriedOverToNext: t.expose('carriedOverToNextYen', { type: 'Long' }),
      outcome: t.exposeString('outcome'),
    }),
  })
  const Payee = graph.objectRef<PayeeDifference>('WhatIfPayee').implement({
    on: 'insight:dividend.',
    fields: t => ({
      agreementId: t.expose('agreementId', { type: 'ID' }),
      partnerName: t.exposeString('partnerName'),
      before: t.expose('before', { type: Amounts, nullable: true }),
      after: t.expose('after', { type: Amounts, nullable: true }),
      revenueChange: t.expose('revenueChangeYen', { type: 'Long' }),
      paymentChange: t.expose('paymentChangeYen', { type: 'Long' }),
    }),
  })
  return graph.objectRef<MonthDifference>('WhatIfDifference').implement({
    on: 'insight:dividend.',
    description: 'Payees that change, the largest change first, and the totals.',
    fields: t => ({
      payees: t.field({ type: [Payee], resolve: found => [...found.payees] }),
      revenueChange: t.expose('revenueChangeYen', { type: 'Long' }),
      paymentChange: t.expose('paymentChangeYen', { type: 'Long' }),
      paymentIncludingTaxChange: t.expose('paymentIncludingTaxChangeYen', { type: 'Long' }),
      retainedChange: t.expose('retainedChangeYen', { type: 'Long' }),
    }),
  })
}
