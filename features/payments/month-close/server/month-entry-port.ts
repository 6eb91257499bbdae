import { isActiveIn } from '@pc/domain/agreement/agreement-terms.ts'
import type { PoolKind } from '@pc/domain/agreement/revenue-share.ts'
import { firstDayOf, lastDayOf } from '@pc/domain/month/year-month.ts'
import type { CloseRefusal } from '@pc/domain/payment/close-refusal.ts'
import { ok, type Result } from '@pc/domain/result.ts'
import type { PoolCandidate, RuleKey } from '@pc/domain/settlement/pool-allocation.ts'
import type { PoolWeight } from '@pc/domain/settlement/settlement-input.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { paymentSettingsOf } from '@pc/platform/postgres/payment-settings.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import { ident, sql, sumInt, table } from '@pc/platform/stats/sql.ts'
import { type CloseLogEntry, logClose } from '../../core/server/close-log.ts'
import { beforeBooks } from '../../core/server/first-month.ts'
import { earningAgreements } from '../../core/server/load-month.ts'
import { readAgreementsOf } from '../../core/server/month-agreements.ts'
import { readDataVersion } from '../../core/server/month-books.ts'
import type { MonthKey } from '../../core/server/month-key.ts'
import { lockMonth } from '../../core/server/save-month.ts'
import { COMPUTE_JOB } from './compute-job.ts'
import { correctionRebooked, correctionsTurnedBack, monthsOfUnbookedCorrections } from './late-corrections.ts'
import { LATE_FIGURES_JOB } from './late-figures-job.ts'
import { readOriginMonths } from './origin-months.ts'

/** What entries of a month need of it: its lock, its rules, its weights, and to be computed anew afterwards. */
export interface MonthDesk {
  /** Locks the month until the transaction ends; whether it is finalised. */
  lock(tx: Transaction, key: MonthKey): Promise<{ readonly isFinalized: boolean }>
  /** Why nothing can be entered for the month any more: the medium's books begin with a later one. */
  beforeBooks: typeof beforeBooks
  /** The draft no longer fits: the month is open until it is computed again, which is enqueued. */
  inputChanged(tx: Transaction, key: MonthKey): Promise<void>
  rules(tx: Transaction, key: MonthKey): Promise<MonthRules>
  /** The earlier months that a csv row of each of these agreements may name. */
  originMonths: typeof readOriginMonths
  /** Corrections of closed months that a reset has turned back, in their order. */
  correctionsTurnedBack: typeof correctionsTurnedBack
  correctionRebooked: typeof correctionRebooked
  /** Corrections that failed, or were turned back and not booked again, are entered anew; enqueued. */
  enterMissingCorrections(tx: Transaction, key: MonthKey): Promise<void>
  /** The weights of a kind of pool from the statistics; who earns a publisher's figures has its weight. */
  weights(
    tx: Transaction,
    key: MonthKey,
    kind: PoolKind,
    rules: MonthRules,
  ): Promise<Result<MonthWeights, CloseRefusal>>
  log(tx: Transaction, entry: CloseLogEntry): Promise<void>
}

export interface MonthRules {
  /** Rules that may take part in pools. */
  readonly candidates: readonly PoolCandidate[]
  /** Every rule that a correction may name. */
  readonly known: readonly RuleKey[]
  readonly agreements: Awaited<ReturnType<typeof readAgreementsOf>>
}
export interface MonthWeights {
  readonly weights: readonly PoolWeight[]
  readonly dataVersion: string
}

export function monthEntryPort({ jobs, stats }: { readonly jobs: Jobs; readonly stats: StatsStore }): MonthDesk {
  return {
    // A month before the books has no row of its own, and takes no entries like one that is final.
    async lock(tx, key) {
      if (await beforeBooks(tx, key)) return { isFinalized: true }
      const { state } = await lockMonth(tx, key)
      return { isFinalized: state === 'finalized' || state === 'paid' }
    },
    beforeBooks,
    async inputChanged(tx, key) {
      await tx
        .updateTable('monthStates')
        .set(eb => ({ state: 'open', inputSeq: eb('inputSeq', '+', 1n) }))
        .where('mediumId', '=', key.mediumId)
        .where('month', '=', key.month)
        .execute()
      await jobs.enqueue(tx, COMPUTE_JOB, { mediumId: key.mediumId.toString(), month: key.month })
    },
    async rules(tx, key) {
      const agreements = await readAgreementsOf(tx, key)
      return {
        agreements,
        known: agreements.flatMap(({ agreementId, rules }) =>
          rules.map(({ publisherId }) => ({ agreementId, publisherId })),
        ),
        candidates: agreements
          .filter(each => isActiveIn(key.month, each.terminatedOn))
          .flatMap(({ agreementId, rules }) => rules.map(rule => ({ agreementId, rule }))),
      }
    },
    async weights(tx, key, kind, rules) {
      const earners = earningAgreements(key, rules.agreements)
      if (!earners.ok) return earners
      const dataVersion = await readDataVersion(tx, key.month)
      const figures = await readFigures(stats, key, await weightColumn(tx, key, kind))
      const weights = figures.flatMap(({ publisherId, weight }): PoolWeight[] => {
        const agreementId = earners.value.get(publisherId)
        return agreementId === undefined || weight <= 0n ? [] : [{ agreementId, publisherId, weight }]
      })
      return ok({ weights, dataVersion })
    },
    originMonths: readOriginMonths,
    correctionsTurnedBack,
    correctionRebooked,
    async enterMissingCorrections(tx, key) {
      const months = await monthsOfUnbookedCorrections(tx, key)
      if (months.length > 0) await jobs.enqueue(tx, LATE_FIGURES_JOB, { months })
    },
    log: logClose,
  }
}

async function weightColumn(tx: Transaction, key: MonthKey, kind: PoolKind): Promise<string> {
  const row = await paymentSettingsOf(tx, key.month).executeTakeFirstOrThrow()
  return { ssp: row.sspWeight, ssp_video: row.videoSspWeight, ssp_live: row.liveSspWeight }[kind]
}

async function readFigures(
  stats: StatsStore,
  { mediumId, month }: MonthKey,
  column: string,
): Promise<readonly { readonly publisherId: bigint; readonly weight: bigint }[]> {
  const isOfVideos = column === 'video_watch3s'
  const rows = await stats.query(
    sql`select publisher_id as publisher, cast(${sumInt(ident(isOfVideos ? 'watch3s' : column))} as bigint) as figure
      from ${table(isOfVideos ? 'video_day' : 'publisher_day')}
      where medium_id = ${mediumId} and date between ${firstDayOf(month)} and ${lastDayOf(month)}
      group by publisher_id order by publisher_id`,
    { timeoutMs: 60_000 },
  )
  return rows.map(row => ({ publisherId: row.publisher as bigint, weight: row.figure as bigint }))
}
