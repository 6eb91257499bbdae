import { type ConditionOf, defineCondition } from '@pc/domain/condition/condition.ts'
import { id } from '@pc/domain/condition/params.ts'

/** `board` is the id of the open board; without it the list of boards is shown. */
export const boardCondition = defineCondition({ board: id() })
export type BoardCondition = ConditionOf<typeof boardCondition>
