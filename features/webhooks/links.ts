/** Addresses that are told what happened. */
export const WEBHOOKS_PATH = '/webhooks'
