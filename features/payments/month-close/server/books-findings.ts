import { rolesOf } from '@pc/domain/access/role-duties.ts'
import { POOL_KINDS, type PoolKind } from '@pc/domain/agreement/revenue-share.ts'
import { formatYen, sumBy } from '@pc/domain/money/yen.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { addMonths, formatYearMonth, type YearMonth } from '@pc/domain/month/year-month.ts'
import { isSolePreparer, type Preparers } from '@pc/domain/payment/finalize-guard.ts'
import { jobKindLabel, jobText } from '@pc/domain/payment/job-text.ts'
import type { Refusal } from '@pc/domain/refusal.ts'
import { type RefusalCode, refusalMessageJa } from '@pc/domain/refusal-messages.ja.ts'
import { TRANSFER_DESTINATION_LABELS_JA } from '@pc/domain/transfer/transfer-destination-labels.ja.ts'
import { uidsWithRoles } from '@pc/platform/mail/people-with-roles.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import { sql } from 'kysely'
import { ingestCondition } from '../../../ingest/ingest-condition.ts'
import { INGEST_BATCHES_PATH } from '../../../ingest/links.ts'
import { PAYMENT_SETTINGS_PATH } from '../../../payment-settings/links.ts'
import type { MonthKey } from '../../core/server/month-key.ts'
import { readCountedOpenings } from '../../core/server/month-opening-balances.ts'
import {
  missingDays,
  type readJobs,
  readStatisticsNeed,
  type StatisticsNeed,
  unfinishedIngest,
  unresolvedFailures,
} from '../../core/server/month-readiness.ts'
import { daysOf, readOwnAdsTotal } from '../../core/server/month-statistics.ts'
import { unknownPrices } from '../../core/server/transfer-settings.ts'
import { agreementText, namedRow, withNames } from './board-names.ts'
import { amber, exampleText, type Finding, green, red, waiting } from './close-finding.ts'
import type { DraftFacts } from './draft-facts.ts'

/** The stored state of the month's computation. */
export interface StateRow {
  readonly state: string
  readonly inputHash: string | null
  readonly dataVersion: string | null
  readonly booksVersion: string | null
  readonly computedAt: Date | null
  readonly computedByUid: string | null
}

export function closeLink({ month }: MonthKey, shift = 0): string {
  return `/adjustments/dividend/month=${formatYearMonth(addMonths(month, shift))}`
}

export async function statisticsFinding(tx: Transaction, stats: StatsStore, key: MonthKey): Promise<Finding> {
  const ingest = await unfinishedIngest(tx, key.month)
  if (ingest === 'running') return red('ingest-running', '統計を取り込んでいます。終わるまでお待ちください。', null)
  if (ingest === 'failed')
    return red(
      'ingest-failed',
      '完了していない統計の取り込みがあります。「取り込み履歴」で、送り直すか中止してください。',
      INGEST_BATCHES_PATH,
    )
  const need = await readStatisticsNeed(tx, key)
  const missing = await missingDays(stats, key, need)
  if (missing.length === 0) return arrivedFinding(stats, key, need)
  // The link shows all deliveries since the first missing day, also refused ones, which have to be sent again.
  const since = { ...ingestCondition.defaults, mediumId: key.mediumId.toString(), from: missing[0] as Day }
  const link = `${INGEST_BATCHES_PATH}/${ingestCondition.format(since)}`
  if (missing.length === daysOf(key.month).length) {
    const detail = 'この月の統計（パブリッシャーの日別）が届いていません。支払額はこのデータから計算します。'
    return red('statistics-missing', `${detail}記事や動画の統計だけでは0円になります。取り込んでください。`, link)
  }
  const days = missing.slice(0, 5).join('、') + (missing.length > 5 ? ' ほか' : '')
  const detail = `統計（パブリッシャーの日別）が${missing.length}日分届いていません（${days}）。取り込んでください。`
  return red('statistics-days-missing', detail, link)
}

