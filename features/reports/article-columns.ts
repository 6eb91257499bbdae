import { ARTICLE_LABEL_NOUNS, type ArticleLabelKind, NO_LABEL } from '@pc/domain/report/article-label.ts'
import { ARTICLE_METRICS } from '@pc/domain/report/metric.ts'
import { CTR, count, DATE, more, STATE, shown } from './column-facts.ts'
import { contentMoney, itemColumns, moreItemColumns } from './content-column-facts.ts'
import type { ReportColumn } from './report-columns.ts'

/** The note of columns about reading time and completions, which few deliveries have. */
const READING_NOTE = 'データに含まれる記事と日だけの数値です。含まれないときは「—」です（0とは異なります）。'

const articleFigures: readonly ReportColumn[] = [
  shown('IMPRESSION', count(ARTICLE_METRICS.impression.label, '記事が画面に表示された回数です。')),
  shown('CLICK', count(ARTICLE_METRICS.click.label, '記事がクリック（タップ）された回数です。')),
  shown('CTR', CTR),
  shown('WATCH', count(ARTICLE_METRICS.watch.label, '記事が開かれて読まれた回数です。')),
  more('AVERAGEENGAGEDTIME', {
    label: ARTICLE_METRICS.averageEngagedTime.label,
    unit: 'seconds',
    definition: `1回の閲覧あたりの閲読時間です。1秒未満は切り捨てます。${READING_NOTE}`,
    formula: '閲読時間 ÷ 閲読時間が届いた閲覧数',
  }),
  more('COMPLETIONRATE', {
    label: ARTICLE_METRICS.completionRate.label,
    unit: 'percent',
    definition: `閲覧のうち、最後まで読まれた割合です。小数第1位で切り捨てます。${READING_NOTE}`,
    formula: '読了数 ÷ 読了数が届いた閲覧数',
  }),
  more('ENGAGEDTIME', {
    label: ARTICLE_METRICS.engagedTime.label,
    unit: 'seconds',
    definition: `記事が画面に表示されて読まれた時間の合計です。${READING_NOTE}`,
  }),
  more('COMPLETION', count(ARTICLE_METRICS.completions.label, `最後まで読まれた閲覧の数です。${READING_NOTE}`)),
  ...contentMoney('記事'),
]

const SHARED_NOTE: Readonly<Record<ArticleLabelKind, string>> = {
  author: '著者が2人以上の記事は、それぞれの著者に記事の全体を数えます。',
  section: '1つの記事のセクションは1つです。',
  tag: 'タグが2つ以上ある記事は、それぞれのタグに記事の全体を数えます。',
}

/** 著者別 · セクション別 · タグ別 */
function labelColumns(kind: ArticleLabelKind): readonly ReportColumn[] {
  const noun = ARTICLE_LABEL_NOUNS[kind]
  return [
    {
      id: 'label',
      label: noun,
      unit: 'text',
      definition: `記事と一緒に届いた${noun}です。${SHARED_NOTE[kind]}${noun}のない記事は「${NO_LABEL}」です。選ぶと、その記事を表示します。`,
      isFixed: true,
    },
    shown('publisher', {
      label: 'パブリッシャー',
      unit: 'text',
      definition: `${noun}の記事を配信したパブリッシャーの名前です。同じ名前でも、パブリッシャーごとに分けます。`,
    }),
    shown('articles', count(ARTICLE_METRICS.articles.label, '期間中にデータのある記事の数です。')),
    ...articleFigures,
    more('publisherId', { label: 'パブリッシャーID', unit: 'text', definition: 'パブリッシャーの番号です。' }),
  ]
}

export const ARTICLE_COLUMNS = {
  articles: [...itemColumns('記事'), ...articleFigures, ...moreItemColumns('記事')],
  'articles-by-date': [DATE, STATE, ...articleFigures],
  'articles-by-author': labelColumns('author'),
  'articles-by-section': labelColumns('section'),
  'articles-by-tag': labelColumns('tag'),
  article: [DATE, STATE, ...articleFigures],
} as const satisfies Record<string, readonly ReportColumn[]>
