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
 * How many there are of each kind, by the rule of the list where something is done about them: a subquery each, of a statement
 * in the scope of staff. Undefined: the reader may not open that list.
 */
export type CountDuties = (context: GraphContext) => Readonly<Record<DutyKind, RawBuilder<bigint> | undefined>>

/** `duties`: what waits for the reader, counted in one statement. */
export function addDutyFields(
  graph: Graph,
  { database, countDuties }: { readonly database: Database; readonly countDuties: CountDuties },
): void {
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
      resolve: (_parent, _args, context) => readDuties(database, context, countDuties(context)),
    }),
  )
}

async function readDuties(database: Database, context: GraphContext, counts: ReturnType<CountDuties>): Promise<Duty[]> {
  const parts = DUTY_KINDS.flatMap((kind, place) => {
    const { action, resource } = DUTY_RIGHTS[kind]
    const count = counts[kind]
    // Those of publishers have lists of their own people: what is counted here is every organisation's.
    const isOfAll = findPermit(context, action, resource)?.scope.kind === 'all'
    return count && isOfAll ? [sql`select ${sql.lit(place)} as place, ${count} as count`] : []
  })
  if (parts.length === 0) return []
  const rows = await database.readAlone<{ place: number; count: bigint }>(
    SYSTEM,
    sql`${sql.join(parts, sql` union all `)} order by place`,
  )
  return rows.filter(({ count }) => count > 0n).map(({ place, count }) => ({ kind: DUTY_KINDS[place]!, count }))
}
