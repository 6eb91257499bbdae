/** What articles are grouped by besides themselves and days: what their publisher says of them. */
export const ARTICLE_LABEL_KINDS = ['author', 'section', 'tag'] as const
export type ArticleLabelKind = (typeof ARTICLE_LABEL_KINDS)[number]

export const ARTICLE_LABEL_NOUNS: Readonly<Record<ArticleLabelKind, string>> = {
  author: '著者',
  section: 'セクション',
  tag: 'タグ',
}

/** As the statistics store writes them. */
export const ARTICLE_LABEL_NOS: Readonly<Record<ArticleLabelKind, bigint>> = { author: 1n, section: 2n, tag: 3n }

/** Of articles that have no author, no section or no tag. */
export const NO_LABEL = '未設定'

export function isArticleLabelKind(value: string): value is ArticleLabelKind {
  return (ARTICLE_LABEL_KINDS as readonly string[]).includes(value)
}

/** So many labels of each kind can narrow a report: addresses name them. */
export const MAX_LABELS = 10

/** Articles that carry any of the labels of every kind that is there; a kind without a list does not restrict. */
export type ArticleLabelFilter<Id> = { readonly [Kind in ArticleLabelKind]?: readonly Id[] | undefined }
