import type { DimensionTable, FactTable, LifeTable, RollUpTable } from '@pc/platform/stats/tables.ts'
import type { ArrivalTable } from './arrival.ts'
import type { SortFigure } from './report-order.ts'

/** What differs between the reports of articles and of videos: tables, columns and orders. */
export interface ContentKind {
  readonly id: 'article_id' | 'video_id'
  readonly day: FactTable
  readonly month: RollUpTable
  readonly life: LifeTable
  readonly moment: DimensionTable
  readonly publisherDay: RollUpTable
  readonly mediumDay: ArrivalTable
  readonly demographics: FactTable
  readonly demographicColumns: readonly ('click' | 'watch3s')[]
  readonly watchTime: FactTable | undefined
  readonly counts: readonly string[]
  readonly figures: Readonly<Record<string, SortFigure>>
}

/** The platform's revenue, read for staff only. */
export const CONTENT_REVENUE_COLUMN = 'ads_revenue_micro_yen'

const SHARED_FIGURES = {
  IMPRESSION: { columns: ['impression'] },
  CLICK: { columns: ['click'] },
  CTR: { columns: ['click'], per: ['impression'] },
  WATCH: { columns: ['watch'] },
  REVENUE: { columns: ['publisher_revenue_micro_yen'] },
  RPM: { columns: ['publisher_revenue_micro_yen'], per: ['impression'] },
} as const satisfies Record<string, SortFigure>

/** A figure that few deliveries have, and the column by which it is averaged: the watches of the rows that have it. */
export const ENGAGED_TIME = { sum: 'engaged_time_ms', watches: 'engaged_time_watch' } as const
export const COMPLETION = { sum: 'completion', watches: 'completion_watch' } as const

/** Articles: their tables, and what they can be sorted by. */
export const ARTICLES = {
  id: 'article_id',
  day: 'article_day',
  month: 'article_month',
  life: 'article_life',
  moment: 'article_moment',
  publisherDay: 'publisher_article_day',
  mediumDay: 'medium_article_day',
  demographics: 'article_demo_day',
  demographicColumns: ['click'],
  watchTime: undefined,
  counts: [
    ...(['impression', 'click', 'watch', 'publisher_revenue_micro_yen'] as const),
    ...[ENGAGED_TIME, COMPLETION].flatMap(({ sum, watches }) => [sum, watches]),
  ],
  figures: {
    ...SHARED_FIGURES,
    ENGAGEDTIME: { columns: [ENGAGED_TIME.sum], where: ENGAGED_TIME.watches },
    AVERAGEENGAGEDTIME: { columns: [ENGAGED_TIME.sum], per: [ENGAGED_TIME.watches] },
    COMPLETION: { columns: [COMPLETION.sum], where: COMPLETION.watches },
    COMPLETIONRATE: { columns: [COMPLETION.sum], per: [COMPLETION.watches] },
  },
} as const satisfies ContentKind

/** Videos: their tables, and what they can be sorted by. */
export const VIDEOS = {
  id: 'video_id',
  day: 'video_day',
  month: 'video_month',
  life: 'video_life',
  moment: 'video_moment',
  publisherDay: 'publisher_video_day',
  mediumDay: 'medium_video_day',
  demographics: 'video_demo_day',
  demographicColumns: ['click', 'watch3s'],
  watchTime: 'video_watch_time_day',
  counts: ['impression', 'click', 'watch', 'watch3s', 'watch97p', 'play_time_ms', 'publisher_revenue_micro_yen'],
  figures: {
    ...SHARED_FIGURES,
    WATCH3S: { columns: ['watch3s'] },
    PLAYTIME: { columns: ['play_time_ms'] },
    AVERAGEPLAYTIME: { columns: ['play_time_ms'], per: ['watch'] },
    WATCH97P: { columns: ['watch97p'] },
    AVERAGEWATCH97P: { columns: ['watch97p'], per: ['watch'] },
  },
} as const satisfies ContentKind
