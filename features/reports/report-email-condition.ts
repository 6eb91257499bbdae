import { type ConditionOf, defineCondition } from '@pc/domain/condition/condition.ts'
import { id } from '@pc/domain/condition/params.ts'

/** The condition of the list of report emails. `mail` is the id of the one that the link in an email names. */
export const reportEmailCondition = defineCondition({ mail: id() })
export type ReportEmailCondition = ConditionOf<typeof reportEmailCondition>
