import { type Clock, thisMonth, today } from '@pc/platform/clock.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import type { MonthKey } from '../../core/server/month-key.ts'
import { isPreviousMonthFinalized, readFirstDay, type readJobs } from '../../core/server/month-readiness.ts'
import { accountsFinding } from './accounts-finding.ts'
import { amountsFinding } from './amounts-finding.ts'
import {
  closeLink,
  computedFinding,
  invariantsFinding,
  jobsFinding,
  poolsFinding,
  type StateRow,
  statisticsFinding,
} from './books-findings.ts'
import { type Finding, green, red, waiting } from './close-finding.ts'
import type { DraftFacts } from './draft-facts.ts'
import { lateCorrectionsFinding } from './late-corrections-finding.ts'
import { lawFinding } from './law-finding.ts'
import { registrationFinding } from './registration-finding.ts'

/** The checks of the board, in its order. */
export const CHECK_LABELS = {
  month_over: '月の終了',
  previous_month: '前月の確定',
  statistics: '統計の到着',
  jobs: '処理の完了',
  late_corrections: '確定後の差額',
  agreements: '契約の計算',
  pools: '配分の一致',
  accounts: '振込口座',
  registrations: '登録番号',
  law: '取引の法令',
  amounts: '金額の変動',
  invariants: '自動検査',
  statements: '支払通知書',
  transfer_fees: '振込手数料',
  second_person: '二者確認',
} as const
export type CheckKind = keyof typeof CHECK_LABELS
/** Tested by `scenarios/close-refuses-red.test.ts`. */
export const CHECK_KINDS = Object.keys(CHECK_LABELS) as CheckKind[]

/**
 * Checks that the close makes itself: it generates the statements, and it knows who closes. All others it takes from
 * {@link readFindings}, as the board does.
 */
type CheckOfTheClose = 'statements' | 'transfer_fees' | 'second_person'
export type Findings = Readonly<Record<Exclude<CheckKind, CheckOfTheClose>, Finding>>
/** Without the checks of statistics, which a close prepares before its transaction begins. */
export type FindingsOfBooks = Omit<Findings, 'previous_month' | 'statistics'>

interface MonthFacts {
  readonly draft: DraftFacts
  readonly jobs: Awaited<ReturnType<typeof readJobs>>
  readonly state: StateRow | undefined
}

/** All checks of an open month. The board shows them, and a red finding refuses the close. */
export async function readFindings(
  tx: Transaction,
  parts: { readonly stats: StatsStore; readonly clock: Clock },
  key: MonthKey,
  facts: MonthFacts,
): Promise<Findings> {
  const { stats } = parts
  return {
    previous_month: (await isPreviousMonthFinalized(tx, key, await readFirstDay(stats, key)))
      ? green((await isFirstToClose(tx, key)) ? '最初に締める月です。' : '前月は確定しています。')
      : red('previous-month-open', '前の月がまだ確定していません。', closeLink(key, -1)),
    statistics: await statisticsFinding(tx, stats, key),
    ...(await readFindingsOfBooks(tx, parts, key, facts)),
  }
}

/**
 * {@link readFindings} without the checks that the close has prepared. Statistics are read only when a correction has
 * failed.
 */
export async function readFindingsOfBooks(
  tx: Transaction,
  { stats, clock }: { readonly stats: StatsStore; readonly clock: Clock },
  key: MonthKey,
  { draft, jobs, state }: MonthFacts,
): Promise<FindingsOfBooks> {
  const { isFresh } = draft
  return {
    month_over:
      thisMonth(clock) > key.month
        ? green('月は終わっています。')
        : red('month-not-over', '月が終わっていません。翌月に確定できます。', null),
    jobs: jobsFinding(key, jobs),
    late_corrections: await lateCorrectionsFinding(tx, stats, key),
    agreements: await computedFinding(tx, key, draft, state),
    pools: await poolsFinding(tx, key),
    accounts: await accountsFinding(tx, key),
    registrations:
      draft.refusals.length === 0
        ? await registrationFinding(tx, key, draft.claims)
        : waiting('計算してから確認します。'),
    law: isFresh ? await lawFinding(tx, key, today(clock)) : waiting('計算してから確認します。'),
    amounts: isFresh ? await amountsFinding(tx, key) : waiting('計算してから確認します。'),
    invariants: await invariantsFinding(tx, key, isFresh ? (state?.computedAt ?? null) : null),
  }
}

async function isFirstToClose(tx: Transaction, { mediumId, month }: MonthKey): Promise<boolean> {
  const before = await tx
    .selectFrom('monthClosings')
    .select('month')
    .where('mediumId', '=', mediumId)
    .where('month', '<', month)
    .limit(1)
    .executeTakeFirst()
  return before === undefined
}
