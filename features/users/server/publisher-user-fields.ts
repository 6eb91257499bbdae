import type { Permit } from '@pc/domain/access/decide.ts'
import { ROLES, type Role } from '@pc/domain/access/role.ts'
import type { Refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import type { Result } from '@pc/domain/result.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { readId } from '@pc/platform/graphql/list-arguments.ts'
import { mutation, type Write } from '@pc/platform/graphql/mutation.ts'
import { refuse } from '@pc/platform/graphql/refusal-error.ts'
import type { Database } from '@pc/platform/postgres/database.ts'

interface PublisherUser {
  readonly uid: string
  readonly email: string
  readonly enabled: boolean
  readonly roles: readonly Role[]
  readonly agreementIds: readonly bigint[]
}
interface Invitee {
  readonly email: string
  readonly roles: readonly Role[]
  readonly organizationId: bigint | null
  readonly agreementIds: readonly bigint[]
}
type Attempt = Result<undefined, Refusal<RefusalCode>>
type Outcome = Promise<Result<PublisherUser, Refusal<RefusalCode>>>

export interface PublisherUserDependencies {
  readonly database: Database
  /** The use cases of `features/access`, wired in `apps/server`. */
  readonly countInvitation: (invitee: Invitee, permit: Permit<'write:create', 'iam:user.'>) => Promise<Attempt>
  readonly inviteUser: (invitee: Invitee, write: Write<'write:create', 'iam:user.'>, attempt: Attempt) => Outcome
  readonly changeUser: (
    uid: string,
    change: {
      roles?: readonly Role[] | undefined
      agreementIds?: readonly bigint[] | undefined
      enabled?: boolean | undefined
    },
    write: Write<'write:update', 'iam:user.'>,
  ) => Outcome
}

/** Fields with which a publisher's administrator manages the people of their organisation in the console. */
export function addPublisherUserFields(graph: Graph, dependencies: PublisherUserDependencies): void {
  const { database, countInvitation, inviteUser, changeUser } = dependencies
  const PublisherUserType = graph.objectRef<PublisherUser>('PublisherUser').implement({
    on: 'iam:user.',
    fields: t => ({
      uid: t.exposeID('uid'),
      email: t.exposeString('email'),
      enabled: t.exposeBoolean('enabled'),
      roles: t.stringList({ resolve: user => [...user.roles] }),
      agreementIds: t.idList({ resolve: user => [...user.agreementIds] }),
    }),
  })
  const InviteInput = graph.inputType('InviteUserForPublisherInput', {
    fields: t => ({
      email: t.string({ required: true }),
      roles: t.stringList({ required: true }),
      organizationId: t.id({ description: 'For staff; a publisher invites to the own organisation.' }),
      agreementIds: t.idList({ description: 'What a publisher editor works for.' }),
    }),
  })
  const UpdateInput = graph.inputType('UpdateUserForPublisherInput', {
    fields: t => ({
      uid: t.id({ required: true }),
      roles: t.stringList(),
      agreementIds: t.idList(),
      enabled: t.boolean(),
    }),
  })
  const inviteeOf = (input: typeof InviteInput.$inferInput): Invitee => ({
    email: input.email,
    roles: readRoles(input.roles),
    organizationId: input.organizationId ? readId(input.organizationId, ['input', 'organizationId']) : null,
    agreementIds: readIds(input.agreementIds ?? []),
  })
  graph.mutationField('inviteUserForPublisher', t =>
    mutation(t, {
      type: PublisherUserType,
      args: { input: t.arg({ type: InviteInput, required: true }) },
      allow: 'write:create',
      on: 'iam:user.',
      database,
      needsStepUp: true,
      prepare: ({ input }, permit) => countInvitation(inviteeOf(input), permit),
      run: ({ input }, write, _context, attempt) => inviteUser(inviteeOf(input), write, attempt),
    }),
  )
  graph.mutationField('updateUserForPublisher', t =>
    mutation(t, {
      description: 'Fields that are not given stay as they are.',
      type: PublisherUserType,
      args: { input: t.arg({ type: UpdateInput, required: true }) },
      allow: 'write:update',
      on: 'iam:user.',
      database,
      needsStepUp: true,
      run: ({ input }, write) =>
        changeUser(
          input.uid,
          {
            roles: input.roles ? readRoles(input.roles) : undefined,
            agreementIds: input.agreementIds ? readIds(input.agreementIds) : undefined,
            enabled: input.enabled ?? undefined,
          },
          write,
        ),
    }),
  )
}

function readRoles(names: readonly string[]): Role[] {
  const roles = names.map(name => ROLES.find(one => one === name) ?? refuse('role/unknown', ['input', 'roles']))
  return [...new Set(roles)]
}

function readIds(texts: readonly string[]): bigint[] {
  return texts.map(text => readId(text, ['input', 'agreementIds']))
}
