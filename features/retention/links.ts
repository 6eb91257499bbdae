/** Reached by the command palette only: the sidebar's items are given (`apps/console/menu.ts`). */
export const RETENTION_PATH = '/adjustments/retention'
