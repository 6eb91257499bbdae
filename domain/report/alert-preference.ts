/** The preference under which a person has chosen to hear of no anomalies: neither by mail nor on the dashboard. */
export const ALERTS_MUTED_KEY = 'sudden-changes/muted'
