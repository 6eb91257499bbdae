import { MAX_COUNT, MAX_FOLLOWERS, MAX_MICRO_YEN, MAX_PLAY_TIME_MS, MAX_WATCHED_MS } from './figure-limits.ts'

/**
 * The datasets, declared once: the reader, the checks, the error texts and the table in docs/manual/ingest.md come from
 * this list. Column names are those of the statistics store where both hold the same figure, and those of PostgreSQL's
 * table where a dataset fills one.
 */
export const FACT_DATASETS = ['article-daily', 'video-daily', 'summary-daily', 'events'] as const
/** What articles and videos are, beside their figures. */
export const CONTENT_DATASETS = ['articles', 'videos'] as const
/** The one from which payments take own-ads revenue. */
export const PAYMENT_DATASET = 'summary-daily' satisfies (typeof FACT_DATASETS)[number]
export const DATASETS = [...FACT_DATASETS, ...CONTENT_DATASETS] as const
/** In an address in place of a dataset: the dataset is recognised by the columns of the file. */
export const ANY_DATASET = 'auto'
export type FactDataset = (typeof FACT_DATASETS)[number]
export type ContentDataset = (typeof CONTENT_DATASETS)[number]
export type Dataset = FactDataset | ContentDataset

/**
 * - `column`: the column must exist, and every row must fill it.
 * - `filled`: the column may be left out (every row then counts as 0); where it exists, every row must fill it.
 * - `optional`: the column may be left out, and a row may leave it empty.
 */
type Presence = 'column' | 'filled' | 'optional'

export type ColumnType =
  | { readonly kind: 'day' }
  /** From the start of the day `earliest` (in Tokyo) until `aheadDays` days after now. */
  | { readonly kind: 'instant'; readonly earliest: string; readonly aheadDays: number }
  /** An identifier from 1. `known` names the master data it must exist in. */
  | { readonly kind: 'id'; readonly known?: 'medium' | 'publisher' }
  /** A whole number from 0 to `max`. The limit is not checked when an accepted batch is read again: it may be older. */
  | { readonly kind: 'count'; readonly max: number }
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  /** Up to `max` code points, at least one of them visible. Hidden characters are removed when the title is stored. */
  | { readonly kind: 'title'; readonly max: number }
  /** Up to `max` code points, none of them hidden: a name is a key and is stored as delivered. */
  | { readonly kind: 'name'; readonly max: number }
  /** Up to `most` names of up to `max` code points each: plain text for one, or a JSON array. Hidden characters as in a title. */
  | { readonly kind: 'names'; readonly max: number; readonly most: number }
  /** http or https, without credentials, up to `max` characters. */
  | { readonly kind: 'web-address'; readonly max: number }
  /** JSON text: an array of objects, each with the `ids` (name → greatest allowed value, from 0) and the `counts`. */
  | { readonly kind: 'cells'; readonly ids: Readonly<Record<string, number>>; readonly counts: readonly string[] }

export interface DatasetColumn {
  readonly name: string
  readonly label: string
  readonly type: ColumnType
  readonly presence: Presence
  /** Japanese, for the manual. */
  readonly note?: string
}

/** 0 is unknown, 1 male, 2 female. */
const MAX_GENDER_ID = 2
/** 0 is unknown; 1 … 8: up to 19, 20–24, 25–29, 30–34, 35–39, 40–49, 50–59, 60 and older. */
const MAX_AGE_ID = 8
/** Bucket 10 holds watches of the whole duration and longer. */
export const MAX_WATCH_TIME_BUCKET = 10
/** The earliest day that the product knows. */
export const EARLIEST_DAY = '2020-12-01'
/** An earlier instant means a wrong unit, for example seconds instead of milliseconds. */
const EARLIEST_PUBLICATION_DAY = '1990-01-01'
/** An article may be announced ahead of its publication, but not by years. */
const PUBLISHED_AHEAD_DAYS = 366
const WEB_ADDRESS_LENGTH = 2048
/** Longest name of an author, a section or a tag, in characters. */
const LABEL_LENGTH = 100
const MAX_AUTHORS = 20
const MAX_TAGS = 50
/** The limit of PostgreSQL's `integer`. */
const MAX_DURATION_SECONDS = 2 ** 31 - 1

const column = (name: string, label: string, type: ColumnType, presence: Presence, note?: string): DatasetColumn =>
  note === undefined ? { name, label, type, presence } : { name, label, type, presence, note }
