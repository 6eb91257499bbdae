import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { CASH_FORECAST_PATH } from '../../links.ts'

export const cashForecastRoute = defineRoute({
  path: CASH_FORECAST_PATH,
  title: '支払予定',
  help: 'admin-guide.html#支払予定',
  allow: { action: 'read:list', resource: 'insight:monthly_payment.' },
  query: () => import('./cash-forecast-query.ts').then(module => module.cashForecastQuery),
  view: () => import('./cash-forecast-view.tsx').then(module => module.CashForecastView),
})
