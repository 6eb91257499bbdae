/** What articles can be grouped by besides the article and the day; the publisher supplies these labels. */
export const ARTICLE_LABEL_KINDS = ['author', 'section', 'tag'] as const
export type ArticleLabelKind = (typeof ARTICLE_LABEL_KINDS)[number]

export const ARTICLE_LABEL_NOUNS: Readonly<Record<ArticleLabelKind, string>> = {
  author: '著者',
  section: 'セクション',
  tag: 'タグ',
}

/** The number of each kind in the statistics store (`article_label.kind_no`): rows have it, so it never changes. */
export const ARTICLE_LABEL_NOS: Readonly<Record<ArticleLabelKind, bigint>> = { author: 1n, section: 2n, tag: 3n }

/** Name of the group of articles without an author, section or tag. */
export const NO_LABEL = '未設定'

export function isArticleLabelKind(value: string): value is ArticleLabelKind {
  return (ARTICLE_LABEL_KINDS as readonly string[]).includes(value)
}

/** Labels of each kind that a report can be filtered by; addresses name them, so they stay short. */
export const MAX_LABELS = 10

/** Articles that carry at least one of the labels of every kind given. A kind that is absent does not restrict. */
export type ArticleLabelFilter<Id> = { readonly [Kind in ArticleLabelKind]?: readonly Id[] | undefined }
