/** The key of the preference to hear of no anomalies, neither by email nor on the dashboard. */
export const ALERTS_MUTED_KEY = 'sudden-changes/muted'
