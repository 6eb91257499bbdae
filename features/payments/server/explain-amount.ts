import type { Permit } from '@pc/domain/access/decide.ts'
import type { Day } from '@pc/domain/month/day.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { type ExplainNode, publisherView } from '@pc/domain/payment/explain-node.ts'
import {
  type ContentAmount,
  explainDay,
  explainPayment,
  explainPool,
  explainPublisher,
} from '@pc/domain/payment/explain-tree.ts'
import type { OwnAdsDay } from '@pc/domain/payment/own-ads.ts'
import type { SettledPayment, SettledPublisherPayment } from '@pc/domain/payment/settlement-result.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import { sql as statsSql, sumInt, table } from '@pc/platform/stats/sql.ts'
import { sql } from 'kysely'
import type { KeptInput } from './load-month.ts'
import type { MonthKey } from './month-key.ts'
import { daysOf, ownAdsOfDays } from './month-statistics.ts'
import { findMonthlyPayment, inScope } from './payment-store.ts'
import { readSettledPayment, readStoredMonth } from './stored-month.ts'

type ShowPermit = Permit<'read:show', 'insight:monthly_payment.'>
interface ExplainParts {
  readonly database: Database
  readonly stats: StatsStore
}
export interface ExplainRequest {
  readonly id: bigint
  /** Id of a node within the tree; undefined: the amount itself. */
  readonly path: string | undefined
  readonly permit: ShowPermit
  readonly mayReadRates: boolean
}
const TOP_CONTENTS = 50

/** Where a payment's yen come from, out of its stored snapshot. Undefined: no such row for this viewer, or no such node. */
export async function explainMonthlyPayment(
  parts: ExplainParts,
  request: ExplainRequest,
): Promise<ExplainNode | undefined> {
  const row = await parts.database.inScope(request.permit.scope, tx =>
    findMonthlyPayment(tx, request.id, request.permit),
  )
  if (!row) return undefined
  const key = { mediumId: row.mediumId, month: row.month as YearMonth }
  return explained(parts, request, key, row.agreementId, ({ payment, daysOfPublisher }) =>
    explainPayment(payment, daysOfPublisher),
  )
}

/** The same for one publisher's part. */
export async function explainPublisherPayment(
  parts: ExplainParts,
  request: ExplainRequest,
): Promise<ExplainNode | undefined> {
  const row = await parts.database.inScope(request.permit.scope, async tx => {
    const { rows } = await sql<{ mediumId: bigint; month: number; agreementId: bigint; publisherId: bigint }>`
      select p.medium_id, p.month, p.agreement_id, p.publisher_id from monthly_publisher_payments p
      where p.id = ${request.id} and ${inScope(request.permit)}`.execute(tx)
    return rows[0]
  })
  if (!row) return undefined
  const key = { mediumId: row.mediumId, month: row.month as YearMonth }
  return explained(parts, request, key, row.agreementId, ({ payment, daysOfPublisher }) => {
    const publisher = payment.publishers.find(each => each.publisherId === row.publisherId)
    return publisher && explainPublisher(payment, publisher, daysOfPublisher(publisher))
  })
}

/** Staff only: where a pool went. */
export async function explainDividendPool(
  { database }: ExplainParts,
  dividendId: bigint,
  path: string | undefined,
): Promise<ExplainNode | undefined> {
  const stored = await database.inScope(SYSTEM, async tx => {
    const row = await tx
      .selectFrom('monthlyPools')
      .select(['mediumId', 'month'])
      .where('dividendId', '=', dividendId)
      .executeTakeFirst()
    return row && readStoredMonth(tx, { mediumId: row.mediumId, month: row.month as YearMonth })
  })
  const pool = stored?.settled.pools.find(each => each.jobId === dividendId)
  if (!stored || !pool) return undefined
  const tree = explainPool(pool, stored.settled)
  return path === undefined ? tree : nodeAt(tree, path)
}

interface Explainable {
  readonly payment: SettledPayment
  readonly daysOfPublisher: (publisher: SettledPublisherPayment) => readonly OwnAdsDay[]
}

