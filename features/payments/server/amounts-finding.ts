import { formatYen, sumBy } from '@pc/domain/money/yen.ts'
import { addMonths } from '@pc/domain/month/year-month.ts'
import {
  COMPARED_MONTHS,
  isUnusual,
  medianYen,
  UNUSUAL_AGREEMENT,
  UNUSUAL_MEDIUM,
} from '@pc/domain/payment/usual-amount.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { PAYMENTS_BY_AGREEMENT_PATH } from '../links.ts'
import { paymentCondition } from '../payment-condition.ts'
import { agreementText } from './board-names.ts'
import { amber, combineFindings, exampleText, type Finding, green } from './close-finding.ts'
import type { MonthKey } from './month-key.ts'

/** What an agreement earned in the month and its adjustments, and in the final months before. */
interface AgreementAmounts {
  readonly agreementId: bigint
  readonly amountYen: bigint
  readonly historyYen: readonly bigint[]
}

const AGREEMENT_RULE = `過去${COMPARED_MONTHS.most}か月の中央値の${UNUSUAL_AGREEMENT.factor}倍を超えるか${UNUSUAL_AGREEMENT.factor}分の1を下回り、差が${formatYen(UNUSUAL_AGREEMENT.differenceYen)}円以上`
const MEDIUM_RULE = `過去${COMPARED_MONTHS.most}か月の中央値の${UNUSUAL_MEDIUM.factor}倍を超えるか${UNUSUAL_MEDIUM.factor}分の1を下回り、差が${formatYen(UNUSUAL_MEDIUM.differenceYen)}円以上`

/** The total of the draft and the amounts of its agreements against what is usual. */
export async function amountsFinding(tx: Transaction, key: MonthKey): Promise<Finding> {
  const rows = await readAmounts(tx, key)
  const totals = await readTotals(tx, key)
  const found = [totalFinding(key, rows, totals), await agreementsFinding(tx, key, rows)]
  return combineFindings(
    found.filter(each => each !== undefined),
    green(totals.length < COMPARED_MONTHS.least ? '比べられる月がまだありません。' : 'いつもの額の範囲です。'),
  )
}

/** The subject holds every amount: when money moves to another payee, the total has to be acknowledged again. */
function totalFinding(
  key: MonthKey,
  rows: readonly AgreementAmounts[],
  totals: readonly bigint[],
): Finding | undefined {
  const totalYen = sumBy(rows, row => row.amountYen)
  if (!isUnusual(totalYen, totals, UNUSUAL_MEDIUM)) return undefined
  const detail = `媒体の収益の合計（${formatYen(totalYen)}円）が、いつもの額（${formatYen(medianYen(totals))}円）と大きく異なります（${MEDIUM_RULE}）。統計と調整を確認してください。`
  return amber('total-unusual', detail, paymentsPath(key), `total\n${amountsText(rows)}`)
}

async function agreementsFinding(
  tx: Transaction,
  key: MonthKey,
  rows: readonly AgreementAmounts[],
): Promise<Finding | undefined> {
  const odd = rows.filter(row => isUnusual(row.amountYen, row.historyYen, UNUSUAL_AGREEMENT))
  const [first] = odd
  if (!first) return undefined
  const example = `${await agreementText(tx, first.agreementId)}：${formatYen(first.amountYen)}円、いつもは${formatYen(medianYen(first.historyYen))}円`
  const detail = `収益がいつもの額と大きく異なる契約が${odd.length}件あります（${exampleText(example, odd.length)}）。基準は、${AGREEMENT_RULE}です。統計、料率、調整を確認してください。`
  return amber('agreements-unusual', detail, paymentsPath(key), amountsText(odd))
}

function amountsText(rows: readonly AgreementAmounts[]): string {
  return rows.map(({ agreementId, amountYen }) => `${agreementId} ${amountYen}`).join('\n')
}

function paymentsPath({ mediumId, month }: MonthKey): string {
  const condition = { ...paymentCondition.defaults, month, mediumId: mediumId.toString() }
  return `${PAYMENTS_BY_AGREEMENT_PATH}/${paymentCondition.format(condition)}`
}

async function readAmounts(tx: Transaction, { mediumId, month }: MonthKey): Promise<readonly AgreementAmounts[]> {
  const { rows } = await sql<{ agreementId: bigint; amountYen: bigint; history: string }>`
    select p.agreement_id, sum(p.revenue_yen + p.manual_adjustment_revenue_yen) filter (where p.month = ${month})::bigint as amount_yen,
      coalesce(string_agg((p.revenue_yen + p.manual_adjustment_revenue_yen)::text, ' ') filter (where p.month < ${month}), '') as history
    from monthly_payments p
    where p.medium_id = ${mediumId} and p.month between ${addMonths(month, -COMPARED_MONTHS.most)} and ${month}
      and (p.month = ${month} or p.has_been_finalized)
    group by p.agreement_id having bool_or(p.month = ${month}) order by p.agreement_id`.execute(tx)
  return rows.map(({ history, ...row }) => ({ ...row, historyYen: amountsIn(history) }))
}

async function readTotals(tx: Transaction, { mediumId, month }: MonthKey): Promise<readonly bigint[]> {
  const { rows } = await sql<{ history: string }>`
    select coalesce(string_agg(m.total::text, ' '), '') as history from (
      select sum(p.revenue_yen + p.manual_adjustment_revenue_yen) as total from monthly_payments p
      where p.medium_id = ${mediumId} and p.month between ${addMonths(month, -COMPARED_MONTHS.most)} and ${addMonths(month, -1)}
        and p.has_been_finalized group by p.month) m`.execute(tx)
  return amountsIn(rows[0]?.history ?? '')
}

function amountsIn(text: string): readonly bigint[] {
  return text === '' ? [] : text.split(' ').map(BigInt)
}
