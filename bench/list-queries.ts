/** Queries of screens other than reports, with the first page as the screen requests it. */
export interface ListQuery {
  readonly name: string
  readonly api: 'insight' | 'iam'
  readonly document: string
  variables(n: number): Readonly<Record<string, unknown>>
}

const page = 'limit: 100, offset: 0'
/** Typed search texts: parts of names that the generated rows have. */
const TYPED = ['計測', 'パブリッシャー 1', '記事 12', '組織 3', '該当なし文字']

export const LIST_QUERIES: readonly ListQuery[] = [
  {
    name: 'who am I',
    api: 'iam',
    document: '{ viewer { uid } policies { nodes { actions } } }',
    variables: () => ({}),
  },
  {
    name: 'publishers',
    api: 'insight',
    document: `{ publishers(${page}) { total nodes { id name } } }`,
    variables: () => ({}),
  },
  {
    name: 'publishers, searched',
    api: 'insight',
    document: `query Q($q: String) { publishers(${page}, q: $q) { total nodes { id name } } }`,
    variables: n => ({ q: TYPED[n % TYPED.length] }),
  },
  {
    name: 'agreements',
    api: 'insight',
    document: `{ agreements(${page}) { total nodes { id name } } }`,
    variables: () => ({}),
  },
  {
    name: 'articles',
    api: 'insight',
    document: `{ mediumArticles(${page}) { total nodes { articleId title publishedAt } } }`,
    variables: () => ({}),
  },
  {
    name: 'articles, searched',
    api: 'insight',
    document: `query Q($q: String) { mediumArticles(${page}, q: $q) { total nodes { articleId title } } }`,
    variables: n => ({ q: TYPED[n % TYPED.length] }),
  },
  {
    name: 'feeds',
    api: 'insight',
    document: `{ feeds(${page}) { total nodes { id name } } }`,
    variables: () => ({}),
  },
  {
    name: 'announcements',
    api: 'insight',
    document: `{ announcements(${page}) { total nodes { id title } } }`,
    variables: () => ({}),
  },
]
