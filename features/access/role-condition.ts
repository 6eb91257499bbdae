import { ROLES } from '@pc/domain/access/role.ts'
import { type ConditionOf, defineCondition } from '@pc/domain/condition/condition.ts'
import { oneOf } from '@pc/domain/condition/params.ts'

/** The role that the screen of roles explains. The first is the default; naming it tells the compiler that there is one. */
export const roleCondition = defineCondition({ role: oneOf(['admin', ...ROLES.filter(role => role !== 'admin')]) })
export type RoleCondition = ConditionOf<typeof roleCondition>
