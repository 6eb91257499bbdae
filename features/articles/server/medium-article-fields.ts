import type { Clock } from '@pc/platform/clock.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { readId, readPage, readSearchWords } from '@pc/platform/graphql/list-arguments.ts'
import { mutation } from '@pc/platform/graphql/mutation.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import { listMediumArticles, MEDIUM_ARTICLE_ORDERS, type MediumArticleRow } from './medium-article-store.ts'
import { listRemovals, type RemovalRow } from './removal-store.ts'
import { removeArticle, restoreArticle } from './remove-article.ts'

interface Dependencies {
  readonly database: Database
  readonly clock: Clock
}

/** Adds `mediumArticles`, `deleteMediumArticle`, `restoreMediumArticle` and `mediumArticleRemovals`. */
export function addMediumArticleFields(graph: Graph, dependencies: Dependencies): void {
  const { MediumArticle, Removal } = articleTypes(graph, dependencies)
  addArticleList(graph, dependencies, MediumArticle)
  addRemovalList(graph, dependencies, Removal)
  const { database, clock } = dependencies
  graph.mutationField('deleteMediumArticle', t =>
    mutation(t, {
      type: Removal,
      args: {
        mediumId: t.arg.id({ required: true }),
        mediumArticleId: t.arg.id({ required: true }),
        reason: t.arg.string({ description: 'Kept in the log of removals. The console asks for it.' }),
      },
      allow: 'write:delete',
      on: 'insight:medium_article.',
      description: 'Takes an article out of a medium; until undoUntil it can be put back.',
      database,
      run({ mediumId, mediumArticleId, reason }, write) {
        const name = { mediumId: readId(mediumId, ['mediumId']), mediumArticleId: mediumArticleId.replaceAll('\0', '') }
        return removeArticle(name, reason ?? undefined, clock.now(), write)
      },
    }),
  )
  graph.mutationField('restoreMediumArticle', t =>
    mutation(t, {
      type: Removal,
      args: { removalId: t.arg.id({ required: true }) },
      allow: 'write:delete',
      on: 'insight:medium_article.',
      description: 'Takes a removal back while there is time.',
      database,
      run: ({ removalId }, write) => restoreArticle(readId(removalId, ['removalId']), clock.now(), write),
    }),
  )
}

type Types = ReturnType<typeof articleTypes>

function articleTypes(graph: Graph, { clock }: Dependencies) {
  const MediumArticle = graph.objectRef<MediumArticleRow>('MediumArticle').implement({
    on: 'insight:medium_article.',
    fields: t => ({
      articleId: t.expose('articleId', { type: 'ID' }),
      mediumId: t.expose('mediumId', { type: 'ID' }),
      mediumArticleId: t.exposeID('mediumArticleId'),
      enabled: t.exposeBoolean('enabled'),
      title: t.exposeString('title'),
      url: t.exposeString('url'),
      feedId: t.expose('feedId', { type: 'ID', nullable: true }),
      publisherId: t.expose('publisherId', { type: 'ID' }),
      publishedAt: t.expose('publishedAt', { type: 'DateTime' }),
    }),
  })
  const Removal = graph.objectRef<RemovalRow>('MediumArticleRemoval').implement({
    on: 'insight:medium_article.',
    fields: t => ({
      id: t.expose('id', { type: 'ID' }),
      article: t.expose('article', { type: MediumArticle }),
      reason: t.exposeString('reason'),
      removedAt: t.expose('removedAt', { type: 'DateTime' }),
      undoUntil: t.expose('undoUntil', { type: 'DateTime' }),
      restoredAt: t.expose('restoredAt', { type: 'DateTime', nullable: true }),
      canBeUndone: t.boolean({ resolve: row => row.restoredAt === null && row.undoUntil.getTime() >= clock.now() }),
      removedByEmail: field(t, {
        type: 'String',
        nullable: true,
        description: 'Staff only.',
        allow: 'read:show',
        on: 'insight:in_house_field.',
        resolve: row => row.removedByEmail,
      }),
    }),
  })
  return { MediumArticle, Removal }
}

