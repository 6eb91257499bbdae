import type { Permit } from '@pc/domain/access/decide.ts'
import { DUTY_KINDS, DUTY_RIGHTS, type DutyKind } from '@pc/domain/duty/duty.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph, GraphContext } from '@pc/platform/graphql/graph.ts'
import { findPermit } from '@pc/platform/graphql/guard.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import { type RawBuilder, sql } from 'kysely'

interface Duty {
  readonly kind: DutyKind
  readonly count: bigint
}

/**
 * Counts of each kind of duty as subqueries of a statement in the reader's scope. Each counts by the rule of the list
 * where the duty is done. Undefined: the reader may not open that list.
 */
export type CountDuties = (context: GraphContext) => Readonly<Record<DutyKind, RawBuilder<bigint> | undefined>>

interface DutyDependencies {
  readonly database: Database
  readonly countDuties: CountDuties
}

/** `duties`: what waits for the reader, counted in one statement. */
export function addDutyFields(graph: Graph, parts: DutyDependencies): void {
  const Kind = graph.enumType('DutyKind', { values: DUTY_KINDS })
  const DutyType = graph.objectRef<Duty>('Duty').implement({
    on: 'inherits',
    fields: t => ({
      kind: t.expose('kind', { type: Kind }),
      count: t.int({ description: 'As many as the list behind it has.', resolve: row => Number(row.count) }),
    }),
  })
  graph.queryField('duties', t =>
    field(t, {
      type: [DutyType],
      description: 'What waits for the caller, of what the caller may do something about; nothing where nothing waits.',
      allow: 'read:list',
      on: 'insight:summary_stats.',
      resolve: (_parent, _args, context, permit) => readDuties(parts, context, permit),
    }),
  )
}

async function readDuties(
  { database, countDuties }: DutyDependencies,
  context: GraphContext,
  { scope }: Permit<'read:list', 'insight:summary_stats.'>,
): Promise<Duty[]> {
  const counts = countDuties(context)
  const whose = scope.kind === 'all' ? 'all' : 'own'
  const parts = DUTY_KINDS.flatMap((kind, place) => {
    const right = DUTY_RIGHTS[kind][whose]
    const count = counts[kind]
    const permit = right && findPermit(context, right.action, right.resource)
    // Staff whose right is limited to one organisation have no duty over all of them.
    const isDuty = permit && (whose === 'own' || permit.scope.kind === 'all')
    return count && isDuty ? [sql`select ${sql.lit(place)} as place, ${count} as count`] : []
  })
  if (parts.length === 0) return []
  const rows = await database.readSingleStatement<{ place: number; count: bigint }>(
    whose === 'all' ? SYSTEM : scope,
    sql`${sql.join(parts, sql` union all `)} order by place`,
  )
  return rows.filter(({ count }) => count > 0n).map(({ place, count }) => ({ kind: DUTY_KINDS[place]!, count }))
}
