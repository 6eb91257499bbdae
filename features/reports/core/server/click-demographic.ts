import type { Graph } from '@pc/platform/graphql/graph.ts'

export interface ClickCell {
  readonly genderId: number
  readonly ageId: number
  readonly click: bigint
}

export function clickDemographicType(graph: Graph) {
  return graph.objectRef<ClickCell>('ClickDemographic').implement({
    on: 'inherits',
    fields: t => ({
      genderId: t.exposeInt('genderId'),
      ageId: t.exposeInt('ageId'),
      click: t.expose('click', { type: 'Long' }),
    }),
  })
}
