import type { Role } from './role.ts'
import type { Grant, RowCondition } from './role-policies.ts'

/**
 * Policies as the IAM API answers them and the client keeps them. ONLY for hiding what would be refused anyway: the
 * substring rules are wide; the server decides with `decide`.
 */
export interface ClientPolicy {
  readonly actions: readonly string[]
  readonly resources: readonly ClientPolicyResource[]
}
export interface ClientPolicyResource {
  readonly name: string
  readonly sameConditionKey?: string | null
  readonly sameConditionValue?: string | null
}

/**
 * A check passes when some policy has an action matching the requested one (`*` matches any; otherwise the policy's
 * string must contain the requested one) and a resource whose name contains the requested name.
 * A requested prefix such as `iam:` therefore asks for any resource of that service.
 * An empty request is contained in everything and would always pass, so it never does.
 */
export function clientAllows(policies: readonly ClientPolicy[], action: string, resource: string): boolean {
  if (action === '' || resource === '') return false
  return policies.some(
    policy =>
      policy.actions.some(granted => granted === '*' || granted.includes(action)) &&
      policy.resources.some(granted => granted.name.includes(resource)),
  )
}

/** Whether all that the policies allow of it are rows of the own agreements: a person who has none sees nothing there. */
export function isLimitedToAgreements(policies: readonly ClientPolicy[], action: string, resource: string): boolean {
  const [ofAgreements] = CONDITION_FIELDS['own-agreements']
  const wider = policies.map(policy => ({
    ...policy,
    resources: policy.resources.filter(({ sameConditionKey }) => !sameConditionKey?.split(',').includes(ofAgreements)),
  }))
  return clientAllows(policies, action, resource) && !clientAllows(wider, action, resource)
}

const CONDITION_FIELDS: Readonly<Record<RowCondition, readonly [key: string, value: string]>> = {
  'own-organization': ['organizationId', 'own'],
  'own-agreements': ['agreementId', 'own'],
  'own-user': ['uid', 'own'],
  finalized: ['hasBeenFinalized', 'true'],
  published: ['isPublished', 'true'],
}

/** A grant as the row that PostgreSQL keeps and the IAM API answers. Several conditions are joined by commas, in order. */
export interface PolicyRow {
  readonly actions: readonly string[]
  readonly resourceName: string
  readonly conditionKey: string | null
  readonly conditionValue: string | null
}

export function policyRow(grant: Grant, role: Role | null): PolicyRow {
  const fields = grant.conditions.map(condition => CONDITION_FIELDS[condition])
  return {
    actions: role === 'admin' ? ['*'] : grant.actions,
    resourceName: grant.resource,
    conditionKey: fields.length === 0 ? null : fields.map(([key]) => key).join(','),
    conditionValue: fields.length === 0 ? null : fields.map(([, value]) => value).join(','),
  }
}

export function clientPolicy(row: PolicyRow): ClientPolicy {
  return {
    actions: row.actions,
    resources: [{ name: row.resourceName, sameConditionKey: row.conditionKey, sameConditionValue: row.conditionValue }],
  }
}
