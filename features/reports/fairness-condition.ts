import { type ConditionOf, defineCondition } from '@pc/domain/condition/condition.ts'
import { id, month, oneOf } from '@pc/domain/condition/params.ts'

const SORT_COLUMNS = ['perMille', 'publisher', 'views', 'fee', 'rate', 'fixed', 'minimumTopUp', 'position'] as const
export type FairnessSortColumn = (typeof SORT_COLUMNS)[number]
/** A leading minus sorts descending; the lowest fee first. */
const SORTS: readonly [FairnessSortColumn, ...(FairnessSortColumn | `-${FairnessSortColumn}`)[]] = [
  'perMille',
  ...SORT_COLUMNS.flatMap(column => [column, `-${column}`] as const),
]

/** Which medium and month the fees are of. Without them the first medium and the last month that is final. */
export const fairnessCondition = defineCondition({ mediumId: id(), month: month(), sort: oneOf(SORTS) })
export type FairnessCondition = ConditionOf<typeof fairnessCondition>
