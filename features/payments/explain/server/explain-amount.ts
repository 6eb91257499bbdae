import type { Permit } from '@pc/domain/access/decide.ts'
import {
  explainPaymentColumn,
  explainPublisherColumn,
  type PaymentColumn,
  type PublisherColumn,
} from '@pc/domain/explain/explain-column.ts'
import { type ExplainNode, publisherView } from '@pc/domain/explain/explain-node.ts'
import { withOpeningBalances } from '@pc/domain/explain/explain-opening.ts'
import {
  type ContentAmount,
  type ExplainBasis,
  explainDay,
  explainPool,
  type NameOf,
} from '@pc/domain/explain/explain-tree.ts'
import type { Day } from '@pc/domain/month/day.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { OwnAdsDay } from '@pc/domain/settlement/own-ads.ts'
import type { SettledPayment, SettledPublisherPayment } from '@pc/domain/settlement/settlement-result.ts'
import { settlementRulesOf } from '@pc/domain/settlement/settlement-rules.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import { sql as statsSql, sumInt, table } from '@pc/platform/stats/sql.ts'
import { sql } from 'kysely'
import type { StoredInput } from '../../core/server/load-month.ts'
import type { MonthKey } from '../../core/server/month-key.ts'
import { daysOf as daysOfMonth, ownAdsOfDays } from '../../core/server/month-statistics.ts'
import { findMonthlyPayment, inScope } from '../../core/server/payment-store.ts'
import { readSettledPayment, readStoredMonth } from '../../core/server/stored-month.ts'

type ShowPermit = Permit<'read:show', 'insight:monthly_payment.'>
interface ExplainDependencies {
  readonly database: Database
  readonly stats: StatsStore
}
export interface ExplainRequest<Column extends PaymentColumn = PaymentColumn> {
  readonly id: bigint
  /** Which amount of the row. */
  readonly column: Column
  /** Id of a node within the tree; undefined: the amount itself. */
  readonly path: string | undefined
  readonly permit: ShowPermit
  readonly mayReadRates: boolean
}

/** A node for one viewer, with where it stands and what it was computed from. */
export interface ExplainedAmount {
  readonly node: ExplainNode
  /** From the requested amount down to the node's parent. */
  readonly trail: readonly ExplainNode[]
  /** Null for a pool or a transfer, which belong to no single agreement. */
  readonly snapshot: ExplainedSnapshot | null
  /** The rows of another month or kind that explain a child further, by the child's id. */
  readonly continuations: ReadonlyMap<string, Continuation>
}
export interface ExplainedSnapshot {
  readonly id: bigint
  readonly month: YearMonth
  readonly isFinal: boolean
  /** SHA-256 over the frozen input and its result; null while the month is open. */
  readonly hash: string | null
}
export interface Continuation {
  readonly kind: 'payment' | 'publisher_payment' | 'pool'
  readonly id: bigint
  readonly column: PaymentColumn
}
/** Articles and videos of a day that are named, each; the others are one line. */
const TOP_CONTENTS = 50

/**
 * Explains an amount of a payment from its stored snapshot. Undefined: the viewer may not see the row, or the node does
 * not exist.
 */
export async function explainMonthlyPayment(
  dependencies: ExplainDependencies,
  request: ExplainRequest,
): Promise<ExplainedAmount | undefined> {
  const row = await dependencies.database.inScope(request.permit.scope, tx =>
    findMonthlyPayment(tx, request.id, request.permit),
  )
  if (!row) return undefined
  const key = { mediumId: row.mediumId, month: row.month as YearMonth }
  return explained(dependencies, request, key, row.agreementId, (payment, basis) =>
    explainPaymentColumn(payment, request.column, basis),
  )
}

