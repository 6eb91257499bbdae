/** Reached from the command palette; the sidebar's items are those of the specification. */
export const RETENTION_PATH = '/adjustments/retention'
