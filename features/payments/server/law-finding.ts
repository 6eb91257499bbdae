import type { FeePayer } from '@pc/domain/agreement/agreement-terms.ts'
import type { Coverage } from '@pc/domain/agreement/law-rule.ts'
import { type PaymentBreach, paymentBreaches, statutoryDueOn } from '@pc/domain/agreement/payment-law.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { dayText } from '@pc/domain/month/day-text.ja.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { agreementText } from './board-names.ts'
import { exampleText, type Finding, green } from './close-findings.ts'
import type { MonthKey } from './month-key.ts'

interface PaymentRow {
  readonly agreementId: bigint
  readonly nominalOn: Day
  readonly dueOn: Day
  readonly feePaidBy: FeePayer
  readonly isShiftAgreedInWriting: boolean
  readonly smallSupplierCoverage: Coverage
  readonly freelanceCoverage: Coverage
  readonly isPaid: boolean
  readonly cumulativeYen: bigint
  readonly isReduced: boolean
}

/** Only these make the payment itself unlawful; of the others somebody has to know the reason. */
const REFUSED: ReadonlySet<PaymentBreach> = new Set(['unlawful-terms', 'shifted-too-far'])

/** The law at the moment of payment: of the draft of the month, by the rules of the day on which it is due. */
export async function lawFinding(tx: Transaction, key: MonthKey): Promise<Finding> {
  const { rows } = await sql<PaymentRow>`
    select p.agreement_id, p.due_on_nominal as nominal_on, p.due_on, p.fee_paid_by, a.is_shift_agreed_in_writing,
      a.small_supplier_coverage, a.freelance_coverage, p.payment_yen > 0 as is_paid,
      p.cumulative_revenue_yen as cumulative_yen,
      p.manual_adjustment_revenue_yen < 0 or p.has_discarded_rows as is_reduced
    from monthly_payments p join agreements a on a.id = p.agreement_id
    where p.medium_id = ${key.mediumId} and p.month = ${key.month}
      and 'covered' in (a.small_supplier_coverage, a.freelance_coverage)
    order by p.agreement_id`.execute(tx)
  const broken = new Map<PaymentBreach, bigint[]>()
  for (const row of rows)
    for (const breach of paymentBreaches({ ...row, month: key.month }))
      broken.set(breach, [...(broken.get(breach) ?? []), row.agreementId])
  const [first] = broken.values()
  if (!first) {
    return green(
      rows.length === 0
        ? '取適法・フリーランス法の対象となる契約はありません。'
        : `対象の契約${rows.length}件を確認しました。`,
    )
  }
  const texts: string[] = []
  for (const [breach, agreementIds] of broken) {
    const example = exampleText(await agreementText(tx, agreementIds[0]!), agreementIds.length)
    texts.push(TEXTS[breach](`${agreementIds.length}件（${example}）`, dayText(statutoryDueOn(key.month))))
  }
  const refused = [...broken].find(([breach]) => REFUSED.has(breach))?.[1]
  return {
    state: refused ? 'red' : 'amber',
    detail: texts.join(''),
    link: `/managements/agreements/edit/${(refused ?? first)[0]}`,
  }
}

const TEXTS: Readonly<Record<PaymentBreach, (agreements: string, lastLegalDay: string) => string>> = {
  'unlawful-terms': (agreements, last) =>
    `取適法・フリーランス法に反する条件の支払が${agreements}あります。手数料の負担を当社に、支払日を法定の期限（${last}）までに変更して、計算し直してください。`,
  'shifted-too-far': (agreements, last) =>
    `休業日の順延が法定の期限（${last}）から2日を超える支払が${agreements}あります。支払設定で前営業日の支払に変更して、計算し直してください。`,
  'kept-back': (agreements, last) =>
    `この月に支払わないと法定の期限（${last}）を過ぎる契約が${agreements}あります。支払の下限額、支払停止、口座を確認してください。`,
  reduced: agreements =>
    `減額や取り消しのある対象の契約が${agreements}あります。相手方の責任によらない減額は禁じられています。理由を確認してください。`,
}
