import { publishDimensions } from '@pc/features/ingest/server/publishing/publish-dimensions.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'

export interface LabelledArticle {
  readonly id: bigint
  readonly mediumId: bigint
  readonly publisherId: bigint
  readonly author: readonly string[]
  /** One section at most. */
  readonly section: readonly string[]
  readonly tag: readonly string[]
}

/** Replaces all articles by these, and publishes their labels to the statistics store. */
export async function insertLabelledArticles(
  { database, stats }: { readonly database: Database; readonly stats: StatsStore },
  articles: readonly LabelledArticle[],
): Promise<void> {
  await database.inScope(SYSTEM, async tx => {
    await tx.deleteFrom('mediumArticles').execute()
    await tx
      .insertInto('mediumArticles')
      .values(
        articles.map(({ id, mediumId, publisherId, author, section, tag }) => ({
          ...{ articleId: id, mediumId, publisherId, mediumArticleId: `a${id}`, title: `記事${id}` },
          ...{ url: 'https://example.jp/a', publishedAt: new Date('2026-01-01T00:00:00+09:00') },
          ...{ authors: JSON.stringify(author), section: section[0] ?? '', tags: JSON.stringify(tag) },
        })),
      )
      .execute()
  })
  await publishDimensions({ database, stats }, 'articles')
}
