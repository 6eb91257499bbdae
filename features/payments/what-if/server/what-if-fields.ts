import type { MonthSums, PayeeAmounts, PayeeDifference } from '@pc/domain/settlement/what-if.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { readId } from '@pc/platform/graphql/list-arguments.ts'
import { readMonth } from '@pc/platform/graphql/month-argument.ts'
import { acceptedValue } from '@pc/platform/graphql/refusal-error.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import { type WhatIf, type WhatIfCheck, type WhatIfResult, whatIfMonth } from './what-if.ts'
import { addWhatIfBasis } from './what-if-basis-fields.ts'
import { addWhatIfDrafts } from './what-if-draft-fields.ts'
import { type InputTypes, whatIfInputTypes } from './what-if-input.ts'

/** `whatIfMonth`: computes the month with other rates, terms, pools or threshold, without writing anything. */
export function addWhatIfFields(
  graph: Graph,
  parts: { readonly database: Database; readonly stats: StatsStore },
): void {
  const Difference = differenceType(graph)
  const { Input, MinimumType } = whatIfInputTypes(graph)
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
        return acceptedValue(await whatIfMonth(parts, key, readChange(change)))
      },
    }),
  )
  addWhatIfBasis(graph, parts, MinimumType)
  addWhatIfDrafts(graph, parts.database, Input, readChange)
}

type Requested = InputTypes['Input']['$inferInput']

function readChange(change: Requested): WhatIf {
  return {
    payoutThresholdYen: change.payoutThreshold ?? undefined,
    agreements: (change.agreements ?? []).map(each => ({
      agreementId: readId(each.agreementId, ['change', 'agreements']),
      isPaymentDisabled: each.isPaymentDisabled ?? undefined,
      terminatedOn: each.terminatedOn ?? undefined,
      terms: {
        ...(each.fixedRevenue == null ? {} : { fixedRevenueYen: each.fixedRevenue }),
        ...(each.minimumRevenue == null ? {} : { minimumRevenueYen: each.minimumRevenue }),
        ...(each.minimumRevenueType == null ? {} : { minimumRevenueType: each.minimumRevenueType }),
        ...(each.payoutThreshold == null ? {} : { payoutThresholdYen: each.payoutThreshold }),
      },
    })),
    rates: (change.rates ?? []).map(each => ({
      agreementId: readId(each.agreementId, ['change', 'rates']),
      publisherId: readId(each.publisherId, ['change', 'rates']),
      share: {
        ...given('ownAdsRateUnits', each.paymentRate),
        ...given('sspRateUnits', each.sspPaymentRate),
        ...given('videoSspRateUnits', each.videoSspPaymentRate),
        ...given('liveSspRateUnits', each.liveSspPaymentRate),
        ...given('isTargetForSspAllocation', each.isTargetForSspAllocation),
        ...given('isTargetForVideoSspAllocation', each.isTargetForVideoSspAllocation),
        ...given('isTargetForLiveSspAllocation', each.isTargetForLiveSspAllocation),
      },
      amounts: {
        ...given('fixedRevenueYen', each.fixedRevenue),
        ...given('minimumRevenueYen', each.minimumRevenue),
      },
    })),
    pools: (change.pools ?? []).map(each => ({
      jobId: readId(each.dividendId, ['change', 'pools']),
      poolYen: each.extraRevenue,
    })),
  }
}

/** The value under its name; nothing when it is null or undefined, so that the current value stays. */
function given<Name extends string, Value>(name: Name, value: Value | null | undefined) {
  return (value === null || value === undefined ? {} : { [name]: value }) as { readonly [key in Name]?: Value }
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
  const Sums = graph.objectRef<MonthSums>('WhatIfSums').implement({
    on: 'insight:dividend.',
    fields: t => ({
      payees: t.exposeInt('payees'),
      paid: t.exposeInt('paid'),
      revenue: t.expose('revenueYen', { type: 'Long' }),
      payment: t.expose('paymentYen', { type: 'Long' }),
      paymentIncludingTax: t.expose('paymentIncludingTaxYen', { type: 'Long' }),
      carriedOverToNext: t.expose('carriedOverToNextYen', { type: 'Long' }),
      retained: t.expose('retainedYen', { type: 'Long', description: 'Of the pools, by the platform.' }),
    }),
  })
  const CheckState = graph.enumType('WhatIfCheckState', { values: ['red', 'amber'] as const })
  const Check = graph.objectRef<WhatIfCheck>('WhatIfCheck').implement({
    on: 'insight:dividend.',
    fields: t => ({
      state: t.field({ type: CheckState, resolve: check => check.state }),
      label: t.exposeString('label'),
      detail: t.exposeString('detail'),
    }),
  })
  return graph.objectRef<WhatIfResult>('WhatIfDifference').implement({
    on: 'insight:dividend.',
    description: 'Payees that change, the largest change first, and the totals.',
    fields: t => ({
      payees: t.field({ type: [Payee], resolve: found => [...found.payees] }),
      revenueChange: t.expose('revenueChangeYen', { type: 'Long' }),
      paymentChange: t.expose('paymentChangeYen', { type: 'Long' }),
      paymentIncludingTaxChange: t.expose('paymentIncludingTaxChangeYen', { type: 'Long' }),
      retainedChange: t.expose('retainedChangeYen', { type: 'Long' }),
      before: t.expose('before', { type: Sums }),
      after: t.expose('after', { type: Sums }),
      checks: t.field({
        type: [Check],
        description: 'What the close board would say more than it says now.',
        resolve: found => [...found.checks],
      }),
    }),
  })
}
