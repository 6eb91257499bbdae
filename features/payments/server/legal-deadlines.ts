import type { Coverage } from '@pc/domain/agreement/law-rule.ts'
import { type LateReason, lateReason, statutoryDueOn, type UnpaidFacts } from '@pc/domain/agreement/payment-law.ts'
import { isProtectedOn } from '@pc/domain/agreement/protected-payee.ts'
import type { Day } from '@pc/domain/month/day.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { HoldReason } from '@pc/domain/payment/settlement-result.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'

/** Revenue of a payee whom the acts protect that would pass its last legal day, or has passed it. */
export interface LegalDeadline {
  readonly agreementId: bigint
  readonly agreementName: string
  readonly partnerName: string
  /** The oldest revenue month in it. */
  readonly oldestMonth: YearMonth
  /** With tax where a payment was made up, without where it is kept back; null: the month is not computed. */
  readonly amountYen: bigint | null
  /** As it is agreed; null: the month is not computed. */
  readonly dueOn: Day | null
  readonly lastLegalDay: Day
  readonly late: LateReason
  /** Why it is kept back. */
  readonly reasonCode: HoldReason['code'] | null
}

interface UnpaidRow extends UnpaidFacts, Omit<LegalDeadline, 'lastLegalDay' | 'late'> {
  readonly smallSupplierCoverage: Coverage
  readonly freelanceCoverage: Coverage
}

/**
 * What months that are over have not paid to protected payees, if it is late by law; the oldest month, and with it the first
 * day, first. Of open months: what a draft pays, and where there is none, whoever has an agreement.
 */
export async function readLegalDeadlines(tx: Transaction, today: Day): Promise<readonly LegalDeadline[]> {
  const { rows } = await sql<UnpaidRow>`
    with covered as (
      select a.id, a.small_supplier_coverage, a.freelance_coverage from agreements a
      where 'covered' in (a.small_supplier_coverage, a.freelance_coverage)
    ), latest as (
      select medium_id, max(month) as month from month_states where state in ('finalized', 'paid') group by medium_id
    ), open_months as (
      select l.medium_id, to_char(d, 'YYYYMM')::int as month, coalesce(s.state = 'computed', false) as has_draft
      from latest l cross join lateral generate_series(make_date(l.month / 100, l.month % 100, 1) + interval '1 month',
        date_trunc('month', ${today}::date) - interval '1 month', interval '1 month') d
      left join month_states s on s.medium_id = l.medium_id and s.month = to_char(d, 'YYYYMM')::int
    )
    select p.agreement_id, s.agreement_name, s.partner_name, c.small_supplier_coverage, c.freelance_coverage, o.month as oldest_month,
      p.payment_including_tax_yen as amount_yen, p.due_on, null as reason_code, t.transfer_on,
      case when t.transfer_on is not null then 'sent' when p.payment_status = 'returned' then 'returned' else 'scheduled' end as state
    from monthly_payments p join covered c on c.id = p.agreement_id
    join monthly_agreement_snapshots s on s.id = p.monthly_agreement_snapshot_id
    cross join lateral (select min(b.generated_month) as month from monthly_paid_buckets b
      where b.monthly_payment_id = p.id and b.amount_yen > 0) o
    left join lateral (select b.transfer_on from transfer_payments x join transfers t on t.id = x.transfer_id
      join transfer_batches b on b.id = t.batch_id where x.monthly_payment_id = p.id and x.is_live) t on true
    where p.has_been_finalized and p.payment_status in ('scheduled', 'exported', 'returned') and o.month is not null
    union all
    select p.agreement_id, s.agreement_name, s.partner_name, c.small_supplier_coverage, c.freelance_coverage, o.month,
      p.carried_over_to_next_yen, p.due_on_nominal, p.reason_code, null, 'kept-back'
    from latest l join monthly_payments p on p.medium_id = l.medium_id and p.month = l.month
    join covered c on c.id = p.agreement_id
    join monthly_agreement_snapshots s on s.id = p.monthly_agreement_snapshot_id
    cross join lateral (select min(b.generated_month) as month from monthly_publisher_payments q
      join monthly_carried_buckets b on b.monthly_publisher_payment_id = q.id
      where q.monthly_payment_id = p.id and b.next_yen > 0) o
    where p.carried_over_to_next_yen > 0 and o.month is not null
    union all
    select a.id, a.name, r.name, a.small_supplier_coverage, a.freelance_coverage, m.month,
      p.payment_including_tax_yen, p.due_on, null, null, 'open'
    from open_months m join agreements a on a.medium_id = m.medium_id join covered c on c.id = a.id
    join organizations r on r.id = a.organization_id
    left join monthly_payments p on p.agreement_id = a.id and p.month = m.month
    where case when m.has_draft then p.payment_yen > 0
      else a.valid_from_month <= m.month and (a.terminated_at is null or a.terminated_at >= make_date(m.month / 100, m.month % 100, 1)) end
    order by oldest_month, agreement_id, state`.execute(tx)
  return rows.flatMap(({ smallSupplierCoverage, freelanceCoverage, state, transferOn, ...row }): LegalDeadline[] => {
    const lastLegalDay = statutoryDueOn(row.oldestMonth)
    const late = lateReason({ ...row, state, transferOn }, today)
    const isProtected = isProtectedOn({ smallSupplierCoverage, freelanceCoverage }, lastLegalDay)
    return late && isProtected ? [{ ...row, lastLegalDay, late }] : []
  })
}