async function arrivedFinding(stats: StatsStore, key: MonthKey, { sharesOwnAds }: StatisticsNeed): Promise<Finding> {
  if (!sharesOwnAds) return green('統計の不足はありません。')
  if ((await readOwnAdsTotal(stats, key)) !== 0n) return green('すべての日の統計が届いています。')
  const detail = 'すべての日の統計が届いていますが、広告収益がすべて0円です。送信元の設定を確認してください。'
  return amber('own-ads-zero', detail, INGEST_BATCHES_PATH)
}

export function jobsFinding(key: MonthKey, jobs: Awaited<ReturnType<typeof readJobs>>): Finding {
  const unfinished = jobs.filter(job => job.jobStatus === 'pending' || job.jobStatus === 'running')
  if (unfinished.length > 0)
    return red('jobs-unfinished', `処理が${unfinished.length}件終わっていません。`, closeLink(key))
  const failed = unresolvedFailures(jobs)
  if (failed.length > 0) {
    return red(
      'jobs-failed',
      `失敗した処理が${failed.length}件あります。内容を直して登録し直すか、取り下げてください。`,
      closeLink(key),
    )
  }
  return green(jobs.length === 0 ? '処理はありません。' : `${jobs.length}件すべて終わっています。`)
}

export async function computedFinding(
  tx: Transaction,
  key: MonthKey,
  { refusals, isFresh, agreements }: DraftFacts,
  state: StateRow | undefined,
): Promise<Finding> {
  if (refusals.length > 0) {
    const named = await withNames(tx, refusals.slice(0, 3))
    return red('not-computable', named.map(refusalMessageJa).join(' '), '/managements/agreements')
  }
  if (isFresh) {
    return proposedRulesFinding(tx, key, await openingFinding(tx, key, green(`契約${agreements}件を計算しました。`)))
  }
  const wasComputed = state !== undefined && state.inputHash !== null
  return wasComputed
    ? red('draft-outdated', '計算後にデータが変わりました。計算し直してください。', closeLink(key))
    : red('not-computed', 'まだ計算されていません。計算してください。', closeLink(key))
}

/**
 * Warns when the month would be the first to close under a rule version whose first month an upgrade has proposed and
 * nobody has confirmed. Once a month is closed under it, the first month is fixed.
 */
async function proposedRulesFinding(tx: Transaction, { month }: MonthKey, computed: Finding): Promise<Finding> {
  const proposed = await tx
    .selectFrom('settlementRules')
    .select('validFromMonth')
    .where('isProposed', '=', true)
    .where('validFromMonth', '<=', month)
    .where(eb => {
      const closed = eb
        .selectFrom('monthStates')
        .select('month')
        .where('state', 'in', ['finalized', 'paid'])
        .whereRef('month', '>=', 'settlementRules.validFromMonth')
      return eb.not(eb.exists(closed))
    })
    .executeTakeFirst()
  if (!proposed) return computed
  const first = formatYearMonth(proposed.validFromMonth as YearMonth)
  const detail = `${computed.detail}返還の計算方法が${first}分から変わります（更新時の設定）。支払設定の「返還の計算」で確認してください。`
  const found = amber('rules-proposed', detail, PAYMENT_SETTINGS_PATH)
  return { ...found, kinds: [...computed.kinds, ...found.kinds] }
}

/**
 * Adds the opening balances that this month carries over, for comparison with the previous system's total, and warns of
 * those that count only in a later month.
 */
async function openingFinding(tx: Transaction, key: MonthKey, computed: Finding): Promise<Finding> {
  const openings = await readCountedOpenings(tx, key)
  const total = formatYen(sumBy(openings, balance => balance.amountYen))
  const counted = `期首残高${openings.length}件、合計${total}円をこの月に繰り越しました。`
  const { rows } = await sql<{ waiting: bigint; first: YearMonth | null }>`
    select count(*) as waiting, min(o.booked_month) as first
    from opening_balances o join agreements a on a.id = o.agreement_id
    where a.medium_id = ${key.mediumId} and o.booked_month > ${key.month}`.execute(tx)
  const { waiting, first } = rows[0]!
  const detail = `${computed.detail}${openings.length === 0 ? '' : counted}`
  if (first === null) return { ...computed, detail }
  const later = `引継月が${formatYearMonth(first)}以降の期首残高が${waiting}件あり、この月には入りません。`
  return amber('openings-later', detail + later, null)
}

