import { type ConditionOf, defineCondition } from '@pc/domain/condition/condition.ts'
import { oneOf, page } from '@pc/domain/condition/params.ts'

export const PRACTICE_PAGE_SIZE = 100

/** Which payees of the practice month are shown: those with a different result, or all. */
export const practiceCondition = defineCondition({
  show: oneOf(['different', 'all']),
  page: page(),
})
export type PracticeCondition = ConditionOf<typeof practiceCondition>
