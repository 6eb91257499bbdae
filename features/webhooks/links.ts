/** The screen of webhooks. */
export const WEBHOOKS_PATH = '/webhooks'
