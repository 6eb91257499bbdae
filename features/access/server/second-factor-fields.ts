import { SECOND_FACTOR_ROLES } from '@pc/domain/access/second-factor.ts'
import { field, openField } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { mutation } from '@pc/platform/graphql/mutation.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import type { AccountMailPort } from './account-mail-port.ts'
import { listPeopleWithout, readRule, type SecondFactorRule, saveSecondFactorRule } from './second-factor-rule.ts'

export interface SecondFactorDependencies {
  readonly database: Database
  readonly mail: AccountMailPort
}

/** The rule about second factors and what it requires of the viewer. `mail.bindsAccounts` tells an external issuer. */
export function addSecondFactorFields(graph: Graph, { database, mail }: SecondFactorDependencies): void {
  addNotice(graph, mail)
  const People = graph.objectRef<{ total: number; emails: readonly string[] }>('PeopleWithoutSecondFactor').implement({
    on: 'inherits',
    fields: t => ({ total: t.exposeInt('total'), emails: t.stringList({ resolve: people => [...people.emails] }) }),
  })
  const Rule = graph.objectRef<SecondFactorRule>('SecondFactorRule').implement({
    on: 'inherits',
    description: 'Whether roles that move money or manage accounts need a second factor.',
    fields: t => ({
      isRequired: t.exposeBoolean('isRequired'),
      graceDays: t.exposeInt('graceDays', { description: 'Days that a person has from the first need.' }),
      requiredFrom: t.expose('requiredFrom', { type: 'DateTime' }),
      revision: t.exposeInt('revision'),
      roles: t.stringList({ description: 'The roles that need it.', resolve: () => [...SECOND_FACTOR_ROLES] }),
      isAtIssuer: t.boolean({
        description: 'Whether people sign in at an external issuer, which has to say how.',
        resolve: () => mail.isIssuerExternal,
      }),
    }),
  })
  graph.queryField('secondFactorRule', t =>
    field(t, {
      type: Rule,
      description: 'For people who may change it.',
      allow: 'write:update',
      on: 'iam:user_role.',
      resolve: (_parent, _args, _context, permit) => database.inScope(permit.scope, readRule),
    }),
  )
  graph.queryField('peopleWithoutSecondFactor', t =>
    field(t, {
      type: People,
      description:
        'Who needs one and has none, the first hundred by address. Nobody where an external issuer keeps them.',
      allow: 'write:update',
      on: 'iam:user_role.',
      resolve: async (_parent, _args, _context, permit) =>
        mail.isIssuerExternal ? { total: 0, emails: [] } : database.inScope(permit.scope, listPeopleWithout),
    }),
  )
  graph.mutationField('saveSecondFactorRule', t =>
    mutation(t, {
      type: Rule,
      description: 'Who switches it on must have signed in with a second factor.',
      args: {
        isRequired: t.arg.boolean({ required: true }),
        graceDays: t.arg.int({ required: true }),
        expectedRevision: t.arg.int({ description: 'What the editing began with; refused when it was changed since.' }),
      },
      allow: 'write:update',
      on: 'iam:user_role.',
      database,
      needsStepUp: true,
      run: (args, write) => saveSecondFactorRule(args, write),
    }),
  )
}

function addNotice(graph: Graph, mail: AccountMailPort): void {
  const Notice = graph.objectRef<{ dueAt: Date }>('SecondFactorNotice').implement({
    on: 'inherits',
    description: 'The roles of the caller need a second factor, and there is none yet.',
    fields: t => ({
      dueAt: t.expose('dueAt', { type: 'DateTime', description: 'From then on nothing else is possible.' }),
      isAtIssuer: t.boolean({
        description: 'Whether it is set up at an external issuer.',
        resolve: () => mail.isIssuerExternal,
      }),
    }),
  })
  graph.queryField('secondFactorNotice', t =>
    openField(t, {
      type: Notice,
      nullable: true,
      description: 'Null: nothing is missing.',
      allow: 'signed-in',
      resolve: (_parent, _args, _context, { secondFactorDueAtMs }) =>
        secondFactorDueAtMs === undefined ? null : { dueAt: new Date(secondFactorDueAtMs) },
    }),
  )
}
