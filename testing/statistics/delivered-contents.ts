import { csv } from './ingest-fixture.ts'

const ARTICLE = ['article_id', 'medium_id', 'medium_article_id', 'publisher_id', 'title', 'url', 'published_at']

/** A delivered article row, of medium 1 and publisher 2 unless changed. */
export const article = (id: number, title: string, change: Readonly<Record<string, unknown>> = {}) => {
  const row: Record<string, unknown> = {
    article_id: id,
    medium_id: 1,
    medium_article_id: `a${id}`,
    publisher_id: 2,
    title,
    url: `https://news.example/${id}?q=日本`,
    published_at: '2026-11-01T09:00:00+09:00',
    ...change,
  }
  return row
}

const OPTIONAL = ['feed_id', 'authors', 'section', 'tags']

/** A delivery of such rows. An optional column is included if a row has it. */
export const articles = (...rows: Readonly<Record<string, unknown>>[]) => {
  const names = [...ARTICLE, ...OPTIONAL.filter(name => rows.some(row => name in row))]
  return csv(
    names,
    rows.map(row => names.map(name => row[name])),
  )
}

export const VIDEO = [
  'video_id',
  'medium_id',
  'publisher_id',
  'title',
  'url',
  'thumbnail_url',
  'duration_seconds',
  'published_at',
]

/** A delivered video row with the columns of {@link VIDEO}, of medium 9 and publisher 3. */
export const video = (id: number, title: string, thumbnail = '') => [
  id,
  9,
  3,
  title,
  `https://v.example/${id}`,
  thumbnail,
  61,
  '2026-11-02T00:00:00Z',
]
