import type { Graph } from '@pc/platform/graphql/graph.ts'
import { clickDemographicType } from './click-demographic.ts'
import { lateMediumType } from './late-medium-type.ts'
import { revenueDetailType } from './publisher-figure-fields.ts'
import { reportEnums } from './report-enums.ts'

export type ReportTypes = ReturnType<typeof reportTypes>

/** The GraphQL types that several reports share. */
export function reportTypes(graph: Graph) {
  return {
    enums: reportEnums(graph),
    RevenueDetail: revenueDetailType(graph),
    ClickDemographic: clickDemographicType(graph),
    LateMedium: lateMediumType(graph),
  }
}
