import { addDays, type Day, daysBetween } from '@pc/domain/month/day.ts'
import type { ChangeDirection, WatchedFigure } from '@pc/domain/report/anomaly.ts'
import { today } from '@pc/platform/clock.ts'
import { SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import type { Row } from '@pc/platform/stats/port.ts'
import { deliveredDays } from '../../core/server/arrival.ts'
import { haveDeliveriesSettled } from '../../core/server/day-arrival.ts'
import type { ReportSources } from '../../core/server/report-sources.ts'
import { mediaUntil, publisherDays } from './anomaly-sql.ts'
import { comparedDays, type DayFindings, type FoundAnomaly, findAnomalies, type GoingOn } from './find-anomalies.ts'
import { type NotificationDependencies, notifyAnomalies, type Reasons, reasonKey } from './notify-anomalies.ts'

export interface AnomalyCheckDependencies extends ReportSources, NotificationDependencies {
  /** From the folder `changes`, passed in by the application because feature folders do not import each other. */
  readonly readReason: (
    sources: ReportSources,
    anomaly: Pick<FoundAnomaly, 'publisherId' | 'figure'> & { readonly mediumId: bigint; readonly day: Day },
    signal?: AbortSignal,
  ) => Promise<string | undefined>
}

/** Anomalies of a day and medium that get an explanation: each costs some twenty SQL statements. */
const MAX_REASONS = 20

export interface CheckedDay {
  readonly mediumId: bigint
  readonly day: Day
  readonly begun: number
  readonly ended: number
  readonly isInCommon: boolean
}

/** Days without a check that one run catches up with. */
const MAX_CATCH_UP_DAYS = 7

/**
 * Checks every past day of every medium that was delivered and is unchecked. Each day is one transaction, which stores the
 * findings and the checked day, and enqueues the emails. Does nothing while deliveries are still arriving.
 */
export async function checkAnomalies(
  dependencies: AnomalyCheckDependencies,
  signal?: AbortSignal,
): Promise<readonly CheckedDay[]> {
  const { stats, database, clock } = dependencies
  if (!(await haveDeliveriesSettled(dependencies))) return []
  const media = await stats.query(mediaUntil(addDays(today(clock), -1)))
  const known = await database.inScope(SYSTEM, tx =>
    tx
      .selectFrom('media as m')
      .leftJoin('figureAlertChecks as c', 'c.mediumId', 'm.id')
      .select(['m.id', 'c.checkedUntil'])
      .execute(),
  )
  const checked: CheckedDay[] = []
  for (const { id, checkedUntil } of known) {
    const until = media.find(row => row.medium_id === id)?.data_until as Day | undefined
    for (const day of until ? daysToCheck(checkedUntil, until) : []) {
      signal?.throwIfAborted()
      const one = await checkDay(dependencies, id, day, signal)
      if (one) checked.push(one)
    }
  }
  return checked
}

/** A medium's first check looks only at its last day, because old anomalies are no news. */
function daysToCheck(checkedUntil: Day | null, until: Day): Day[] {
  const behind = checkedUntil === null ? 1 : Math.min(daysBetween(checkedUntil, until), MAX_CATCH_UP_DAYS)
  return Array.from({ length: Math.max(0, behind) }, (_, index) => addDays(until, index + 1 - behind))
}

async function checkDay(
  dependencies: AnomalyCheckDependencies,
  mediumId: bigint,
  day: Day,
  signal: AbortSignal | undefined,
): Promise<CheckedDay | undefined> {
  const compared = comparedDays(day)
  const { rows, delivered } = await dependencies.stats.snapshot(async run => ({
    rows: await run(publisherDays(mediumId, [day, ...compared])),
    delivered: await run(deliveredDays({ from: compared.at(-1)!, to: day }, [mediumId])),
  }))
  const days = new Set(delivered.map(row => row.date as Day))
  const known = compared.filter(one => days.has(one))
  // Explained outside the transaction below, whose row lock others wait for. The findings are computed again under the lock.
  const expected = days.has(day)
    ? await dependencies.database.inScope(SYSTEM, tx => findIn(tx, mediumId, day, rows, known), { readOnly: true })
    : undefined
  const reasons = await readReasons(dependencies, mediumId, day, expected?.begun ?? [], signal)
  return dependencies.database.inScope(SYSTEM, async tx => {
    await tx
      .insertInto('figureAlertChecks')
      .values({ mediumId, checkedUntil: addDays(day, -1) })
      .onConflict(conflict => conflict.doNothing())
      .execute()
    const { checkedUntil } = await tx
      .selectFrom('figureAlertChecks')
      .select('checkedUntil')
      .where('mediumId', '=', mediumId)
      .forUpdate()
      .executeTakeFirstOrThrow()
    // Another process has checked this day meanwhile.
    if (checkedUntil >= day) return undefined
    await tx.updateTable('figureAlertChecks').set({ checkedUntil: day }).where('mediumId', '=', mediumId).execute()
    // The medium delivered nothing for the day, so its publishers cannot be judged.
    if (!days.has(day)) return undefined
    const findings = await findIn(tx, mediumId, day, rows, known)
    await keep(tx, mediumId, day, findings)
    await notifyAnomalies(dependencies, tx, mediumId, day, findings.begun, reasons)
    return {
      ...{ mediumId, day, begun: findings.begun.length },
      ...{ ended: findings.ended.length, isInCommon: findings.isInCommon },
    }
  })
}

async function readReasons(
  { readReason, ...sources }: AnomalyCheckDependencies,
  mediumId: bigint,
  day: Day,
  begun: readonly FoundAnomaly[],
  signal: AbortSignal | undefined,
): Promise<Reasons> {
  const reasons = new Map<string, string>()
  for (const found of begun.slice(0, MAX_REASONS)) {
    const reason = await readReason(sources, { ...found, mediumId, day }, signal)
    if (reason !== undefined) reasons.set(reasonKey(found), reason)
  }
  return reasons
}

async function findIn(tx: Transaction, mediumId: bigint, day: Day, rows: readonly Row[], known: readonly Day[]) {
  const watched = await tx.selectFrom('publishers').select('id').where('enabled', '=', true).execute()
  const goingOn = await tx
    .selectFrom('figureAlerts')
    .select(['id', 'publisherId', 'figure', 'direction'])
    .where('mediumId', '=', mediumId)
    .where('endedOn', 'is', null)
    .execute()
  return findAnomalies(
    day,
    rows,
    known,
    new Set(watched.map(({ id }) => id)),
    goingOn.map((open): GoingOn => {
      const [figure, direction] = [open.figure as WatchedFigure, open.direction as ChangeDirection]
      return { ...open, figure, direction }
    }),
  )
}

async function keep(tx: Transaction, mediumId: bigint, day: Day, { begun, goneOn, ended }: DayFindings): Promise<void> {
  for (const [id, { value, usual }] of goneOn) {
    await tx.updateTable('figureAlerts').set({ lastOn: day, value, usual }).where('id', '=', id).execute()
  }
  if (ended.length > 0) {
    await tx.updateTable('figureAlerts').set({ endedOn: day }).where('id', 'in', ended).execute()
  }
  if (begun.length > 0) {
    const alerts = begun.map(found => ({ ...found, mediumId, beganOn: day, lastOn: day }))
    await tx.insertInto('figureAlerts').values(alerts).execute()
  }
}
