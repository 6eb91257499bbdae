import { type ConditionOf, defineCondition } from '@pc/domain/condition/condition.ts'
import { id } from '@pc/domain/condition/params.ts'

/** Which board is open; without one the list of boards. */
export const boardCondition = defineCondition({ board: id() })
export type BoardCondition = ConditionOf<typeof boardCondition>
