import {
  type PaymentBreach,
  type PaymentFacts,
  paymentBreaches,
  statutoryDueOn,
} from '@pc/domain/agreement/payment-law.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { dayText } from '@pc/domain/month/day-text.ja.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { PAYMENT_SETTINGS_PATH } from '../../../payment-settings/links.ts'
import type { MonthKey } from '../../core/server/month-key.ts'
import { agreementText } from './board-names.ts'
import { amber, combineFindings, exampleText, type Finding, green } from './close-finding.ts'

interface PaymentRow extends Omit<PaymentFacts, 'month'> {
  readonly agreementId: bigint
  /** The sum of the adjustments; negative when they reduce the revenue. */
  readonly adjustedYen: bigint
}

/** These breaches refuse the close. All others can be acknowledged with a reason. */
const REFUSED: ReadonlySet<PaymentBreach> = new Set(['unlawful-terms', 'shifted-too-far'])

/**
 * Checks the payments against the law, and names payees whose tax treatment nobody has confirmed.
 * Tested by `features/payments/month-close/server/close-acknowledgements.test.ts`.
 */
export async function lawFinding(tx: Transaction, key: MonthKey, today: Day): Promise<Finding> {
  const law = await paymentsFinding(tx, key, today)
  const unconfirmed = await unconfirmedFinding(tx, key)
  return unconfirmed ? combineFindings([...(law.state === 'green' ? [] : [law]), unconfirmed], law) : law
}

/** Payees to be paid whose kind, residence and registration are still the defaults and confirmed by nobody. */
async function unconfirmedFinding(tx: Transaction, { mediumId, month }: MonthKey): Promise<Finding | undefined> {
  const found = await tx
    .selectFrom('monthlyPayments as p')
    .innerJoin('agreements as a', 'a.id', 'p.agreementId')
    .select('a.id')
    .where('p.mediumId', '=', mediumId)
    .where('p.month', '=', month)
    .where('p.paymentYen', '>', 0n)
    .where('a.taxTreatmentConfirmedAt', 'is', null)
    .orderBy('a.id')
    .execute()
  const [first] = found
  if (!first) return undefined
  const example = exampleText(await agreementText(tx, first.id), found.length)
  const detail = `支払先の税区分（法人・個人、居住地、適格請求書発行事業者の登録）が未確認の契約が${found.length}件あります（${example}）。契約の画面で確認して保存してください。`
  const subject = `unconfirmed\n${found.map(({ id }) => id).join(' ')}`
  return amber('tax-treatment-unconfirmed', detail, `/managements/agreements/edit/${first.id}`, subject)
}

/** Checks the payments of the computed month against the law on the day on which they are due. */
async function paymentsFinding(tx: Transaction, key: MonthKey, today: Day): Promise<Finding> {
  const { rows } = await sql<PaymentRow>`
    select p.agreement_id, p.due_on_nominal as nominal_on, p.due_on, p.fee_paid_by, a.is_shift_agreed_in_writing,
      a.small_supplier_coverage, a.freelance_coverage, p.payment_yen > 0 as is_paid,
      p.cumulative_revenue_yen as cumulative_yen,
      p.manual_adjustment_revenue_yen as adjusted_yen,
      p.manual_adjustment_revenue_yen < 0 or p.has_discarded_rows as is_reduced
    from monthly_payments p join agreements a on a.id = p.agreement_id
    where p.medium_id = ${key.mediumId} and p.month = ${key.month}
      and ('covered' in (a.small_supplier_coverage, a.freelance_coverage)
        or p.fee_paid_by = 'publisher' and 'unknown' in (a.small_supplier_coverage, a.freelance_coverage))
    order by p.agreement_id`.execute(tx)
  const found = rows.flatMap(row =>
    paymentBreaches({ ...row, month: key.month }, today).map(breach => ({ ...row, breach })),
  )
  const [first] = found
  if (!first) {
    return green(
      rows.length === 0
        ? '取適法・フリーランス法の対象となる契約はありません。'
        : `対象の契約${rows.length}件を確認しました。`,
    )
  }
  const lastLegalDay = dayText(statutoryDueOn(key.month))
  const texts: string[] = []
  for (const [breach, these] of Map.groupBy(found, each => each.breach)) {
    const example = exampleText(await agreementText(tx, these[0]!.agreementId), these.length)
    texts.push(TEXTS[breach](`${these.length}件（${example}）`, lastLegalDay))
  }
  const refused = found.find(({ breach }) => REFUSED.has(breach))
  const kinds = [...new Set(found.map(({ breach }) => breach))]
  const common = { kinds, detail: texts.join(''), link: linkOf(refused ?? first) }
  if (refused) return { state: 'red', ...common }
  const subject = found
    .map(({ breach, agreementId, cumulativeYen, adjustedYen }) =>
      [breach, agreementId, cumulativeYen, adjustedYen].join(' '),
    )
    .join('\n')
  return { state: 'amber', ...common, subject }
}

/** The screen on which the breach is resolved. How bank holidays shift payments is one setting for all agreements. */
function linkOf({ breach, agreementId }: { readonly breach: PaymentBreach; readonly agreementId: bigint }): string {
  return breach === 'shifted-too-far' ? PAYMENT_SETTINGS_PATH : `/managements/agreements/edit/${agreementId}`
}

const TEXTS: Readonly<Record<PaymentBreach, (agreements: string, lastLegalDay: string) => string>> = {
  'unlawful-terms': (agreements, last) =>
    `取適法・フリーランス法に反する条件の支払が${agreements}あります。手数料の負担を当社に、支払日を法定の期限（${last}）までに変更して、計算し直してください。`,
  'shifted-too-far': (agreements, last) =>
    `休業日の順延が法定の期限（${last}）から2日を超える支払が${agreements}あります。支払設定で前営業日の支払に変更して、計算し直してください。`,
  'kept-back': (agreements, last) =>
    `この月に支払わないと法定の期限（${last}）を過ぎる契約が${agreements}あります。支払の下限額、支払停止、口座を確認してください。`,
  overdue: (agreements, last) =>
    `法定の期限（${last}）を過ぎた支払が${agreements}あります。すぐに確定して振り込んでください。`,
  'fee-of-unknown': agreements =>
    `取適法・フリーランス法の対象か未確認のまま、手数料を差し引く支払が${agreements}あります。対象であれば差し引けません。資本金と従業員数を確認して、契約に登録してください。`,
  reduced: agreements =>
    `減額や取り消しのある対象の契約が${agreements}あります。相手方の責任によらない減額は禁じられています。理由を確認してください。`,
}
