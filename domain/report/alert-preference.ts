/** The key of the preference that mutes anomalies, in emails and on the dashboard. */
export const ALERTS_MUTED_KEY = 'sudden-changes/muted'
