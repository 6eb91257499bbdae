import fs from 'node:fs'
import zlib from 'node:zlib'
import type { Dataset } from '@pc/features/ingest/server/checking/dataset-columns.ts'
import { sharedDataFile } from '../shared-data.ts'

/** Measured figures of other parties, written as deliveries. The publishers are the 20 of the ingest fixture. */
export interface RealDelivery {
  readonly name: string
  readonly dataset: Dataset
  readonly content: Buffer
}
export type SourceRow = Readonly<Record<string, string>>

const DAY_MS = 86_400_000
/** Some sources are older than the product's earliest day, so they are moved by whole weeks, which keeps weekdays. */
export const SHIFTED_DAYS = 522 * 7
const LIVEDOOR_SHIFTED_DAYS = 730 * 7

/** Rows of a gzipped CSV file of the shared data; undefined where the folder does not exist. */
export function sourceRows(...names: string[]): SourceRow[] | undefined {
  const file = sharedDataFile(...names)
  if (!file) return undefined
  const [header = [], ...records] = parseCsv(zlib.gunzipSync(fs.readFileSync(file)).toString())
  return records.map(record => Object.fromEntries(header.map((name, at) => [name, record[at] ?? ''])))
}

/** Numbers texts from 1 in the order of their first appearance. */
function numbering(): (text: string) => number {
  const numbers = new Map<string, number>()
  return text => {
    const number = numbers.get(text) ?? numbers.size + 1
    numbers.set(text, number)
    return number
  }
}

const publisherOf = (id: number) => (id % 20) + 1

/** Reads of articles: VIEW as an impression, every action of a reader as a click. */
export function deskdropDelivery(rows: readonly SourceRow[]): RealDelivery {
  const article = numbering()
  const lines = rows.map(row => {
    const id = article(row.contentId!)
    const time = new Date(Number(row.timestamp) * 1000 + SHIFTED_DAYS * DAY_MS).toISOString()
    return {
      timestamp: time,
      type: row.eventType === 'VIEW' ? 'impression' : 'click',
      medium_id: 1,
      publisher_id: publisherOf(id),
      kind: 'article',
      article_id: id,
    }
  })
  return {
    name: 'deskdrop',
    dataset: 'events',
    content: zlib.gzipSync(lines.map(line => `${JSON.stringify(line)}\n`).join('')),
  }
}

/** Every row is an impression, a click if it was clicked, and a watch if it played. */
export function kuairandDelivery(rows: readonly SourceRow[]): RealDelivery {
  const lines = ['timestamp,type,medium_id,publisher_id,kind,video_id,watched_ms,duration_ms\n']
  for (const row of rows) {
    const id = Number(row.video_id) + 1
    const of = `2,${publisherOf(id)},video,${id}`
    lines.push(`${row.time_ms},impression,${of},,\n`)
    if (row.is_click === '1') lines.push(`${row.time_ms},click,${of},,\n`)
    if (Number(row.play_time_ms) > 0) lines.push(`${row.time_ms},watch,${of},${row.play_time_ms},${row.duration_ms}\n`)
  }
  return { name: 'kuairand', dataset: 'events', content: Buffer.from(lines.join('')) }
}

