import type { TransfersQuery } from './transfers.gen.ts'

/** The payments of one due day that are still to be sent. */
export type PayableDay = NonNullable<TransfersQuery['payableDays']>[number]
