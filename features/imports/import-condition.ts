import { type ConditionOf, defineCondition } from '@pc/domain/condition/condition.ts'
import { id, page, text } from '@pc/domain/condition/params.ts'

/** `id` is that of the shown preview; `state` and `page` filter its rows. */
export const importCondition = defineCondition({ kind: text(), id: id(), state: text(), page: page() })
export type ImportCondition = ConditionOf<typeof importCondition>
