import { type ConditionOf, defineCondition } from '@pc/domain/condition/condition.ts'
import { id, month, oneOf, text } from '@pc/domain/condition/params.ts'

/** The first values of the form of a new adjustment: the defaults, or those of a failed adjustment that is entered again. */
export const manualOperationDraftCondition = defineCondition({
  /** The month of the close board that the person came from; the form returns to it. */
  month: month(),
  kind: oneOf(['csv', 'ssp', 'ssp_video', 'ssp_live', 'reset']),
  mediumId: id(),
  method: oneOf(['payment', 'discard']),
  /** The amount of a pool in yen. */
  amount: text(),
})
export type ManualOperationDraftCondition = ConditionOf<typeof manualOperationDraftCondition>
