import { refused } from '@pc/domain/result.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { COMMON_LIST_ORDERS, readPage, readSearchWords } from '@pc/platform/graphql/list-arguments.ts'
import { mutation } from '@pc/platform/graphql/mutation.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import { copyStagingFeed } from './copy-staging-feed.ts'
import { deniedInHouseFields, readFeedInput } from './feed-fields.ts'
import { type feedGraphTypes, feedInputFields } from './feed-graph.ts'
import type { StagingRule } from './staging-document.ts'
import {
  listStagingFeeds,
  listStagingPublishers,
  type StagingFeedRow,
  type StagingPublisherRow,
} from './staging-store.ts'

interface Dependencies {
  readonly database: Database
  readonly types: ReturnType<typeof feedGraphTypes>
}

/** Adds `stagingFeeds`, `stagingPublishers` and `createFeedFromStaging`. */
export function addStagingFields(graph: Graph, dependencies: Dependencies): void {
  addStagingFeeds(graph, dependencies)
  addStagingPublishers(graph, dependencies)
  const { database, types } = dependencies
  const Input = graph.inputType('FeedFromStagingInput', {
    fields: t => ({ stagingFeedId: t.id({ required: true }), ...feedInputFields(t, types.FeedTypeEnum) }),
  })
  graph.mutationField('createFeedFromStaging', t =>
    mutation(t, {
      type: types.Feed,
      args: { input: t.arg({ type: Input, required: true }) },
      allow: 'write:update',
      on: 'insight:feed.',
      description: 'Makes a feed of one of the staging system, once; fields that are sent outrank those of staging.',
      database,
      async run({ input }, write, context) {
        const { stagingFeedId, ...sent } = input
        const values = readFeedInput(sent)
        const denied = deniedInHouseFields(values, context)
        if (denied.length > 0) return refused(...denied)
        return copyStagingFeed(stagingFeedId.replaceAll('\0', ''), values, write)
      },
    }),
  )
}

function addStagingFeeds(graph: Graph, { database, types }: Dependencies): void {
  const StagingFeed = graph.objectRef<StagingFeedRow>('StagingFeed').implement({
    on: 'inherits',
    fields: t => ({
      id: t.exposeID('id'),
      stagingPublisherId: t.exposeID('stagingPublisherId'),
      name: t.exposeString('name'),
      url: t.exposeString('url'),
      mediumId: t.id({ resolve: row => row.fields.mediumId }),
      type: t.field({ type: types.FeedTypeEnum, resolve: row => row.fields.type }),
      shortName: t.string({ resolve: row => row.fields.shortName ?? '' }),
      siteUrl: t.string({ resolve: row => row.fields.siteUrl ?? '' }),
      description: t.string({ resolve: row => row.fields.description ?? '' }),
      logoUrl: t.string({ resolve: row => row.fields.logoUrl ?? '' }),
      wideLogoUrl: t.string({ resolve: row => row.fields.wideLogoUrl ?? '' }),
      bannerUrl: t.string({ resolve: row => row.fields.bannerUrl ?? '' }),
      source: t.exposeString('source'),
      importedAt: t.expose('importedAt', { type: 'DateTime' }),
      feedId: t.expose('feedId', { type: 'ID', nullable: true, description: 'The feed that it became.' }),
      copiedAt: t.expose('copiedAt', { type: 'DateTime', nullable: true }),
      publisherId: t.expose('publisherId', {
        type: 'ID',
        nullable: true,
        description: 'The publisher that its publisher became.',
      }),
    }),
  })
  const StagingFeedList = graph.objectRef<{ total: number; nodes: StagingFeedRow[] }>('StagingFeedList').implement({
    on: 'inherits',
    fields: t => ({ total: t.exposeInt('total'), nodes: t.expose('nodes', { type: [StagingFeed] }) }),
  })
  const StagingFeedsParam = graph.inputType('StagingFeedsParam', {
    fields: t => ({ isCopied: t.boolean(), stagingPublisherId: t.id() }),
  })
  const StagingFeedsOrderBy = graph.enumType('StagingFeedsOrderBy', { values: COMMON_LIST_ORDERS })
  graph.queryField('stagingFeeds', t =>
    field(t, {
      type: StagingFeedList,
      args: {
        limit: t.arg.int({ required: true }),
        offset: t.arg.int({ required: true }),
        orderBy: t.arg({ type: StagingFeedsOrderBy, description: 'Default: by name.' }),
        param: t.arg({ type: StagingFeedsParam }),
        q: t.arg.string(),
      },
      allow: 'write:update',
      on: 'insight:feed.',
      resolve(_parent, args, _context, permit) {
        const { isCopied, stagingPublisherId } = args.param ?? {}
        const filter = {
          isCopied: isCopied ?? undefined,
          stagingPublisherId: stagingPublisherId?.replaceAll('\0', '') ?? undefined,
          words: readSearchWords(args.q),
          order: args.orderBy ?? undefined,
        }
        return listStagingFeeds(database, filter, readPage(args), permit)
      },
    }),
  )
}

