import type { Refusal } from '../refusal.ts'
import type { AllocationRefusal } from './allocate.ts'

/** Japanese texts of the refusals of this folder; every code has one. */
export const ALLOCATION_REFUSALS_JA = {
  'allocation/no-eligible-weight': () => '配分の対象がありません。対象の設定と重みを確認してください。',
} as const satisfies Record<AllocationRefusal['code'], (data: Refusal['data']) => string>
