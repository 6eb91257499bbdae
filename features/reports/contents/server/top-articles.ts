import type { Permit } from '@pc/domain/access/decide.ts'
import { ARTICLES } from '../../core/server/content-kind.ts'
import type { TopRequest } from '../../core/server/report-arguments.ts'
import type { ReportSources } from '../../core/server/report-sources.ts'
import type { ContentFigures } from './content-figures.ts'
import { readContent } from './content-report.ts'

/** The articles with the most impressions. */
export async function readTopArticles(
  sources: ReportSources,
  { range, filter, limit }: TopRequest,
  permit: Permit<'read:list', 'insight:article_stats.'>,
  signal?: AbortSignal,
): Promise<readonly ContentFigures[]> {
  const { nodes } = await readContent(
    sources,
    {
      ...{ kind: ARTICLES, range, filter, page: { limit, offset: 0 }, groupBy: 'item', granularity: 'daily' },
      ...{ compareWith: undefined, itemIds: undefined, master: { words: [], feedIds: undefined } },
      order: { figure: ARTICLES.figures.IMPRESSION, isDescending: true },
    },
    permit,
    signal,
  )
  return nodes
}
