import type { Refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ARTICLE_LABEL_KINDS } from '@pc/domain/report/article-label.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { readPage, readSearchWords } from '@pc/platform/graphql/list-arguments.ts'
import { refusalError } from '@pc/platform/graphql/refusal-error.ts'
import { readIds } from '../../core/server/entity-argument.ts'
import { type ArticleLabelName, listLabels } from '../../core/server/label-names.ts'
import type { ReportSources } from '../../core/server/report-sources.ts'

const ON = 'insight:article_stats.'

export type ArticleLabelRef = ReturnType<typeof addLabelFields>

/** Adds the query `articleLabels`. @returns its type, which the articles report also uses */
export function addLabelFields(graph: Graph, { database }: Pick<ReportSources, 'database'>) {
  const ArticleLabelKind = graph.enumType('ArticleLabelKind', { values: ARTICLE_LABEL_KINDS })
  const ArticleLabel = graph.objectRef<ArticleLabelName>('ArticleLabel').implement({
    on: ON,
    description: 'An author, a section or a tag, of one publisher.',
    fields: t => ({
      id: t.expose('id', { type: 'ID', description: '0: the articles that have none of the kind.' }),
      kind: t.expose('kind', { type: ArticleLabelKind }),
      name: t.exposeString('name', { nullable: true, description: 'Null where there is none.' }),
      publisherId: t.expose('publisherId', { type: 'ID', nullable: true }),
      publisherName: t.exposeString('publisherName', { nullable: true }),
    }),
  })
  const ArticleLabelList = graph.objectRef<{ total: number; nodes: ArticleLabelName[] }>('ArticleLabelList').implement({
    on: ON,
    fields: t => ({ total: t.exposeInt('total'), nodes: t.expose('nodes', { type: [ArticleLabel] }) }),
  })
  const ArticleLabelsParam = graph.inputType('ArticleLabelsParam', {
    fields: t => ({
      kind: t.field({ type: ArticleLabelKind, required: true }),
      publisherIds: t.idList({ description: 'Absent or null: of all publishers that the caller may see.' }),
      ids: t.idList({ description: 'Absent or null: all of them.' }),
    }),
  })
  graph.queryField('articleLabels', t =>
    field(t, {
      type: ArticleLabelList,
      args: {
        limit: t.arg.int({ required: true }),
        offset: t.arg.int({ required: true }),
        param: t.arg({ type: ArticleLabelsParam, required: true }),
        q: t.arg.string({ description: 'The name; kana and width do not matter.' }),
      },
      allow: 'read:list',
      on: ON,
      description: 'Authors, sections or tags by name, to filter reports by.',
      resolve(_parent, { param, q, ...args }, _context, permit) {
        const refusals: Refusal<RefusalCode>[] = []
        const publisherIds = readIds(param.publisherIds, ['param', 'publisherIds'], refusals)
        const ids = readIds(param.ids, ['param', 'ids'], refusals)
        if (refusals.length > 0) throw refusalError(refusals)
        const search = { kind: param.kind, words: readSearchWords(q), publisherIds, ids }
        return listLabels(database.reader(permit.scope), search, readPage(args))
      },
    }),
  )
  return ArticleLabel
}
