/** Reached from the close board and the command palette; it has no item in the sidebar. */
export const PAYMENT_SETTINGS_PATH = '/adjustments/settings'
