import type { CooperativeSteps } from '@pc/domain/cooperative.ts'
import { MICRO_YEN_PER_YEN } from '@pc/domain/money/micro-yen.ts'
import { larger, magnitude } from '@pc/domain/money/yen.ts'
import { firstDayOf, lastDayOf } from '@pc/domain/month/year-month.ts'
import { shareYen } from '@pc/domain/settlement/own-ads.ts'
import { ROUND_DOWN, type Rounding, settlementRulesOf } from '@pc/domain/settlement/settlement-rules.ts'
import { type Clock, thisMonth } from '@pc/platform/clock.ts'
import { type BulkTable, bulkRowSteps, insertBulk } from '@pc/platform/postgres/bulk-rows.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { runCooperatively } from '@pc/platform/run-cooperatively.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import { ident, sql as statsSql, sumInt, table } from '@pc/platform/stats/sql.ts'
import { sql } from 'kysely'
import { readDataVersion, readSettings } from './month-books.ts'
import type { MonthKey } from './month-key.ts'
import { missingDays, readFirstDay, readStatisticsNeed } from './month-readiness.ts'

/** A publisher's revenue of a month as the reports show it while the month is open, and the source amounts behind it. */
export interface ShownRevenue {
  readonly publisherId: bigint
  readonly shownMicroYen: bigint
  readonly adsMicroYen: bigint
  readonly sspMicroYen: bigint
  readonly videoSspMicroYen: bigint
  readonly liveSspMicroYen: bigint
}

/** The exact sums of the days, as reports add them up. Reports round them once when they are shown (`shownYen`). */
export async function readShownRevenue(
  stats: StatsStore,
  { mediumId, month }: MonthKey,
): Promise<readonly ShownRevenue[]> {
  const sum = (column: string, name: string) => statsSql`cast(${sumInt(ident(column))} as bigint) as ${ident(name)}`
  const rows = await stats.query(
    statsSql`select publisher_id as publisher, ${sum('publisher_revenue_micro_yen', 'shown')},
        ${sum('ads_revenue_micro_yen', 'ads')}, ${sum('ssp_revenue_micro_yen', 'ssp')},
        ${sum('video_ssp_revenue_micro_yen', 'video')}, ${sum('live_ssp_revenue_micro_yen', 'live')}
      from ${table('publisher_day')}
      where medium_id = ${mediumId} and date between ${firstDayOf(month)} and ${lastDayOf(month)}
      group by publisher_id order by publisher_id`,
    { timeoutMs: 60_000 },
  )
  return rows.map(row => ({
    publisherId: row.publisher as bigint,
    shownMicroYen: row.shown as bigint,
    adsMicroYen: row.ads as bigint,
    sspMicroYen: row.ssp as bigint,
    videoSspMicroYen: row.video as bigint,
    liveSspMicroYen: row.live as bigint,
  }))
}

/**
 * Keeps what the reports show of a month as its estimate, once: when the month is over and all of its days arrived for the
 * first time. What arrives later counts as a step from the estimate to the final amounts.
 */
export async function keepEstimateOfCompleteMonth(
  { database, stats, clock }: { readonly database: Database; readonly stats: StatsStore; readonly clock: Clock },
  key: MonthKey,
): Promise<void> {
  if (thisMonth(clock) <= key.month) return
  const before = await database.inScope(SYSTEM, async tx => ({
    isClosed: await isRecordedOrClosed(tx, key),
    dataVersion: await readDataVersion(tx, key.month),
    need: await readStatisticsNeed(tx, key),
  }))
  if (before.isClosed || (await readFirstDay(stats, key)) === undefined) return
  if ((await missingDays(stats, key, before.need)).length > 0) return
  const shown = await readShownRevenue(stats, key)
  await database.inScope(SYSTEM, async tx => {
    // Figures arrived meanwhile: their ingest calls this function again.
    if ((await readDataVersion(tx, key.month)) !== before.dataVersion) return
    if (await isRecordedOrClosed(tx, key)) return
    const { dataVersion } = before
    await keepEstimate(tx, key, { shown, dataVersion, occasion: 'complete', recordedAt: new Date(clock.now()) })
  })
}

