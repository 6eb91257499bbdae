import type { BoardTile } from '@pc/domain/board/board.ts'
import { addDays } from '@pc/domain/month/day.ts'
import { removeArticle, restoreArticle } from '@pc/features/articles/server/remove-article.ts'
import { addBoard } from '@pc/features/boards/server/save-board.ts'
import { readStagingDocument } from '@pc/features/feeds/server/staging-document.ts'
import { importStaging } from '@pc/features/feeds/server/staging-store.ts'
import { type Clock, today } from '@pc/platform/clock.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'

import { actAs } from './act-as.ts'

const HOUR_MS = 3_600_000
const REMOVE = ['write:delete', 'insight:medium_article.'] as const
const ADD_BOARD = ['write:create', 'insight:board.'] as const

/**
 * Creates what staff and publisher users have done besides payments: removed articles, shared boards, records from
 * staging.
 */
export async function addDemoStaffActions(database: Database, clock: Clock): Promise<void> {
  await removeArticles(database, clock)
  await shareBoards(database)
  await importFromStaging(database)
}

/**
 * The two latest articles of the days before yesterday: one can still be put back, one was. What an earlier start that
 * was killed has done is not done twice.
 */
async function removeArticles(database: Database, clock: Clock): Promise<void> {
  const { articles, removals } = await database.inScope(SYSTEM, async tx => ({
    articles: await tx
      .selectFrom('mediumArticles')
      .select(['mediumId', 'mediumArticleId'])
      .where('publishedAt', '<', new Date(`${addDays(today(clock), -1)}T00:00:00+09:00`))
      .where('mediumId', '=', 1n)
      .orderBy('articleId', 'desc')
      .limit(2)
      .execute(),
    removals: await tx.selectFrom('mediumArticleRemovals').select(['id', 'restoredAt']).orderBy('id').execute(),
  }))
  const [removed, restored] = articles
  const remove = (article: typeof removed, reason: string, agoMs: number) =>
    article &&
    actAs(database, 'insight:editor', REMOVE, write => removeArticle(article, reason, clock.now() - agoMs, write))
  if (removals.length < 1) await remove(restored, '写真の差し替えのため', 3 * HOUR_MS)
  if (removals.length < 2) await remove(removed, '配信元から取り下げの依頼があったため', HOUR_MS)
  // The earlier removal is put back; it may be of just now, so it is read again.
  const [first] = await database.inScope(SYSTEM, tx =>
    tx.selectFrom('mediumArticleRemovals').select(['id', 'restoredAt']).orderBy('id').execute(),
  )
  if (first && first.restoredAt === null)
    await actAs(database, 'insight:editor', REMOVE, write => restoreArticle(first.id, clock.now() - 2 * HOUR_MS, write))
}

const TILE: BoardTile = {
  ...{ id: 'revenue', title: '収益', report: 'dashboard', shape: 'figure', figure: 'revenue', granularity: 'daily' },
  ...{ period: 'last28', from: null, to: null, compareWith: null, groupBy: null, width: 1, height: 1 },
  condition: '',
}

/** Creates a board shared among staff, and one shared within the publisher's organisation. */
async function shareBoards(database: Database): Promise<void> {
  const known = await database.inScope(SYSTEM, tx => tx.selectFrom('boards').select('isByStaff').execute())
  if (!known.some(board => board.isByStaff))
    await actAs(database, 'insight:editor', ADD_BOARD, write =>
      addBoard(
        {
          name: '編集会議',
          sharedRoles: ['insight:admin', 'insight:viewer'],
          tiles: [
            TILE,
            { ...TILE, id: 'clicks', title: 'クリック数の推移', shape: 'chart', figure: 'clicks', width: 3, height: 2 },
            {
              ...TILE,
              id: 'ranking',
              title: 'パブリッシャーランキング',
              report: 'ranking',
              shape: 'table',
              width: 2,
              height: 2,
            },
            {
              ...TILE,
              id: 'articles',
              title: 'よく読まれた記事',
              report: 'articles',
              shape: 'table',
              width: 2,
              height: 2,
            },
          ],
        },
        write,
      ),
    )
  if (!known.some(board => !board.isByStaff))
    await actAs(database, 'insight:publisher_admin', ADD_BOARD, write =>
      addBoard(
        {
          name: '毎朝の確認',
          sharedRoles: ['insight:publisher_editor'],
          tiles: [
            { ...TILE, period: 'last7', title: '直近7日の収益' },
            { ...TILE, id: 'trend', title: '収益の推移', shape: 'chart', width: 3, height: 2 },
          ],
        },
        write,
      ),
    )
}

/** A staging document with two new publishers, one of them with two feeds. */
const STAGING = {
  publishers: [
    {
      id: 'stg-101',
      name: '風花ジャーナル',
      notes: '2月の公開に向けて確認中',
      rules: [{ mediumId: 1, paymentRate: 5000, sspPaymentRate: 4000, isTargetForSspAllocation: true }],
    },
    { id: 'stg-102', name: 'ことりレシピ', rules: [{ mediumId: 2, paymentRate: 4800 }] },
  ],
  feeds: [
    {
      id: 'stg-201',
      publisherId: 'stg-101',
      name: '風花ジャーナル 総合',
      url: 'https://kazahana.example.jp/feed.xml',
      fields: { mediumId: 1, type: 'gnf1', siteUrl: 'https://kazahana.example.jp/' },
    },
    {
      id: 'stg-202',
      publisherId: 'stg-101',
      name: '風花ジャーナル 地域',
      url: 'https://kazahana.example.jp/local.xml',
      fields: { mediumId: 1, type: 'gnf1' },
    },
    {
      id: 'stg-203',
      publisherId: 'stg-102',
      name: 'ことりレシピ 新着',
      url: 'https://kotori.example.jp/feed.xml',
      fields: { mediumId: 2, type: 'rss_fulltext' },
    },
  ],
}

async function importFromStaging(database: Database): Promise<void> {
  const read = readStagingDocument(STAGING)
  if (!('document' in read)) throw new Error(`the demonstration's staging rows: ${read.problems.join(', ')}`)
  await database.inScope(SYSTEM, tx => importStaging(tx, read.document, 'https://staging.example/query'))
}
