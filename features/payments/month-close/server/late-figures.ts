import { addMonths, formatYearMonth, type YearMonth } from '@pc/domain/month/year-month.ts'
import { MAX_CSV_ROWS } from '@pc/domain/payment/adjustment-csv.ts'
import { isFinalMonth } from '@pc/domain/payment/payment-states.ts'
import type { Refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import type { Result } from '@pc/domain/result.ts'
import { type LateDifference, lateDifferences } from '@pc/domain/settlement/late-difference.ts'
import { ruleKeyText } from '@pc/domain/settlement/rule-map.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { runCooperatively } from '@pc/platform/run-cooperatively.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import { earningAgreements } from '../../core/server/load-month.ts'
import { readAgreementsOf } from '../../core/server/month-agreements.ts'
import { readDataVersion } from '../../core/server/month-books.ts'
import type { MonthKey } from '../../core/server/month-key.ts'
import { readOwnAds } from '../../core/server/month-statistics.ts'
import { joinWholeTables } from '../../core/server/month-version.ts'
import { lockMonth } from '../../core/server/save-month.ts'
import { storedMonthSteps } from '../../core/server/stored-month.ts'
import { readMonthRows } from '../../core/server/stored-rows.ts'
import { WHOLE_MONTH_READ } from './invariant-facts.ts'
import { LATE_FIGURES_JOB } from './late-figures-job.ts'

/** Enters a correction as staff would, and enqueues its job. The feature that owns manual operations supplies it. */
export type EnterCorrection = (
  tx: Transaction,
  correction: MonthKey & { readonly rows: readonly LateDifference[]; readonly notes: string },
) => Promise<Result<bigint, Refusal<RefusalCode>>>

export interface LateFiguresDependencies {
  readonly database: Database
  readonly stats: StatsStore
  readonly enterCorrection: EnterCorrection
}

/** Called by ingest in the transaction that applies a batch: marks drafts as outdated and enqueues their computation. */
export async function statisticsChanged(jobs: Jobs, tx: Transaction, months: readonly YearMonth[]): Promise<void> {
  if (months.length === 0) return
  await tx
    .updateTable('monthStates')
    .set({ state: 'open' })
    .where('month', 'in', [...months])
    .where('state', '=', 'computed')
    .execute()
  await jobs.enqueue(tx, LATE_FIGURES_JOB, { months: [...months] })
}

/**
 * Books the difference that late figures make to a finalised month into the next open month. It can be repeated, because
 * it subtracts what is booked already.
 * @returns the id of the entry; undefined when there is nothing to book
 * @throws Error when the open month takes no entry now, because a job runs; try again later
 */
export async function bookLateFigures(
  dependencies: LateFiguresDependencies,
  key: MonthKey,
): Promise<bigint | undefined> {
  const { database, stats } = dependencies
  const read = await database.inScope(SYSTEM, tx => readFinalised(tx, key), WHOLE_MONTH_READ)
  if (!read) return undefined
  const differencesFrom = await compare(stats, key, read)
  return database.inScope(SYSTEM, async tx => {
    await lockMonth(tx, key)
    // Rows beyond the limit of one entry are booked by the next nightly run.
    const rows = differencesFrom(await readBooked(tx, key)).slice(0, MAX_CSV_ROWS)
    if (rows.length === 0) return undefined
    const month = await nextOpenMonth(tx, key)
    const notes = `${formatYearMonth(key.month)} の確定後に届いた統計との差額`
    const entered = await dependencies.enterCorrection(tx, { mediumId: key.mediumId, month, rows, notes })
    if (!entered.ok) throw new Error(`late figures of ${key.mediumId} ${key.month}: ${entered.refusals[0]?.code}`)
    await tx
      .insertInto('lateCorrections')
      .values({
        dividendId: entered.value,
        mediumId: key.mediumId,
        originMonth: key.month,
        dataVersion: read.dataVersion,
      })
      .execute()
    return entered.value
  })
}

/** Whether late figures of a finalised month are still to be booked. */
export async function lacksCorrection(tx: Transaction, stats: StatsStore, key: MonthKey): Promise<boolean> {
  const read = await readFinalised(tx, key)
  if (!read) return false
  const differencesFrom = await compare(stats, key, read)
  return differencesFrom(await readBooked(tx, key)).length > 0
}

/**
 * Compares today's figures with the settled ones. The returned function gives what is still to be booked; it takes what
 * is booked already, which is read later under a lock.
 */
async function compare(
  stats: StatsStore,
  key: MonthKey,
  { rows, agreements }: NonNullable<Awaited<ReturnType<typeof readFinalised>>>,
): Promise<(booked: ReadonlyMap<string, bigint>) => readonly LateDifference[]> {
  const ownAds = await readOwnAds(stats, key)
  const stored = await runCooperatively(storedMonthSteps(rows))
  const earners = earningAgreements(key, agreements)
  if (!earners.ok) throw new Error(`late figures of ${key.mediumId} ${key.month}: ${earners.refusals[0]?.code}`)
  const figures = new Map<string, bigint>()
  for (const [publisherId, agreementId] of earners.value) {
    figures.set(ruleKeyText({ agreementId, publisherId }), ownAds.get(publisherId)?.microYen ?? 0n)
  }
  return booked => {
    const differences = lateDifferences(stored, figures, booked)
    if (!differences.ok)
      throw new Error(`late figures of ${key.mediumId} ${key.month}: ${differences.refusals[0]?.code}`)
    return differences.value
  }
}

/** Reads a finalised month; undefined when its statistics are still those that it was computed from. */
async function readFinalised(tx: Transaction, key: MonthKey) {
  await joinWholeTables(tx)
  const dataVersion = await readDataVersion(tx, key.month)
  const state = await tx
    .selectFrom('monthStates')
    .select(['state', 'dataVersion'])
    .where('mediumId', '=', key.mediumId)
    .where('month', '=', key.month)
    .executeTakeFirst()
  if (!state || !isFinalMonth(state.state) || state.dataVersion === dataVersion) return undefined
  const rows = await readMonthRows(tx, key)
  return rows && { rows, dataVersion, agreements: await readAgreementsOf(tx, key) }
}

/** What corrections of the month have booked, or will book when their jobs run. */
async function readBooked(tx: Transaction, { mediumId, month }: MonthKey): Promise<ReadonlyMap<string, bigint>> {
  const rows = await tx
    .selectFrom('lateCorrections as c')
    .innerJoin('dividends as d', 'd.id', 'c.dividendId')
    .innerJoin('dividendRows as r', 'r.dividendId', 'c.dividendId')
    .select(['r.agreementId', 'r.publisherId', 'r.amountYen'])
    .where('c.mediumId', '=', mediumId)
    .where('c.originMonth', '=', month)
    .where('d.jobStatus', '<>', 'failed')
    .where('d.reversedByDividendId', 'is', null)
    .execute()
  const booked = new Map<string, bigint>()
  for (const row of rows) {
    const name = ruleKeyText(row)
    booked.set(name, (booked.get(name) ?? 0n) + (row.amountYen ?? 0n))
  }
  return booked
}

async function nextOpenMonth(tx: Transaction, { mediumId, month }: MonthKey): Promise<YearMonth> {
  const { last } = await tx
    .selectFrom('monthClosings')
    .select(eb => eb.fn.max('month').as('last'))
    .where('mediumId', '=', mediumId)
    .executeTakeFirstOrThrow()
  return addMonths((last ?? month) as YearMonth, 1)
}
