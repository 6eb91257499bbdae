/** Reached only by the command palette; the sidebar's items are fixed (`apps/console/menu.ts`). */
export const RETENTION_PATH = '/adjustments/retention'
