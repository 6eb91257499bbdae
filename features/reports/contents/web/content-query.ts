import { chosenRange } from '@pc/domain/condition/default-range.ts'
import { filterArguments } from '@pc/domain/condition/entity-filter.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { changeArguments } from '@pc/domain/report/order-by-change.ts'
import type { ScreenContext } from '@pc/ui/routing/define-route.ts'
import {
  type ArticlesCondition,
  articlesCondition,
  type ContentCondition,
  type VideosCondition,
  videosCondition,
} from '../../content-condition.ts'
import {
  ArticleReportDocument,
  type ArticleReportQueryVariables,
  ArticlesReportDocument,
  type ArticlesReportQueryVariables,
} from './articles-report.gen.ts'
import {
  VideoReportDocument,
  type VideoReportQueryVariables,
  VideosReportDocument,
  type VideosReportQueryVariables,
} from './videos-report.gen.ts'

/** The API's greatest limit: the chart shows all periods of the range. */
const ALL_PERIODS = { limit: 1000, offset: 0 }

type Context = Pick<ScreenContext, 'today' | 'viewer'>

/** Selects the staff-only fields only for people who may see them; the server answers null to others anyway. */
const withRevenueDetail = ({ viewer }: Context) => viewer.can('read:show', 'insight:revenue_detail.')

export const articlesReportQuery = {
  document: ArticlesReportDocument,
  variables(condition: ArticlesCondition, context: Context): ArticlesReportQueryVariables {
    const { groupBy, order, dateOrder } = condition
    const page = articlesCondition.pageVariables(condition)
    return {
      ...(groupBy === 'date' ? ALL_PERIODS : { limit: page.limit, offset: page.offset }),
      orderBy: groupBy === 'date' ? dateOrder : order,
      param: {
        ...{
          ...periodParam(condition, context.today),
          ...filterArguments(condition),
          ...titleParam(condition),
          ...(groupBy === 'article' ? changeArguments(condition) : {}),
          groupBy,
        },
        // Labels of any kind, from addresses and saved views of earlier versions.
        ...(condition.labelId.length > 0 ? { labelIds: condition.labelId } : {}),
      },
      withRevenueDetail: withRevenueDetail(context),
    }
  },
}

export const videosReportQuery = {
  document: VideosReportDocument,
  variables(condition: VideosCondition, context: Context): VideosReportQueryVariables {
    const { groupBy, order, dateOrder } = condition
    const page = videosCondition.pageVariables(condition)
    return {
      ...(groupBy === 'date' ? ALL_PERIODS : { limit: page.limit, offset: page.offset }),
      orderBy: groupBy === 'date' ? dateOrder : order,
      param: {
        ...periodParam(condition, context.today),
        ...filterArguments(condition),
        ...titleParam(condition),
        ...(groupBy === 'video' ? changeArguments(condition) : {}),
        groupBy,
      },
      withRevenueDetail: withRevenueDetail(context),
    }
  },
}

export const articleReportQuery = {
  document: ArticleReportDocument,
  variables(condition: ContentCondition, context: Context & Pick<ScreenContext, 'ids'>): ArticleReportQueryVariables {
    const { articleId = '', publisherId = '' } = context.ids
    return {
      param: {
        ...periodParam(condition, context.today),
        ...{ groupBy: 'date', articleIds: [articleId], publisherIds: [publisherId] },
      },
      withRevenueDetail: withRevenueDetail(context),
    }
  },
}

export const videoReportQuery = {
  document: VideoReportDocument,
  variables(condition: ContentCondition, context: Context & Pick<ScreenContext, 'ids'>): VideoReportQueryVariables {
    const { videoId = '', publisherId = '' } = context.ids
    return {
      param: {
        ...periodParam(condition, context.today),
        ...{ groupBy: 'date', videoIds: [videoId], publisherIds: [publisherId] },
      },
      withRevenueDetail: withRevenueDetail(context),
    }
  },
}

const titleParam = ({ title }: { readonly title: string }) => (title === '' ? {} : { title })

function periodParam(condition: ContentCondition, today: Day) {
  const { granularity, compareWith } = condition
  return {
    ...chosenRange(condition, today),
    granularity,
    ...(compareWith === 'none' ? {} : { compareWith }),
  }
}
