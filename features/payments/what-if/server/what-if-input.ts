import { MINIMUM_REVENUE_TYPES } from '@pc/domain/agreement/minimum-revenue.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'

/** Changes of one kind in a scenario; a large month has as many agreements. */
const MAX_CHANGES = 10_000

/** The input types of a scenario. */
export function whatIfInputTypes(graph: Graph) {
  const MinimumType = graph.enumType('WhatIfMinimumRevenueType', { values: MINIMUM_REVENUE_TYPES })
  const Agreement = graph.inputType('WhatIfAgreement', {
    fields: t => ({
      agreementId: t.id({ required: true }),
      fixedRevenue: t.field({ type: 'Long' }),
      minimumRevenue: t.field({ type: 'Long' }),
      minimumRevenueType: t.field({ type: MinimumType }),
      payoutThreshold: t.field({ type: 'Long' }),
      isPaymentDisabled: t.boolean(),
      terminatedOn: t.field({ type: 'Date' }),
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
      isTargetForSspAllocation: t.boolean(),
      isTargetForVideoSspAllocation: t.boolean(),
      isTargetForLiveSspAllocation: t.boolean(),
      fixedRevenue: t.field({ type: 'Long' }),
      minimumRevenue: t.field({ type: 'Long' }),
    }),
  })
  const Pool = graph.inputType('WhatIfPool', {
    fields: t => ({ dividendId: t.id({ required: true }), extraRevenue: t.field({ type: 'Long', required: true }) }),
  })
  const Input = graph.inputType('WhatIfInput', {
    fields: t => ({
      payoutThreshold: t.field({ type: 'Long' }),
      agreements: t.field({ type: [Agreement], extensions: { maxItems: MAX_CHANGES } }),
      rates: t.field({ type: [Rate], extensions: { maxItems: MAX_CHANGES } }),
      pools: t.field({ type: [Pool], extensions: { maxItems: MAX_CHANGES } }),
    }),
  })
  return { Input, MinimumType }
}

export type InputTypes = ReturnType<typeof whatIfInputTypes>
