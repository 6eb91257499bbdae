import { IN_HOUSE_FEED_FIELDS, type SentFeedFields } from '@pc/domain/feed/feed-record.ts'
import type { FeedType } from '@pc/domain/feed/feed-type.ts'
import { refusal } from '@pc/domain/refusal.ts'
import { refused } from '@pc/domain/result.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph, GraphContext } from '@pc/platform/graphql/graph.ts'
import { findPermit } from '@pc/platform/graphql/guard.ts'
import { readId, readPage, readSearchWords } from '@pc/platform/graphql/list-arguments.ts'
import { mutation } from '@pc/platform/graphql/mutation.ts'
import { type FeedTypeDependencies, feedGraphTypes, feedInputFields } from './feed-graph.ts'
import { FEED_ORDERS, type FeedRow, findFeed, listFeeds } from './feed-store.ts'
import { addFeed, changeFeed } from './save-feed.ts'

/** Adds `feed`, `feeds` and `upsertFeed`. @returns the types, for other fields about feeds */
export function addFeedFields(graph: Graph, dependencies: FeedTypeDependencies) {
  const { database } = dependencies
  const types = feedGraphTypes(graph, dependencies)
  const { Feed, FeedTypeEnum, FeedStateEnum } = types
  graph.queryField('feed', t =>
    field(t, {
      type: Feed,
      nullable: true,
      args: { id: t.arg.id({ required: true }) },
      allow: 'read:show',
      on: 'insight:feed.',
      description: 'Null when there is none, or none that the caller may see.',
      resolve: async (_parent, args, _context, permit) =>
        (await findFeed(database, readId(args.id, ['id']), permit)) ?? null,
    }),
  )
  const FeedList = graph.objectRef<{ total: number; nodes: FeedRow[] }>('FeedList').implement({
    on: 'insight:feed.',
    fields: t => ({ total: t.exposeInt('total'), nodes: t.expose('nodes', { type: [Feed] }) }),
  })
  const FeedsOrderBy = graph.enumType('FeedsOrderBy', { values: FEED_ORDERS })
  const FeedsParam = graph.inputType('FeedsParam', {
    fields: t => ({
      ids: t.idList(),
      publisherId: t.id(),
      mediumId: t.id(),
      enabled: t.boolean(),
      type: t.field({ type: FeedTypeEnum }),
      state: t.field({ type: FeedStateEnum }),
    }),
  })
  graph.queryField('feeds', t =>
    field(t, {
      type: FeedList,
      args: {
        limit: t.arg.int({ required: true }),
        offset: t.arg.int({ required: true }),
        orderBy: t.arg({ type: FeedsOrderBy }),
        param: t.arg({ type: FeedsParam }),
        q: t.arg.string({ description: 'Name, short name and address; kana and width do not matter.' }),
      },
      allow: 'read:list',
      on: 'insight:feed.',
      resolve(_parent, args, _context, permit) {
        const { ids, publisherId, mediumId, enabled, type, state } = args.param ?? {}
        const filter = {
          ids: ids?.map(id => readId(id, ['param', 'ids'])),
          publisherId: publisherId ? readId(publisherId, ['param', 'publisherId']) : undefined,
          mediumId: mediumId ? readId(mediumId, ['param', 'mediumId']) : undefined,
          enabled: enabled ?? undefined,
          type: type ?? undefined,
          state: state ?? undefined,
          words: readSearchWords(args.q),
        }
        return listFeeds(database, filter, args.orderBy ?? 'ID_ASC', readPage(args), permit)
      },
    }),
  )
  const FeedInputType = feedInputType(graph, FeedTypeEnum)
  graph.mutationField('upsertFeed', t =>
    mutation(t, {
      type: Feed,
      args: { input: t.arg({ type: FeedInputType, required: true }) },
      allow: 'write:update',
      on: 'insight:feed.',
      description: 'Without id: a new feed. With id: changes the fields that are sent.',
      database,
      async run({ input }, write, context) {
        const { id, expectedRevision, ...sent } = input
        const values = readFeedInput(sent)
        const denied = deniedInHouseFields(values, context)
        if (denied.length > 0) return refused(...denied)
        return id ? changeFeed(readId(id, ['input', 'id']), values, expectedRevision, write) : addFeed(values, write)
      },
    }),
  )
  return types
}

type SentFeed = Omit<ReturnType<typeof feedInputType>['$inferInput'], 'id' | 'expectedRevision'>

/** Parses ids. Null counts as absent for fields that cannot be empty. */
export function readFeedInput({ publisherId, mediumId, legacyFeedId, notes, type, ...rest }: SentFeed): SentFeedFields {
  const present = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null && value !== undefined))
  return {
    ...present,
    ...(publisherId ? { publisherId: readId(String(publisherId), ['input', 'publisherId']) } : {}),
    ...(mediumId ? { mediumId: readId(String(mediumId), ['input', 'mediumId']) } : {}),
    ...(type ? { type: type as FeedType } : {}),
    ...(legacyFeedId === undefined ? {} : { legacyFeedId: legacyFeedId === null ? null : String(legacyFeedId) }),
    ...(notes === undefined ? {} : { notes }),
  }
}

/** Refusals for in-house fields and notes, which need their own rights besides the right to feeds. */
export function deniedInHouseFields(values: SentFeedFields, context: GraphContext) {
  const mayFields = findPermit(context, 'write:update', 'insight:in_house_field.') !== undefined
  const mayNotes = findPermit(context, 'write:update', 'insight:in_house_note.') !== undefined
  const names = [...(mayFields ? [] : IN_HOUSE_FEED_FIELDS), ...(mayNotes ? [] : (['notes'] as const))]
  return names.flatMap(name =>
    values[name] === undefined ? [] : [refusal('feed/in-house-not-allowed', ['input', name])],
  )
}

type FeedTypes = ReturnType<typeof feedGraphTypes>

function feedInputType(graph: Graph, FeedTypeEnum: FeedTypes['FeedTypeEnum']) {
  return graph.inputType('FeedInput', {
    fields: t => ({
      id: t.id(),
      expectedRevision: t.int({ description: 'The revision that the form began with.' }),
      ...feedInputFields(t, FeedTypeEnum),
    }),
  })
}
