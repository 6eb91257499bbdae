import { type ClientPolicy, type ClientPolicyResource, clientPolicy } from '@pc/domain/access/client-policy.ts'
import { ROLES } from '@pc/domain/access/role.ts'
import { rolesGivenBy } from '@pc/domain/access/role-rank.ts'
import { type ImpersonatedBy, isOneself, type Viewer } from '@pc/domain/access/viewer-scope.ts'
import type { VerifyAuditLog } from '@pc/platform/audit/verify-since-last.ts'
import { field, openField } from '@pc/platform/graphql/field.ts'
import type { Graph, ObjectTypeRef } from '@pc/platform/graphql/graph.ts'
import { demandPermit, forbidden } from '@pc/platform/graphql/guard.ts'
import { readId, readPage, readSearch } from '@pc/platform/graphql/list-arguments.ts'
import { mutation } from '@pc/platform/graphql/mutation.ts'
import { acceptedValue } from '@pc/platform/graphql/refusal-error.ts'
import { normalizedEmail } from '@pc/platform/oidc/session-check.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import type { AccountMailPort } from './account-mail-port.ts'
import { addAuditLogFields } from './audit-log-fields.ts'
import { explainForViewer } from './explain-user-access.ts'
import { endImpersonation, startImpersonation } from './impersonate.ts'
import { addOrganizationFields } from './organization-fields.ts'
import { policiesOfRole, policiesOfViewer } from './policy-store.ts'
import { addSecondFactorFields } from './second-factor-fields.ts'
import { addUserMutations, knownRole, roleListType, userType } from './user-fields.ts'
import { findUser, INVITATION_STATES, listUsers, USER_ORDERS, type UserRow } from './user-store.ts'

export interface AccessDependencies {
  readonly database: Database
  readonly mail: AccountMailPort
  /** Verifies the hash chain of the audit log, by default only the rows that this process has not verified before. */
  readonly verifyAuditLog: VerifyAuditLog
}
interface Shared extends AccessDependencies {
  readonly User: ObjectTypeRef<UserRow>
}

/** Adds the IAM API: users, roles, policies, organisations, second factors and the audit log. */
export function addAccessFields(graph: Graph, dependencies: AccessDependencies): void {
  const shared = { ...dependencies, User: userType(graph, dependencies.mail) }
  addViewerField(graph)
  addUserQueries(graph, shared)
  addPolicyFields(graph, shared)
  addUserMutations(graph, shared)
  addOrganizationFields(graph, dependencies)
  addExplanation(graph, dependencies)
  addImpersonation(graph, shared)
  addAuditLogFields(graph, dependencies)
  addSecondFactorFields(graph, dependencies)
}

function addViewerField(graph: Graph): void {
  const ImpersonationType = graph.objectRef<ImpersonatedBy>('ActingAs').implement({
    on: 'inherits',
    description: 'A view that staff has taken on: read-only, and over at `endsAt` by itself.',
    fields: t => ({
      staffUid: t.id({ resolve: view => view.uid }),
      staffEmail: t.string({ resolve: view => view.email }),
      reason: t.exposeString('reason'),
      startedAt: t.field({ type: 'DateTime', resolve: view => new Date(view.startedAtMs) }),
      endsAt: t.field({ type: 'DateTime', resolve: view => new Date(view.endsAtMs) }),
    }),
  })
  const ViewerType = graph.objectRef<Viewer>('Viewer').implement({
    on: 'inherits',
    fields: t => ({
      uid: t.exposeID('uid'),
      email: t.exposeString('email'),
      roles: t.stringList({ resolve: viewer => [...viewer.roles] }),
      organizationId: t.id({ nullable: true, resolve: viewer => viewer.organizationId }),
      actingAs: t.field({
        type: ImpersonationType,
        nullable: true,
        description: 'Set while staff sees the system as this person.',
        resolve: viewer => viewer.impersonatedBy ?? null,
      }),
    }),
  })
  graph.queryField('viewer', t =>
    openField(t, {
      description: 'Whose rights the requests of this session have: the caller, or whom the caller views as.',
      type: ViewerType,
      allow: 'signed-in',
      resolve: (_parent, _args, _context, viewer) => viewer,
    }),
  )
}

