import { type ConditionOf, defineCondition } from '@pc/domain/condition/condition.ts'
import { id, month, oneOf, text } from '@pc/domain/condition/params.ts'

/** What the form of a new adjustment begins with: nothing, or what an adjustment that failed had said. */
export const manualOperationDraftCondition = defineCondition({
  /** Where the person comes from, and goes back to. */
  month: month(),
  kind: oneOf(['csv', 'ssp', 'ssp_video', 'ssp_live', 'reset']),
  mediumId: id(),
  method: oneOf(['payment', 'discard']),
  /** Yen; of pools. */
  amount: text(),
})
export type ManualOperationDraftCondition = ConditionOf<typeof manualOperationDraftCondition>
