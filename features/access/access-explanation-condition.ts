import { GRANULAR_ACTIONS } from '@pc/domain/access/action.ts'
import { RESOURCE_NAMES } from '@pc/domain/access/resource-name.ts'
import { type ConditionOf, defineCondition } from '@pc/domain/condition/condition.ts'
import { oneOf, text } from '@pc/domain/condition/params.ts'

/** The question of the access explainer. It is in the address, so that it can be sent to a colleague. */
export const accessExplanationCondition = defineCondition({
  user: text(),
  action: oneOf(GRANULAR_ACTIONS),
  resource: oneOf(RESOURCE_NAMES, 'insight:agreement.'),
  row: text(),
})
export type AccessExplanationCondition = ConditionOf<typeof accessExplanationCondition>
