import type { ScreenContext } from '@pc/ui/routing/define-route.ts'
import { type MediumCondition, mediumCondition } from '../medium-condition.ts'
import { MediaDocument, type MediaQueryVariables, MediumEditDocument } from './media.gen.ts'

export const mediaQuery = {
  document: MediaDocument,
  variables(condition: MediumCondition): MediaQueryVariables {
    const { q, state, order } = condition
    const { limit, offset } = mediumCondition.pageVariables(condition)
    const param = { ...(q === '' ? {} : { q }), ...(state === 'all' ? {} : { isRetired: state === 'retired' }) }
    return { limit, offset, orderBy: order, param }
  },
}

export const mediumEditQuery = {
  document: MediumEditDocument,
  variables: (_condition: object, { ids }: ScreenContext) => ({ id: ids.id ?? '' }),
}
