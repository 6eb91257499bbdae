import { formatYen, sumBy } from '@pc/domain/money/yen.ts'
import { addMonths } from '@pc/domain/month/year-month.ts'
import {
  COMPARED_MONTHS,
  isUnusual,
  medianYen,
  UNUSUAL_AGREEMENT,
  UNUSUAL_MEDIUM,
  type UnusualFrom,
} from '@pc/domain/settlement/usual-amount.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { type RawBuilder, sql } from 'kysely'
import type { MonthKey } from '../../core/server/month-key.ts'
import { PAYMENTS_BY_AGREEMENT_PATH } from '../../links.ts'
import { paymentCondition } from '../../payment-condition.ts'
import { agreementText } from './board-names.ts'
import { amber, combineFindings, exampleText, type Finding, green } from './close-finding.ts'

/** An amount of an agreement or of the whole medium: of this month, and of the final months before it. */
interface Amount {
  readonly yen: bigint
  readonly historyYen: readonly bigint[]
}
/**
 * `earned`: revenue and adjustments of the month. `paid`: the payment, which also contains amounts carried over from
 * earlier months and opening balances.
 */
type Measure = 'earned' | 'paid'
interface AgreementAmounts extends Readonly<Record<Measure, Amount>> {
  readonly agreementId: bigint
}
type Totals = Readonly<Record<Measure, Amount>>

const AGREEMENT_RULE = `過去${COMPARED_MONTHS.most}か月の中央値の${UNUSUAL_AGREEMENT.factor}倍を超えるか${UNUSUAL_AGREEMENT.factor}分の1を下回り、差が${formatYen(UNUSUAL_AGREEMENT.differenceYen)}円以上`
const MEDIUM_RULE = `過去${COMPARED_MONTHS.most}か月の中央値の${UNUSUAL_MEDIUM.factor}倍を超えるか${UNUSUAL_MEDIUM.factor}分の1を下回り、差が${formatYen(UNUSUAL_MEDIUM.differenceYen)}円以上`

/** Compares the totals of the draft, and the amounts of its agreements, with earlier months. */
export async function amountsFinding(tx: Transaction, key: MonthKey): Promise<Finding> {
  const rows = await readAmounts(tx, key)
  const totals = await readTotals(tx, key, rows)
  const found = [
    totalFinding(key, 'earned', rows, totals),
    totalFinding(key, 'paid', rows, totals),
    await agreementsFinding(tx, key, 'earned', rows),
    await agreementsFinding(tx, key, 'paid', rows),
  ]
  return combineFindings(
    found.filter(each => each !== undefined),
    green(
      totals.earned.historyYen.length < COMPARED_MONTHS.least
        ? '比べられる月がまだありません。'
        : 'いつもの額の範囲です。',
    ),
  )
}

/** Whether the amount is unusual. A payment that equals what was earned is not reported a second time. */
function isOdd(measure: Measure, amounts: Readonly<Record<Measure, Amount>>, from: UnusualFrom): boolean {
  const { yen, historyYen } = amounts[measure]
  if (!isUnusual(yen, historyYen, from)) return false
  return measure === 'earned' || yen !== amounts.earned.yen || !isOdd('earned', amounts, from)
}

const TOTAL_KIND = { earned: 'total-unusual', paid: 'total-paid-unusual' } as const
const AGREEMENT_KIND = { earned: 'agreements-unusual', paid: 'agreements-paid-unusual' } as const
const TOTAL: Readonly<Record<Measure, string>> = { earned: '媒体の収益の合計', paid: '媒体の支払額の合計' }
const OF_AGREEMENT: Readonly<Record<Measure, string>> = { earned: '収益', paid: '支払額' }
const CURE: Readonly<Record<Measure, string>> = {
  earned: '統計、料率、調整を確認してください。',
  paid: '期首残高、繰越、固定額と最低保証額を確認してください。',
}

/**
 * The subject contains every agreement's amount, so that the total has to be acknowledged again when money moves from
 * one payee to another.
 */
function totalFinding(
  key: MonthKey,
  measure: Measure,
  rows: readonly AgreementAmounts[],
  totals: Totals,
): Finding | undefined {
  if (!isOdd(measure, totals, UNUSUAL_MEDIUM)) return undefined
  const { yen, historyYen } = totals[measure]
  const detail = `${TOTAL[measure]}（${formatYen(yen)}円）が、いつもの額（${formatYen(medianYen(historyYen))}円）と大きく異なります（${MEDIUM_RULE}）。${CURE[measure]}`
  return amber(TOTAL_KIND[measure], detail, paymentsPath(key), `total ${measure}\n${amountsText(rows)}`)
}

