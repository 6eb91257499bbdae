import { type ConditionOf, defineCondition } from '@pc/domain/condition/condition.ts'
import { page } from '@pc/domain/condition/params.ts'

export const API_KEY_PAGE_SIZE = 20

export const apiKeyCondition = defineCondition({ page: page() })
export type ApiKeyCondition = ConditionOf<typeof apiKeyCondition>
