/** What a report of publishers says where a filter by label leaves it the figures of articles alone (docs/adr/0086). */
export const ARTICLES_ONLY = '記事の数値だけを集計しています。SSPの収益、動画、ライブは含みません。'

const BEYOND_ARTICLES = /^(?:ssp|video|live|follower)/i

/** Whether articles have the figure of this column; where they do not it is not there, which is not zero. */
export function isOfArticles(columnId: string): boolean {
  return !BEYOND_ARTICLES.test(columnId)
}