/** {@link explainMonthlyPayment} for one publisher's part. */
export async function explainPublisherPayment(
  dependencies: ExplainDependencies,
  request: ExplainRequest<PublisherColumn>,
): Promise<ExplainedAmount | undefined> {
  const row = await dependencies.database.inScope(request.permit.scope, async tx => {
    const { rows } = await sql<{ mediumId: bigint; month: number; agreementId: bigint; publisherId: bigint }>`
      select p.medium_id, p.month, p.agreement_id, p.publisher_id from monthly_publisher_payments p
      where p.id = ${request.id} and ${inScope(request.permit)}`.execute(tx)
    return rows[0]
  })
  if (!row) return undefined
  const key = { mediumId: row.mediumId, month: row.month as YearMonth }
  return explained(dependencies, request, key, row.agreementId, (payment, basis) => {
    const publisher = payment.publishers.find(each => each.publisherId === row.publisherId)
    return publisher && explainPublisherColumn(payment, publisher, request.column, basis)
  })
}

/** Staff only: where a pool went. */
export async function explainPoolJob(
  { database }: ExplainDependencies,
  dividendId: bigint,
  path: string | undefined,
): Promise<ExplainedAmount | undefined> {
  return database.inScope(SYSTEM, async tx => {
    const row = await tx
      .selectFrom('monthlyPools')
      .select(['mediumId', 'month'])
      .where('dividendId', '=', dividendId)
      .executeTakeFirst()
    const stored = row && (await readStoredMonth(tx, { mediumId: row.mediumId, month: row.month as YearMonth }))
    const pool = stored?.settled.pools.find(each => each.jobId === dividendId)
    if (!stored || !pool) return undefined
    const sharing = stored.settled.payments.flatMap(payment =>
      payment.publishers.filter(each => each.poolShares.some(share => share.jobId === dividendId)),
    )
    const nameOf = await readNames(tx, [...new Set(sharing.map(each => each.publisherId))])
    const found = placeOf(explainPool(pool, stored.settled, nameOf), path)
    return found && { ...found, snapshot: null, continuations: new Map<string, Continuation>() }
  })
}

async function explained(
  dependencies: ExplainDependencies,
  { path, permit, mayReadRates }: ExplainRequest,
  key: MonthKey,
  agreementId: bigint,
  treeOf: (payment: SettledPayment, basis: ExplainBasis) => ExplainNode | undefined,
): Promise<ExplainedAmount | undefined> {
  // The viewer may see the row. What it was computed from is read as SYSTEM and reduced to the viewer's rights below.
  const found = await dependencies.database.inScope(SYSTEM, async tx => {
    const settled = await readSettledPayment(tx, key, agreementId)
    if (!settled) return undefined
    const nameOf = await readNames(
      tx,
      settled.payment.publishers.map(each => each.publisherId),
    )
    return { ...settled, nameOf, snapshot: await readSnapshot(tx, key, agreementId) }
  })
  if (!found) return undefined
  const { payment, kept, nameOf, snapshot } = found
  const daysOf = (publisher: SettledPublisherPayment) => keptDays(kept, key.month, publisher.publisherId)
  const whole = treeOf(payment, { rules: settlementRulesOf(found.settings), daysOf, nameOf })
  if (!whole) return undefined
  const openings = new Map(kept.agreement.rules.map(rule => [rule.publisherId, rule.opening ?? []]))
  const tree = withOpeningBalances(whole, publisherId => openings.get(publisherId) ?? [])
  const isStaff = permit.scope.kind === 'all'
  const place = placeOf(isStaff ? tree : publisherView(tree, mayReadRates), path)
  if (!place) return undefined
  const { source } = place.node
  let { node } = place
  if (source?.kind === 'day') {
    const deeper = await withContents(dependencies, key, payment, node, source)
    node = isStaff ? deeper : publisherView(deeper, mayReadRates)
  }
  return {
    node,
    trail: place.trail,
    snapshot,
    continuations: await dependencies.database.inScope(permit.scope, tx =>
      continuationsOf(tx, permit, key, node, isStaff),
    ),
  }
}

