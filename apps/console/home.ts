import { DashboardCards } from './dashboard-cards.tsx'
import { HomeParts } from './home-parts.tsx'

/** What the home adds to the dashboard of the reports, in one file that is loaded after the first paint. */
export const home = { DashboardCards, HomeParts }