const count = (name: string, label: string, presence: Presence, note?: string, max = MAX_COUNT) =>
  column(name, label, { kind: 'count', max }, presence, note)
const microYen = (name: string, label: string) =>
  count(name, label, 'filled', '百万分の1円単位の整数（1円 = 1000000）。', MAX_MICRO_YEN)
const cells = (
  name: string,
  label: string,
  ids: Readonly<Record<string, number>>,
  counts: readonly string[],
): DatasetColumn => column(name, label, { kind: 'cells', ids, counts }, 'optional', `例：${cellExample(ids, counts)}`)

const PERSON = { genderId: MAX_GENDER_ID, ageId: MAX_AGE_ID }
const DAY = column('date', '日付', { kind: 'day' }, 'column', '日本時間の日付。YYYY-MM-DD。')
const MEDIUM = column('medium_id', '媒体ID', { kind: 'id', known: 'medium' }, 'column', '登録済みの媒体。')
const PUBLISHER = column(
  'publisher_id',
  'パブリッシャーID',
  { kind: 'id', known: 'publisher' },
  'column',
  '登録済みのパブリッシャー。',
)
const ARTICLE = column('article_id', '記事ID', { kind: 'id' }, 'column')
const VIDEO = column('video_id', '動画ID', { kind: 'id' }, 'column')
const INSTANT_NOTE = '時差付きの ISO 8601（2026-11-01T12:34:56+09:00）、または 1970年からのミリ秒。'
const TITLE = column('title', 'タイトル', { kind: 'title', max: 500 }, 'column')
const NAMES_NOTE = '1つならそのまま、複数なら JSON の配列（例：["山田花子","鈴木一郎"]）。'
const names = (name: string, label: string, most: number) =>
  column(name, label, { kind: 'names', max: LABEL_LENGTH, most }, 'optional', NAMES_NOTE)
const webAddress = (name: string, label: string, presence: Presence, note?: string) =>
  column(name, label, { kind: 'web-address', max: WEB_ADDRESS_LENGTH }, presence, note)
const PUBLISHED_AT = column(
  'published_at',
  '公開日時',
  { kind: 'instant', earliest: EARLIEST_PUBLICATION_DAY, aheadDays: PUBLISHED_AHEAD_DAYS },
  'column',
  `${INSTANT_NOTE}1年先まで。`,
)

