import { addAccessFields } from '@pc/features/access/server/access-fields.ts'
import { addAgreementFields } from '@pc/features/agreements/server/agreement-fields.ts'
import { addAnnouncementFields } from '@pc/features/announcements/server/announcement-fields.ts'
import { addMediumArticleFields } from '@pc/features/articles/server/medium-article-fields.ts'
import { addFeedFields } from '@pc/features/feeds/server/feed-fields.ts'
import { addFeedPreviewFields } from '@pc/features/feeds/server/feed-preview-fields.ts'
import { addStagingFields } from '@pc/features/feeds/server/staging-fields.ts'
import { addPublisherOptionFields, organizationType } from '@pc/features/publishers/server/publisher-option-fields.ts'
import { addSummaryFields } from '@pc/features/reports/server/summary-fields.ts'
import type { Clock } from '@pc/platform/clock.ts'
import { finishGraph } from '@pc/platform/graphql/finish-graph.ts'
import { openGraph } from '@pc/platform/graphql/graph.ts'
import type { SafeFetch } from '@pc/platform/http/safe-fetch.ts'
import type { ImageUploads } from '@pc/platform/objects/image-uploads.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import type { GraphQLSchema } from 'graphql'

export interface InsightGraphParts {
  readonly database: Database
  readonly stats: StatsStore
  readonly clock: Clock
  /** Reaches foreign sites, and nothing inside. */
  readonly safeFetch: SafeFetch
  readonly imageUploads: ImageUploads
}

/** The insight API: what publishers and staff read and manage. */
export function insightSchema({ database, stats, clock, safeFetch, imageUploads }: InsightGraphParts): GraphQLSchema {
  const graph = openGraph()
  graph.queryType({})
  graph.mutationType({})
  const Organization = organizationType(graph)
  const { Publisher } = addPublisherOptionFields(graph, { database, Organization })
  addAgreementFields(graph, { database, Organization })
  const feedTypes = addFeedFields(graph, { database, Publisher })
  addStagingFields(graph, { database, types: feedTypes })
  addFeedPreviewFields(graph, { safeFetch, imageUploads, ...feedTypes })
  addMediumArticleFields(graph, { database, clock })
  addAnnouncementFields(graph, { database, clock })
  addSummaryFields(graph, { database, stats, clock })
  return finishGraph(graph)
}

/** The identity and access API. */
export function iamSchema({ database }: Pick<InsightGraphParts, 'database'>): GraphQLSchema {
  const graph = openGraph()
  graph.queryType({})
  addAccessFields(graph, { database })
  return finishGraph(graph)
}
