import type { ScreenContext } from '@pc/ui/routing/define-route.ts'
import { type PublisherCondition, publisherCondition } from '../publisher-condition.ts'
import { publisherRights } from './publisher-rights.ts'
import { PublishersDocument, type PublishersQueryVariables } from './publishers.gen.ts'

export const publishersQuery = {
  document: PublishersDocument,
  variables(condition: PublisherCondition, { viewer }: Pick<ScreenContext, 'viewer'>): PublishersQueryVariables {
    const { q, organizationId, state, order } = condition
    const { limit, offset } = publisherCondition.pageVariables(condition)
    const { withRules, withRates } = publisherRights(viewer).shown
    return {
      limit,
      offset,
      orderBy: order,
      withRules,
      withRates,
      ...(q === '' ? {} : { q }),
      param: {
        ...(organizationId === undefined ? {} : { organizationId }),
        ...(state === 'all' ? {} : { enabled: state === 'enabled' }),
      },
    }
  },
}