export const DATASET_COLUMNS: Readonly<Record<Dataset, readonly DatasetColumn[]>> = {
  'article-daily': [
    DAY,
    MEDIUM,
    PUBLISHER,
    ARTICLE,
    count('impression', '表示回数', 'column'),
    count('click', 'クリック数', 'column'),
    count('watch', '閲覧数', 'filled'),
    microYen('ads_revenue_micro_yen', '広告収益'),
    microYen('publisher_revenue_micro_yen', 'パブリッシャー収益'),
    cells('demographics', '性別・年代別クリック数', PERSON, ['click']),
    count(
      'engaged_time_ms',
      '閲読時間（ミリ秒）',
      'optional',
      '画面に表示して読まれた時間の合計。分からない行は空。',
      MAX_PLAY_TIME_MS,
    ),
    count('completion', '読了数', 'optional', '最後まで読まれた閲覧の数。閲覧数以下。分からない行は空。'),
  ],
  'video-daily': [
    DAY,
    MEDIUM,
    PUBLISHER,
    VIDEO,
    count('impression', '表示回数', 'column'),
    count('click', 'クリック数', 'column'),
    count('watch', '再生数', 'filled'),
    count('watch3s', '3秒再生数', 'filled'),
    count('watch97p', '97%再生数', 'filled'),
    count('play_time_ms', '再生時間（ミリ秒）', 'filled', undefined, MAX_PLAY_TIME_MS),
    microYen('ads_revenue_micro_yen', '広告収益'),
    microYen('publisher_revenue_micro_yen', 'パブリッシャー収益'),
    cells('demographics', '性別・年代別クリック数と3秒再生数', PERSON, ['click', 'watch3s']),
    cells('watch_time', '再生割合の分布', { bucketId: MAX_WATCH_TIME_BUCKET }, ['watch']),
  ],
  'summary-daily': [
    DAY,
    MEDIUM,
    PUBLISHER,
    count('follower', 'フォロワー数', 'optional', 'その日の終わりの人数。', MAX_FOLLOWERS),
    count('article_impression', '記事の表示回数', 'column'),
    count('article_click', '記事のクリック数', 'column'),
    count('article_watch', '記事の閲覧数', 'filled'),
    count('video_impression', '動画の表示回数', 'filled'),
    count('video_click', '動画のクリック数', 'filled'),
    count('video_watch', '動画の再生数', 'filled'),
    count('live_impression', 'ライブの表示回数', 'filled'),
    count('live_click', 'ライブのクリック数', 'filled'),
    count('live_watch', 'ライブの再生数', 'filled'),
    microYen('ads_revenue_micro_yen', '広告収益'),
    microYen('ssp_revenue_micro_yen', 'SSP収益'),
    microYen('video_ssp_revenue_micro_yen', '動画SSP収益'),
    microYen('live_ssp_revenue_micro_yen', 'ライブSSP収益'),
    microYen('publisher_revenue_micro_yen', 'パブリッシャー収益'),
    cells('demographics', '性別・年代別クリック数', PERSON, ['click']),
  ],
  events: [
    column('timestamp', '発生日時', { kind: 'instant', earliest: EARLIEST_DAY, aheadDays: 0 }, 'column', INSTANT_NOTE),
    column('type', '種類', { kind: 'choice', choices: ['impression', 'click', 'watch'] }, 'column'),
    MEDIUM,
    PUBLISHER,
    column('kind', 'コンテンツの種別', { kind: 'choice', choices: ['article', 'video', 'live'] }, 'column'),
    column('article_id', '記事ID', { kind: 'id' }, 'optional', 'kind が article のときは必須。'),
    column('video_id', '動画ID', { kind: 'id' }, 'optional', 'kind が video のときは必須。'),
    column('gender_id', '性別ID', { kind: 'count', max: MAX_GENDER_ID }, 'optional', '0 不明、1 男性、2 女性。'),
    column('age_id', '年代ID', { kind: 'count', max: MAX_AGE_ID }, 'optional', '0 不明、1〜8。'),
    count('watched_ms', '再生した時間（ミリ秒）', 'optional', 'type が watch の行に書く。', MAX_WATCHED_MS),
    count('duration_ms', '動画の長さ（ミリ秒）', 'optional', '97%再生数と再生割合の計算に使う。', MAX_WATCHED_MS),
  ],
  articles: [
    ARTICLE,
    MEDIUM,
    column('medium_article_id', '媒体の記事ID', { kind: 'name', max: 200 }, 'column', '媒体の中で1つだけの名前。'),
    PUBLISHER,
    column(
      'feed_id',
      'フィードID',
      { kind: 'id' },
      'optional',
      '登録済みのフィード。同じ媒体・パブリッシャーのものに限る。',
    ),
    TITLE,
    webAddress('url', 'URL', 'column'),
    PUBLISHED_AT,
    names('authors', '著者', MAX_AUTHORS),
    column('section', 'セクション', { kind: 'title', max: LABEL_LENGTH }, 'optional', '記事の分類。1つだけ。'),
    names('tags', 'タグ', MAX_TAGS),
  ],
  videos: [
    VIDEO,
    MEDIUM,
    PUBLISHER,
    TITLE,
    webAddress('url', 'URL', 'column'),
    webAddress('thumbnail_url', 'サムネイルのURL', 'optional'),
    column('duration_seconds', '長さ（秒）', { kind: 'count', max: MAX_DURATION_SECONDS }, 'column'),
    PUBLISHED_AT,
  ],
}

/** Columns whose values must be unique within a delivery. Events have no key: equal rows add up. */
export const DATASET_KEYS: Readonly<Record<Dataset, readonly string[]>> = {
  'article-daily': ['date', 'medium_id', 'publisher_id', 'article_id'],
  'video-daily': ['date', 'medium_id', 'publisher_id', 'video_id'],
  'summary-daily': ['date', 'medium_id', 'publisher_id'],
  events: [],
  articles: ['article_id'],
  videos: ['video_id'],
}

export function isContentDataset(dataset: string): dataset is ContentDataset {
  return (CONTENT_DATASETS as readonly string[]).includes(dataset)
}

export function isDataset(text: string): text is Dataset {
  return (DATASETS as readonly string[]).includes(text)
}

/** An example of a cell list as JSON text, for messages and the manual. */
export function cellExample(ids: Readonly<Record<string, number>>, counts: readonly string[]): string {
  return JSON.stringify([
    Object.fromEntries([...Object.keys(ids).map(id => [id, 1]), ...counts.map(name => [name, 10])]),
  ])
}
