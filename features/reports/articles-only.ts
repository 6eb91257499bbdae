/** The note of a publishers' report that a label filter (author, section, tag) reduces to figures of articles (docs/adr/0086). */
export const ARTICLES_ONLY = '記事の数値だけを集計しています。SSPの収益、動画、ライブは含みません。'

const BEYOND_ARTICLES = /^(?:ssp|video|live|follower)/i

/** Whether articles have this column's figure. If not, a report by label leaves it empty instead of showing 0. */
export function isOfArticles(columnId: string): boolean {
  return !BEYOND_ARTICLES.test(columnId)
}
