/** Reached from the close board and the command palette; the sidebar's items are those of the specification. */
export const PAYMENT_SETTINGS_PATH = '/adjustments/settings'
