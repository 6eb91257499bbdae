import type { Types } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import type { LateMedium } from './report-plan.ts'

type LateMediumRef = ReturnType<typeof lateMediumType>

export function lateMediumType(graph: Graph) {
  return graph.objectRef<LateMedium>('LateMedium').implement({
    on: 'inherits',
    description: "A medium of a report's rows that is behind the others.",
    fields: t => ({
      mediumId: t.expose('mediumId', { type: 'ID' }),
      name: t.exposeString('name', { nullable: true }),
      dataUntil: t.expose('dataUntil', { type: 'Date', description: 'The last day that it has delivered.' }),
    }),
  })
}

/** The field `lateMedia`, which every report has. */
export function lateMediaField<Report extends { readonly lateMedia: () => Promise<readonly LateMedium[]> }>(
  t: PothosSchemaTypes.ObjectFieldBuilder<Types, Report>,
  LateMedium: LateMediumRef,
) {
  return t.field({
    type: [LateMedium],
    description:
      'Media that still deliver, and of which days of the range have not arrived that others have. What these days would ' +
      'be compared with is left out of what is compared.',
    resolve: async report => [...(await report.lateMedia())],
  })
}
