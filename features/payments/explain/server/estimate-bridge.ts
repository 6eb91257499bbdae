import type { Permit } from '@pc/domain/access/decide.ts'
import {
  type BridgeAdjustment,
  type BridgeFacts,
  type BridgeLine,
  type BridgePool,
  type BridgeStep,
  estimateErrorRange,
  estimateToFinal,
} from '@pc/domain/explain/bridge.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { shownYen } from '@pc/domain/report/shown-yen.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { isAmongIds } from '@pc/platform/postgres/is-among.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import { type RawBuilder, sql } from 'kysely'
import { inScope } from '../../core/server/payment-store.ts'
import { readShownRevenue } from '../../core/server/revenue-estimate.ts'

export interface EstimateBridge {
  readonly month: YearMonth
  /** Whether the rows are final; an open month has no steps. */
  readonly isFinal: boolean
  /** When the estimate was kept; null: nothing was kept of this month. */
  readonly recordedAt: Date | null
  /** Seven steps; empty for an open month and when nothing was kept. */
  readonly steps: readonly BridgeStep[]
  /** From the final amount to what is paid; empty for a whole month, which has no tax of its own. */
  readonly toPayment: readonly PaidLine[]
  /** What the reports show now; null unless a single row is asked for and its month is open. */
  readonly shownYen: bigint | null
  readonly errorRange: ReturnType<typeof estimateErrorRange>
}

export interface PaidLine extends BridgeLine {
  readonly isSum: boolean
}

interface BridgeDependencies {
  readonly database: Database
  readonly stats: StatsStore
}

type BridgePermit =
  | Permit<'read:show', 'insight:monthly_payment.'>
  | Permit<'read:list', 'insight:monthly_publisher_payment.'>

/** The conditions are on `p`, the publishers' parts. The permit limits them to the viewer's rows. */
interface BridgeRequest {
  readonly month: YearMonth
  readonly permit: BridgePermit
  readonly rows: RawBuilder<boolean>
  /** The condition for the same payees in other months, from which the range of errors is read. */
  readonly payees: RawBuilder<boolean>
}

interface BridgeRow {
  readonly mediumId: bigint
  readonly month: YearMonth
  readonly agreementId: bigint
  readonly hasBeenFinalized: boolean
  readonly publisherIds: readonly bigint[]
  readonly carriedOverRevenueYen: bigint
  readonly carriedOverToNextYen: bigint
  readonly paymentYen: bigint
  /** Null for a publisher's part: tax belongs to the whole payment. */
  readonly paymentTaxYen: bigint | null
}

/** From the estimate to the final amount of one payment, or of one publisher's part. Undefined: no such row for this viewer. */
export async function bridgeOfRow(
  { database, stats }: BridgeDependencies,
  { kind, id }: { readonly kind: 'payment' | 'publisher_payment'; readonly id: bigint },
  permit: Permit<'read:show', 'insight:monthly_payment.'>,
): Promise<EstimateBridge | undefined> {
  const row = await database.inScope(permit.scope, tx => findRow(tx, kind, id, permit))
  if (!row) return undefined
  const ofPublisher = isAmongIds(sql`p.publisher_id`, row.publisherIds)
  const ofAgreement = sql<boolean>`p.agreement_id = ${row.agreementId}`
  const bridge = await readBridge(database, {
    month: row.month,
    permit,
    rows: kind === 'payment' ? sql<boolean>`p.monthly_payment_id = ${id}` : sql<boolean>`p.id = ${id}`,
    payees: kind === 'payment' ? ofAgreement : sql<boolean>`(${ofAgreement} and ${ofPublisher})`,
  })
  if (row.hasBeenFinalized) return { ...bridge, isFinal: true, toPayment: paidLines(bridge.steps, row) }
  return { ...bridge, isFinal: false, steps: [], shownYen: await shownNow(stats, row) }
}

/**
 * The steps over all rows of a finalised month that the viewer may see. An open month has no steps, only the range of
 * the errors of earlier estimates.
 */
export async function bridgeOfMonth(
  { database }: BridgeDependencies,
  month: YearMonth,
  filter: {
    readonly mediumIds: readonly bigint[] | undefined
    readonly organizationIds: readonly bigint[] | undefined
    readonly publisherIds: readonly bigint[] | undefined
  },
  permit: Permit<'read:list', 'insight:monthly_publisher_payment.'>,
): Promise<EstimateBridge> {
  const named = [
    ['p.medium_id', filter.mediumIds],
    ['p.organization_id', filter.organizationIds],
    ['p.publisher_id', filter.publisherIds],
  ] as const
  const conditions = named.flatMap(([column, ids]) => (ids === undefined ? [] : [isAmongIds(sql.raw(column), ids)]))
  const payees = sql<boolean>`(${sql.join([sql<boolean>`true`, ...conditions], sql` and `)})`
  return readBridge(database, { month, permit, rows: sql<boolean>`(p.month = ${month} and ${payees})`, payees })
}

