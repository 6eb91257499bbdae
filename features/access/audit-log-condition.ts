import { RESOURCE_NAMES } from '@pc/domain/access/resource-name.ts'
import { type ConditionOf, defineCondition } from '@pc/domain/condition/condition.ts'
import { day, oneOf, page, text } from '@pc/domain/condition/params.ts'

export const AUDIT_LOG_PAGE_SIZE = 50

/** The filter of the audit log. Without days it covers everything. */
export const auditLogCondition = defineCondition({
  q: text(),
  from: day(),
  to: day(),
  resource: oneOf(['all', ...RESOURCE_NAMES]),
  row: text(),
  page: page(AUDIT_LOG_PAGE_SIZE),
})
export type AuditLogCondition = ConditionOf<typeof auditLogCondition>
