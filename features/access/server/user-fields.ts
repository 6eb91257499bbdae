import { ROLES, type Role } from '@pc/domain/access/role.ts'
import { ROLE_LABELS_JA } from '@pc/domain/access/role-labels.ja.ts'
import type { Graph, ObjectTypeRef } from '@pc/platform/graphql/graph.ts'
import { readId } from '@pc/platform/graphql/list-arguments.ts'
import { loadBatched } from '@pc/platform/graphql/load-batched.ts'
import { mutation } from '@pc/platform/graphql/mutation.ts'
import { refuse } from '@pc/platform/graphql/refusal-error.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import type { AccountMailPort } from './account-mail-port.ts'
import { changeUser, deleteUser } from './change-user.ts'
import { confirmAccountChange, withdrawAccountChange } from './confirm-account-change.ts'
import { countInvitation, inviteUser, regenerateInviteLink } from './invite-user.ts'
import { resetSecondFactor } from './reset-second-factor.ts'
import { countNewEmail, updateEmail } from './update-email.ts'
import type { PendingChange, UserRow } from './user-store.ts'

const ACCOUNT_CHANGE_KINDS_OF_API = ['EMAIL', 'SECOND_FACTOR', 'INVITATION'] as const
const KIND_OF_API = { email: 'EMAIL', 'second-factor': 'SECOND_FACTOR', invitation: 'INVITATION' } as const

