import { HeatTable } from '../../core/web/heat-table.tsx'
import { DashboardTable } from './dashboard-table.tsx'
import { RevenueDetailCard } from './revenue-detail-card.tsx'

/** What the dashboard draws after its first paint, in one file: each in its own would be one more request of every start. */
export const laterParts = { DashboardTable, HeatTable, RevenueDetailCard }
