import { FEED_ERROR_CLASSES, FEED_STATES, type FeedErrorClass, type FeedState } from '@pc/domain/feed/feed-health.ts'
import type { FeedFields } from '@pc/domain/feed/feed-record.ts'
import { FEED_TYPES, type FeedType } from '@pc/domain/feed/feed-type.ts'
import { type Clock, today } from '@pc/platform/clock.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph, GraphContext, ObjectTypeRef } from '@pc/platform/graphql/graph.ts'
import { demandPermit } from '@pc/platform/graphql/guard.ts'
import { loadBatched } from '@pc/platform/graphql/load-batched.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import { type ReadDailyRevenue, type RevenueAtRisk, readRevenueAtRisk } from './feed-revenue-at-risk.ts'
import type { FeedRow } from './feed-store.ts'

/** Opaque here: this feature only passes publishers on. */
type PublisherShape = { readonly id: bigint }

/** The GraphQL type of publishers, which another feature defines, and a reader within the caller's scope. */
export interface PublisherDependencies {
  readonly Publisher: ObjectTypeRef<PublisherShape>
  readonly findPublishers: (
    context: GraphContext,
    ids: readonly bigint[],
  ) => Promise<ReadonlyMap<bigint, PublisherShape>>
}

export interface FeedTypeDependencies extends PublisherDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly readDailyRevenue: ReadDailyRevenue
}

const IN_HOUSE = {
  nullable: true,
  allow: 'read:show',
  on: 'insight:in_house_field.',
  description: 'Staff only.',
} as const
const URL_NOTE = 'http or https; empty when there is none.'

