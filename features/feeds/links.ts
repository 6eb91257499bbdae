/** The form of one feed, in the console. */
export function feedEditPath(feedId: string): string {
  return `/managements/feeds/edit/${encodeURIComponent(feedId)}`
}
