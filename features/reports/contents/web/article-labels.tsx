import {
  ARTICLE_LABEL_KINDS,
  ARTICLE_LABEL_NOUNS,
  type ArticleLabelKind,
  NO_LABEL,
} from '@pc/domain/report/article-label.ts'
import { RowLink } from '@pc/ui/list/list-screen.tsx'
import { addressOf } from '@pc/ui/routing/define-route.ts'
import type { ReactNode } from 'react'
import { type ArticlesCondition, articlesCondition } from '../../content-condition.ts'
import styles from '../../core/web/report.module.css'
import { ARTICLES_REPORT_PATH } from '../../links.ts'

export interface ArticleLabel {
  readonly id: string
  readonly kind: ArticleLabelKind
  readonly name: string | null
}

export const ARTICLE_GROUPS = [
  { value: 'article', label: '記事別' },
  ...ARTICLE_LABEL_KINDS.map(kind => ({ value: kind, label: `${ARTICLE_LABEL_NOUNS[kind]}別` })),
] as const

/** The address of the articles with a label, with the days and filters of the screen. */
function articlesOfLabel(condition: ArticlesCondition, kind: ArticleLabelKind, labelId: string): string {
  const narrowed = { [`${kind}Id`]: [labelId], page: 1, view: undefined }
  const articles = { ...condition, ...narrowed, groupBy: 'article' } as const
  return addressOf(ARTICLES_REPORT_PATH, articlesCondition.format(articles))
}

/** The heading cell of a label's row. Label 0 (articles without a label) is not a link. */
export function LabelCell(props: {
  label: { readonly id: string; readonly name: string | null } | null
  kind: ArticleLabelKind
  condition: ArticlesCondition
}) {
  const { label, kind, condition } = props
  if (!label || label.id === '0') return NO_LABEL
  return <RowLink address={articlesOfLabel(condition, kind, label.id)}>{label.name ?? `ID ${label.id}`}</RowLink>
}

const COLUMNS = { author: 'authors', section: 'section', tag: 'tags' } as const
const OVERLAPS = {
  author:
    '著者が2人以上の記事は、それぞれの著者に記事の全体を数えます。行を足すと、記事の合計より大きくなることがあります。',
  section: undefined,
  tag: 'タグが2つ以上ある記事は、それぞれのタグに記事の全体を数えます。行を足すと、記事の合計より大きくなることがあります。',
} as const

const HOW_TO_DELIVER = `/docs/ingest.html#${encodeURIComponent('articles-記事')}`

/** A note on how labels are counted, or on how to deliver them when none were. Only staff sees how, because staff delivers. */
export function LabelNote(props: { kind: ArticleLabelKind; isNothingDelivered: boolean; isStaff: boolean }) {
  const { kind, isNothingDelivered, isStaff } = props
  const noun = ARTICLE_LABEL_NOUNS[kind]
  if (!isNothingDelivered) return OVERLAPS[kind] ? <p className={styles.note}>{OVERLAPS[kind]}</p> : null
  if (!isStaff)
    return <p className={styles.note}>{`${noun}の情報がまだ届いていません。届くと、${noun}別に表示します。`}</p>
  return (
    <p className={styles.note}>
      {`${noun}の情報がまだ届いていません。記事（articles）の取り込みに「${COLUMNS[kind]}」の列を加えると、${noun}別に表示します。`}
      <a href={HOW_TO_DELIVER} target="_blank" rel="noopener">
        書き方を手引きで見る
      </a>
    </p>
  )
}

/** An article's labels by kind; each name links to the articles with that label. */
export function labelFacts(
  labels: readonly ArticleLabel[],
  { from, to }: Pick<ArticlesCondition, 'from' | 'to'>,
): { label: string; text: ReactNode }[] {
  const condition = { ...articlesCondition.defaults, from, to }
  return ARTICLE_LABEL_KINDS.flatMap(kind => {
    const own = labels.filter(label => label.kind === kind)
    if (own.length === 0) return []
    const names = own.map((label, at) => (
      <span key={`${label.id} ${label.name}`}>
        {at > 0 && '、'}
        <a href={articlesOfLabel(condition, kind, label.id)}>{label.name}</a>
      </span>
    ))
    return [{ label: ARTICLE_LABEL_NOUNS[kind], text: names }]
  })
}
