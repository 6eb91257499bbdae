import { type ClientPolicy, type ClientPolicyResource, clientPolicy } from '@pc/domain/access/client-policy.ts'
import { ROLES, type Role } from '@pc/domain/access/role.ts'
import { field, openField } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { demandPermit, forbidden } from '@pc/platform/graphql/guard.ts'
import { refuse } from '@pc/platform/graphql/refusal-error.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import { policiesOfRole, policiesOfViewer } from './policy-store.ts'
import { findUser, type UserRow } from './user-store.ts'

/** The identity and access graph: who somebody is, and what somebody may do. */
export function addAccessFields(graph: Graph, { database }: { readonly database: Database }): void {
  const User = userType(graph)
  const PolicyList = policyListType(graph)
  graph.queryField('user', t =>
    field(t, {
      description: "The caller's own user, or one that the caller may see.",
      type: User,
      nullable: true,
      args: { userID: t.arg.id({ required: true }) },
      allow: 'read:show',
      on: 'iam:user.',
      resolve: async (_parent, args, _context, permit) => (await findUser(database, args.userID, permit)) ?? null,
    }),
  )
  graph.queryField('policies', t =>
    openField(t, {
      description: "The caller's policies, or those of a role.",
      type: PolicyList,
      args: { role: t.arg.string() },
      allow: 'signed-in',
      async resolve(_parent, args, context, viewer) {
        // Without a role there is nothing to use: the client alerts and signs out (specification, section 6).
        if (viewer.roles.length === 0) throw forbidden('read:list', 'iam:user_role.')
        if (args.role === null || args.role === undefined)
          return (await policiesOfViewer(database, viewer)).map(clientPolicy)
        const permit = demandPermit(context, 'read:list', 'iam:user_role.')
        return (await policiesOfRole(database, knownRole(args.role), permit)).map(clientPolicy)
      },
    }),
  )
}

function userType(graph: Graph) {
  const RoleType = graph.objectRef<Role>('Role').implement({
    on: 'inherits',
    fields: t => ({ name: t.string({ resolve: role => role }) }),
  })
  const Organization = graph.objectRef<{ id: bigint; name: string }>('Organization').implement({
    on: 'inherits',
    fields: t => ({ id: t.expose('id', { type: 'ID' }), name: t.exposeString('name') }),
  })
  return graph.objectRef<UserRow>('User').implement({
    on: 'iam:user.',
    fields: t => ({
      uid: t.exposeID('uid'),
      email: t.exposeString('email'),
      photoURL: t.exposeString('photoUrl', { nullable: true }),
      enabled: t.exposeBoolean('enabled'),
      roles: t.expose('roles', { type: [RoleType] }),
      organizationId: t.id({ nullable: true, resolve: user => user.organization?.id ?? null }),
      organization: t.expose('organization', { type: Organization, nullable: true }),
    }),
  })
}

function policyListType(graph: Graph) {
  const PolicyResource = graph.objectRef<ClientPolicyResource>('PolicyResource').implement({
    on: 'inherits',
    fields: t => ({
      name: t.exposeString('name'),
      sameConditionKey: t.exposeString('sameConditionKey', { nullable: true }),
      sameConditionValue: t.exposeString('sameConditionValue', { nullable: true }),
    }),
  })
  const Policy = graph.objectRef<ClientPolicy>('Policy').implement({
    on: 'inherits',
    fields: t => ({
      actions: t.exposeStringList('actions'),
      resources: t.expose('resources', { type: [PolicyResource] }),
    }),
  })
  return graph.objectRef<readonly ClientPolicy[]>('PolicyList').implement({
    on: 'inherits',
    fields: t => ({
      total: t.int({ resolve: policies => policies.length }),
      nodes: t.field({ type: [Policy], resolve: policies => policies }),
    }),
  })
}

function knownRole(name: string): Role {
  const role = ROLES.find(one => one === name)
  return role ?? refuse('role/unknown', ['role'])
}
