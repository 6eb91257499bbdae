import { dashboardRoute } from '@pc/features/reports/web/dashboard-route.ts'
import type { Screen } from '@pc/ui/define-route.ts'

/** Every screen of the console. The sidebar shows an item when, and only when, its screen stands here. */
export const SCREENS: readonly Screen[] = [dashboardRoute]

/** The root redirects here (specification, section 2). */
export const HOME = dashboardRoute.path
