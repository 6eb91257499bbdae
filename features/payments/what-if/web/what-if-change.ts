import type { WhatIfBasisQuery } from './what-if.gen.ts'
import type { WhatIfInput } from './what-if-month.gen.ts'

export type Basis = NonNullable<WhatIfBasisQuery['whatIfBasis']>
export type BasisAgreement = Basis['agreements'][number]
export type BasisRule = BasisAgreement['rules'][number]

/** The changes on the screen: only values that differ from the current month. Keys are ids, for `rates` {@link ruleKey}. */
export interface Change {
  readonly payoutThreshold?: number
  readonly agreements: Readonly<Record<string, AgreementChange>>
  readonly rates: Readonly<Record<string, RuleChange>>
  readonly pools: Readonly<Record<string, number>>
}
export interface AgreementChange {
  readonly fixedRevenue?: number
  readonly minimumRevenue?: number
  readonly minimumRevenueType?: BasisAgreement['minimumRevenueType']
  readonly payoutThreshold?: number
  readonly isPaymentDisabled?: boolean
  readonly terminatedOn?: string
}
export interface RuleChange {
  readonly paymentRate?: number
  readonly sspPaymentRate?: number
  readonly videoSspPaymentRate?: number
  readonly liveSspPaymentRate?: number
  readonly isTargetForSspAllocation?: boolean
  readonly isTargetForVideoSspAllocation?: boolean
  readonly isTargetForLiveSspAllocation?: boolean
  readonly fixedRevenue?: number
  readonly minimumRevenue?: number
}

export const NO_CHANGE: Change = { agreements: {}, rates: {}, pools: {} }

/** The key of a publisher's rates in {@link Change}. */
export function ruleKey(agreementId: string, publisherId: string): string {
  return `${agreementId}/${publisherId}`
}

/** The number of changed values. Entries without a value do not count. */
export function countChanges(change: Change): number {
  const values = [...Object.values(change.agreements), ...Object.values(change.rates)]
  const inside = values.reduce((sum, each) => sum + Object.values(each).filter(value => value !== undefined).length, 0)
  return inside + Object.keys(change.pools).length + (change.payoutThreshold === undefined ? 0 : 1)
}

/** The change as the API takes it. */
export function inputOf(change: Change): WhatIfInput {
  return {
    ...(change.payoutThreshold === undefined ? {} : { payoutThreshold: change.payoutThreshold }),
    agreements: Object.entries(change.agreements)
      .filter(([, each]) => Object.keys(each).length > 0)
      .map(([agreementId, each]) => ({ agreementId, ...each })),
    rates: Object.entries(change.rates)
      .filter(([, each]) => Object.keys(each).length > 0)
      .map(([key, each]) => {
        const [agreementId = '', publisherId = ''] = key.split('/')
        return { agreementId, publisherId, ...each }
      }),
    pools: Object.entries(change.pools).map(([dividendId, extraRevenue]) => ({ dividendId, extraRevenue })),
  }
}

/**
 * A saved draft as the screen holds it.
 * @param text the draft's change, JSON that the server wrote
 */
export function changeOf(text: string): Change {
  const input = JSON.parse(text) as WhatIfInput
  const { payoutThreshold } = input
  return {
    ...(payoutThreshold === null || payoutThreshold === undefined ? {} : { payoutThreshold }),
    agreements: Object.fromEntries(
      (input.agreements ?? []).map(({ agreementId, ...each }) => [agreementId, each as AgreementChange]),
    ),
    rates: Object.fromEntries(
      (input.rates ?? []).map(({ agreementId, publisherId, ...each }) => [
        ruleKey(agreementId, publisherId),
        each as RuleChange,
      ]),
    ),
    pools: Object.fromEntries((input.pools ?? []).map(pool => [pool.dividendId, pool.extraRevenue])),
  }
}

/** The entry with one value set. A value that equals the current one is removed, because it changes nothing. */
export function withValue<T extends object, N extends keyof T>(
  entry: T | undefined,
  name: N,
  value: T[N] | undefined,
  present: T[N] | null | undefined,
): T {
  const next = { ...entry } as T
  if (value === undefined || value === (present ?? undefined)) delete next[name]
  else next[name] = value
  return next
}
