import { addAccessFields } from '@pc/features/access/server/access-fields.ts'
import { addAgreementFields } from '@pc/features/agreements/server/agreement-fields.ts'
import { addPublisherOptionFields, organizationType } from '@pc/features/publishers/server/publisher-option-fields.ts'
import { addReportFields } from '@pc/features/reports/server/report-fields.ts'
import type { Clock } from '@pc/platform/clock.ts'
import { finishGraph } from '@pc/platform/graphql/finish-graph.ts'
import { openGraph } from '@pc/platform/graphql/graph.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import type { GraphQLSchema } from 'graphql'

export interface InsightGraphParts {
  readonly database: Database
  readonly stats: StatsStore
  readonly clock: Clock
}

/** The insight API: what publishers and staff read and manage. */
export function insightSchema({ database, stats, clock }: InsightGraphParts): GraphQLSchema {
  const graph = openGraph()
  graph.queryType({})
  const Organization = organizationType(graph)
  addPublisherOptionFields(graph, { database, Organization })
  addAgreementFields(graph, { database, Organization })
  addReportFields(graph, { database, stats, clock })
  return finishGraph(graph)
}

/** The identity and access API. */
export function iamSchema({ database }: Pick<InsightGraphParts, 'database'>): GraphQLSchema {
  const graph = openGraph()
  graph.queryType({})
  addAccessFields(graph, { database })
  return finishGraph(graph)
}
