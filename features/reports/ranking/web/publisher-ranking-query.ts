import { chosenRange } from '@pc/domain/condition/default-range.ts'
import { filterArguments } from '@pc/domain/condition/entity-filter.ts'
import { changeArguments } from '@pc/domain/report/order-by-change.ts'
import type { ScreenContext } from '@pc/ui/routing/define-route.ts'
import { type RankingCondition, rankingCondition } from '../../ranking-condition.ts'
import { PublisherRankingDocument, type PublisherRankingQueryVariables } from './publisher-ranking.gen.ts'

export const publisherRankingQuery = {
  document: PublisherRankingDocument,
  variables(condition: RankingCondition, { today }: Pick<ScreenContext, 'today'>): PublisherRankingQueryVariables {
    const { limit, offset } = rankingCondition.pageVariables(condition)
    const { compareWith, order } = condition
    return {
      limit,
      offset,
      orderBy: order,
      param: {
        ...chosenRange(condition, today),
        ...filterArguments(condition),
        compareWith,
        ...changeArguments(condition),
      },
    }
  },
}
