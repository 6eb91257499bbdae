import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { PUBLISHER_FIELD_NAMES, type SentPublisherFields } from '@pc/domain/publisher/publisher-record.ts'
import { fieldsOf } from '@pc/domain/record/record-fields.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { readId, readMonth } from '@pc/platform/graphql/list-arguments.ts'
import { publisherFieldInputs } from './publisher-graph.ts'
import type { RuleTerms } from './publisher-rule-store.ts'

type Path = readonly (string | number)[]

/** The parsed input of a form; undefined values stay unchanged. `id` undefined: a new publisher. */
export interface PublisherInput extends SentPublisherFields {
  readonly id: bigint | undefined
  readonly organizationId: bigint | undefined
  readonly expectedRevision: number | undefined
}

export interface RuleInput {
  readonly agreementId: bigint
  readonly mediumId: bigint | undefined
  readonly terms: Partial<RuleTerms>
  readonly validFromMonth: YearMonth | undefined
  readonly expectedRevision: number | undefined
}

export function publisherInputTypes(graph: Graph) {
  const PublisherInput = graph.inputType('PublisherInput', {
    fields: t => ({
      id: t.id({ description: 'Absent: a new publisher.' }),
      organizationId: t.id(),
      ...publisherFieldInputs(t),
      expectedRevision: t.int({ description: 'The revision that was edited; another one refuses the change.' }),
    }),
  })
  const PaymentRateInput = graph.inputType('PaymentRateInput', {
    description: 'Rates in units: 100 = 1 %, 10,000 = 100 %.',
    fields: t => ({
      paymentRate: t.int(),
      sspPaymentRate: t.int(),
      videoSspPaymentRate: t.int(),
      liveSspPaymentRate: t.int(),
      isTargetForSspAllocation: t.boolean(),
      isTargetForVideoSspAllocation: t.boolean(),
      isTargetForLiveSspAllocation: t.boolean(),
    }),
  })
  const AgreementPublisherRuleInput = graph.inputType('AgreementPublisherRuleInput', {
    fields: t => ({
      agreementId: t.id({ required: true, description: 'A publisher has one rule per agreement.' }),
      mediumId: t.id(),
      fixedRevenue: t.field({ type: 'Long' }),
      minimumRevenue: t.field({ type: 'Long' }),
      paymentRate: t.field({ type: PaymentRateInput, description: 'A new rule needs its `paymentRate`.' }),
      validFromMonth: t.int({ description: 'From which month (YYYYMM) changed rates hold. Default: this month.' }),
      expectedRevision: t.int({ description: 'The revision that was edited; another one refuses the change.' }),
    }),
  })
  return { PublisherInput, AgreementPublisherRuleInput }
}

type Inputs = ReturnType<typeof publisherInputTypes>

export function readPublisherInput(given: Inputs['PublisherInput']['$inferInput'], path: Path): PublisherInput {
  const id = (name: 'id' | 'organizationId') => {
    const text = given[name]
    return text === null || text === undefined ? undefined : readId(String(text), [...path, name])
  }
  return {
    id: id('id'),
    organizationId: id('organizationId'),
    ...fieldsOf(PUBLISHER_FIELD_NAMES, given),
    expectedRevision: given.expectedRevision ?? undefined,
  }
}

export function readRuleInputs(
  given: readonly Inputs['AgreementPublisherRuleInput']['$inferInput'][],
): readonly RuleInput[] {
  return given.map((one, index) => {
    const path = ['agreementPublisherRules', index]
    const rate = one.paymentRate
    const terms = {
      fixedRevenueYen: one.fixedRevenue ?? undefined,
      minimumRevenueYen: one.minimumRevenue ?? undefined,
      ownAdsRateUnits: rate?.paymentRate ?? undefined,
      sspRateUnits: rate?.sspPaymentRate ?? undefined,
      videoSspRateUnits: rate?.videoSspPaymentRate ?? undefined,
      liveSspRateUnits: rate?.liveSspPaymentRate ?? undefined,
      isTargetForSspAllocation: rate?.isTargetForSspAllocation ?? undefined,
      isTargetForVideoSspAllocation: rate?.isTargetForVideoSspAllocation ?? undefined,
      isTargetForLiveSspAllocation: rate?.isTargetForLiveSspAllocation ?? undefined,
    }
    const month = one.validFromMonth
    return {
      agreementId: readId(String(one.agreementId), [...path, 'agreementId']),
      mediumId: one.mediumId ? readId(String(one.mediumId), [...path, 'mediumId']) : undefined,
      terms: Object.fromEntries(Object.entries(terms).filter(([, value]) => value !== undefined)),
      validFromMonth: month === null || month === undefined ? undefined : readMonth(month, [...path, 'validFromMonth']),
      expectedRevision: one.expectedRevision ?? undefined,
    }
  })
}
