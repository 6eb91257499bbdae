import { dashboardRoute } from '@pc/features/reports/web/dashboard-route.ts'
import { userEditRoute } from '@pc/features/users/web/user-edit-route.ts'
import { userInviteRoute } from '@pc/features/users/web/user-invite-route.ts'
import { usersRoute } from '@pc/features/users/web/users-route.ts'
import type { Screen } from '@pc/ui/define-route.ts'

/** Every screen of the console. The sidebar shows an item when, and only when, its screen stands here. */
export const SCREENS: readonly Screen[] = [dashboardRoute, usersRoute, userInviteRoute, userEditRoute]

/** The root redirects here (specification, section 2). */
export const HOME = dashboardRoute.path
