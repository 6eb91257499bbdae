import { type ConditionOf, defineCondition } from '@pc/domain/condition/condition.ts'
import { day, id, oneOf, page, text } from '@pc/domain/condition/params.ts'

export const ARTICLE_LIST_ORDERS = [
  ...(['PUBLISHEDAT_DESC', 'PUBLISHEDAT_ASC', 'ID_ASC', 'ID_DESC', 'CREATEDAT_ASC', 'CREATEDAT_DESC'] as const),
] as const

export const ARTICLE_PAGE_SIZE = 100

export const articleCondition = defineCondition({
  q: text(),
  mediumId: id(),
  publisherId: id(),
  feedId: id(),
  from: day(),
  to: day(),
  view: oneOf(['listed', 'removed']),
  order: oneOf(ARTICLE_LIST_ORDERS),
  page: page(ARTICLE_PAGE_SIZE),
})

export type ArticleCondition = ConditionOf<typeof articleCondition>
