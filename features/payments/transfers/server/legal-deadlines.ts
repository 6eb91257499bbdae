import type { Coverage } from '@pc/domain/agreement/law-rule.ts'
import { type LateReason, lateReason, statutoryDueOn, type UnpaidFacts } from '@pc/domain/agreement/payment-law.ts'
import { isProtectedOn } from '@pc/domain/agreement/protected-payee.ts'
import type { Day } from '@pc/domain/month/day.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { HoldReason } from '@pc/domain/settlement/settlement-result.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { isResentInSql } from '../../core/server/transfer-record-store.ts'

/** Revenue of a payee whom the acts protect that would pass its last legal day, or has passed it. */
export interface LegalDeadline {
  readonly agreementId: bigint
  readonly agreementName: string
  readonly partnerName: string
  /** The oldest revenue month in it. */
  readonly oldestMonth: YearMonth
  /** With tax when a payment was computed, without tax when it is kept back; null: the month is not computed. */
  readonly amountYen: bigint | null
  /** The due day of the payment; the agreed one, before holidays move it, when it is kept back. Null: not computed. */
  readonly dueOn: Day | null
  readonly lastLegalDay: Day
  readonly late: LateReason
  /** Why it is kept back; null when it is not. */
  readonly reasonCode: HoldReason['code'] | null
}

interface UnpaidRow extends UnpaidFacts, Omit<LegalDeadline, 'lastLegalDay' | 'late'> {
  readonly smallSupplierCoverage: Coverage
  readonly freelanceCoverage: Coverage
}

/**
 * Revenue of months that are over which protected payees have not received and which is late by law, oldest month first.
 *
 * - Final payments (the first `select`): a bank file that was not written by its day has sent nothing, and a transfer
 *   with several records is sent only when all of them are.
 * - `unsettled`, open months: what a draft pays or keeps back; without a draft, every active agreement of the medium.
 *   When a closed month and a later draft both keep back the same revenue, the draft (the later `month`) counts.
 * - `first_open`: the month after the last closed one. A medium that never closed a month begins with the first one that
 *   was computed or booked, at the latest with the previous month.
 *
 * Tested by `scenarios/legal-deadlines.test.ts`.
 */
