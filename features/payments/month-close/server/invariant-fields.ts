import type { ChainBreak } from '@pc/domain/payment/snapshot-chain.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { readId } from '@pc/platform/graphql/list-arguments.ts'
import { readMonth, writeMonth } from '@pc/platform/graphql/month-argument.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import { namedRows } from './board-names.ts'
import { type ChainCheckDependencies, type CheckedChain, checkChains } from './verify-chains.ts'

interface ViolationRow {
  readonly mediumId: bigint
  readonly month: number
  readonly ranAt: Date
  readonly invariant: string
  readonly rowName: string
  readonly detail: string
}

export function addViolations(graph: Graph, database: Database): void {
  const ViolationType = graph.objectRef<ViolationRow>('InvariantViolation').implement({
    on: 'insight:dividend.',
    fields: t => ({
      mediumId: t.expose('mediumId', { type: 'ID' }),
      month: t.string({ resolve: row => writeMonth(row.month) }),
      foundAt: t.expose('ranAt', { type: 'DateTime' }),
      invariant: t.exposeString('invariant'),
      row: t.exposeString('rowName'),
      detail: t.exposeString('detail'),
    }),
  })
  graph.queryField('invariantViolations', t =>
    field(t, {
      type: [ViolationType],
      description: 'What the last check of each month found; empty when the books hold. For the banner to staff.',
      args: { month: t.arg.string({ description: 'YYYY-MM; default: every month.' }) },
      allow: 'read:list',
      on: 'insight:dividend.',
      resolve: (_parent, args, _context, permit) =>
        database.inScope(permit.scope, async tx => {
          let query = tx
            .selectFrom('invariantViolations as v')
            .innerJoin('invariantRuns as r', 'r.id', 'v.runId')
            .select(['r.mediumId', 'r.month', 'r.ranAt', 'v.invariant', 'v.rowName', 'v.detail'])
            .where('r.id', 'in', eb =>
              eb
                .selectFrom('invariantRuns as latest')
                .select(inner => inner.fn.max('latest.id').as('id'))
                .groupBy(['latest.mediumId', 'latest.month']),
            )
            .orderBy('r.month', 'desc')
            .orderBy('r.mediumId')
            .orderBy('v.number')
            .limit(500)
          if (args.month) query = query.where('r.month', '=', readMonth(args.month, ['month']))
          const found = await query.execute()
          const named = await namedRows(
            tx,
            found.map(each => each.rowName),
          )
          return found.map((each, index) => ({ ...each, rowName: named[index]! }))
        }),
    }),
  )
}

export function addChains(graph: Graph, parts: ChainCheckDependencies): void {
  const Break = graph.objectRef<ChainBreak>('ChainBreak').implement({
    on: 'insight:dividend.',
    fields: t => ({
      month: t.string({ resolve: found => writeMonth(found.month) }),
      agreementId: t.id({ nullable: true, resolve: found => found.agreementId?.toString() ?? null }),
    }),
  })
  const Chain = graph.objectRef<CheckedChain>('CheckedChain').implement({
    on: 'insight:dividend.',
    fields: t => ({
      mediumId: t.expose('mediumId', { type: 'ID' }),
      mediumName: t.exposeString('mediumName'),
      months: t.exposeInt('months'),
      breaks: t.field({ type: [Break], resolve: found => [...found.breaks] }),
    }),
  })
  graph.queryField('checkFinalizedChains', t =>
    field(t, {
      type: [Chain],
      description:
        'Recomputes the hashes of finalised months from the rows and compares the chain: empty breaks mean that nothing was changed afterwards. A month whose rows nobody has touched since it was checked, at most ten minutes ago, is not hashed again.',
      args: { mediumId: t.arg.id({ description: 'Default: every medium with finalised months.' }) },
      allow: 'read:list',
      on: 'insight:dividend.',
      resolve: async (_parent, args) => [
        ...(await checkChains(parts, args.mediumId ? readId(args.mediumId, ['mediumId']) : undefined)),
      ],
    }),
  )
}
