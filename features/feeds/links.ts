export const FEEDS_PATH = '/managements/feeds'
export const FEED_CREATE_PATH = '/managements/feeds/create'
export const FEED_FROM_STAGING_PATH = '/managements/feeds/create-from-staging'

/** The form of one feed, in the console. */
export function feedEditPath(feedId: string): `/${string}` {
  return `/managements/feeds/edit/${feedId}`
}