/** The types of users, their roles and their organisations in the IAM API. */
export function userType(graph: Graph, mail: AccountMailPort) {
  const RoleName = graph.objectRef<Role>('UserRole').implement({
    on: 'inherits',
    fields: t => ({
      name: t.string({ resolve: role => role }),
      label: t.string({ resolve: role => ROLE_LABELS_JA[role].label }),
    }),
  })
  const OrganizationName = graph.objectRef<{ id: bigint; name: string }>('OrganizationName').implement({
    on: 'inherits',
    fields: t => ({ id: t.expose('id', { type: 'ID' }), name: t.exposeString('name') }),
  })
  const Invitation = graph.objectRef<NonNullable<UserRow['invitation']>>('Invitation').implement({
    on: 'inherits',
    fields: t => ({
      invitedAt: t.expose('invitedAt', { type: 'DateTime' }),
      expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
    }),
  })
  const Kind = graph.enumType('AccountChangeKind', { values: ACCOUNT_CHANGE_KINDS_OF_API })
  const PendingChangeType = graph.objectRef<PendingChange>('PendingAccountChange').implement({
    on: 'inherits',
    description:
      'What an administrator has asked for and neither the person nor a second administrator has confirmed yet.',
    fields: t => ({
      id: t.exposeID('id'),
      kind: t.field({ type: Kind, resolve: change => KIND_OF_API[change.kind] }),
      newEmail: t.exposeString('newEmail', { nullable: true }),
      requestedAt: t.field({ type: 'DateTime', resolve: change => new Date(change.requestedAt) }),
      expiresAt: t.field({ type: 'DateTime', resolve: change => new Date(change.expiresAt) }),
      requestedByEmail: t.exposeString('requestedByEmail', {
        nullable: true,
        description: 'Null: somebody of staff, for people of publishers.',
      }),
      isOwnRequest: t.boolean({
        description: 'Whether the caller asked for it, and so cannot confirm it.',
        resolve: (change, _args, context) => change.requestedByUid === context.viewer?.uid,
      }),
    }),
  })
  const AccountAtIssuer = graph.enumType('AccountAtIssuer', { values: ['BOUND', 'MISSING'] as const })
  return graph.objectRef<UserRow>('User').implement({
    on: 'iam:user.',
    fields: t => ({
      uid: t.exposeID('uid'),
      email: t.exposeString('email'),
      photoURL: t.exposeString('photoUrl', { nullable: true }),
      enabled: t.exposeBoolean('enabled'),
      roles: t.expose('roles', { type: [RoleName] }),
      organizationId: t.id({ nullable: true, resolve: user => user.organization?.id ?? null }),
      organization: t.expose('organization', { type: OrganizationName, nullable: true }),
      agreementIds: t.idList({
        description: 'The agreements that a publisher editor works for.',
        resolve: user => [...user.agreementIds],
      }),
      invitation: t.expose('invitation', {
        type: Invitation,
        nullable: true,
        description: 'An invitation that was not accepted yet.',
      }),
      pendingChange: t.expose('pendingChange', { type: PendingChangeType, nullable: true }),
      accountAtIssuer: t.field({
        type: AccountAtIssuer,
        nullable: true,
        description: 'Whether an account of the external issuer is bound to this user; null with the embedded issuer.',
        resolve: user => (mail.isIssuerExternal ? (user.isBoundElsewhere ? 'BOUND' : 'MISSING') : null),
      }),
      hasSecondFactor: t.boolean({
        description: 'Whether signing in asks this person for more than the password.',
        resolve: async (user, _args, context) =>
          (await loadBatched(context, 'hasSecondFactor', user.uid, async uids => {
            const having = await mail.withSecondFactor(uids)
            return new Map(uids.map(uid => [uid, having.has(uid)]))
          })) ?? false,
      }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
    }),
  })
}

export interface UserMutationDependencies {
  readonly database: Database
  readonly mail: AccountMailPort
  readonly User: ObjectTypeRef<UserRow>
}

/** The mutations that administer people. */
export function addUserMutations(graph: Graph, { database, mail, User }: UserMutationDependencies): void {
  const InviteUserInput = graph.inputType('InviteUserInput', {
    fields: t => ({
      email: t.string({ required: true }),
      roles: t.stringList({ required: true }),
      organizationId: t.id({ description: "Ignored for a publisher's administrator: the own organisation." }),
      agreementIds: t.idList(),
    }),
  })
  const inviteeOf = (input: typeof InviteUserInput.$inferInput) => ({
    email: input.email,
    roles: knownRoles(input.roles),
    organizationId: input.organizationId ? readId(input.organizationId, ['input', 'organizationId']) : null,
    agreementIds: readIds(input.agreementIds ?? []),
  })
  graph.mutationField('inviteUser', t =>
    mutation(t, {
      description: 'Makes a user and mails a link that lets the person choose a password, once, within 72 hours.',
      type: User,
      args: { input: t.arg({ type: InviteUserInput, required: true }) },
      allow: 'write:create',
      on: 'iam:user.',
      database,
      needsStepUp: true,
      prepare: ({ input }, permit) => countInvitation(database, inviteeOf(input), permit, mail),
      run: ({ input }, write, _context, attempt) => inviteUser(inviteeOf(input), write, mail, attempt),
    }),
  )
  graph.mutationField('regenerateInviteLink', t =>
    mutation(t, {
      description:
        'Mails a new link to somebody who has not accepted yet; the link before is void. With an external issuer also asks for one for somebody who shall bind another account: see confirmAccountChange. Never answered here.',
      type: User,
      args: { uid: t.arg.id({ required: true }) },
      allow: 'write:update',
      on: 'iam:user.',
      database,
      needsStepUp: true,
      run: ({ uid }, write) => regenerateInviteLink(uid, write, mail),
    }),
  )
  graph.mutationField('updateEmail', t =>
    mutation(t, {
      description:
        'Asks for another address, which changes when the person (at both addresses, or signed in) or a second administrator agrees. Of somebody who has not accepted the invitation it changes at once.',
      type: User,
      args: { uid: t.arg.id({ required: true }), email: t.arg.string({ required: true }) },
      allow: 'write:update',
      on: 'iam:user.',
      database,
      needsStepUp: true,
      prepare: (args, permit) => countNewEmail(database, args, permit, mail),
      run: ({ uid, email }, write, _context, attempt) => updateEmail(uid, email, write, mail, attempt),
    }),
  )
  graph.mutationField('updateRoles', t =>
    mutation(t, {
      description: 'Replaces the roles; ends the sessions of the person. Agreements: what an editor works for.',
      type: User,
      args: {
        uid: t.arg.id({ required: true }),
        roles: t.arg.stringList({ required: true }),
        agreementIds: t.arg.idList(),
      },
      allow: 'write:update',
      on: 'iam:user_role.',
      database,
      needsStepUp: true,
      run: ({ uid, roles, agreementIds }, write) =>
        changeUser(
          uid,
          { roles: knownRoles(roles), agreementIds: agreementIds ? readIds(agreementIds) : undefined },
          write,
          mail,
          'update-roles',
        ),
    }),
  )
  graph.mutationField('setUserEnabled', t =>
    mutation(t, {
      description: 'Lets a person sign in, or no more; ends the sessions.',
      type: User,
      args: { uid: t.arg.id({ required: true }), enabled: t.arg.boolean({ required: true }) },
      allow: 'write:update',
      on: 'iam:user.',
      database,
      // In an emergency, disabling must be quick.
      needsStepUp: ({ enabled }) => enabled,
      run: ({ uid, enabled }, write) => changeUser(uid, { enabled }, write, mail, enabled ? 'enable' : 'disable'),
    }),
  )
  graph.mutationField('resetSecondFactor', t =>
    mutation(t, {
      description:
        'For somebody who lost them: asks to take all second factors and recovery codes, once the person or a second administrator agrees.',
      type: User,
      args: { uid: t.arg.id({ required: true }) },
      allow: 'write:update',
      on: 'iam:user.',
      database,
      needsStepUp: true,
      run: ({ uid }, write) => resetSecondFactor(uid, write, mail),
    }),
  )
  graph.mutationField('confirmAccountChange', t =>
    mutation(t, {
      description:
        'As a second administrator: lets a change take effect that another one asked for. Ends the sessions, and mails where to object.',
      type: User,
      args: { uid: t.arg.id({ required: true }), id: t.arg.id({ required: true }) },
      allow: 'write:update',
      on: 'iam:user.',
      database,
      needsStepUp: true,
      run: ({ uid, id }, write) => confirmAccountChange(uid, readId(id, ['id']), write, mail),
    }),
  )
  graph.mutationField('withdrawAccountChange', t =>
    mutation(t, {
      description: 'Takes back what an administrator asked for and nobody has confirmed.',
      type: User,
      args: { uid: t.arg.id({ required: true }), id: t.arg.id({ required: true }) },
      allow: 'write:update',
      on: 'iam:user.',
      database,
      run: ({ uid, id }, write) => withdrawAccountChange(uid, readId(id, ['id']), write, mail),
    }),
  )
  graph.mutationField('deleteUser', t =>
    mutation(t, {
      type: User,
      args: { uid: t.arg.id({ required: true }) },
      allow: 'write:delete',
      on: 'iam:user.',
      database,
      needsStepUp: true,
      run: ({ uid }, write) => deleteUser(uid, write, mail),
    }),
  )
}

/** Declared here, because the query of all roles needs it. */
export function roleListType(graph: Graph, givenBy: (roles: readonly Role[]) => readonly Role[]) {
  const RoleType = graph.objectRef<Role>('Role').implement({
    on: 'inherits',
    fields: t => ({
      name: t.string({ resolve: role => role }),
      label: t.string({ resolve: role => ROLE_LABELS_JA[role].label }),
      description: t.string({ resolve: role => ROLE_LABELS_JA[role].description }),
      isGivable: t.boolean({
        description: 'Whether the caller may give this role to somebody.',
        resolve: (role, _args, context) => givenBy(context.viewer?.roles ?? []).includes(role),
      }),
    }),
  })
  return graph.objectRef<readonly Role[]>('RoleList').implement({
    on: 'inherits',
    fields: t => ({
      total: t.int({ resolve: roles => roles.length }),
      nodes: t.field({ type: [RoleType], resolve: roles => roles }),
    }),
  })
}

/** The role of that name; refuses the request when there is none. */
export function knownRole(name: string): Role {
  return ROLES.find(one => one === name) ?? refuse('role/unknown', ['role'])
}

function knownRoles(names: readonly string[]): Role[] {
  const roles = names.map(name => ROLES.find(one => one === name) ?? refuse('role/unknown', ['roles']))
  return [...new Set(roles)]
}

function readIds(texts: readonly string[]): bigint[] {
  return texts.map(text => readId(text, ['agreementIds']))
}
