import { POOL_KINDS } from '@pc/domain/agreement/revenue-share.ts'
import type { PoolJobInput, RuleInput } from '@pc/domain/settlement/settlement-input.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { readId } from '@pc/platform/graphql/list-arguments.ts'
import { readMonth } from '@pc/platform/graphql/month-argument.ts'
import { acceptedValue } from '@pc/platform/graphql/refusal-error.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import { type BasisAgreement, readWhatIfBasis, type WhatIfBasis } from './what-if-basis.ts'
import type { InputTypes } from './what-if-input.ts'

/** `whatIfBasis`: the current values that a scenario can change. */
export function addWhatIfBasis(
  graph: Graph,
  parts: { readonly database: Database; readonly stats: StatsStore },
  MinimumType: InputTypes['MinimumType'],
): void {
  const Rule = graph.objectRef<RuleInput & { readonly publisherName: string }>('WhatIfBasisRule').implement({
    on: 'insight:dividend.',
    fields: t => ({
      publisherId: t.expose('publisherId', { type: 'ID' }),
      publisherName: t.exposeString('publisherName'),
      paymentRate: t.int({ resolve: rule => rule.share.ownAdsRateUnits }),
      sspPaymentRate: t.int({ resolve: rule => rule.share.sspRateUnits }),
      videoSspPaymentRate: t.int({ resolve: rule => rule.share.videoSspRateUnits }),
      liveSspPaymentRate: t.int({ resolve: rule => rule.share.liveSspRateUnits }),
      isTargetForSspAllocation: t.boolean({ resolve: rule => rule.share.isTargetForSspAllocation }),
      isTargetForVideoSspAllocation: t.boolean({ resolve: rule => rule.share.isTargetForVideoSspAllocation }),
      isTargetForLiveSspAllocation: t.boolean({ resolve: rule => rule.share.isTargetForLiveSspAllocation }),
      fixedRevenue: t.expose('fixedRevenueYen', { type: 'Long' }),
      minimumRevenue: t.expose('minimumRevenueYen', { type: 'Long' }),
    }),
  })
  const Agreement = graph.objectRef<BasisAgreement>('WhatIfBasisAgreement').implement({
    on: 'insight:dividend.',
    fields: t => ({
      agreementId: t.id({ resolve: ({ input }) => input.agreementId.toString() }),
      name: t.exposeString('name'),
      code: t.exposeString('code'),
      partnerName: t.string({ resolve: ({ input }) => input.partnerName }),
      fixedRevenue: t.field({ type: 'Long', resolve: ({ input }) => input.terms.fixedRevenueYen }),
      minimumRevenue: t.field({ type: 'Long', resolve: ({ input }) => input.terms.minimumRevenueYen }),
      minimumRevenueType: t.field({ type: MinimumType, resolve: ({ input }) => input.terms.minimumRevenueType }),
      payoutThreshold: t.field({
        type: 'Long',
        nullable: true,
        description: 'Null: that of the platform holds.',
        resolve: ({ input }) => input.terms.payoutThresholdYen,
      }),
      isPaymentDisabled: t.boolean({ resolve: ({ input }) => input.isPaymentDisabled }),
      terminatedOn: t.field({ type: 'Date', nullable: true, resolve: ({ input }) => input.terminatedOn }),
      rules: t.field({
        type: [Rule],
        resolve: ({ input, publisherNames }) =>
          input.rules.map(rule => ({ ...rule, publisherName: publisherNames.get(rule.publisherId) ?? '' })),
      }),
    }),
  })
  const Kind = graph.enumType('WhatIfPoolKind', { values: POOL_KINDS })
  const Pool = graph.objectRef<PoolJobInput>('WhatIfBasisPool').implement({
    on: 'insight:dividend.',
    fields: t => ({
      dividendId: t.id({ resolve: pool => pool.jobId.toString() }),
      kind: t.field({ type: Kind, resolve: pool => pool.kind }),
      extraRevenue: t.expose('poolYen', { type: 'Long' }),
    }),
  })
  const Basis = graph.objectRef<WhatIfBasis>('WhatIfBasis').implement({
    on: 'insight:dividend.',
    fields: t => ({
      payoutThreshold: t.expose('payoutThresholdYen', { type: 'Long' }),
      total: t.exposeInt('total'),
      agreements: t.field({ type: [Agreement], resolve: found => [...found.agreements] }),
      pools: t.field({ type: [Pool], resolve: found => [...found.pools] }),
    }),
  })
  graph.queryField('whatIfBasis', t =>
    field(t, {
      type: Basis,
      description: 'The month as it stands, to choose changes from; the first agreements that the search finds.',
      args: {
        month: t.arg.string({ required: true, description: 'YYYY-MM' }),
        mediumId: t.arg.id({ required: true }),
        q: t.arg.string(),
        agreementIds: t.arg.idList({ description: 'These and no others.' }),
      },
      allow: 'write:create',
      on: 'insight:dividend.',
      async resolve(_parent, { month, mediumId, q, agreementIds }) {
        const key = { mediumId: readId(mediumId, ['mediumId']), month: readMonth(month, ['month']) }
        return acceptedValue(
          await readWhatIfBasis(parts, key, {
            q: q?.trim() ?? '',
            agreementIds: agreementIds?.map(id => readId(id, ['agreementIds'])),
          }),
        )
      },
    }),
  )
}