async function readSnapshot(tx: Transaction, key: MonthKey, agreementId: bigint): Promise<ExplainedSnapshot> {
  const { id, hasBeenFinalized, hash } = await tx
    .selectFrom('monthlyAgreementSnapshots as s')
    .innerJoin('monthlySnapshotInputs as i', 'i.snapshotId', 's.id')
    .select(['s.id', 's.hasBeenFinalized', 'i.hash'])
    .where('s.agreementId', '=', agreementId)
    .where('s.month', '=', key.month)
    .executeTakeFirstOrThrow()
  return { id, month: key.month, isFinal: hasBeenFinalized, hash }
}

/** The names of publishers. One that no longer exists is called by its id. */
export async function readNames(tx: Transaction, publisherIds: readonly bigint[]): Promise<NameOf> {
  const rows =
    publisherIds.length === 0
      ? []
      : await tx.selectFrom('publishers').select(['id', 'name']).where('id', 'in', publisherIds).execute()
  const names = new Map(rows.map(row => [row.id, row.name]))
  return id => names.get(id) ?? `パブリッシャー ${id}`
}

/** A carried amount continues in the publisher's part of the month before; a pool's share (for staff) in the pool. */
async function continuationsOf(
  tx: Transaction,
  permit: ShowPermit,
  { month }: MonthKey,
  node: ExplainNode,
  isStaff: boolean,
): Promise<ReadonlyMap<string, Continuation>> {
  const found = new Map<string, Continuation>()
  for (const { id, source } of [node, ...node.children]) {
    if (isStaff && source?.kind === 'job' && source.line === 0 && !id.startsWith('pool/')) {
      found.set(id, { kind: 'pool', id: source.jobId, column: 'revenue' })
    }
    if (source?.kind !== 'carried') continue
    const { rows } = await sql<{ id: bigint }>`select p.id from monthly_publisher_payments p
      where p.agreement_id = ${source.agreementId} and p.publisher_id = ${source.publisherId} and p.month < ${month}
        and ${inScope(permit)} order by p.month desc limit 1`.execute(tx)
    const previous = rows[0]
    if (previous) found.set(id, { kind: 'publisher_payment', id: previous.id, column: 'carriedOverToNext' })
  }
  return found
}

function keptDays(kept: StoredInput, month: YearMonth, publisherId: bigint): readonly OwnAdsDay[] {
  const ofPublisher = new Map(kept.days).get(publisherId)
  const days = daysOfMonth(month)
  return (ofPublisher === undefined ? [] : ownAdsOfDays(ofPublisher)).flatMap((amountMicroYen, index) =>
    amountMicroYen === 0n ? [] : [{ day: days[index]!, amountMicroYen }],
  )
}

interface Place {
  readonly node: ExplainNode
  readonly trail: readonly ExplainNode[]
}

/** Searches depth first through every branch, because an id need not begin with its parent's id. */
export function placeOf(
  node: ExplainNode,
  id: string | undefined,
  trail: readonly ExplainNode[] = [],
): Place | undefined {
  if (id === undefined || node.id === id) return { node, trail }
  for (const child of node.children) {
    const found = placeOf(child, id, [...trail, node])
    if (found) return found
  }
  return undefined
}

/** A day with its lowest level: the largest articles and videos, and the rest. */
async function withContents(
  { database, stats }: ExplainDependencies,
  key: MonthKey,
  payment: SettledPayment,
  node: ExplainNode,
  { publisherId, day }: { readonly publisherId: bigint; readonly day: Day },
): Promise<ExplainNode> {
  const publisher = payment.publishers.find(each => each.publisherId === publisherId)
  const rateUnits = publisher?.share.ownAdsRateUnits ?? 0
  if (rateUnits === 0) return node
  const contents = await readContents(database, stats, key, publisherId, day)
  // The amount of the day comes from the snapshot, the contents from today's statistics; the difference is the rest.
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
  const named = (kind: ContentAmount['kind'], label: string) => (row: Readonly<Record<string, unknown>>) => ({
    kind,
    contentId: row.content as bigint,
    title: titles.get(row.content as bigint) ?? `${label} ${row.content}`,
    amountMicroYen: row.amount as bigint,
  })
  return [...articles.map(named('article', '記事')), ...videos.map(named('video', '動画'))].filter(
    each => each.amountMicroYen !== 0n,
  )
}