async function explained(
  parts: ExplainParts,
  { path, permit, mayReadRates }: ExplainRequest,
  key: MonthKey,
  agreementId: bigint,
  treeOf: (found: Explainable) => ExplainNode | undefined,
): Promise<ExplainNode | undefined> {
  // The row is the viewer's; what it was computed from is read by the system and cut to the viewer's rights below.
  const found = await parts.database.inScope(SYSTEM, tx => readSettledPayment(tx, key, agreementId))
  if (!found) return undefined
  const { payment, kept } = found
  const daysOfPublisher = (publisher: SettledPublisherPayment) => keptDays(kept, key.month, publisher.publisherId)
  const tree = treeOf({ payment, daysOfPublisher })
  if (!tree) return undefined
  const isStaff = permit.scope.kind === 'all'
  const visible = isStaff ? tree : publisherView(tree, mayReadRates)
  const node = path === undefined ? visible : nodeAt(visible, path)
  if (node?.source?.kind !== 'day') return node
  const deeper = await withContents(parts, key, payment, node, node.source)
  return isStaff ? deeper : publisherView(deeper, mayReadRates)
}

function keptDays(kept: KeptInput, month: YearMonth, publisherId: bigint): readonly OwnAdsDay[] {
  const ofPublisher = new Map(kept.days).get(publisherId)
  const days = daysOf(month)
  return (ofPublisher === undefined ? [] : ownAdsOfDays(ofPublisher)).flatMap((amountMicroYen, index) =>
    amountMicroYen === 0n ? [] : [{ day: days[index]!, amountMicroYen }],
  )
}

/** Depth first; ids of nodes begin with those of their parents only by habit, so every branch is looked at. */
function nodeAt(node: ExplainNode, id: string): ExplainNode | undefined {
  if (node.id === id) return node
  for (const child of node.children) {
    const found = nodeAt(child, id)
    if (found) return found
  }
  return undefined
}

/** The bottom: the largest articles and videos of the day, and the rest. */
async function withContents(
  { database, stats }: ExplainParts,
  key: MonthKey,
  payment: SettledPayment,
  node: ExplainNode,
  { publisherId, day }: { readonly publisherId: bigint; readonly day: Day },
): Promise<ExplainNode> {
  const publisher = payment.publishers.find(each => each.publisherId === publisherId)
  const rateUnits = publisher?.share.ownAdsRateUnits ?? 0
  if (rateUnits === 0) return node
  const contents = await readContents(database, stats, key, publisherId, day)
  // The node's own amount is what was kept; what the statistics cannot name is the rest.
  const amountMicroYen = node.amount / BigInt(rateUnits)
  return { ...explainDay(publisherId, { day, amountMicroYen }, contents, rateUnits, TOP_CONTENTS), id: node.id }
}

async function readContents(
  database: Database,
  stats: StatsStore,
  { mediumId }: MonthKey,
  publisherId: bigint,
  day: Day,
): Promise<readonly ContentAmount[]> {
  const where = statsSql`where medium_id = ${mediumId} and publisher_id = ${publisherId} and date = ${day}`
  const amount = statsSql`cast(${sumInt(statsSql`ads_revenue_micro_yen`)} as bigint) as amount`
  const limit = BigInt(TOP_CONTENTS)
  const articles = await stats.query(
    statsSql`select article_id as content, ${amount} from ${table('article_day')} ${where}
      group by article_id order by amount desc, content limit ${limit}`,
  )
  const videos = await stats.query(
    statsSql`select video_id as content, ${amount} from ${table('video_day')} ${where}
      group by video_id order by amount desc, content limit ${limit}`,
  )
  const articleIds = articles.map(row => row.content as bigint)
  const videoIds = videos.map(row => row.content as bigint)
  const titles = await database.inScope(SYSTEM, async tx => {
    const known = new Map<bigint, string>()
    if (articleIds.length > 0) {
      const rows = await tx
        .selectFrom('mediumArticles')
        .select(['articleId', 'title'])
        .where('articleId', 'in', articleIds)
        .execute()
      for (const row of rows) known.set(row.articleId, row.title)
    }
    if (videoIds.length > 0) {
      const rows = await tx.selectFrom('videos').select(['videoId', 'title']).where('videoId', 'in', videoIds).execute()
      for (const row of rows) known.set(row.videoId, row.title)
    }
    return known
  })
  const named = (label: string) => (row: Readonly<Record<string, unknown>>) => ({
    contentId: row.content as bigint,
    title: titles.get(row.content as bigint) ?? `${label} ${row.content}`,
    amountMicroYen: row.amount as bigint,
  })
  return [...articles.map(named('記事')), ...videos.map(named('動画'))].filter(each => each.amountMicroYen !== 0n)
}