interface PoolRow {
  readonly kind: PoolKind
  readonly enteredOn: Day
  readonly poolYen: bigint
  readonly allocatedYen: bigint
}

/**
 * Checks that the ledger lines of each pool sum to the pool, and that no kind of pool of last month is missing.
 * Tested by `features/payments/month-close/server/close-rules.test.ts`.
 */
export async function poolsFinding(tx: Transaction, key: MonthKey): Promise<Finding> {
  const { rows } = await sql<PoolRow>`
    select d.id, d.kind, d.created_at::date as entered_on, d.extra_revenue_yen as pool_yen, coalesce(sum(l.allocated_yen), 0)::bigint as allocated_yen
    from dividends d left join dividend_ledger_lines l
      on l.dividend_id = d.id and l.booking = d.booking and l.reverses_dividend_id is null
    where d.medium_id = ${key.mediumId} and d.month = ${key.month} and d.kind in ('ssp', 'ssp_video', 'ssp_live')
      and d.job_status = 'success' and d.reversed_by_dividend_id is null
    group by d.id order by d.id`.execute(tx)
  const [wrong] = rows.filter(row => row.poolYen !== row.allocatedYen)
  if (wrong) {
    const detail = `${jobText(wrong)}の配分額が原資と一致しません。取り消してから登録し直してください。`
    return red('pool-mismatch', detail, closeLink(key))
  }
  const gone = await poolsOfLastMonthOnly(tx, key, rows)
  if (gone.length > 0) {
    const detail = `前月に登録した${gone.map(kind => `「${jobKindLabel(kind)}」`).join('・')}が、この月にはありません。登録漏れがないか確認してください。`
    return amber('pool-gone', detail, closeLink(key), gone.join('\n'))
  }
  const total = sumBy(rows, row => row.poolYen)
  return green(
    rows.length === 0 ? '配分はありません。' : `${rows.length}件、${total.toLocaleString('ja-JP')}円が一致しています。`,
  )
}

/** Kinds of pools that were allocated last month but not in this one. They may have been forgotten. */
async function poolsOfLastMonthOnly(tx: Transaction, { mediumId, month }: MonthKey, present: readonly PoolRow[]) {
  const before = await tx
    .selectFrom('dividends')
    .select('kind')
    .distinct()
    .where('mediumId', '=', mediumId)
    .where('month', '=', addMonths(month, -1))
    .where('jobStatus', '=', 'success')
    .where('reversedByDividendId', 'is', null)
    .execute()
  const kinds = new Set(before.map(({ kind }) => kind))
  return POOL_KINDS.filter(kind => kinds.has(kind) && !present.some(row => row.kind === kind))
}

/** @param computedAt when the current draft was computed; null: there is none, and a check of an earlier draft is void */
export async function invariantsFinding(tx: Transaction, key: MonthKey, computedAt: Date | null): Promise<Finding> {
  const run = await tx
    .selectFrom('invariantRuns')
    .selectAll()
    .where('mediumId', '=', key.mediumId)
    .where('month', '=', key.month)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (run && run.violations > 0) {
    const first = await tx
      .selectFrom('invariantViolations')
      .selectAll()
      .where('runId', '=', run.id)
      .orderBy('number')
      .limit(1)
      .executeTakeFirst()
    const example = first ? `${first.invariant} ${await namedRow(tx, first.rowName)}：${first.detail}` : ''
    return red('invariant-violated', `不一致が${run.violations}件あります。${example}`, closeLink(key))
  }
  if (!run || computedAt === null || run.ranAt < computedAt) return waiting('計算後に検査します。')
  return green('不一致はありません。')
}

