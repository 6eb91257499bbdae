import { type ConditionOf, defineCondition } from '@pc/domain/condition/condition.ts'
import { REPORT_FILTERS } from '@pc/domain/condition/entity-filter.ts'
import { day, id, oneOf, page, text } from '@pc/domain/condition/params.ts'
import { COMPARISONS } from '@pc/domain/report/comparison.ts'
import { ORDER_BASES } from '@pc/domain/report/order-basis.ts'

/** The figures that the screen shows, as `publisherRank` names its orders. */
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

/** The ranking's filter. Without days it is the default range of the day on which it is read. */
export const rankingCondition = defineCondition({
  from: day(),
  to: day(),
  compareWith: oneOf(COMPARISONS),
  ...REPORT_FILTERS.ranking,
  order: oneOf(RANKING_ORDERS),
  orderOf: oneOf(ORDER_BASES),
  minChange: text(),
  /** A saved view: its columns are shown. */
  view: id(),
  page: page(RANKING_PAGE_SIZE),
})
export type RankingCondition = ConditionOf<typeof rankingCondition>
