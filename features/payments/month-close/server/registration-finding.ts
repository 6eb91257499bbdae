import { formatYen } from '@pc/domain/money/yen.ts'
import { formatYearMonth } from '@pc/domain/month/year-month.ts'
import { aboveYearlyLimitYen, taxPeriodOf, yearlyLimitYen } from '@pc/domain/settlement/deduction.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { readTaxPeriodStarts } from '@pc/platform/postgres/payment-settings.ts'
import { sql } from 'kysely'
import type { MonthKey } from '../../core/server/month-key.ts'
import { REGISTRATIONS_PATH } from '../../links.ts'
import { agreementText } from './board-names.ts'
import { amber, combineFindings, exampleText, type Finding, green } from './close-finding.ts'
import type { Claim } from './draft-facts.ts'

/**
 * Checks the payees' registration numbers, and whether purchases from a payee without one exceed the yearly limit of the
 * transitional deduction.
 * Tested by `features/payments/month-close/server/close-rules.test.ts`.
 */
export async function registrationFinding(
  tx: Transaction,
  key: MonthKey,
  claiming: readonly Claim[],
): Promise<Finding> {
  const found = [
    await yearlyLimitFinding(tx, key),
    await lapsedFinding(tx, claiming),
    await unseenFinding(tx, claiming),
  ]
  return combineFindings(
    found.filter(each => each !== undefined),
    green(claiming.length === 0 ? '登録番号のある契約はありません。' : `${claiming.length}件を確認しました。`),
  )
}

async function lapsedFinding(tx: Transaction, claiming: readonly Claim[]): Promise<Finding | undefined> {
  const lapsed = claiming.filter(each => each.isRegistered === false)
  const [first] = lapsed
  if (!first) return undefined
  const example = exampleText(await agreementText(tx, first.agreementId), lapsed.length)
  const detail = `月末の時点で登録が有効でない番号が${lapsed.length}件あります（${example}）。適格でないものとして計算します。`
  return amber('registration-lapsed', detail, REGISTRATIONS_PATH)
}

async function unseenFinding(tx: Transaction, claiming: readonly Claim[]): Promise<Finding | undefined> {
  const unseen = claiming.filter(each => each.isRegistered === null)
  const [first] = unseen
  if (!first) return undefined
  const example = exampleText(`${await agreementText(tx, first.agreementId)}の${first.number}`, unseen.length)
  const detail = `登録簿で確認していない番号が${unseen.length}件あります（${example}）。番号に誤りがないか確認してください。`
  return amber('registration-unseen', detail, REGISTRATIONS_PATH)
}

/** Warns of the payee that exceeds the limit the most, by what is paid for months of the tax period, this draft included. */
async function yearlyLimitFinding(tx: Transaction, { mediumId, month }: MonthKey): Promise<Finding | undefined> {
  const period = taxPeriodOf(month, await readTaxPeriodStarts(tx))
  const limitYen = yearlyLimitYen(period)
  if (limitYen === undefined) return undefined
  const { rows } = await sql<{ name: string; paidYen: bigint }>`
    select o.name, sum(b.amount_yen + b.tax_yen)::bigint as paid_yen
    from monthly_paid_buckets b join monthly_payments p on p.id = b.monthly_payment_id
    join organizations o on o.id = p.organization_id
    where b.generated_month between ${period.first} and ${period.last} and not b.is_qualified
      and (p.has_been_finalized or (p.medium_id = ${mediumId} and p.month = ${month}))
      and p.organization_id in (select q.organization_id from monthly_payments q
        where q.medium_id = ${mediumId} and q.month = ${month} and q.payment_yen > 0)
    group by o.id having sum(b.amount_yen + b.tax_yen) > ${limitYen}
    order by paid_yen desc, o.id limit 1`.execute(tx)
  const [large] = rows
  if (!large) return undefined
  const yen = formatYen(aboveYearlyLimitYen(large.paidYen, period))
  const detail = `登録のない支払先「${large.name}」への支払が、${formatYearMonth(period.first)}からの課税期間の上限（${formatYen(limitYen)}円）を${yen}円超えます。超える部分は仕入税額控除の経過措置を受けられません。`
  return amber('yearly-limit', detail, REGISTRATIONS_PATH)
}