async function agreementsFinding(
  tx: Transaction,
  key: MonthKey,
  measure: Measure,
  rows: readonly AgreementAmounts[],
): Promise<Finding | undefined> {
  const odd = rows.filter(row => isOdd(measure, row, UNUSUAL_AGREEMENT))
  const [first] = odd
  if (!first) return undefined
  const { yen, historyYen } = first[measure]
  const example = `${await agreementText(tx, first.agreementId)}：${formatYen(yen)}円、いつもは${formatYen(medianYen(historyYen))}円`
  const detail = `${OF_AGREEMENT[measure]}がいつもの額と大きく異なる契約が${odd.length}件あります（${exampleText(example, odd.length)}）。基準は、${AGREEMENT_RULE}です。${CURE[measure]}`
  return amber(AGREEMENT_KIND[measure], detail, paymentsPath(key), `${measure}\n${amountsText(odd)}`)
}

function amountsText(rows: readonly AgreementAmounts[]): string {
  return rows.map(({ agreementId, earned, paid }) => `${agreementId} ${earned.yen} ${paid.yen}`).join('\n')
}

function paymentsPath({ mediumId, month }: MonthKey): string {
  const condition = { ...paymentCondition.defaults, month, mediumId: mediumId.toString() }
  return `${PAYMENTS_BY_AGREEMENT_PATH}/${paymentCondition.format(condition)}`
}

const EARNED = sql`p.revenue_yen + p.manual_adjustment_revenue_yen`
const PAID = sql`p.payment_yen`

/** The amounts of each agreement of the month. Earlier final months come as one text of numbers separated by spaces. */
async function readAmounts(tx: Transaction, { mediumId, month }: MonthKey): Promise<readonly AgreementAmounts[]> {
  const now = (yen: RawBuilder<unknown>) => sql`sum(${yen}) filter (where p.month = ${month})::bigint`
  const before = (yen: RawBuilder<unknown>) =>
    sql`coalesce(string_agg((${yen})::text, ' ') filter (where p.month < ${month}), '')`
  const { rows } = await sql<{
    agreementId: bigint
    earnedYen: bigint
    paidYen: bigint
    earnedHistory: string
    paidHistory: string
  }>`
    select p.agreement_id, ${now(EARNED)} as earned_yen, ${now(PAID)} as paid_yen,
      ${before(EARNED)} as earned_history, ${before(PAID)} as paid_history
    from monthly_payments p
    where p.medium_id = ${mediumId} and p.month between ${addMonths(month, -COMPARED_MONTHS.most)} and ${month}
      and (p.month = ${month} or p.has_been_finalized)
    group by p.agreement_id having bool_or(p.month = ${month}) order by p.agreement_id`.execute(tx)
  return rows.map(row => ({
    agreementId: row.agreementId,
    earned: { yen: row.earnedYen, historyYen: amountsIn(row.earnedHistory) },
    paid: { yen: row.paidYen, historyYen: amountsIn(row.paidHistory) },
  }))
}

async function readTotals(
  tx: Transaction,
  { mediumId, month }: MonthKey,
  agreements: readonly AgreementAmounts[],
): Promise<Totals> {
  const { rows } = await sql<{ earned: string; paid: string }>`
    select coalesce(string_agg(m.earned::text, ' '), '') as earned, coalesce(string_agg(m.paid::text, ' '), '') as paid from (
      select sum(${EARNED}) as earned, sum(${PAID}) as paid from monthly_payments p
      where p.medium_id = ${mediumId} and p.month between ${addMonths(month, -COMPARED_MONTHS.most)} and ${addMonths(month, -1)}
        and p.has_been_finalized group by p.month) m`.execute(tx)
  const { earned = '', paid = '' } = rows[0] ?? {}
  return {
    earned: { yen: sumBy(agreements, row => row.earned.yen), historyYen: amountsIn(earned) },
    paid: { yen: sumBy(agreements, row => row.paid.yen), historyYen: amountsIn(paid) },
  }
}

function amountsIn(text: string): readonly bigint[] {
  return text === '' ? [] : text.split(' ').map(BigInt)
}
