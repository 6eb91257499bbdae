import { type BoardTile, tileFilter, tileRange } from '@pc/domain/board/board.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { addressOf } from '@pc/ui/routing/define-route.ts'
import { articlesCondition, videosCondition } from '../../reports/content-condition.ts'
import { dashboardCondition } from '../../reports/dashboard-condition.ts'
import {
  ARTICLES_REPORT_PATH,
  DASHBOARD_PATH,
  PUBLISHER_RANKING_PATH,
  VIDEOS_REPORT_PATH,
} from '../../reports/links.ts'
import { rankingCondition } from '../../reports/ranking-condition.ts'

/** The address of the tile's report, with the tile's filter and its period as of today. */
export function reportAddress(tile: BoardTile, today: Day): string {
  const filter = { ...tileRange(tile, today), ...tileFilter(tile) }
  const { granularity } = tile
  const compared = tile.compareWith === null ? {} : { compareWith: tile.compareWith }
  const isByDate = tile.shape === 'chart'
  switch (tile.report) {
    case 'dashboard':
      return addressOf(
        DASHBOARD_PATH,
        dashboardCondition.format({ ...dashboardCondition.parse(undefined), ...filter, ...compared, granularity }),
      )
    case 'ranking':
      return addressOf(
        PUBLISHER_RANKING_PATH,
        rankingCondition.format({ ...rankingCondition.parse(undefined), ...filter, ...compared }),
      )
    case 'articles': {
      const groupBy = tile.groupBy ?? (isByDate ? 'date' : 'article')
      const own = { ...filter, ...compared, granularity, groupBy } as const
      const condition = { ...articlesCondition.parse(undefined), ...own }
      return addressOf(ARTICLES_REPORT_PATH, articlesCondition.format(condition))
    }
    case 'videos': {
      const groupBy = isByDate ? 'date' : 'video'
      const condition = { ...videosCondition.parse(undefined), ...filter, ...compared, granularity, groupBy } as const
      return addressOf(VIDEOS_REPORT_PATH, videosCondition.format(condition))
    }
  }
}
