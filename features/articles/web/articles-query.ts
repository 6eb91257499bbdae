import { endOfDay, startOfDay } from '@pc/domain/month/tokyo-day.ts'
import { type ArticleCondition, articleCondition } from '../article-condition.ts'
import { MediumArticlesDocument, type MediumArticlesQueryVariables } from './articles.gen.ts'

/** Converts the filter's days (Tokyo) to instants. */
function articlesVariables(condition: ArticleCondition): MediumArticlesQueryVariables {
  const { q, mediumId, publisherId, feedId, from, to, order } = condition
  const { limit, offset } = articleCondition.pageVariables(condition)
  return {
    limit,
    offset,
    orderBy: order,
    ...(q === '' ? {} : { q }),
    param: {
      ...(mediumId === undefined ? {} : { mediumId }),
      ...(publisherId === undefined ? {} : { publisherId }),
      ...(feedId === undefined ? {} : { feedId }),
      ...(from === undefined ? {} : { publishedFrom: startOfDay(from) }),
      ...(to === undefined ? {} : { publishedTo: endOfDay(to) }),
    },
  }
}

export const articlesQuery = { document: MediumArticlesDocument, variables: articlesVariables }
