import { canonicalText } from '@pc/domain/payment/canonical-text.ts'
import { openDatabase, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { launchPostgres } from '@pc/platform/postgres/launch-postgres.ts'
import { DATABASE_NAME, postgresFolder } from '@pc/platform/postgres/open-postgres.ts'
import { withClient } from '@pc/platform/postgres/roles.ts'
import { sql } from 'kysely'

/** The statements of the last month are not sent yet. */
const FIRST_MONTH = 202_507
const MONTHS = 12

/**
 * Creates a year of payments and statements for every agreement of the first medium, and unusually many open tasks for
 * staff. Only for lists and counts: the amounts are not consistent.
 */
export async function prepareBooks(folder: string, say: (text: string) => void): Promise<void> {
  const started = performance.now()
  const server = await launchPostgres({ folder: postgresFolder(folder) })
  const database = openDatabase({ url: server.url(DATABASE_NAME, 'postgres') })
  try {
    await database.inScope(SYSTEM, insertBooks, { statementTimeoutMs: 900_000 })
    // Statistics and the visibility map (for index-only scans), which autovacuum updates within minutes of such a load.
    await withClient(server.url(DATABASE_NAME, 'postgres'), client => client.query('vacuum (analyze)'))
    say(`books of ${MONTHS} months: ${((performance.now() - started) / 1000).toFixed(1)} s`)
  } finally {
    await database.close()
    await server.stop()
  }
}

async function insertBooks(tx: Transaction): Promise<void> {
  // Disables triggers and foreign keys, because real closes would take hours and are not measured here.
  await sql`reset role`.execute(tx)
  await sql`set local session_replication_role = replica`.execute(tx)
  await sql`create temporary table bench_months on commit drop as
    select n, ${FIRST_MONTH}::int + n + case when ${FIRST_MONTH % 100}::int + n > 12 then 88 else 0 end as month
    from generate_series(0, ${MONTHS - 1}::int) n`.execute(tx)
  await sql`insert into monthly_payments (monthly_agreement_snapshot_id, medium_id, agreement_id, organization_id, month,
      has_been_finalized, payment_status, outcome, ads_revenue_yen, ssp_revenue_yen, video_ssp_revenue_yen,
      live_ssp_revenue_yen, fixed_revenue_applied_yen, minimum_top_up_revenue_yen, revenue_yen, manual_adjustment_revenue_yen,
      carried_over_revenue_yen, cumulative_revenue_yen, payment_yen, carried_over_to_next_yen, agreement_fixed_yen,
      agreement_top_up_yen, tax_rate_percent, revenue_tax_yen, payment_tax_yen, payment_including_tax_yen, fee_paid_by,
      is_active, is_terminated, payout_threshold_yen, due_on_nominal, due_on, bank_account_id, has_discarded_rows,
      has_discarded_pools, finalized_at, finalized_at_month, scheduled_month, paid_on, paid_at_month)
    select a.id * 100 + m.n, a.medium_id, a.id, a.organization_id, m.month, true,
      case when m.n < ${MONTHS - 1} then 'paid' when a.id % 100 = 0 then 'returned' else 'scheduled' end, 'scheduled',
      10000, 0, 0, 0, 0, 0, 10000, 0, 0, 10000, 10000, 0, 0, 0, 10, 1000, 1000, 11000, 'product', true, false, 0,
      d.due, d.due, b.id, false, false,
      d.due, m.month, m.month, case when m.n < ${MONTHS - 1} then d.due end, case when m.n < ${MONTHS - 1} then m.month end
    from bench_months m cross join agreements a join bank_accounts b using (organization_id),
      lateral (select (make_date(m.month / 100, m.month % 100, 1) + interval '2 months' - interval '1 day')::date as due) d
    where a.medium_id = 1
    order by m.n, a.id`.execute(tx)
  await sql`insert into statements (monthly_payment_id, medium_id, agreement_id, organization_id, month, number,
      template_version, content, hash, issued_on, issued_at, deemed_on, due_on, payee_name, total_without_tax_yen, total_yen,
      transfer_amount_yen, state, state_changed_at)
    select p.id, p.medium_id, p.agreement_id, p.organization_id, p.month,
      p.month || '-' || lpad(p.agreement_id::text, 6, '0'), 2, ${contentText()}, repeat('0', 64), p.due_on - 20, now(),
      p.due_on, p.due_on, o.name, 10000, 11000, 11000, case when p.id % 2000 = 0 then 'objected' else 'confirmed' end, now()
    from monthly_payments p join organizations o on o.id = p.organization_id
    where p.id % 997 > 0
    order by p.id`.execute(tx)
  await sql`insert into app.statement_payees (organization_id, search_text)
    select distinct organization_id, payee_search_text from statements`.execute(tx)
  await sql`insert into app.statement_counts (agreement_id, organization_id, medium_id, state, statements, total_yen)
    select agreement_id, organization_id, medium_id, state, count(*), sum(total_yen) from statements
    group by agreement_id, organization_id, medium_id, state`.execute(tx)
  await sql`insert into month_states (medium_id, month, state, head, input_hash, computed_at, finalized_at, hash)
    select 1, month, 'finalized', 'head', 'input', now(), now(), repeat('0', 64) from bench_months`.execute(tx)
  await sql`update bank_accounts set state = 'requested', decided_at = null where id % 80 = 0`.execute(tx)
  await sql`update agreements set contract_end_month = to_char(now(), 'YYYYMM')::int, renewal_notice_days = 60
    where id % 200 = 0`.execute(tx)
  await sql`delete from agreement_bank_accounts where agreement_id % 150 = 0`.execute(tx)
  await sql`insert into feed_health (feed_id, state, next_check_at)
    select id, case when id % 300 = 0 then 'outage' else 'ok' end, now() + interval '1 year' from feeds`.execute(tx)
  await sql`insert into questions (organization_id, asker_uid, asker_email, asker_scope, kind, from_day, to_day,
      figure, subject, unit, state, state_changed_at, asked_at, last_message_at)
    select u.organization_id, u.uid, u.email, 'organization', 'report', '2026-06-01', '2026-06-30', 'revenue', '数値', 'yen',
      case when u.organization_id % 20 = 0 then 'open' else 'resolved' end, now(), now(), now()
    from users u where u.organization_id % 4 = 0`.execute(tx)
}

/** The part of a statement's content that lists read. */
function contentText(): string {
  return canonicalText({ number: '202606-000001', revision: 0, agreementName: '計測用の契約', agreementCode: 'AG-1' })
}
