import { type ConditionOf, defineCondition } from '@pc/domain/condition/condition.ts'
import { id } from '@pc/domain/condition/params.ts'

/** The own report mails; with one that a mail's link names. */
export const reportMailCondition = defineCondition({ mail: id() })
export type ReportMailCondition = ConditionOf<typeof reportMailCondition>