/** The GraphQL types of feeds, shared by the files of this feature. */
export function feedGraphTypes(graph: Graph, dependencies: FeedTypeDependencies) {
  const { Publisher, findPublishers } = dependencies
  const FeedTypeEnum = graph.enumType('FeedType', { values: FEED_TYPES })
  const FeedStateEnum = graph.enumType('FeedState', { values: FEED_STATES })
  const FeedHealth = feedHealthType(graph, FeedStateEnum)
  const RevenueAtRisk = revenueAtRiskType(graph)
  const atRisk = (feed: FeedRow, context: GraphContext) => {
    const { scope } = demandPermit(context, 'read:show', 'insight:summary_stats.')
    const { database, clock, readDailyRevenue } = dependencies
    return loadBatched(context, 'revenue at risk', feed.id, ids =>
      readRevenueAtRisk({ reader: database.reader(scope), readDailyRevenue, today: today(clock) }, scope, ids),
    )
  }
  const Feed = graph.objectRef<FeedRow>('Feed').implement({
    on: 'insight:feed.',
    fields: t => ({
      id: t.expose('id', { type: 'ID' }),
      enabled: t.exposeBoolean('enabled'),
      name: t.exposeString('name'),
      shortName: t.exposeString('shortName'),
      siteUrl: t.exposeString('siteUrl', { description: URL_NOTE }),
      description: t.exposeString('description'),
      mediumId: t.expose('mediumId', { type: 'ID' }),
      url: t.exposeString('url'),
      logoUrl: t.exposeString('logoUrl', { description: URL_NOTE }),
      wideLogoUrl: t.exposeString('wideLogoUrl', { description: URL_NOTE }),
      bannerUrl: t.exposeString('bannerUrl', { description: URL_NOTE }),
      relatedLinkNum: t.exposeInt('relatedLinkNum'),
      articleExpirationDays: t.exposeInt('articleExpirationDays'),
      type: t.field({ type: FeedTypeEnum, resolve: feed => feed.type as FeedType }),
      allowVideo: t.exposeBoolean('allowVideo'),
      allowContentBody: t.exposeBoolean('allowContentBody'),
      ttlMinutes: t.exposeInt('ttlMinutes'),
      publisher: t.field({
        type: Publisher,
        nullable: true,
        resolve: async (feed, _args, context) =>
          (await loadBatched(context, 'publishers', feed.publisherId, ids => findPublishers(context, ids))) ?? null,
      }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
      revision: t.exposeInt('revision', { description: 'Send it back as expectedRevision when saving.' }),
      health: t.field({ type: FeedHealth, resolve: feed => feed.health ?? UNCHECKED }),
      revenueAtRisk: field(t, {
        type: RevenueAtRisk,
        nullable: true,
        description:
          'An estimate of what may be lost in a day while the feed delivers too little. Null: it delivers, or too little is known.',
        allow: 'read:show',
        on: 'insight:summary_stats.',
        resolve: async (feed, _args, context) => (await atRisk(feed, context)) ?? null,
      }),
      legacyFeedId: field(t, { ...IN_HOUSE, type: 'ID', resolve: feed => feed.legacyFeedId }),
      isDeleteFeed: field(t, { ...IN_HOUSE, type: 'Boolean', resolve: feed => feed.isDeleteFeed }),
      isSafeForFirstview: field(t, { ...IN_HOUSE, type: 'Boolean', resolve: feed => feed.isSafeForFirstview }),
      availabilityForPromo: field(t, { ...IN_HOUSE, type: 'Boolean', resolve: feed => feed.availabilityForPromo }),
      manuallyFeedScore: field(t, { ...IN_HOUSE, type: 'Int', resolve: feed => feed.manuallyFeedScore }),
      stagingFeedId: field(t, { ...IN_HOUSE, type: 'ID', resolve: feed => feed.stagingFeedId }),
      notes: field(t, { ...IN_HOUSE, on: 'insight:in_house_note.', type: 'String', resolve: feed => feed.notes }),
    }),
  })
  return { Feed, FeedTypeEnum, FeedStateEnum }
}

type FeedTypeRef = ReturnType<typeof feedGraphTypes>['FeedTypeEnum']
type InputFields = Parameters<Parameters<Graph['inputType']>[1]['fields']>[0]

/** The editable fields of a feed, also for a copy from staging. */
export function feedInputFields(t: InputFields, FeedTypeEnum: FeedTypeRef) {
  return {
    publisherId: t.id(),
    mediumId: t.id(),
    enabled: t.boolean(),
    name: t.string(),
    shortName: t.string(),
    siteUrl: t.string(),
    description: t.string(),
    url: t.string(),
    logoUrl: t.string(),
    wideLogoUrl: t.string(),
    bannerUrl: t.string(),
    relatedLinkNum: t.int(),
    articleExpirationDays: t.int(),
    type: t.field({ type: FeedTypeEnum }),
    allowVideo: t.boolean(),
    allowContentBody: t.boolean(),
    ttlMinutes: t.int(),
    legacyFeedId: t.id(),
    isDeleteFeed: t.boolean(),
    isSafeForFirstview: t.boolean(),
    availabilityForPromo: t.boolean(),
    manuallyFeedScore: t.int(),
    notes: t.string(),
  } satisfies Record<keyof FeedFields, unknown>
}

function revenueAtRiskType(graph: Graph) {
  return graph.objectRef<RevenueAtRisk>('FeedRevenueAtRisk').implement({
    on: 'insight:summary_stats.',
    description: 'Median daily revenue of the publisher in the medium × the part of the feed × the missing share.',
    fields: t => ({
      yenPerDay: t.expose('yenPerDay', { type: 'Long' }),
      missingPercent: t.exposeInt('missingPercent'),
    }),
  })
}

type HealthRow = Omit<NonNullable<FeedRow['health']>, 'feedId'>
const UNCHECKED: HealthRow = {
  state: 'unchecked',
  checkedAt: null,
  lastSuccessAt: null,
  errorClass: null,
  failingSince: null,
  failures: 0,
  alertedAt: null,
  nextCheckAt: new Date(0),
  watchedSince: null,
  etag: null,
  lastModified: null,
  volumeDay: null,
  volumeItems: null,
  usualHundredths: null,
}

type EnumRef = ReturnType<Graph['enumType']>

function feedHealthType(graph: Graph, FeedStateEnum: EnumRef) {
  const FeedErrorClassEnum = graph.enumType('FeedErrorClass', {
    values: Object.fromEntries(FEED_ERROR_CLASSES.map(name => [name.replaceAll('-', '_'), { value: name }])),
  })
  return graph.objectRef<HealthRow>('FeedHealth').implement({
    on: 'inherits',
    description: 'How the reader of feeds gets on with one.',
    fields: t => ({
      state: t.field({ type: FeedStateEnum, resolve: health => health.state as FeedState }),
      checkedAt: t.expose('checkedAt', { type: 'DateTime', nullable: true }),
      lastSuccessAt: t.expose('lastSuccessAt', { type: 'DateTime', nullable: true }),
      errorClass: t.field({
        type: FeedErrorClassEnum,
        nullable: true,
        resolve: health => health.errorClass as FeedErrorClass | null,
      }),
      failingSince: t.expose('failingSince', { type: 'DateTime', nullable: true }),
      volumeDay: t.expose('volumeDay', { type: 'Date', nullable: true, description: 'The last whole day.' }),
      volumeItems: t.exposeInt('volumeItems', { nullable: true, description: 'Articles of that day.' }),
      usualItems: t.float({
        nullable: true,
        description: 'Median of the same weekday in the 28 days before.',
        resolve: health => (health.usualHundredths === null ? null : health.usualHundredths / 100),
      }),
    }),
  })
}
