import { isRateUnits } from '../money/rate.ts'
import { type Refusal, refusal } from '../refusal.ts'

/** The four shares of a rule, in rate units (100 = 1 %), and the pools in which it takes part. */
export interface RevenueShare {
  readonly ownAdsRateUnits: number
  readonly sspRateUnits: number
  readonly videoSspRateUnits: number
  readonly liveSspRateUnits: number
  readonly isTargetForSspAllocation: boolean
  readonly isTargetForVideoSspAllocation: boolean
  readonly isTargetForLiveSspAllocation: boolean
}

export const NO_SHARE: RevenueShare = {
  ownAdsRateUnits: 0,
  sspRateUnits: 0,
  videoSspRateUnits: 0,
  liveSspRateUnits: 0,
  isTargetForSspAllocation: false,
  isTargetForVideoSspAllocation: false,
  isTargetForLiveSspAllocation: false,
}

export const POOL_KINDS = ['ssp', 'ssp_video', 'ssp_live'] as const
export type PoolKind = (typeof POOL_KINDS)[number]

const TARGET_FIELDS = {
  ssp: 'isTargetForSspAllocation',
  ssp_video: 'isTargetForVideoSspAllocation',
  ssp_live: 'isTargetForLiveSspAllocation',
} as const satisfies Readonly<Record<PoolKind, keyof RevenueShare>>
const RATE_FIELDS = {
  ssp: 'sspRateUnits',
  ssp_video: 'videoSspRateUnits',
  ssp_live: 'liveSspRateUnits',
} as const satisfies Readonly<Record<PoolKind, keyof RevenueShare>>

/** Whether the terms give the publisher a share in pools of this kind. */
export function isTargetOf(share: RevenueShare, kind: PoolKind): boolean {
  return share[TARGET_FIELDS[kind]]
}

/** The publisher's rate for pools of this kind, in rate units (100 = 1 %). */
export function poolRateUnits(share: RevenueShare, kind: PoolKind): number {
  return share[RATE_FIELDS[kind]]
}

export type RevenueShareRefusal = Refusal<'agreement/rate-out-of-range'>

/**
 * Every rate is a whole number of units between 0 and 100 %.
 * Tested by `domain/agreement/agreement.test.ts`.
 */
export function checkRevenueShare(share: RevenueShare): readonly RevenueShareRefusal[] {
  const rates = ['ownAdsRateUnits', 'sspRateUnits', 'videoSspRateUnits', 'liveSspRateUnits'] as const
  return rates
    .filter(field => !isRateUnits(share[field]))
    .map(field => refusal('agreement/rate-out-of-range', ['input', field]))
}
