import type { Day } from '@pc/domain/month/day.ts'
import { cellExample, DATASET_COLUMNS, type Dataset, type DatasetColumn } from '../checking/dataset-columns.ts'

/** Example values of columns whose type alone gives no good example. */
const EXAMPLES: Readonly<Record<string, string>> = {
  impression: '1200',
  click: '48',
  watch: '45',
  watch3s: '40',
  watch97p: '20',
  play_time_ms: '612000',
  engaged_time_ms: '1890000',
  completion: '27',
  ads_revenue_micro_yen: '350500000',
  publisher_revenue_micro_yen: '175250000',
  follower: '5300',
  type: 'click',
  kind: 'article',
  gender_id: '1',
  age_id: '3',
  video_id: '1',
  title: '見出しの例',
  section: '経済',
  medium_article_id: 'article-0001',
  url: 'https://example.com/contents/1',
  thumbnail_url: 'https://example.com/contents/1.jpg',
  authors: '山田花子',
  tags: '["国内","経済"]',
  duration_seconds: '90',
}
/** Columns left empty in the example: they belong to another kind of row, or need registered master data. */
const EMPTY: Readonly<Partial<Record<Dataset, readonly string[]>>> = {
  events: ['video_id', 'watched_ms', 'duration_ms'],
  articles: ['feed_id'],
}

/**
 * A complete file of one row, as a person would write it: every column of the dataset in its order.
 * Tested by `features/ingest/server/checking/column-tables.test.ts`.
 */
export function sampleFile(dataset: Dataset, day: Day): string {
  const columns = DATASET_COLUMNS[dataset]
  const values = columns.map(column => (EMPTY[dataset]?.includes(column.name) ? '' : exampleOf(column, day)))
  return `${columns.map(({ name }) => name).join(',')}\n${values.map(csvValue).join(',')}\n`
}

/** The same for Excel, which needs the byte order mark to read Japanese. */
export function templateFile(dataset: Dataset, day: Day): string {
  return `\ufeff${sampleFile(dataset, day).replaceAll('\n', '\r\n')}`
}

function exampleOf({ name, type }: DatasetColumn, day: Day): string {
  switch (type.kind) {
    case 'day':
      return day
    case 'instant':
      return `${day}T09:00:00+09:00`
    case 'cells':
      return cellExample(type.ids, type.counts)
    case 'id':
      return EXAMPLES[name] ?? '1'
    default:
      return EXAMPLES[name] ?? '0'
  }
}

function csvValue(value: string): string {
  return /[",]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}
