import { type ConditionOf, defineCondition } from '@pc/domain/condition/condition.ts'
import { id } from '@pc/domain/condition/params.ts'

/** The own report mails; with one that a mail's link names. */
export const reportEmailCondition = defineCondition({ mail: id() })
export type ReportEmailCondition = ConditionOf<typeof reportEmailCondition>
