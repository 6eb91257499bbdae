import type { TransfersQuery } from './transfers.gen.ts'

/** What is left to send on one due day. */
export type PayableDay = NonNullable<TransfersQuery['payableDays']>[number]
