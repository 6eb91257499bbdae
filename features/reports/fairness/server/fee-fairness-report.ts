import type { Permit } from '@pc/domain/access/decide.ts'
import { firstDayOf, type YearMonth } from '@pc/domain/month/year-month.ts'
import {
  type FeePosition,
  type FeeRange,
  type FeeReason,
  feePerMille,
  feePosition,
  feeRange,
  feeReasons,
  type PublisherFee,
} from '@pc/domain/report/fee-range.ts'
import type { Reader } from '@pc/platform/postgres/database.ts'
import { ident, joined, sql as stats, sumInt, table } from '@pc/platform/stats/sql.ts'
import { sql } from 'kysely'
import type { ReportSources } from '../../core/server/report-sources.ts'

export interface FairFee extends PublisherFee {
  readonly publisherId: bigint
  readonly publisherName: string
  /** Micro-yen per 1,000 views; null without views. */
  readonly perMille: bigint | null
  readonly position: FeePosition | null
  readonly reasons: readonly FeeReason[]
}
export interface FeeFairness {
  readonly mediumId: bigint
  readonly mediumName: string
  /** Null when no month of the medium is final. */
  readonly month: YearMonth | null
  /** Null for fewer than four publishers with views. */
  readonly range: FeeRange | null
  /** The lowest fee first; publishers without views last. */
  readonly nodes: readonly FairFee[]
}

interface FairnessRequest {
  /** Undefined: the first medium with a finalised month. */
  readonly mediumId: bigint | undefined
  /** Undefined: the medium's last finalised month. */
  readonly month: YearMonth | undefined
}

/**
 * The effective fee per 1,000 views of every publisher of a medium in a finalised month, with the usual range there.
 * Tested by `features/reports/fairness/server/fee-fairness.test.ts`.
 */
export async function readFeeFairness(
  { database, stats: store }: ReportSources,
  request: FairnessRequest,
  { scope }: Permit<'read:list', 'insight:payment_rate.'>,
): Promise<FeeFairness | null> {
  // These are figures of competitors, so only staff gets them, even if a policy should grant the right to others.
  if (scope.kind !== 'all') return null
  const reader = database.reader(scope)
  const found = await findMonth(reader, request)
  if (!found) return null
  const { mediumId, mediumName, month } = found
  if (month === null) return { mediumId, mediumName, month, range: null, nodes: [] }
  const [paid, viewed] = await Promise.all([
    readFees(reader, mediumId, month),
    store.query(stats`
      select publisher_id as publisher, ${joined(
        WATCHES.map(column => sumInt(ident(column))),
        stats` + `,
      )} as views
      from ${table('publisher_month')} where medium_id = ${mediumId} and date = ${firstDayOf(month)}
      group by publisher_id order by publisher_id`),
  ])
  const views = new Map(viewed.map(row => [row.publisher as bigint, row.views as bigint]))
  const fees = paid.map(row => ({ ...row, views: views.get(row.publisherId) ?? 0n }))
  const range = feeRange(fees)
  const nodes = fees.map(fee => ({
    ...fee,
    perMille: feePerMille(fee),
    position: feePosition(fee, range),
    reasons: feeReasons(fee, range),
  }))
  return { mediumId, mediumName, month, range: range ?? null, nodes: nodes.sort(byFee) }
}

const WATCHES = ['article_watch', 'video_watch', 'live_watch'] as const

function byFee(a: FairFee, b: FairFee): number {
  if (a.perMille === null || b.perMille === null) return Number(a.perMille === null) - Number(b.perMille === null)
  return a.perMille < b.perMille ? -1 : a.perMille > b.perMille ? 1 : Number(a.publisherId - b.publisherId)
}

async function findMonth(reader: Reader, { mediumId, month }: FairnessRequest) {
  let media = reader
    .selectFrom('media as m')
    .leftJoin('monthClosings as c', join =>
      month === undefined
        ? join.onRef('c.mediumId', '=', 'm.id')
        : join.onRef('c.mediumId', '=', 'm.id').on('c.month', '=', month),
    )
    .select(['m.id', 'm.name', eb => eb.fn.max('c.month').as('month')])
    .groupBy(['m.id', 'm.name'])
    .orderBy(sql`max(c.month) is null`)
    .orderBy('m.id')
    .limit(1)
  if (mediumId !== undefined) media = media.where('m.id', '=', mediumId)
  const row = await media.executeTakeFirst()
  return row && { mediumId: row.id, mediumName: row.name, month: row.month as YearMonth | null }
}

/** Fees by publisher; several agreements of a publisher on the medium are summed, with the lowest of their rates. */
async function readFees(reader: Reader, mediumId: bigint, month: YearMonth) {
  return reader
    .selectFrom('monthlyPublisherPayments as y')
    .innerJoin('monthlyRuleSnapshots as r', 'r.monthlyPublisherPaymentId', 'y.id')
    .innerJoin('publishers as p', 'p.id', 'y.publisherId')
    .select(['y.publisherId', 'p.name as publisherName'])
    .select([
      sql<bigint>`sum(y.revenue_yen)::bigint`.as('feeYen'),
      sql<bigint>`sum(y.fixed_revenue_applied_yen)::bigint`.as('fixedYen'),
      sql<bigint>`sum(y.minimum_top_up_revenue_yen)::bigint`.as('topUpYen'),
      sql<number>`min(r.own_ads_rate_units)`.as('rateUnits'),
    ])
    .where('y.mediumId', '=', mediumId)
    .where('y.month', '=', month)
    .where('y.hasBeenFinalized', '=', true)
    .groupBy(['y.publisherId', 'p.name'])
    .orderBy('y.publisherId')
    .execute()
}
