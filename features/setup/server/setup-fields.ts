import { ROLE_LABELS_JA } from '@pc/domain/access/role-labels.ja.ts'
import { SETUP_COUNT_LIMIT } from '@pc/domain/setup/setup-count.ts'
import {
  SETUP_RULES,
  SETUP_STATES,
  SETUP_STEPS,
  SETUP_TASKS,
  type SetupSide,
  type SetupStep,
  type SetupTask,
  setupSteps,
} from '@pc/domain/setup/setup-step.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph, GraphContext } from '@pc/platform/graphql/graph.ts'
import { findPermit } from '@pc/platform/graphql/guard.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import { type RawBuilder, sql } from 'kysely'

/**
 * Counts of what each setup task creates, as subqueries of a statement in the reader's scope, by the rule of the
 * feature that owns it. Undefined: the reader may not see them.
 */
export type CountSetupTasks = (
  context: GraphContext,
  side: SetupSide,
) => Readonly<Partial<Record<SetupTask, RawBuilder<bigint> | undefined>>>

interface SetupDependencies {
  readonly database: Database
  readonly countTasks: CountSetupTasks
}

/** `setupSteps`: what is left to set up, read in one statement. */
export function addSetupFields(graph: Graph, { database, countTasks }: SetupDependencies): void {
  const Key = graph.enumType('SetupStepKey', { values: SETUP_STEPS })
  const Task = graph.enumType('SetupTask', { values: SETUP_TASKS })
  const State = graph.enumType('SetupState', { values: SETUP_STATES })
  const Found = graph.objectRef<SetupStep['found'][number]>('SetupFact').implement({
    on: 'inherits',
    fields: t => ({
      task: t.expose('task', { type: Task }),
      count: t.int({
        description: `At most ${SETUP_COUNT_LIMIT}, or a little more where sums are made.`,
        resolve: row => Number(row.count),
      }),
      isDone: t.exposeBoolean('isDone'),
    }),
  })
  const Step = graph.objectRef<SetupStep>('SetupStep').implement({
    on: 'inherits',
    fields: t => ({
      key: t.expose('key', { type: Key }),
      state: t.expose('state', { type: State }),
      nextTask: t.field({ type: Task, nullable: true, resolve: row => row.nextTask }),
      roleLabels: t.stringList({
        description: 'Japanese names of the roles that may do the next task; none: the operator of the platform.',
        resolve: row => row.roles.map(role => ROLE_LABELS_JA[role].label),
      }),
      waitsFor: t.field({ type: [Key], resolve: row => [...row.waitsFor] }),
      found: t.field({ type: [Found], resolve: row => [...row.found] }),
    }),
  })
  graph.queryField('setupSteps', t =>
    field(t, {
      type: [Step],
      description: 'The setup guide: the steps of the operator or of the publisher, as far as the caller may see them.',
      allow: 'read:list',
      on: 'insight:summary_stats.',
      async resolve(_parent, _args, context, { scope }) {
        const side = scope.kind === 'all' ? 'operator' : 'publisher'
        const counts = countTasks(context, side)
        const tasks = SETUP_RULES[side].flatMap(step => step.tasks.map(({ task }) => task))
        const dependencies = tasks.flatMap(task => {
          const count = counts[task]
          return count ? [sql`select ${sql.lit(task)}::text as task, ${count} as count`] : []
        })
        const rows = await database.readSingleStatement<{ task: SetupTask; count: bigint }>(
          side === 'operator' ? SYSTEM : scope,
          sql`${sql.join(dependencies, sql` union all `)}`,
        )
        return [
          ...setupSteps(side, new Map(rows.map(row => [row.task, row.count])), ({ action, resource }) => {
            const permit = findPermit(context, action, resource)
            // Staff whose right is limited to one organisation cannot set up the platform.
            return permit !== undefined && (side === 'publisher' || permit.scope.kind === 'all')
          }),
        ]
      },
    }),
  )
}
