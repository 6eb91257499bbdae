import { type ConditionOf, defineCondition } from '@pc/domain/condition/condition.ts'
import { id, month, oneOf } from '@pc/domain/condition/params.ts'

const SORT_COLUMNS = ['perMille', 'publisher', 'views', 'fee', 'rate', 'fixed', 'minimumTopUp', 'position'] as const
export type FairnessSortColumn = (typeof SORT_COLUMNS)[number]
/** Sort orders in the address; a leading minus means descending. The first one is the default: lowest fee first. */
const SORTS: readonly [FairnessSortColumn, ...(FairnessSortColumn | `-${FairnessSortColumn}`)[]] = [
  'perMille',
  ...SORT_COLUMNS.flatMap(column => [column, `-${column}`] as const),
]

/** By default the first medium with a finalised month, and its last finalised month. */
export const fairnessCondition = defineCondition({ mediumId: id(), month: month(), sort: oneOf(SORTS) })
export type FairnessCondition = ConditionOf<typeof fairnessCondition>
