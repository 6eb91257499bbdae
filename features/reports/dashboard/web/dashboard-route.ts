import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { dashboardCondition } from '../../dashboard-condition.ts'
import { DASHBOARD_PATH } from '../../links.ts'
import type { LoadDashboardCards } from './dashboard-cards.tsx'
import { dashboardQuery } from './dashboard-query.ts'

/**
 * @param loadCards loads the cards of other report folders. The application passes it in, because this folder may not
 * import them, and as a function, because routes are defined before React has loaded.
 */
export const dashboardRoute = (loadCards: LoadDashboardCards) =>
  defineRoute({
    path: DASHBOARD_PATH,
    title: 'ダッシュボード',
    help: {
      staff: 'admin-guide.html#2-1-ダッシュボード',
      publisher: 'metrics.html#ダッシュボードとパブリッシャーランキング',
    },
    allow: { action: 'read:list', resource: 'insight:summary_stats.' },
    condition: dashboardCondition,
    query: dashboardQuery,
    view: () => import('./dashboard-view.tsx').then(module => module.dashboardView(loadCards)),
  })
