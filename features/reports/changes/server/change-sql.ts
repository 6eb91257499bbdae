import { ARTICLE_LABEL_NOS } from '@pc/domain/report/article-label.ts'
import { ident, joined, none, type Sql, sql, sumInt, table } from '@pc/platform/stats/sql.ts'
import { type ContentQuery, itemRows } from '../../core/server/content-sql.ts'
import { selectedSums } from '../../core/server/sql-parts.ts'

/** Both ranges of a comparison. */
export interface ComparedContents {
  readonly now: ContentQuery
  readonly before: ContentQuery
}

/**
 * The order of contents by the size of their contribution to the difference of a ratio N/D:
 * |ΔN × numeratorWeight − ΔD × divisorWeight|, where N is `added` minus `subtracted` and D is `divisors`. Weights are rounded
 * so that products fit 128 bits; they decide which contents are listed and never a sum.
 */
export interface ContributionOrder {
  readonly added: readonly string[]
  readonly subtracted: readonly string[]
  readonly divisors: readonly string[]
  readonly numeratorWeight: bigint
  readonly divisorWeight: bigint
}

/** Answers `item`, `publisher`, `now_<column>` and `before_<column>` of the contents that contribute most. */
export function largestContributions(
  { now, before }: ComparedContents,
  columns: readonly string[],
  order: ContributionOrder,
  limit: number,
): Sql {
  const id = now.kind.id
  const keys = [id, 'publisher_id']
  const rowsOf = (query: ContentQuery, own: 'now' | 'before') => {
    const values = columns.map(column => {
      const ofSide = (side: 'now' | 'before') =>
        sql`${side === own ? ident(column) : sql`0`} as ${ident(`${side}_${column}`)}`
      return sql`, ${ofSide('now')}, ${ofSide('before')}`
    })
    const selected = joined(keys.map(ident), sql`, `)
    return sql`select ${selected}${joined(values, none)} from (${itemRows(query, [...keys, ...columns])}) ${ident(`rows_${own}`)}`
  }
  const sides = columns.flatMap(column => [`now_${column}`, `before_${column}`])
  const sums = sides.map(side => sql`, ${sumInt(ident(side))} as ${ident(`sum_${side}`)}`)
  const shown = sides.map(side => sql`, ${ident(`sum_${side}`)} as ${ident(side)}`)
  return sql`
    select item, publisher${joined(shown, none)} from (
      select ${ident(id)} as item, publisher_id as publisher${joined(sums, none)}
      from (${rowsOf(now, 'now')} union all ${rowsOf(before, 'before')}) both_ranges
      group by ${ident(id)}, publisher_id
    ) items order by abs(${contribution(order)}) desc, item, publisher limit ${limit}`
}

function contribution({ added, subtracted, divisors, numeratorWeight, divisorWeight }: ContributionOrder): Sql {
  const change = (column: string) => sql`(${ident(`sum_now_${column}`)} - ${ident(`sum_before_${column}`)})`
  const total = (columns: readonly string[]) => joined([sql`0`, ...columns.map(change)], sql` + `)
  const numerator = sql`((${total(added)}) - (${total(subtracted)})) * ${numeratorWeight}`
  return divisors.length === 0 ? numerator : sql`${numerator} - (${total(divisors)}) * ${divisorWeight}`
}

/** Answers `of_label` (0: no section) and `sum_<column>` per section. An article has at most one section, so nothing counts twice. */
export function sectionSums(query: ContentQuery, columns: readonly string[]): Sql {
  const sections = sql`
    select publisher_id as carried_publisher, article_id as carried_article, label_id as carried_label
    from ${table('article_label')} where kind_no = ${ARTICLE_LABEL_NOS.section}`
  return sql`
    select coalesce(carried_label, 0) as of_label, ${selectedSums(columns)}
    from (${itemRows(query, ['publisher_id', 'article_id', ...columns])}) item_rows
    left join (${sections}) carried on carried_publisher = publisher_id and carried_article = article_id
    group by of_label order by of_label`
}