/**
 * The steps of payments whose statements are announced in one email. There is no viewer: the caller names the rows and
 * sends the email to their payee only. Undefined: nothing was kept.
 */
export async function bridgeOfPayments(
  tx: Transaction,
  monthlyPaymentIds: readonly bigint[],
): Promise<readonly BridgeStep[] | undefined> {
  const rows = isAmongIds(sql`p.monthly_payment_id`, monthlyPaymentIds)
  const facts = await readFacts(tx, rows)
  return facts && estimateToFinal({ ...facts, ...(await readEntries(tx, rows)) })
}

async function findRow(
  tx: Transaction,
  kind: 'payment' | 'publisher_payment',
  id: bigint,
  permit: BridgePermit,
): Promise<BridgeRow | undefined> {
  const { rows } =
    kind === 'payment'
      ? await sql<BridgeRow>`select p.medium_id, p.month, p.agreement_id, p.has_been_finalized, p.carried_over_revenue_yen,
          p.carried_over_to_next_yen, p.payment_yen, p.payment_tax_yen,
          array(select u.publisher_id from monthly_publisher_payments u where u.monthly_payment_id = p.id) as publisher_ids
        from monthly_payments p where p.id = ${id} and ${inScope(permit)}`.execute(tx)
      : await sql<BridgeRow>`select p.medium_id, p.month, p.agreement_id, p.has_been_finalized, p.carried_over_revenue_yen,
          p.carried_over_to_next_yen, p.payment_yen, null::bigint as payment_tax_yen, array[p.publisher_id] as publisher_ids
        from monthly_publisher_payments p where p.id = ${id} and ${inScope(permit)}`.execute(tx)
  return rows[0]
}

async function readBridge(database: Database, request: BridgeRequest): Promise<EstimateBridge> {
  const { month, permit, payees } = request
  const rows = sql<boolean>`(${request.rows} and ${inScope(permit)})`
  const { facts, history } = await database.inScope(permit.scope, async tx => ({
    facts: await readFacts(tx, rows),
    history: await readHistory(tx, sql<boolean>`(${payees} and ${inScope(permit)})`),
  }))
  // Read as SYSTEM, because publishers may not read manual operations. `rows` is still limited to the viewer's own rows.
  const entries = facts && (await database.inScope(SYSTEM, tx => readEntries(tx, rows)))
  return {
    month,
    isFinal: facts !== undefined,
    recordedAt: facts && entries ? entries.recordedAt : null,
    steps: facts && entries ? estimateToFinal({ ...facts, ...entries }) : [],
    toPayment: [],
    shownYen: null,
    errorRange: estimateErrorRange(history),
  }
}

type Sums = Omit<BridgeFacts, 'pools' | 'adjustments'>

/** Undefined when no row of a finalised month has an estimate. */
async function readFacts(tx: Transaction, rows: RawBuilder<boolean>): Promise<Sums | undefined> {
  const found = await sql<Sums & { readonly rows: bigint }>`
    select count(*) as rows,
      coalesce(sum(e.shown_micro_yen), 0)::bigint as shown_micro_yen,
      coalesce(sum(e.ads_yen), 0)::bigint as ads_then_yen,
      coalesce(sum(e.pool_yen), 0)::bigint as pool_then_yen,
      coalesce(sum(p.ads_revenue_yen), 0)::bigint as ads_revenue_yen,
      coalesce(sum(p.ssp_revenue_yen), 0)::bigint as ssp_revenue_yen,
      coalesce(sum(p.video_ssp_revenue_yen), 0)::bigint as video_ssp_revenue_yen,
      coalesce(sum(p.live_ssp_revenue_yen), 0)::bigint as live_ssp_revenue_yen,
      coalesce(sum(p.fixed_revenue_applied_yen), 0)::bigint as fixed_revenue_applied_yen,
      coalesce(sum(p.minimum_top_up_revenue_yen), 0)::bigint as minimum_top_up_revenue_yen,
      coalesce(sum(p.manual_adjustment_revenue_yen), 0)::bigint as manual_adjustment_revenue_yen
    from monthly_publisher_payments p join monthly_estimates e on e.monthly_publisher_payment_id = p.id
    where ${rows}`.execute(tx)
  const { rows: count, ...sums } = found.rows[0]!
  return count === 0n ? undefined : sums
}

