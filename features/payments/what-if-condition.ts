import { type ConditionOf, defineCondition } from '@pc/domain/condition/condition.ts'
import { id, month } from '@pc/domain/condition/params.ts'

/** Which month of which medium is tried out, and which draft is open. */
export const whatIfCondition = defineCondition({ month: month(), mediumId: id(), draftId: id() })
export type WhatIfCondition = ConditionOf<typeof whatIfCondition>
