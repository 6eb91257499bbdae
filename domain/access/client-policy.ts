import type { Role } from './role.ts'
import type { Grant, RowCondition } from './role-policies.ts'

/**
 * A policy as the IAM API returns it and the client keeps it. Use it only to hide what the server would refuse: its
 * substring matching is wide. The server decides with `decide`.
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
 * Passes when a policy has an action that contains the requested one (`*` matches any) and a resource whose name
 * contains the requested name. So a prefix such as `iam:` asks for any resource of that service. An empty request,
 * which every name contains, never passes.
 * Tested by `domain/access/access.test.ts`.
 */
export function clientAllows(policies: readonly ClientPolicy[], action: string, resource: string): boolean {
  if (action === '' || resource === '') return false
  return policies.some(
    policy =>
      policy.actions.some(granted => granted === '*' || granted.includes(action)) &&
      policy.resources.some(granted => granted.name.includes(resource)),
  )
}

/**
 * Whether every policy that allows the action is limited to the viewer's own agreements. A person without an agreement
 * then sees nothing.
 */
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

/** A grant as PostgreSQL stores it and the IAM API returns it. Several conditions are joined by commas, in order. */
export interface PolicyRow {
  readonly actions: readonly string[]
  readonly resourceName: string
  readonly conditionKey: string | null
  readonly conditionValue: string | null
}

/** @param role null: a grant that everybody has without a role */
export function policyRow(grant: Grant, role: Role | null): PolicyRow {
  const fields = grant.conditions.map(condition => CONDITION_FIELDS[condition])
  return {
    actions: role === 'admin' ? ['*'] : grant.actions,
    resourceName: grant.resource,
    conditionKey: fields.length === 0 ? null : fields.map(([key]) => key).join(','),
    conditionValue: fields.length === 0 ? null : fields.map(([, value]) => value).join(','),
  }
}

/** The stored grant in the form of the IAM API. */
export function clientPolicy(row: PolicyRow): ClientPolicy {
  return {
    actions: row.actions,
    resources: [{ name: row.resourceName, sameConditionKey: row.conditionKey, sameConditionValue: row.conditionValue }],
  }
}
