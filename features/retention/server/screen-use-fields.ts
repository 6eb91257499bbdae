import { addMonths, firstDayOf } from '@pc/domain/month/year-month.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { readMonth } from '@pc/platform/graphql/month-argument.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'

/** Anybody can send page views with any path, so the list is bounded. */
const MAX_SCREENS = 500

interface ScreenUse {
  readonly path: string
  readonly title: string | null
  readonly views: bigint
  readonly lastViewedAt: Date
}

/** The query `screenUse`: which screens are used. Page views do not identify people. */
export function addScreenUseFields(graph: Graph, database: Database): void {
  const Use = graph.objectRef<ScreenUse>('ScreenUse').implement({
    on: 'insight:legal_hold.',
    fields: t => ({
      path: t.exposeString('path'),
      title: t.exposeString('title', { nullable: true, description: 'As it was last called.' }),
      views: t.expose('views', { type: 'Long', description: 'How often it was opened in the month.' }),
      lastViewedAt: t.expose('lastViewedAt', { type: 'DateTime', description: 'The latest of them.' }),
    }),
  })
  graph.queryField('screenUse', t =>
    field(t, {
      type: [Use],
      nullable: true,
      args: { month: t.arg.string({ required: true, description: 'YYYY-MM' }) },
      allow: 'read:list',
      on: 'insight:legal_hold.',
      async resolve(_parent, args, _context, permit) {
        const month = readMonth(args.month, ['month'])
        const [from, until] = [firstDayOf(month), firstDayOf(addMonths(month, 1))]
        const { rows } = await database.inScope(
          permit.scope,
          tx =>
            sql<ScreenUse>`
              select path, (array_agg(title order by viewed_at desc) filter (where title is not null))[1] as title,
                count(*) as views, max(viewed_at) as last_viewed_at
              from page_views where viewed_at >= ${from}::timestamp at time zone 'Asia/Tokyo'
                and viewed_at < ${until}::timestamp at time zone 'Asia/Tokyo'
              group by path order by views desc, path limit ${MAX_SCREENS}`.execute(tx),
          { readOnly: true },
        )
        return rows
      },
    }),
  )
}
