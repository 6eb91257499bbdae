import type { Types } from '@pc/platform/graphql/field.ts'
import type { GraphContext } from '@pc/platform/graphql/graph.ts'
import { demandPermit } from '@pc/platform/graphql/guard.ts'
import type { EntityFilter } from './report-scope.ts'

/**
 * A report filtered by labels reads figures of articles, so it needs the right to these.
 * @throws the guard's error without that right
 */
export function demandLabels({ labels }: EntityFilter, context: GraphContext): void {
  if (labels) demandPermit(context, 'read:list', 'insight:article_stats.')
}

/** The field `isOfArticlesOnly` of publishers' reports that can be filtered by label. */
export function articlesOnlyField<Report extends { readonly isOfArticlesOnly?: true }>(
  t: PothosSchemaTypes.ObjectFieldBuilder<Types, Report>,
) {
  return t.boolean({
    description:
      'True where the filter names authors, sections or tags: all figures are those of the articles that carry them. SSP ' +
      'revenues, videos and live have no labels and are not included; their figures are 0.',
    resolve: report => report.isOfArticlesOnly === true,
  })
}
