import { type CopyClient, demandPractice } from './work-on-copy.ts'

class NothingClosedError extends Error {
  override name = 'NothingClosedError'
}

/**
 * Inserts the row that marks a practice system.
 * @throws NothingClosedError when no month was ever closed
 */
export async function markSystem(client: CopyClient, copiedAt: Date): Promise<void> {
  const { rows } = await client.query<{ month: number | null }>('select max(month) as month from month_closings')
  const month = rows[0]?.month ?? null
  if (month === null)
    throw new NothingClosedError('まだ確定した月がありません。月を1回確定してから、練習環境を作成してください。')
  await client.query('insert into practice_system (month, copied_at) values ($1, $2)', [month, copiedAt])
}

/**
 * Resets the newest closed month to the morning of its close: nothing entered, computed, issued or paid. What was
 * entered and its result are kept in tables of their own, to enter it again and to compare.
 * Tested by `apps/server/practice.test.ts`.
 * @throws NotPracticeError when the system is not marked as a practice system
 */
export async function reopenMonth(client: CopyClient): Promise<void> {
  const { month } = await demandPractice(client)
  await client.query(
    'create temporary table reopened on commit drop as select medium_id from month_closings where month = $1',
    [`${month}`],
  )
  for (const statement of [...REMEMBERED, ...REMOVED]) await client.query(statement.replaceAll(':month', `${month}`))
}

const OF_MONTH = 'medium_id in (select medium_id from reopened) and month = :month'
/** Drafts of later months begin with what this month carried over, so they go as well. */
const SINCE_MONTH = 'medium_id in (select medium_id from reopened) and month >= :month'
const ENTERED = `select d.id from dividends d where ${OF_MONTH}
  and not exists (select from late_corrections c where c.dividend_id = d.id)`
/** Corrections of this month in later months: its late figures are now part of it. */
const CORRECTED_LATER = `select c.dividend_id from late_corrections c
  where c.medium_id in (select medium_id from reopened) and c.origin_month = :month`
/**
 * Reversed entries of the month. Their resets are removed, without which they would count again beside the entries that
 * replaced them.
 */
const TURNED_BACK = `select d.id from dividends d where ${OF_MONTH} and d.reversed_by_dividend_id is not null`
const GONE_DIVIDENDS = `(${ENTERED} union ${CORRECTED_LATER} union ${TURNED_BACK})`
const GONE_PAYMENTS = `(select id from monthly_payments where ${SINCE_MONTH})`
const GONE_STATEMENTS = `(select id from statements where monthly_payment_id in ${GONE_PAYMENTS})`
const GONE_QUESTIONS = `(select id from questions where monthly_payment_id in ${GONE_PAYMENTS}
  or monthly_publisher_payment_id in (select id from monthly_publisher_payments where ${SINCE_MONTH})
  or statement_id in ${GONE_STATEMENTS})`

const REMEMBERED: readonly string[] = [
  `insert into practice_payments
    select p.agreement_id, p.medium_id, s.partner_name, p.payment_yen, p.payment_including_tax_yen, p.due_on,
      exists (select from late_corrections c join dividend_rows r on r.dividend_id = c.dividend_id
        where c.medium_id = p.medium_id and c.origin_month = p.month and r.agreement_id = p.agreement_id)
    from monthly_payments p join monthly_agreement_snapshots s on s.id = p.monthly_agreement_snapshot_id
    where p.medium_id in (select medium_id from reopened) and p.month = :month`,
  `insert into practice_publisher_payments
    select agreement_id, publisher_id, revenue_yen, payment_yen from monthly_publisher_payments where ${OF_MONTH}`,
  `insert into practice_entries
    select row_number() over (order by d.medium_id, d.id), d.medium_id, d.kind, d.method, d.extra_revenue_yen,
      d.extra_revenue_month, d.notes, coalesce((
        select E'契約ID,パブリッシャーID,金額,重み,理由,対象月\\r\\n' || string_agg(concat_ws(',', r.agreement_id, r.publisher_id,
          coalesce(r.amount_yen::text, ''), coalesce(r.weight::text, ''), coalesce(r.reason, ''),
          coalesce(overlay(r.origin_month::text placing '-' from 5 for 0), '')), E'\\r\\n' order by r.line)
        from dividend_rows r where r.dividend_id = d.id), '')
    from dividends d
    where d.id in (${ENTERED}) and d.job_status = 'success' and d.kind <> 'reset' and d.reversed_by_dividend_id is null`,
]