function addArticleList(graph: Graph, { database }: Dependencies, MediumArticle: Types['MediumArticle']): void {
  const MediumArticleList = graph
    .objectRef<{ total: number; nodes: MediumArticleRow[] }>('MediumArticleList')
    .implement({
      on: 'insight:medium_article.',
      fields: t => ({ total: t.exposeInt('total'), nodes: t.expose('nodes', { type: [MediumArticle] }) }),
    })
  const MediumArticlesOrderBy = graph.enumType('MediumArticlesOrderBy', { values: MEDIUM_ARTICLE_ORDERS })
  const MediumArticlesParam = graph.inputType('MediumArticlesParam', {
    fields: t => ({
      mediumId: t.id(),
      publisherId: t.id(),
      feedId: t.id(),
      articleId: t.id(),
      mediumArticleId: t.id(),
      publishedFrom: t.field({ type: 'DateTime' }),
      publishedTo: t.field({ type: 'DateTime', description: 'Not included.' }),
      isRemoved: t.boolean({ description: 'Default false: what was taken out is not listed.' }),
    }),
  })
  graph.queryField('mediumArticles', t =>
    field(t, {
      type: MediumArticleList,
      args: {
        limit: t.arg.int({ required: true }),
        offset: t.arg.int({ required: true }),
        orderBy: t.arg({ type: MediumArticlesOrderBy }),
        param: t.arg({ type: MediumArticlesParam }),
        q: t.arg.string({ description: 'Words of the title (kana and width do not matter), an id, or an address.' }),
      },
      allow: 'read:list',
      on: 'insight:medium_article.',
      resolve(_parent, args, _context, permit) {
        const param = args.param ?? {}
        const typed = args.q?.replaceAll('\0', '').trim()
        const id = (name: 'mediumId' | 'publisherId' | 'feedId' | 'articleId') => {
          const value = param[name]
          return value ? readId(value, ['param', name]) : undefined
        }
        const filter = {
          mediumId: id('mediumId'),
          publisherId: id('publisherId'),
          feedId: id('feedId'),
          articleId: id('articleId'),
          mediumArticleId: param.mediumArticleId?.replaceAll('\0', '') ?? undefined,
          publishedFrom: param.publishedFrom ?? undefined,
          publishedTo: param.publishedTo ?? undefined,
          isRemoved: param.isRemoved ?? false,
          search: typed ? { typed, words: readSearchWords(typed) } : undefined,
        }
        return listMediumArticles(database, filter, args.orderBy ?? 'PUBLISHEDAT_DESC', readPage(args), permit)
      },
    }),
  )
}

function addRemovalList(graph: Graph, { database }: Dependencies, Removal: Types['Removal']): void {
  const RemovalList = graph.objectRef<{ total: number; nodes: RemovalRow[] }>('MediumArticleRemovalList').implement({
    on: 'insight:medium_article.',
    fields: t => ({ total: t.exposeInt('total'), nodes: t.expose('nodes', { type: [Removal] }) }),
  })
  const RemovalsParam = graph.inputType('MediumArticleRemovalsParam', {
    fields: t => ({ publisherId: t.id(), mediumId: t.id(), isRestored: t.boolean() }),
  })
  graph.queryField('mediumArticleRemovals', t =>
    field(t, {
      type: RemovalList,
      args: {
        limit: t.arg.int({ required: true }),
        offset: t.arg.int({ required: true }),
        param: t.arg({ type: RemovalsParam }),
      },
      allow: 'read:list',
      on: 'insight:medium_article.',
      description: 'The log of removals, newest first.',
      resolve(_parent, args, _context, permit) {
        const { publisherId, mediumId, isRestored } = args.param ?? {}
        const filter = {
          publisherId: publisherId ? readId(publisherId, ['param', 'publisherId']) : undefined,
          mediumId: mediumId ? readId(mediumId, ['param', 'mediumId']) : undefined,
          isRestored: isRestored ?? undefined,
        }
        return listRemovals(database, filter, readPage(args), permit)
      },
    }),
  )
}