/** Whether every statement of the draft has all its fields; otherwise the close could not issue it. */
export async function statementsFinding(
  tx: Transaction,
  key: MonthKey,
  reasons: readonly Refusal<RefusalCode>[],
): Promise<Finding> {
  const first = reasons[0]
  if (!first) return green(`支払通知書に必要な項目がそろっています。${await unnotifiedText(tx, key)}`)
  const agreements = new Set(reasons.flatMap(({ data }) => data.agreementId ?? []))
  const text = await namedText(tx, first)
  const isOfBank = first.code === 'transfer/source-missing'
  if (agreements.size === 0)
    return red('statement-settings', text, isOfBank ? PAYMENT_SETTINGS_PATH : '/histories/statements')
  const [agreementId] = agreements
  const example = await exampleOf(tx, agreements)
  const detail = `支払通知書を作成できない契約が${agreements.size}件あります（${example}）。${text}`
  return red('statement-incomplete', detail, `/managements/agreements/edit/${agreementId}`)
}

/** Names payees without a user to notify, whose statements silence will not confirm. It does not stop the close. */
async function unnotifiedText(tx: Transaction, { mediumId, month }: MonthKey): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select distinct o.name, o.id from monthly_payments p join organizations o on o.id = p.organization_id
    where p.medium_id = ${mediumId} and p.month = ${month} and p.payment_yen > 0 and not exists (${uidsWithRoles(sql`o.id`, rolesOf('publisher', 'administers'))})
    order by o.id`.execute(tx)
  const [first] = rows
  if (!first) return ''
  const example = exampleText(`「${first.name}」`, rows.length)
  return `通知先がありません：${rows.length}件の支払先（${example}）にユーザーがいないため、通知もみなし確認もされません。送付したら、支払通知書の画面で記録してください。`
}

async function namedText(tx: Transaction, refusal: Refusal<RefusalCode>): Promise<string> {
  const [named] = await withNames(tx, [refusal])
  return refusalMessageJa(named ?? refusal)
}

async function exampleOf(tx: Transaction, agreementIds: ReadonlySet<string | number>): Promise<string> {
  const [first = ''] = agreementIds
  return exampleText(await agreementText(tx, BigInt(first)), agreementIds.size)
}

export const isOfFees = ({ code }: Refusal<RefusalCode>) => code === 'transfer/fee-unknown'

/** A payee that bears the fee sees it on the statement, so a missing price prevents the close. */
export async function feesFinding(
  tx: Transaction,
  key: MonthKey,
  missing: readonly Refusal<RefusalCode>[],
): Promise<Finding> {
  const [first] = missing
  if (!first) return pricesFinding(tx, key)
  const agreements = new Set(missing.flatMap(({ data }) => data.agreementId ?? []))
  const example = await exampleOf(tx, agreements)
  const detail = `振込手数料が分からない契約が${agreements.size}件あります（${example}）。${await namedText(tx, first)}`
  return red('fee-unknown', detail, PAYMENT_SETTINGS_PATH)
}

/** Warns of missing prices of transfers whose fee the platform bears: the month can close, but they cannot be planned. */
async function pricesFinding(tx: Transaction, key: MonthKey): Promise<Finding> {
  const prices = await unknownPrices(tx, key)
  const [first] = prices
  if (!first) return green('必要な振込手数料は登録されています。')
  const where = prices.map(({ destination }) => TRANSFER_DESTINATION_LABELS_JA[destination]).join('・')
  const detail = `振込元の銀行（${first.bankCode}）の${where}の振込手数料が登録されていません。登録するまで振込データを作成できません。`
  return amber('fee-prices-missing', detail, PAYMENT_SETTINGS_PATH)
}

export function personFinding(
  { refusals, needsTwoPersons }: DraftFacts,
  preparers: Preparers,
  viewerUid: string,
): Finding {
  if (refusals.length > 0 || !needsTwoPersons) return green('準備した人が確定できます。')
  const { preparerUids, removerUids } = preparers
  if (preparerUids.length + removerUids.length === 0) return green('金額を登録・変更した人はいません。')
  if (!isSolePreparer(preparers, viewerUid)) return green('別の人が準備しました。')
  return red(
    'same-person',
    '金額を準備した人（調整、契約の条件、期首残高などの登録・取り消しと計算）とは別の人が確定してください。確定できる人がほかにいない場合は、支払設定の「支払の基準」で二者確認を不要にできます。',
    PAYMENT_SETTINGS_PATH,
  )
}