/** The pools that paid and the corrections that touched the rows, by entry. */
async function readEntries(
  tx: Transaction,
  rows: RawBuilder<boolean>,
): Promise<Pick<BridgeFacts, 'pools' | 'adjustments'> & { readonly recordedAt: Date | null }> {
  const pools = await sql<BridgePool>`
    select d.id as job_id, d.created_at::date as entered_on, d.kind, sum(l.amount_yen)::bigint as booked_yen
    from monthly_publisher_payments p join monthly_estimates e on e.monthly_publisher_payment_id = p.id
    join dividends d on d.medium_id = p.medium_id and d.month = p.month
    join dividend_ledger_lines l on l.dividend_id = d.id and l.booking = d.booking and l.agreement_id = p.agreement_id
      and l.publisher_id = p.publisher_id and l.reverses_dividend_id is null
    where ${rows} and d.kind in ('ssp', 'ssp_video', 'ssp_live') and d.method = 'payment' and d.job_status = 'success'
      and d.reversed_by_dividend_id is null
    group by d.id, d.kind order by d.id`.execute(tx)
  const adjustments = await sql<Omit<BridgeAdjustment, 'rows'> & { readonly rows: bigint }>`
    select m.dividend_id as job_id, d.created_at::date as entered_on, coalesce(r.reason, 'other') as reason, r.origin_month,
      sum(m.applied_yen)::bigint as applied_yen, count(*) as rows
    from monthly_publisher_payments p join monthly_estimates e on e.monthly_publisher_payment_id = p.id
    join monthly_adjustments m on m.monthly_publisher_payment_id = p.id
    join dividend_rows r on r.dividend_id = m.dividend_id and r.line = m.line
    join dividends d on d.id = m.dividend_id
    where ${rows} group by 1, 2, 3, 4 order by 1, 3, 4`.execute(tx)
  const recorded = await sql<{ at: Date | null }>`
    select max(v.recorded_at) as at from revenue_estimates v where exists (select from monthly_publisher_payments p
      where p.medium_id = v.medium_id and p.month = v.month and ${rows})`.execute(tx)
  return {
    pools: pools.rows,
    adjustments: adjustments.rows.map(row => ({ ...row, rows: Number(row.rows) })),
    recordedAt: recorded.rows[0]?.at ?? null,
  }
}

/** The last six finalised months of the payees, oldest first. */
async function readHistory(tx: Transaction, payees: RawBuilder<boolean>) {
  const { rows } = await sql<{ shownMicroYen: bigint; finalYen: bigint }>`
    select sum(e.shown_micro_yen)::bigint as shown_micro_yen,
      sum(p.revenue_yen + p.manual_adjustment_revenue_yen)::bigint as final_yen
    from monthly_publisher_payments p join monthly_estimates e on e.monthly_publisher_payment_id = p.id
    where ${payees} group by p.month order by p.month desc limit 6`.execute(tx)
  return rows.map(({ shownMicroYen, finalYen }) => ({ estimateYen: shownYen(shownMicroYen), finalYen })).toReversed()
}

async function shownNow(stats: StatsStore, row: BridgeRow): Promise<bigint> {
  const isOwn = new Set(row.publisherIds)
  const shown = await readShownRevenue(stats, row)
  return shownYen(shown.reduce((sum, each) => (isOwn.has(each.publisherId) ? sum + each.shownMicroYen : sum), 0n))
}

/** The lines from the final amount to the payment: carried over, carried to the next month, and tax. */
function paidLines(steps: readonly BridgeStep[], row: BridgeRow): readonly PaidLine[] {
  const final = steps.at(-1)
  if (!final) return []
  const { carriedOverRevenueYen, carriedOverToNextYen, paymentYen, paymentTaxYen } = row
  const untaxed = [
    { label: '確定値', amountYen: final.amountYen, isSum: false },
    { label: '前月繰越', amountYen: carriedOverRevenueYen, isSum: false },
    { label: '次月繰越', amountYen: -carriedOverToNextYen, isSum: false },
    { label: '支払額（税抜）', amountYen: paymentYen, isSum: true },
  ]
  if (paymentTaxYen === null) return untaxed
  return [
    ...untaxed,
    { label: '消費税', amountYen: paymentTaxYen, isSum: false },
    { label: '支払額（税込）', amountYen: paymentYen + paymentTaxYen, isSum: true },
  ]
}
