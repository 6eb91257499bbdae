import { type ConditionOf, defineCondition } from '@pc/domain/condition/condition.ts'
import { id, month } from '@pc/domain/condition/params.ts'

/** The month and medium of the scenario, and the saved draft that is open. */
export const whatIfCondition = defineCondition({ month: month(), mediumId: id(), draftId: id() })
export type WhatIfCondition = ConditionOf<typeof whatIfCondition>
