import {
  ARTICLE_LABEL_KINDS,
  ARTICLE_LABEL_NOUNS,
  type ArticleLabelKind,
  NO_LABEL,
} from '@pc/domain/report/article-label.ts'
import { Button } from '@pc/ui/button.tsx'
import { addressOf } from '@pc/ui/define-route.ts'
import { RowLink } from '@pc/ui/list/list-screen.tsx'
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { type ArticlesCondition, articlesCondition } from '../content-condition.ts'
import { ARTICLES_REPORT_PATH } from '../links.ts'
import styles from './report.module.css'

export interface ArticleLabel {
  readonly id: string
  readonly kind: ArticleLabelKind
  readonly name: string | null
}

export const ARTICLE_GROUPS = [
  { value: 'article', label: '記事別' },
  ...ARTICLE_LABEL_KINDS.map(kind => ({ value: kind, label: `${ARTICLE_LABEL_NOUNS[kind]}別` })),
] as const

/** The articles of an author, a section or a tag, with the days and filters of the screen. */
function articlesOfLabel(condition: ArticlesCondition, labelId: string): string {
  const labels = condition.labelId.includes(labelId) ? condition.labelId : [...condition.labelId, labelId]
  const articles = { ...condition, groupBy: 'article', labelId: labels, page: 1, view: undefined } as const
  return addressOf(ARTICLES_REPORT_PATH, articlesCondition.format(articles))
}

/** The heading of a row; those without any lead nowhere. */
export function LabelCell(props: {
  label: { readonly id: string; readonly name: string | null } | null
  condition: ArticlesCondition
}) {
  const { label, condition } = props
  if (!label || label.id === '0') return NO_LABEL
  return <RowLink address={articlesOfLabel(condition, label.id)}>{label.name ?? `ID ${label.id}`}</RowLink>
}

/** What the articles are narrowed to, each with a way out. */
export function LabelFilters(props: {
  value: readonly string[]
  labels: readonly ArticleLabel[]
  onChange: (value: readonly string[]) => void
}) {
  return props.value.map(id => {
    const label = props.labels.find(one => one.id === id)
    const text = `${label ? ARTICLE_LABEL_NOUNS[label.kind] : '著者・セクション・タグ'}：${label?.name ?? `ID ${id}`}`
    return (
      <Button
        key={id}
        data-active
        aria-label={`${text}の絞り込みを外す`}
        onClick={() => props.onChange(props.value.filter(other => other !== id))}
      >
        {text}
        <IconX size={14} aria-hidden />
      </Button>
    )
  })
}

const COLUMNS = { author: 'authors', section: 'section', tag: 'tags' } as const
const OVERLAPS = {
  author:
    '著者が2人以上の記事は、それぞれの著者に記事の全体を数えます。行を足すと、記事の合計より大きくなることがあります。',
  section: undefined,
  tag: 'タグが2つ以上ある記事は、それぞれのタグに記事の全体を数えます。行を足すと、記事の合計より大きくなることがあります。',
} as const

const HOW_TO_DELIVER = `/docs/ingest.html#${encodeURIComponent('articles-記事')}`

/** How the rows count, or what has to be delivered before there are any: staff is told how, as it is staff that delivers. */
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

/** Of a single article, by kind: each name leads to the articles that carry it. */
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
        <a href={articlesOfLabel(condition, label.id)}>{label.name}</a>
      </span>
    ))
    return [{ label: ARTICLE_LABEL_NOUNS[kind], text: names }]
  })
}