const REMOVED: readonly string[] = [
  // Questions about it.
  ...['question_messages', 'question_reads'].map(
    table => `delete from ${table} where question_id in ${GONE_QUESTIONS}`,
  ),
  `delete from questions where id in ${GONE_QUESTIONS}`,
  `delete from statement_event_notices where statement_event_id in (
    select id from statement_events where statement_id in ${GONE_STATEMENTS})`,
  ...['statement_events', 'statement_notices'].map(
    table => `delete from ${table} where statement_id in ${GONE_STATEMENTS}`,
  ),
  `delete from statements where monthly_payment_id in ${GONE_PAYMENTS}`,
  // Counted again, because the triggers that maintain these counts are off here.
  'delete from app.statement_counts',
  `insert into app.statement_counts (agreement_id, organization_id, medium_id, state, statements, total_yen)
    select agreement_id, organization_id, medium_id, state, count(*), sum(total_yen) from statements
    group by agreement_id, organization_id, medium_id, state`,
  // Transfers. Payments of other months in them must be sent again.
  `create temporary table unsent on commit drop as
    select distinct transfer_id from transfer_payments where monthly_payment_id in ${GONE_PAYMENTS}`,
  `create temporary table unpaid on commit drop as select distinct x.monthly_payment_id as id
    from transfer_payments x where x.is_live and x.transfer_id in (select transfer_id from unsent)
      and x.monthly_payment_id not in ${GONE_PAYMENTS}`,
  'delete from transfer_payments where transfer_id in (select transfer_id from unsent)',
  'delete from transfer_records where transfer_id in (select transfer_id from unsent)',
  'delete from transfers where id in (select transfer_id from unsent)',
  `delete from transfer_batches b where not exists (select from transfers t where t.batch_id = b.id)
    and not exists (select from transfer_records r where r.batch_id = b.id)`,
  `update monthly_payments set payment_status = 'scheduled', paid_at_month = null, paid_on = null, returned_reason = null
    where id in (select id from unpaid)`,
  `update month_states s set state = 'finalized', paid_at = null where s.state = 'paid' and exists (
    select from monthly_payments p join unpaid u on u.id = p.id where p.medium_id = s.medium_id and p.month = s.month)`,
  // Computed rows.
  ...[
    ...[
      'monthly_estimates',
      'monthly_adjustments',
      'monthly_carried_buckets',
      'monthly_paid_buckets',
      'monthly_tax_lines',
    ],
    ...['monthly_pools', 'monthly_rule_snapshots', 'monthly_publisher_payments', 'monthly_payments'],
    ...['monthly_snapshot_inputs', 'monthly_agreement_snapshots', 'month_close_log'],
  ].map(table => `delete from ${table} where ${SINCE_MONTH}`),
  `delete from invariant_violations where run_id in (select id from invariant_runs where ${SINCE_MONTH})`,
  `delete from invariant_runs where ${SINCE_MONTH}`,
  ...['publisher_revenue_estimates', 'revenue_estimates'].map(
    table => `delete from ${table} where (medium_id, month) in (
      select medium_id, month from revenue_estimates where ${OF_MONTH} and occasion = 'finalize')`,
  ),
  // Entered rows.
  `create temporary table gone on commit drop as select * from ${GONE_DIVIDENDS} g (id)`,
  `update dividends set reversed_by_dividend_id = null where reversed_by_dividend_id in (select id from gone)`,
  `delete from late_corrections where dividend_id in (select id from gone)`,
  `delete from dividend_ledger_lines where dividend_id in (select id from gone)
    or reverses_dividend_id in (select id from gone)`,
  ...['dividend_weights', 'dividend_rows'].map(
    table => `delete from ${table} where dividend_id in (select id from gone)`,
  ),
  'delete from dividends where id in (select id from gone)',
  `update dividend_operations set has_been_finalized = false, finalized_at = null where month = :month`,
  `delete from dividend_operations o where month = :month and not exists (select from dividends d where d.operation_id = o.id)`,
  // The records that close the month.
  `delete from month_closings where ${OF_MONTH}`,
  `delete from month_states where ${SINCE_MONTH}`,
]
