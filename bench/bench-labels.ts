import { daysBetween } from '@pc/domain/month/day.ts'
import { ARTICLE_LABEL_KINDS, ARTICLE_LABEL_NOS, type ArticleLabelKind } from '@pc/domain/report/article-label.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import type { DimensionRow } from '@pc/platform/stats/port.ts'
import { sql } from 'kysely'
import type { Dependencies } from '../apps/server/wire-dependencies.ts'
import { itemNumber, publisherNumber } from './bench-facts.ts'
import type { BenchSize } from './bench-size.ts'

/** Numbers of different authors, sections and tags of a publisher. */
const NAMES: Readonly<Record<ArticleLabelKind, number>> = { author: 12, section: 8, tag: 40 }
const OF_A_PUBLISHER = NAMES.author + NAMES.section + NAMES.tag
const FIRST: Readonly<Record<ArticleLabelKind, number>> = {
  author: 1,
  section: 1 + NAMES.author,
  tag: 1 + NAMES.author + NAMES.section,
}
const MAX_AUTHORS = 2
const MAX_TAGS = 3
const ARTICLES_AT_ONCE = 5_000

/**
 * Gives every article authors, sections and tags by arithmetic: on average 1.04 authors, 1 section (6 % have none) and
 * 1.5 tags. As in newsrooms, a few names have most articles.
 */
export async function insertLabels({ database, stats }: Dependencies, size: BenchSize): Promise<void> {
  await database.inScope(
    SYSTEM,
    async tx => {
      await sql`delete from article_labels`.execute(tx)
      for (const kind of ARTICLE_LABEL_KINDS) {
        await sql`insert into article_labels (id, publisher_id, kind, key, name) overriding system value
          select (p.id - 1) * ${OF_A_PUBLISHER}::bigint + ${FIRST[kind]}::bigint + n, p.id, ${kind}, ${kind} || ' ' || n, ${kind} || ' ' || n
          from publishers p, generate_series(0, ${NAMES[kind] - 1}::int) s(n)`.execute(tx)
      }
    },
    { statementTimeoutMs: 900_000 },
  )
  await stats.putDimension('article_label', labelsOf(size))
}

async function* labelsOf(size: BenchSize): AsyncIterable<DimensionRow[]> {
  const articles = (daysBetween(size.from, size.to) + 1) * size.newArticlesPerDay
  for (let start = 0; start < articles; start += ARTICLES_AT_ONCE) {
    const rows: DimensionRow[] = []
    for (let k = start; k < Math.min(articles, start + ARTICLES_AT_ONCE); k += 1) addLabels(rows, k, size)
    yield rows
  }
}

function addLabels(rows: DimensionRow[], k: number, size: BenchSize): void {
  const publisher = publisherNumber(k, size)
  const [publisherId, articleId] = [BigInt(publisher), BigInt(itemNumber(k))]
  const add = (kind: ArticleLabelKind, place: number | undefined) => {
    const labelId = place === undefined ? 0n : BigInt((publisher - 1) * OF_A_PUBLISHER + FIRST[kind] + place)
    rows.push([publisherId, articleId, ARTICLE_LABEL_NOS[kind], labelId, 0n])
  }
  const authors = part(k, 1) < 0.08 ? 0 : part(k, 1) < 0.88 ? 1 : MAX_AUTHORS
  for (let n = 0; n < authors; n += 1) add('author', nth(k, n, NAMES.author))
  add('section', part(k, 2) < 0.06 ? undefined : Math.floor(part(k, 3) * NAMES.section))
  const tags = Math.floor(part(k, 4) * (MAX_TAGS + 1))
  for (let n = 0; n < tags; n += 1) add('tag', nth(k, n, NAMES.tag))
}

/** Index of the n-th name of article k, without repetitions within an article. Small indexes are the most frequent. */
function nth(k: number, n: number, names: number): number {
  return (Math.floor(part(k, 5) ** 2 * names) + n * 3) % names
}

/** A pseudo-random number in [0, 1) for an article and a purpose. */
function part(k: number, use: number): number {
  let mixed = Math.imul(k + 1, 2_654_435_761) ^ Math.imul(use, 0x9e37_79b1)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85eb_ca6b)
  return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 32
}
