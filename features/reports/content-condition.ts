import { type ConditionOf, defineCondition } from '@pc/domain/condition/condition.ts'
import { entityParams, REPORT_FILTERS } from '@pc/domain/condition/entity-filter.ts'
import { day, id, ids, oneOf, page, text } from '@pc/domain/condition/params.ts'
import { ARTICLE_LABEL_KINDS, MAX_LABELS } from '@pc/domain/report/article-label.ts'
import { COMPARISONS } from '@pc/domain/report/comparison.ts'
import { GRANULARITIES } from '@pc/domain/report/granularity.ts'
import { ORDER_BASES } from '@pc/domain/report/order-basis.ts'

const SHARED_FIGURES = ['IMPRESSION', 'CLICK', 'CTR', 'WATCH', 'REVENUE', 'RPM'] as const
const ARTICLE_FIGURES = [
  ...SHARED_FIGURES,
  ...(['ENGAGEDTIME', 'AVERAGEENGAGEDTIME', 'COMPLETION', 'COMPLETIONRATE'] as const),
] as const
const VIDEO_FIGURES = [
  ...SHARED_FIGURES,
  ...(['WATCH3S', 'PLAYTIME', 'AVERAGEPLAYTIME', 'WATCH97P', 'AVERAGEWATCH97P'] as const),
] as const

type Order<Figure extends string> = `${Figure}_${'ASC' | 'DESC'}`
function ordersOf<const Figure extends string>(figures: readonly Figure[]) {
  return figures.flatMap((name): Order<Figure>[] => [`${name}_DESC`, `${name}_ASC`])
}
type ArticleOrder = Order<(typeof ARTICLE_FIGURES)[number]>
type VideoOrder = Order<(typeof VIDEO_FIGURES)[number]>
export const ARTICLE_ORDERS: readonly [ArticleOrder, ...ArticleOrder[]] = [
  'IMPRESSION_DESC',
  ...ordersOf(ARTICLE_FIGURES),
]
export const VIDEO_ORDERS: readonly [VideoOrder, ...VideoOrder[]] = ['IMPRESSION_DESC', ...ordersOf(VIDEO_FIGURES)]
const DATE_ORDERS = ['DATE_DESC', 'DATE_ASC'] as const
export const ARTICLE_DATE_ORDERS = [...DATE_ORDERS, ...ordersOf(ARTICLE_FIGURES)] as const
export const VIDEO_DATE_ORDERS = [...DATE_ORDERS, ...ordersOf(VIDEO_FIGURES)] as const
export const CONTENT_PAGE_SIZE = 100

/** Tables whose columns a person chooses. */
export const ARTICLES_TABLES = [
  'articles',
  'articles-by-date',
  'articles-by-author',
  'articles-by-section',
  'articles-by-tag',
] as const
export const VIDEOS_TABLES = ['videos', 'videos-by-date'] as const

const period = {
  from: day(),
  to: day(),
  granularity: oneOf(GRANULARITIES),
  compareWith: oneOf(['none', ...COMPARISONS]),
  /** The id of a saved view, whose columns are shown. */
  view: id(),
}
const list = {
  ...period,
  ...entityParams,
  /** Search words, all of which the title must contain. */
  title: text(),
  orderOf: oneOf(ORDER_BASES),
  minChange: text(),
  page: page(CONTENT_PAGE_SIZE),
}

/** The reports' conditions as in the address. Without `from` and `to` they mean the default range of the current day. */
export const articlesCondition = defineCondition({
  ...list,
  // Not one of `REPORT_FILTERS`: rows of figures have no feed, so articles are looked up by it in the master data.
  feedId: ids(),
  ...REPORT_FILTERS.articles,
  /** Labels of any kind, for addresses and saved views of earlier versions. */
  labelId: ids(MAX_LABELS),
  groupBy: oneOf(['article', 'date', ...ARTICLE_LABEL_KINDS]),
  order: oneOf(ARTICLE_ORDERS),
  dateOrder: oneOf(['DATE_DESC', ...ARTICLE_DATE_ORDERS]),
})
export type ArticlesCondition = ConditionOf<typeof articlesCondition>

export const videosCondition = defineCondition({
  ...list,
  ...REPORT_FILTERS.videos,
  groupBy: oneOf(['video', 'date']),
  order: oneOf(VIDEO_ORDERS),
  dateOrder: oneOf(['DATE_DESC', ...VIDEO_DATE_ORDERS]),
})
export type VideosCondition = ConditionOf<typeof videosCondition>

/** The condition of the screen of a single article or video. */
export const contentCondition = defineCondition({
  ...period,
  order: oneOf(['DATE_DESC', ...new Set([...ARTICLE_DATE_ORDERS, ...VIDEO_DATE_ORDERS])]),
})
export type ContentCondition = ConditionOf<typeof contentCondition>