async function isRecordedOrClosed(tx: Transaction, { mediumId, month }: MonthKey): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select
    exists (select from revenue_estimates where medium_id = ${mediumId} and month = ${month})
    or app.is_closed(${mediumId}, ${month})
    or exists (select from month_closings where medium_id = ${mediumId} and month = ${month}) as found`.execute(tx)
  return rows[0]!.found
}

/** Whether an estimate of the month is kept. */
export async function hasEstimate(tx: Transaction, { mediumId, month }: MonthKey): Promise<boolean> {
  const row = await tx
    .selectFrom('revenueEstimates')
    .select('month')
    .where('mediumId', '=', mediumId)
    .where('month', '=', month)
    .executeTakeFirst()
  return row !== undefined
}

interface KeptEstimate {
  readonly shown: readonly ShownRevenue[]
  readonly dataVersion: string
  readonly occasion: 'complete' | 'finalize'
  readonly recordedAt: Date
}

/** Does nothing when the month has an estimate already, also when two calls come at the same time. */
async function keepEstimate(tx: Transaction, key: MonthKey, estimate: KeptEstimate): Promise<void> {
  const { shown, ...header } = estimate
  const kept = await tx
    .insertInto('revenueEstimates')
    .values({ ...key, ...header })
    .onConflict(conflict => conflict.doNothing())
    .returning('month')
    .executeTakeFirst()
  if (!kept || shown.length === 0) return
  const column = (value: (row: ShownRevenue) => bigint) => `{${shown.map(value).join(',')}}`
  await sql`insert into publisher_revenue_estimates (medium_id, month, publisher_id, shown_micro_yen, ads_micro_yen,
      ssp_micro_yen, video_ssp_micro_yen, live_ssp_micro_yen)
    select ${key.mediumId}::bigint, ${key.month}::integer, * from unnest(${column(row => row.publisherId)}::text::bigint[],
      ${column(row => row.shownMicroYen)}::text::bigint[], ${column(row => row.adsMicroYen)}::text::bigint[],
      ${column(row => row.sspMicroYen)}::text::bigint[], ${column(row => row.videoSspMicroYen)}::text::bigint[],
      ${column(row => row.liveSspMicroYen)}::text::bigint[])`.execute(tx)
}

/**
 * With the close, before the triggers that refuse changes of a closed month: every row of the month gets its estimate.
 * Tested by `features/payments/explain/server/estimate-bridge.test.ts`.
 * @param estimate what is shown now, when nothing was kept before
 * @param earners the publishers of whom the month has own-ads days, with their agreements
 */
export async function freezeEstimates(
  tx: Transaction,
  { mediumId, month }: MonthKey,
  estimate: KeptEstimate | undefined,
  earners: readonly { readonly agreementId: bigint; readonly publisherId: bigint }[],
): Promise<void> {
  if (estimate) await keepEstimate(tx, { mediumId, month }, estimate)
  const known = await readKnownRows(tx, { mediumId, month }, earners)
  const { settings } = await readSettings(tx, month)
  const rows = await runCooperatively(
    estimateSteps(known, settlementRulesOf(settings).ownAdsRounding, { mediumId, month }),
  )
  await insertBulk(tx, await runCooperatively(bulkRowSteps(ESTIMATE_ROWS, rows)))
}

interface KnownRow {
  readonly id: bigint
  readonly monthlyPaymentId: bigint
  readonly agreementId: bigint
  readonly organizationId: bigint
  readonly isActive: boolean
  readonly shownMicroYen: bigint
  readonly adsMicroYen: bigint
  readonly sspMicroYen: bigint
  readonly videoSspMicroYen: bigint
  readonly liveSspMicroYen: bigint
  readonly ownAdsRateUnits: number
  readonly sspRateUnits: number
  readonly videoSspRateUnits: number
  readonly liveSspRateUnits: number
}

/**
 * The rows of the month with what the reports showed of their publishers. A publisher's figures belong to the row that
 * earned them; where none did, to its last active agreement (`place` 1).
 */
async function readKnownRows(
  tx: Transaction,
  { mediumId, month }: MonthKey,
  earners: readonly { readonly agreementId: bigint; readonly publisherId: bigint }[],
): Promise<readonly KnownRow[]> {
  const column = (value: (each: (typeof earners)[number]) => bigint) => `{${earners.map(value).join(',')}}`
  const { rows } = await sql<KnownRow>`
    with ranked as (
      select p.id, p.monthly_payment_id, p.agreement_id, p.organization_id, p.publisher_id, a.is_active, row_number() over (
          partition by p.publisher_id order by (d.publisher_id is not null) desc, a.is_active desc, p.agreement_id desc) as place
      from monthly_publisher_payments p join monthly_payments a on a.id = p.monthly_payment_id
      left join unnest(${column(each => each.agreementId)}::text::bigint[],
        ${column(each => each.publisherId)}::text::bigint[]) d (agreement_id, publisher_id)
        on d.agreement_id = p.agreement_id and d.publisher_id = p.publisher_id
      where p.medium_id = ${mediumId} and p.month = ${month}
    )
    select r.id, r.monthly_payment_id, r.agreement_id, r.organization_id, r.is_active, s.own_ads_rate_units,
      s.ssp_rate_units, s.video_ssp_rate_units, s.live_ssp_rate_units, coalesce(e.shown_micro_yen, 0) as shown_micro_yen,
      coalesce(e.ads_micro_yen, 0) as ads_micro_yen, coalesce(e.ssp_micro_yen, 0) as ssp_micro_yen,
      coalesce(e.video_ssp_micro_yen, 0) as video_ssp_micro_yen, coalesce(e.live_ssp_micro_yen, 0) as live_ssp_micro_yen
    from ranked r join monthly_rule_snapshots s on s.monthly_publisher_payment_id = r.id
    left join publisher_revenue_estimates e
      on e.medium_id = ${mediumId} and e.month = ${month} and e.publisher_id = r.publisher_id and r.place = 1`.execute(
    tx,
  )
  return rows
}

interface EstimateRow {
  readonly row: KnownRow
  readonly adsYen: bigint
  readonly poolYen: bigint
}

/**
 * Statistics do not say whether a network's publisher revenue already contains its pools. Both readings are summed over
 * all rows, and the one that is nearer to what the reports showed is taken for all.
 */
function* estimateSteps(
  known: readonly KnownRow[],
  ownAdsRounding: Rounding,
  key: MonthKey,
): CooperativeSteps<readonly (EstimateRow & MonthKey)[]> {
  const estimates: EstimateRow[] = []
  let distanceYen = 0n
  let distanceWithPoolsYen = 0n
  for (const row of known) {
    const adsYen = row.isActive ? shareYen(row.adsMicroYen, row.ownAdsRateUnits, ownAdsRounding) : 0n
    const poolYen =
      shareYen(row.sspMicroYen, row.sspRateUnits, ROUND_DOWN) +
      shareYen(row.videoSspMicroYen, row.videoSspRateUnits, ROUND_DOWN) +
      shareYen(row.liveSspMicroYen, row.liveSspRateUnits, ROUND_DOWN)
    const shownYen = row.shownMicroYen / MICRO_YEN_PER_YEN
    distanceYen += magnitude(shownYen - adsYen)
    distanceWithPoolsYen += magnitude(shownYen - adsYen - poolYen)
    estimates.push({ row, adsYen, poolYen })
    yield
  }
  const hasPools = distanceWithPoolsYen < distanceYen
  return estimates.map(({ row, adsYen, poolYen }) => ({
    ...{ row, adsYen, poolYen: hasPools ? larger(poolYen, 0n) : 0n },
    ...key,
  }))
}

const ESTIMATE_ROWS: BulkTable<EstimateRow & MonthKey> = {
  table: 'monthly_estimates',
  columns: [
    ['monthly_publisher_payment_id', 'bigint', ({ row }) => row.id],
    ['monthly_payment_id', 'bigint', ({ row }) => row.monthlyPaymentId],
    ['medium_id', 'bigint', each => each.mediumId],
    ['agreement_id', 'bigint', ({ row }) => row.agreementId],
    ['organization_id', 'bigint', ({ row }) => row.organizationId],
    ['month', 'integer', each => each.month],
    ['shown_micro_yen', 'bigint', ({ row }) => row.shownMicroYen],
    ['ads_yen', 'bigint', each => each.adsYen],
    ['pool_yen', 'bigint', each => each.poolYen],
  ],
}
