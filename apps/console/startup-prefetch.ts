import { ARTICLES_TABLES, VIDEOS_TABLES } from '@pc/features/reports/content-condition.ts'
import {
  ARTICLE_REPORT_PATH,
  ARTICLES_REPORT_PATH,
  PUBLISHER_RANKING_PATH,
  VIDEO_REPORT_PATH,
  VIDEOS_REPORT_PATH,
} from '@pc/features/reports/links.ts'
import { startupPrefetch } from '@pc/ui/prefetch/startup-prefetch.ts'
import type { ScreenQuery } from '@pc/ui/routing/define-route.ts'
import { ScreenSettingsDocument } from '@pc/ui/views/screen-settings.gen.ts'
import { settingsVariables } from '@pc/ui/views/settings-query.ts'
import { HOME, SCREENS } from './routes.ts'

const settingsQuery = (screen: string, tables: readonly string[]): ScreenQuery => ({
  document: ScreenSettingsDocument as ScreenQuery['document'],
  variables: () => ({ ...settingsVariables(screen, tables) }),
})

/**
 * Tables wait for the person's column choice, which `useReportTools` queries. Prefetched together with the screen's
 * query.
 */
const SETTINGS = {
  [PUBLISHER_RANKING_PATH]: settingsQuery('publisher-ranking', ['publisher-ranking']),
  [ARTICLES_REPORT_PATH]: settingsQuery('articles', ARTICLES_TABLES),
  [ARTICLE_REPORT_PATH]: settingsQuery('article', ['article']),
  [VIDEOS_REPORT_PATH]: settingsQuery('videos', VIDEOS_TABLES),
  [VIDEO_REPORT_PATH]: settingsQuery('video', ['video']),
}

/**
 * The queries of the first screen, sent before the application is loaded. `own` is the API of screens that name none, `beside` what parts of a screen ask at once.
 * Tested by `e2e/startup-prefetch.test.ts`.
 */
export const startupQueries = startupPrefetch({ screens: SCREENS, home: HOME, own: 'insight', beside: SETTINGS })