function addUserQueries(graph: Graph, { database, User }: Shared): void {
  graph.queryField('user', t =>
    field(t, {
      description: "The caller's own user, or one that the caller may see.",
      type: User,
      nullable: true,
      args: { userID: t.arg.id({ required: true }) },
      allow: 'read:show',
      on: 'iam:user.',
      resolve: async (_parent, { userID }, _context, permit) =>
        (await findUser(database, isOneself(permit.viewer, userID) ? permit.viewer.uid : userID, permit)) ?? null,
    }),
  )
  const UserList = graph.objectRef<{ total: number; nodes: UserRow[] }>('UserList').implement({
    on: 'iam:user.',
    fields: t => ({ total: t.exposeInt('total'), nodes: t.expose('nodes', { type: [User] }) }),
  })
  const InvitationStateType = graph.enumType('InvitationState', { values: INVITATION_STATES })
  const UsersOrderBy = graph.enumType('UsersOrderBy', { values: USER_ORDERS })
  graph.queryField('users', t =>
    field(t, {
      type: UserList,
      args: {
        userIDs: t.arg.idList(),
        organizationId: t.arg.id(),
        q: t.arg.string(),
        enabled: t.arg.boolean(),
        role: t.arg.string(),
        invitation: t.arg({
          type: InvitationStateType,
          description:
            'Who was invited and has not accepted yet, with a link that is still usable or not; none: everybody else.',
        }),
        limit: t.arg.int({ defaultValue: 100 }),
        offset: t.arg.int({ defaultValue: 0 }),
        orderBy: t.arg({ type: UsersOrderBy }),
      },
      allow: 'read:list',
      on: 'iam:user.',
      resolve: (_parent, args, _context, permit) =>
        listUsers(
          database,
          {
            uids: args.userIDs ?? undefined,
            organizationId: args.organizationId ? readId(args.organizationId, ['organizationId']) : undefined,
            enabled: args.enabled ?? undefined,
            role: args.role ? knownRole(args.role) : undefined,
            invitation: args.invitation ?? undefined,
            pattern: readSearch(args.q && normalizedEmail(args.q)),
          },
          args.orderBy ?? 'EMAIL_ASC',
          readPage({ limit: args.limit ?? 100, offset: args.offset ?? 0 }),
          permit,
        ),
    }),
  )
}

function addPolicyFields(graph: Graph, { database }: Shared): void {
  const PolicyList = policyListType(graph)
  graph.queryField('policies', t =>
    openField(t, {
      description: "The caller's policies, or those of a role.",
      type: PolicyList,
      args: { role: t.arg.string() },
      allow: 'signed-in',
      async resolve(_parent, args, context, viewer) {
        // Without a role there is nothing to use: the client shows an alert and signs out.
        if (viewer.roles.length === 0) throw forbidden('read:list', 'iam:user_role.')
        if (args.role === null || args.role === undefined)
          return (await policiesOfViewer(database, viewer)).map(clientPolicy)
        const permit = demandPermit(context, 'read:list', 'iam:user_role.')
        return (await policiesOfRole(database, knownRole(args.role), permit)).map(clientPolicy)
      },
    }),
  )
  const RoleList = roleListType(graph, rolesGivenBy)
  graph.queryField('roles', t =>
    field(t, {
      description: 'All roles, with what they are for.',
      type: RoleList,
      allow: 'read:list',
      on: 'iam:user_role.',
      resolve: () => ROLES,
    }),
  )
}

function addExplanation(graph: Graph, { database }: AccessDependencies): void {
  const AccessExplanation = graph
    .objectRef<{ isAllowed: boolean; sentence: string; role: string | null; conditions: readonly string[] }>(
      'AccessExplanation',
    )
    .implement({
      on: 'inherits',
      fields: t => ({
        isAllowed: t.exposeBoolean('isAllowed'),
        sentence: t.exposeString('sentence'),
        role: t.exposeString('role', { nullable: true }),
        conditions: t.stringList({ resolve: explanation => [...explanation.conditions] }),
      }),
    })
  graph.queryField('explainAccess', t =>
    field(t, {
      description:
        'Why a user may or may not do something: the policy that allows, or the nearest miss, in a sentence.',
      type: AccessExplanation,
      args: {
        userID: t.arg.id({ required: true }),
        action: t.arg.string({ required: true }),
        resource: t.arg.string({ required: true }),
        rowId: t.arg.id(),
      },
      allow: 'read:show',
      on: 'iam:user.',
      async resolve(_parent, { userID, action, resource, rowId }, _context, permit) {
        const request = { userUid: userID, action, resource, rowId: rowId ?? undefined }
        return acceptedValue(await explainForViewer(database, request, permit))
      },
    }),
  )
}

function addImpersonation(graph: Graph, { database, User }: Shared): void {
  graph.mutationField('startViewAs', t =>
    mutation(t, {
      description: "Shows this session the system as a publisher's user sees it, read-only, for 30 minutes. Logged.",
      type: User,
      args: { uid: t.arg.id({ required: true }), reason: t.arg.string({ required: true }) },
      allow: 'write:create',
      on: 'iam:view_as.',
      database,
      run: ({ uid, reason }, write) => startImpersonation(uid, reason, write),
    }),
  )
  graph.mutationField('endViewAs', t =>
    mutation(t, {
      type: 'Boolean',
      allow: 'read:show',
      on: 'iam:user.',
      database,
      isAllowedWhileImpersonating: true,
      run: (_args, write) => endImpersonation(write),
    }),
  )
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