function addStagingPublishers(graph: Graph, { database }: Dependencies): void {
  const StagingRuleType = graph.objectRef<StagingRule>('StagingAgreementPublisherRule').implement({
    on: 'inherits',
    description: 'Terms as staging has them: a proposal for the form. Rates: 100 = 1 %.',
    fields: t => ({
      mediumId: t.exposeID('mediumId'),
      fixedRevenue: t.field({ type: 'Long', resolve: rule => BigInt(rule.fixedRevenue) }),
      minimumRevenue: t.field({ type: 'Long', resolve: rule => BigInt(rule.minimumRevenue) }),
      paymentRate: t.exposeInt('paymentRate'),
      sspPaymentRate: t.exposeInt('sspPaymentRate'),
      videoSspPaymentRate: t.exposeInt('videoSspPaymentRate'),
      liveSspPaymentRate: t.exposeInt('liveSspPaymentRate'),
      isTargetForSspAllocation: t.exposeBoolean('isTargetForSspAllocation'),
      isTargetForVideoSspAllocation: t.exposeBoolean('isTargetForVideoSspAllocation'),
      isTargetForLiveSspAllocation: t.exposeBoolean('isTargetForLiveSspAllocation'),
    }),
  })
  const StagingPublisher = graph.objectRef<StagingPublisherRow>('StagingPublisher').implement({
    on: 'inherits',
    fields: t => ({
      id: t.exposeID('id'),
      name: t.exposeString('name'),
      notes: t.exposeString('notes'),
      agreementPublisherRules: t.field({ type: [StagingRuleType], resolve: row => [...row.rules] }),
      source: t.exposeString('source'),
      importedAt: t.expose('importedAt', { type: 'DateTime' }),
      publisherId: t.expose('publisherId', {
        type: 'ID',
        nullable: true,
        description: 'The publisher that it became.',
      }),
      copiedAt: t.expose('copiedAt', { type: 'DateTime', nullable: true }),
    }),
  })
  const StagingPublisherList = graph
    .objectRef<{ total: number; nodes: StagingPublisherRow[] }>('StagingPublisherList')
    .implement({
      on: 'inherits',
      fields: t => ({ total: t.exposeInt('total'), nodes: t.expose('nodes', { type: [StagingPublisher] }) }),
    })
  const StagingPublishersParam = graph.inputType('StagingPublishersParam', { fields: t => ({ isCopied: t.boolean() }) })
  const StagingPublishersOrderBy = graph.enumType('StagingPublishersOrderBy', { values: COMMON_LIST_ORDERS })
  graph.queryField('stagingPublishers', t =>
    field(t, {
      type: StagingPublisherList,
      args: {
        limit: t.arg.int({ required: true }),
        offset: t.arg.int({ required: true }),
        orderBy: t.arg({ type: StagingPublishersOrderBy, description: 'Default: by name.' }),
        param: t.arg({ type: StagingPublishersParam }),
        q: t.arg.string(),
      },
      allow: 'write:create',
      on: 'insight:publisher.',
      resolve(_parent, args, _context, permit) {
        const filter = {
          isCopied: args.param?.isCopied ?? undefined,
          words: readSearchWords(args.q),
          order: args.orderBy ?? undefined,
        }
        return listStagingPublishers(database, filter, readPage(args), permit)
      },
    }),
  )
}
