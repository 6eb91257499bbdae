import { DashboardCards } from './dashboard-cards.tsx'
import { HomeParts } from './home-parts.tsx'

/** What the home adds to the dashboard of the reports, in one bundle that is loaded after the first paint. */
export const homeBundle = { DashboardCards, HomeParts }
