import { DashboardCards } from './dashboard-cards.tsx'
import { HomeParts } from './home-parts.tsx'

/** Parts of the home screen beside the report, in one chunk that loads after the first paint. */
export const home = { DashboardCards, HomeParts }
