import { type ConditionOf, defineCondition } from '@pc/domain/condition/condition.ts'
import { REPORT_FILTERS } from '@pc/domain/condition/entity-filter.ts'
import { day, id, oneOf, page, text } from '@pc/domain/condition/params.ts'
import { COMPARISONS } from '@pc/domain/report/comparison.ts'
import { ORDER_BASES } from '@pc/domain/report/order-basis.ts'

/** The figures to sort by, named like the orders of `publisherRank`. */
const FIGURES = [
  ...(['REVENUE', 'IMPRESSION', 'CLICK', 'CTR', 'WATCH', 'RPM'] as const),
  ...(['ARTICLEIMPRESSION', 'ARTICLECLICK', 'ARTICLEWATCH', 'VIDEOIMPRESSION', 'VIDEOCLICK', 'VIDEOWATCH'] as const),
  ...(['LIVEIMPRESSION', 'LIVECLICK', 'LIVEWATCH', 'GROSSREVENUE'] as const),
  ...(['PRODUCTADSREVENUE', 'SSPREVENUE', 'VIDEOSSPREVENUE', 'LIVESSPREVENUE'] as const),
] as const
type RankOrder = `${(typeof FIGURES)[number]}_${'ASC' | 'DESC'}`
export const RANKING_ORDERS: readonly [RankOrder, ...RankOrder[]] = [
  'REVENUE_DESC',
  ...FIGURES.flatMap(name => [`${name}_DESC`, `${name}_ASC`] as const),
]
export const RANKING_PAGE_SIZE = 100

/** The ranking's condition as in the address. Without `from` and `to` it means the default range of the current day. */
export const rankingCondition = defineCondition({
  from: day(),
  to: day(),
  compareWith: oneOf(COMPARISONS),
  ...REPORT_FILTERS.ranking,
  order: oneOf(RANKING_ORDERS),
  orderOf: oneOf(ORDER_BASES),
  minChange: text(),
  /** The id of a saved view, whose columns are shown. */
  view: id(),
  page: page(RANKING_PAGE_SIZE),
})
export type RankingCondition = ConditionOf<typeof rankingCondition>