export async function readLegalDeadlines(tx: Transaction, today: Day): Promise<readonly LegalDeadline[]> {
  const { rows } = await sql<UnpaidRow>`
    with covered as (
      select a.id, a.medium_id, a.small_supplier_coverage, a.freelance_coverage, a.is_shift_agreed_in_writing from agreements a
      where 'covered' in (a.small_supplier_coverage, a.freelance_coverage)
    ), latest as (
      select medium_id, max(month) as month from month_states where state in ('finalized', 'paid') group by medium_id
    ), last_month as (
      select date_trunc('month', ${today}::date) - interval '1 month' as day
    ), first_open as (
      select c.medium_id, coalesce(
        (select make_date(l.month / 100, l.month % 100, 1) + interval '1 month' from latest l where l.medium_id = c.medium_id),
        least(m.day, (select make_date(min(x.month) / 100, min(x.month) % 100, 1) from (
          select s.month from month_states s where s.medium_id = c.medium_id
          union all select o.booked_month from opening_balances o join agreements a on a.id = o.agreement_id
          where a.medium_id = c.medium_id) x))) as day
      from (select distinct medium_id from covered) c cross join last_month m
    ), open_months as (
      select f.medium_id, to_char(d, 'YYYYMM')::int as month, coalesce(s.state = 'computed', false) as has_draft
      from first_open f cross join last_month m cross join lateral generate_series(f.day, m.day, interval '1 month') d
      left join month_states s on s.medium_id = f.medium_id and s.month = to_char(d, 'YYYYMM')::int
    ), carried as (
      select q.monthly_payment_id, min(b.generated_month) as month from monthly_publisher_payments q
      join monthly_carried_buckets b on b.monthly_publisher_payment_id = q.id where b.next_yen > 0 group by 1
    ), unsettled as (
      select p.agreement_id, s.agreement_name, s.partner_name, o.month as oldest_month, p.carried_over_to_next_yen as amount_yen,
        p.due_on_nominal as due_on, p.reason_code, 'kept-back' as state, p.month
      from (select medium_id, month from latest union all select medium_id, month from open_months where has_draft) l
      join monthly_payments p on p.medium_id = l.medium_id and p.month = l.month
      join monthly_agreement_snapshots s on s.id = p.monthly_agreement_snapshot_id
      join carried o on o.monthly_payment_id = p.id
      where p.carried_over_to_next_yen > 0
      union all
      select a.id, a.name, r.name, coalesce(o.month, m.month), p.payment_including_tax_yen, p.due_on, null, 'open', m.month
      from open_months m join agreements a on a.medium_id = m.medium_id
      join organizations r on r.id = a.organization_id
      left join monthly_payments p on p.agreement_id = a.id and p.month = m.month
      left join lateral (select min(b.generated_month) as month from monthly_paid_buckets b
        where b.monthly_payment_id = p.id and b.amount_yen > 0) o on true
      where case when m.has_draft then p.payment_yen > 0
        else a.valid_from_month <= m.month and (a.terminated_at is null or a.terminated_at >= make_date(m.month / 100, m.month % 100, 1)) end
    )
    select p.agreement_id, s.agreement_name, s.partner_name, c.small_supplier_coverage, c.freelance_coverage,
      c.is_shift_agreed_in_writing, o.month as oldest_month,
      p.payment_including_tax_yen as amount_yen, p.due_on, null as reason_code, t.transfer_on,
      case when t.is_back or p.payment_status = 'returned' then 'returned'
        when t.transfer_on is null or t.is_unwritten and t.transfer_on < ${today}::date then 'scheduled' else 'sent' end as state
    from monthly_payments p join covered c on c.id = p.agreement_id
    join monthly_agreement_snapshots s on s.id = p.monthly_agreement_snapshot_id
    cross join lateral (select min(b.generated_month) as month from monthly_paid_buckets b
      where b.monthly_payment_id = p.id and b.amount_yen > 0) o
    left join lateral (
      select greatest(b.transfer_on, r.transfer_on) as transfer_on, coalesce(r.is_back, false) as is_back,
        t.state = 'planned' or coalesce(r.is_unwritten, false) as is_unwritten
      from transfer_payments x join transfers t on t.id = x.transfer_id join transfer_batches b on b.id = t.batch_id
      cross join lateral (
        select max(n.transfer_on) filter (where r.state in ('planned', 'exported', 'paid')) as transfer_on,
          bool_or(r.state = 'planned') as is_unwritten, bool_or(r.state = 'returned' and not ${isResentInSql('r')}) as is_back
        from transfer_records r join transfer_batches n on n.id = r.batch_id where r.transfer_id = t.id) r
      where x.monthly_payment_id = p.id and x.is_live) t on true
    where p.has_been_finalized and p.payment_status in ('scheduled', 'exported', 'returned') and o.month is not null
    union all
    select u.agreement_id, u.agreement_name, u.partner_name, c.small_supplier_coverage, c.freelance_coverage,
      c.is_shift_agreed_in_writing, u.oldest_month,
      u.amount_yen, u.due_on, u.reason_code, null, u.state
    from (select distinct on (agreement_id, oldest_month) * from unsettled order by agreement_id, oldest_month, month desc) u
    join covered c on c.id = u.agreement_id
    order by oldest_month, agreement_id, state`.execute(tx)
  return rows.flatMap(
    ({
      smallSupplierCoverage,
      freelanceCoverage,
      isShiftAgreedInWriting,
      state,
      transferOn,
      ...row
    }): LegalDeadline[] => {
      const lastLegalDay = statutoryDueOn(row.oldestMonth)
      const late = lateReason({ ...row, isShiftAgreedInWriting, state, transferOn }, today)
      const isProtected = isProtectedOn({ smallSupplierCoverage, freelanceCoverage }, lastLegalDay)
      return late && isProtected ? [{ ...row, lastLegalDay, late }] : []
    },
  )
}
