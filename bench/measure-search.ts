import fs from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { decide } from '@pc/domain/access/decide.ts'
import { searchWords } from '@pc/domain/text/search-text.ts'
import { listMediumArticles } from '@pc/features/articles/server/medium-article-store.ts'
import { listPublishers } from '@pc/features/publishers/server/publisher-store.ts'
import { withClient } from '@pc/platform/postgres/roles.ts'
import { sharedDataFile } from '@pc/testing/shared-data.ts'
import { testDatabase } from '@pc/testing/test-database.ts'
import { type Times, timesOf } from './percentile.ts'

/** Figure: a list searched as it is typed, first page with its total, 95th percentile under 50 ms. */
export interface SearchFigure {
  readonly name: string
  readonly times: Times
  /** What was typed, how many were found, and how long it took. */
  readonly slowest: string
}

export interface SearchSize {
  readonly publishers: number
  readonly articles: number
}
const ROUNDS = 200

const UID = '01900000-0000-7000-8000-000000000001'
const viewer = { uid: UID, email: 'a@example.jp', roles: ['insight:admin'] as const, organizationId: null }
const ofAll = { ...viewer, scope: { kind: 'all' } as const }
const ofOne = {
  ...viewer,
  roles: ['insight:publisher_admin'] as const,
  organizationId: 7n,
  scope: { kind: 'organization', uid: UID, organizationId: 7n } as const,
}
const page = { limit: 100, offset: 0 }

/** Real titles where they are at hand, otherwise made of the words of news. */
function titles(): readonly string[] {
  const file = sharedDataFile('articles', 'livedoor_articles.csv.gz')
  if (file === undefined) {
    const words = [
      '速報',
      '東京',
      '経済',
      'サッカー日本代表',
      '新製品',
      '発売',
      'スマートフォン',
      '映画',
      '料理',
      '天気',
    ]
    return Array.from({ length: 5_000 }, (_, n) => [0, 1, 2, 3].map(at => words[(n * 7 + at * 3) % 10]).join(' '))
  }
  const lines = gunzipSync(fs.readFileSync(file)).toString('utf8').split('\n').slice(1)
  return lines.map(line => line.split(',')[5] ?? '').filter(title => title.length > 3)
}

async function fill(adminUrl: string, names: readonly string[], size: SearchSize): Promise<void> {
  await withClient(adminUrl, async client => {
    await client.query("insert into media (id, name) values (1, '媒体')")
    await client.query("insert into organizations (name) select '組織' || n from generate_series(1, 500) n")
    await client.query(
      `insert into publishers (organization_id, name, kana)
       select 1 + n % 500, left($1::text[][1 + n % cardinality($1::text[])], 12) || n, 'ヨミ' || n from generate_series(0, ${size.publishers - 1}) n`.replace(
        '$1::text[][',
        '($1::text[])[',
      ),
      [names],
    )
    await client.query(
      `insert into medium_articles (article_id, medium_id, medium_article_id, title, url, publisher_id, published_at)
       select n, 1, 'm' || n, ($1::text[])[1 + n % cardinality($1::text[])] || ' ' || (n / 5000), 'https://news.example/' || n,
         (select min(id) from publishers) + n % 2000, timestamptz '2026-11-20' - n * interval '3 minutes'
       from generate_series(1, ${size.articles}) n`,
      [names],
    )
    await client.query('analyze')
  })
}

/** What people type: two to five characters out of a title, two words, an id, nothing that is there. */
function typedTexts(names: readonly string[]): readonly string[] {
  return Array.from({ length: ROUNDS }, (_, n) => {
    const title = names[(n * 131) % names.length] ?? ''
    // Somebody who has typed one character so far, once in a while.
    if (n % 20 === 19) return title[n % 3] ?? ''
    const part = (length: number) => [...title].slice(n % 5, (n % 5) + length).join('')
    return (
      [part(2), part(3), part(5), `${part(2)} ${[...title].slice(-3).join('')}`, String(1 + n * 97), '該当なし文字'][
        n % 6
      ] ?? ''
    )
  })
}

async function measure(
  name: string,
  typed: readonly string[],
  search: (q: string) => Promise<{ readonly total: number }>,
): Promise<SearchFigure> {
  const times: { ms: number; q: string; total: number }[] = []
  for (const q of typed) {
    const started = performance.now()
    const { total } = await search(q)
    times.push({ ms: performance.now() - started, q, total })
  }
  const slowest = times.toSorted((a, b) => b.ms - a.ms).slice(0, 3)
  return {
    name,
    times: timesOf(times.map(one => one.ms)),
    slowest: slowest.map(one => `「${one.q}」 ${one.total} found ${one.ms.toFixed(0)} ms`).join(', '),
  }
}

export function printSearch({ name, times, slowest }: SearchFigure): string {
  return `${name.padEnd(34)} p50 ${times.p50.toFixed(1)} ms  p95 ${times.p95.toFixed(1)} ms  slowest ${slowest}`
}

/** First pages as they are searched while somebody types, in a database of so many rows of their own. */
export async function measureSearch(size: SearchSize): Promise<SearchFigure[]> {
  const tested = await testDatabase()
  try {
    const { database } = tested
    const names = titles()
    await fill(tested.adminUrl, names, size)
    const typed = typedTexts(names)
    const figures: SearchFigure[] = []
    for (const [who, person] of [
      ['staff', ofAll],
      ['one organisation', ofOne],
    ] as const) {
      const articles = decide(person, 'read:list', 'insight:medium_article.')
      const publishers = decide(person, 'read:list', 'insight:publisher.')
      if (!articles || !publishers) throw new Error('no permit')
      figures.push(
        await measure(`${size.publishers} publishers, ${who}`, typed, q =>
          listPublishers(database, { words: searchWords(q) }, 'NAME_ASC', page, publishers),
        ),
      )
      figures.push(
        await measure(`${size.articles} articles, ${who}`, typed, q =>
          listMediumArticles(
            database,
            { isRemoved: false, search: { typed: q, words: searchWords(q) } },
            'PUBLISHEDAT_DESC',
            page,
            articles,
          ),
        ),
      )
    }
    return figures
  } finally {
    await tested.drop()
  }
}
