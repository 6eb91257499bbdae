import { isActiveIn } from '@pc/domain/agreement/agreement-terms.ts'
import type { PoolKind } from '@pc/domain/agreement/revenue-share.ts'
import { firstDayOf, lastDayOf } from '@pc/domain/month/year-month.ts'
import { isFinalMonth } from '@pc/domain/payment/payment-states.ts'
import { ok } from '@pc/domain/result.ts'
import type { PoolWeight } from '@pc/domain/settlement/settlement-input.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { paymentSettingsOf } from '@pc/platform/postgres/payment-settings.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import { ident, sql, sumInt, table } from '@pc/platform/stats/sql.ts'
import { logClose } from '../../core/server/close-log.ts'
import { beforeBooks } from '../../core/server/first-month.ts'
import { earningAgreements } from '../../core/server/load-month.ts'
import { readAgreementsOf } from '../../core/server/month-agreements.ts'
import { readDataVersion } from '../../core/server/month-books.ts'
import type { MonthEntryPort, MonthRules } from '../../core/server/month-entry-port.ts'
import type { MonthKey } from '../../core/server/month-key.ts'
import { lockMonth } from '../../core/server/save-month.ts'
import { COMPUTE_JOB } from './compute-job.ts'
import { correctionRebooked, monthsOfUnbookedCorrections, reversedCorrections } from './late-corrections.ts'
import { LATE_FIGURES_JOB } from './late-figures-job.ts'
import { keepOpeningBalances, readOriginMonths } from './origin-months.ts'

type RulesOfMonth = MonthRules & { readonly agreements: Awaited<ReturnType<typeof readAgreementsOf>> }

export function monthEntryAdapter({
  jobs,
  stats,
}: {
  readonly jobs: Jobs
  readonly stats: StatsStore
}): MonthEntryPort<RulesOfMonth> {
  return {
    // A month before the books has no row and takes no entries, like a finalised one.
    async lock(tx, key, agreementIds = []) {
      await keepOpeningBalances(tx, agreementIds)
      if (await beforeBooks(tx, key)) return { isFinalized: true }
      const { state } = await lockMonth(tx, key)
      return { isFinalized: isFinalMonth(state) }
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
    reversedCorrections: reversedCorrections,
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