/** Growth of trending videos between two snapshots, as impressions and watches of the later day. */
export function youtubeDelivery(rows: readonly SourceRow[]): RealDelivery {
  const video = numbering()
  const byKey = new Map<string, bigint>()
  for (const row of rows) {
    const key = `${row.to_date},9,${publisherOf(video(row.video_id!))},${1_000_000 + video(row.video_id!)}`
    byKey.set(key, (byKey.get(key) ?? 0n) + BigInt(row.views_delta!))
  }
  const lines = [...byKey].map(([key, views]) => `${key},${views},0,${views}\n`)
  const header = 'date,medium_id,publisher_id,video_id,impression,click,watch\n'
  return {
    name: 'youtube',
    dataset: 'video-daily',
    content: zlib.zstdCompressSync(Buffer.from(header + lines.join(''))),
  }
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Successful page reads of a web server, formatted as Excel would write them. */
export function apacheDelivery(rows: readonly SourceRow[]): RealDelivery {
  const page = numbering()
  const lines = rows.flatMap(row => {
    const match = /^(\d\d)\/(\w{3})\/(\d{4}):(\d\d):(\d\d):(\d\d) ([+-]\d{4})$/.exec(row.time!)
    if (!match || row.method !== 'GET' || row.status !== '200') return []
    const [, date, month, year, hour, minute, second, zone] = match
    const day = new Date(Date.UTC(Number(year), MONTHS.indexOf(month!), Number(date)) + SHIFTED_DAYS * DAY_MS)
    const id = 2_000_000 + page(row.path!)
    return [
      `${day.toISOString().slice(0, 10)}T${hour}:${minute}:${second}${zone},watch,1,${publisherOf(id)},article,"${id}"\r\n`,
    ]
  })
  const header = '\ufefftimestamp,type,medium_id,publisher_id,kind,article_id\r\n'
  return { name: 'apache', dataset: 'events', content: Buffer.from(header + lines.join('')) }
}

/** One row per article on its day, with the length of its text as impressions. */
export function livedoorDelivery(rows: readonly SourceRow[]): RealDelivery {
  const medium = numbering()
  const lines = rows.map(row => {
    const day = new Date(Date.parse(`${row.published_at!.slice(0, 10)}T00:00:00Z`) + LIVEDOOR_SHIFTED_DAYS * DAY_MS)
    return `${day.toISOString().slice(0, 10)},1,${medium(row.medium!)},${row.article_id},${row.body_chars},1\n`
  })
  const header = 'date,medium_id,publisher_id,article_id,impression,click\n'
  return { name: 'livedoor', dataset: 'article-daily', content: Buffer.from(header + lines.join('')) }
}

/** The titles of the same articles. */
export function livedoorContents(rows: readonly SourceRow[]): RealDelivery {
  const medium = numbering()
  const lines = rows.map(row =>
    JSON.stringify({
      article_id: Number(row.article_id),
      medium_id: 1,
      medium_article_id: `${row.medium}/${row.article_id}`,
      publisher_id: medium(row.medium!),
      title: row.title,
      url: row.url,
      published_at: row.published_at,
    }),
  )
  return { name: 'livedoor titles', dataset: 'articles', content: zlib.gzipSync(lines.join('\n')) }
}

/** The titles of the videos of {@link youtubeDelivery}, taken from their first snapshot. */
export function youtubeContents(
  increments: readonly SourceRow[],
  snapshots: readonly SourceRow[],
): RealDelivery & { readonly videos: ReadonlyMap<number, SourceRow> } {
  const video = numbering()
  const idOf = new Map(increments.map(row => [row.video_id!, video(row.video_id!)]))
  const videos = new Map<number, SourceRow>()
  for (const row of snapshots) {
    const number = idOf.get(row.video_id!)
    if (number !== undefined && !videos.has(1_000_000 + number)) videos.set(1_000_000 + number, row)
  }
  const quoted = (value: string) => `"${value.replaceAll('"', '""')}"`
  const lines = [...videos].map(([id, row]) =>
    [
      id,
      9,
      publisherOf(id - 1_000_000),
      quoted(row.title!),
      `https://www.youtube.com/watch?v=${row.video_id}`,
      row.thumbnail,
      Math.trunc(Number(row.duration_sec)),
      row.published_at!.replace(' ', 'T'),
    ].join(','),
  )
  const header = 'video_id,medium_id,publisher_id,title,url,thumbnail_url,duration_seconds,published_at'
  const content = Buffer.from(`\ufeff${[header, ...lines].join('\r\n')}`)
  return { name: 'youtube titles', dataset: 'videos', content, videos }
}

/** A plain CSV reader, so that a test does not rely on the reader that it tests. */
function parseCsv(text: string): string[][] {
  const records: string[][] = [[]]
  let field = ''
  let inQuotes = false
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]!
    if (inQuotes) {
      if (char !== '"') field += char
      else if (text[at + 1] === '"') {
        field += '"'
        at += 1
      } else inQuotes = false
    } else if (char === '"') inQuotes = true
    else if (char === ',' || char === '\n') {
      records.at(-1)!.push(field)
      field = ''
      if (char === '\n') records.push([])
    } else if (char !== '\r') field += char
  }
  if (field !== '' || records.at(-1)!.length > 0) records.at(-1)!.push(field)
  return records.filter(record => record.length > 0)
}
