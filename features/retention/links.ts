/** Reached by the command palette only, because the specification fixes the items of the sidebar. */
export const RETENTION_PATH = '/adjustments/retention'
