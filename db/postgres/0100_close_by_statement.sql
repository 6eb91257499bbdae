-- A month of ten thousand agreements is written and closed by a few statements of many rows. The walls around finalised
-- months stand as before; they look at a statement's rows together instead of at one row after the other.

create function app.refuse_rows_of_closed_month() returns trigger language plpgsql as $$
declare
  refused boolean := false;
begin
  -- Separate statements: a trigger on INSERT has no old rows, one on DELETE no new ones.
  if tg_op <> 'INSERT' then
    select exists (
      select from (select distinct medium_id, month from old_rows) r join public.month_states s
        on s.medium_id = r.medium_id and s.month = r.month and s.state in ('finalized', 'paid')) into refused;
  end if;
  if tg_op <> 'DELETE' and not refused then
    select exists (
      select from (select distinct medium_id, month from new_rows) r join public.month_states s
        on s.medium_id = r.medium_id and s.month = r.month and s.state in ('finalized', 'paid')) into refused;
  end if;
  if refused then
    raise exception 'the month is finalised: % of % is refused', tg_op, tg_table_name
      using errcode = 'check_violation', constraint = 'closed_month';
  end if;
  return null;
end $$;

do $$
declare
  name text;
begin
  foreach name in array array[
    'monthly_agreement_snapshots', 'monthly_snapshot_inputs', 'monthly_publisher_payments', 'monthly_rule_snapshots',
    'monthly_carried_buckets', 'monthly_adjustments', 'monthly_tax_lines', 'monthly_paid_buckets', 'dividend_ledger_lines']
  loop
    execute format('drop trigger %I on %I', name || '_keep', name);
    execute format('create trigger %I after insert on %I referencing new table as new_rows
      for each statement execute function app.refuse_rows_of_closed_month()', name || '_keep_insert', name);
    execute format('create trigger %I after update on %I referencing old table as old_rows new table as new_rows
      for each statement execute function app.refuse_rows_of_closed_month()', name || '_keep_update', name);
    execute format('create trigger %I after delete on %I referencing old table as old_rows
      for each statement execute function app.refuse_rows_of_closed_month()', name || '_keep_delete', name);
  end loop;
end $$;

-- A publisher's part belongs to its payment as a whole: medium, agreement, organisation and month are the payment's own.
-- One reference says so where four said less; what the payment refers to is checked at the payment.
alter table monthly_payments
  add constraint monthly_payments_whole unique (id, medium_id, agreement_id, organization_id, month);
alter table monthly_publisher_payments
  drop constraint monthly_publisher_payments_monthly_payment_id_fkey,
  drop constraint monthly_publisher_payments_medium_id_fkey,
  drop constraint monthly_publisher_payments_agreement_id_fkey,
  drop constraint monthly_publisher_payments_organization_id_fkey,
  add constraint monthly_publisher_payments_of_payment
    foreign key (monthly_payment_id, medium_id, agreement_id, organization_id, month)
    references monthly_payments (id, medium_id, agreement_id, organization_id, month) on delete cascade;

-- Closing marks every row once: with room in its page a row's new version needs no new index entries.
alter table monthly_publisher_payments set (fillfactor = 50);
alter table monthly_rule_snapshots set (fillfactor = 50);
alter table monthly_payments set (fillfactor = 50);
alter table monthly_agreement_snapshots set (fillfactor = 50);

-- Rows that were just written have no statistics yet: joined row by row, ten thousand agreements would take minutes.
alter function app.check_month_sums(bigint, integer) set enable_nestloop to off;

-- Which state of its books a draft was computed from: a close that finds the same one need not compute it again.
alter table month_states add column books_version text;
