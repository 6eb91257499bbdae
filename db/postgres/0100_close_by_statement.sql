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

-- The parts of a payment belong to it as a whole: medium, agreement, organisation and month are the payment's own. They are
-- written and removed by the tens of thousands, and only under the lock of their month: whether each has its owner, and
-- that they go with it, is seen to by statement too.
create function app.refuse_orphans() returns trigger language plpgsql as $$
declare
  orphaned boolean;
begin
  execute format('select exists (select from new_rows n where not exists (select from public.%I p where %s))',
    tg_argv[0], tg_argv[1]) into orphaned;
  if orphaned then
    raise exception '% of % without its row in %', tg_op, tg_table_name, tg_argv[0]
      using errcode = 'foreign_key_violation', constraint = tg_name;
  end if;
  return null;
end $$;
create function app.remove_parts() returns trigger language plpgsql as $$
begin
  execute format('delete from public.%I c using old_rows o where c.%I = o.id', tg_argv[0], tg_argv[1]);
  return null;
end $$;
-- What belongs to a row would lose it.
create function app.refuse_other_id() returns trigger language plpgsql as $$
begin
  raise exception 'the id of a row of % does not change', tg_table_name
    using errcode = 'foreign_key_violation', constraint = tg_name;
end $$;

alter table monthly_publisher_payments
  drop constraint monthly_publisher_payments_monthly_payment_id_fkey,
  drop constraint monthly_publisher_payments_medium_id_fkey,
  drop constraint monthly_publisher_payments_agreement_id_fkey,
  drop constraint monthly_publisher_payments_organization_id_fkey;
alter table monthly_rule_snapshots drop constraint monthly_rule_snapshots_monthly_publisher_payment_id_fkey;
alter table monthly_carried_buckets drop constraint monthly_carried_buckets_monthly_publisher_payment_id_fkey;

do $$
declare
  part record;
begin
  for part in select * from (values
    ('monthly_publisher_payments', 'monthly_payment_id', 'monthly_payments', 'p.id = n.monthly_payment_id and p.medium_id = n.medium_id
      and p.agreement_id = n.agreement_id and p.organization_id = n.organization_id and p.month = n.month'),
    ('monthly_rule_snapshots', 'monthly_publisher_payment_id', 'monthly_publisher_payments', 'p.id = n.monthly_publisher_payment_id
      and p.medium_id = n.medium_id and p.agreement_id = n.agreement_id and p.organization_id = n.organization_id and p.month = n.month'),
    ('monthly_carried_buckets', 'monthly_publisher_payment_id', 'monthly_publisher_payments', 'p.id = n.monthly_publisher_payment_id
      and p.medium_id = n.medium_id and p.month = n.month')
  ) x (child, reference, owner, fits)
  loop
    execute format('create trigger %I after insert on %I referencing new table as new_rows
      for each statement execute function app.refuse_orphans(%L, %L)', part.child || '_owned_insert', part.child, part.owner, part.fits);
    execute format('create trigger %I after update on %I referencing new table as new_rows
      for each statement execute function app.refuse_orphans(%L, %L)', part.child || '_owned_update', part.child, part.owner, part.fits);
    execute format('create trigger %I after delete on %I referencing old table as old_rows
      for each statement execute function app.remove_parts(%L, %L)', part.child || '_go_with_owner', part.owner, part.child, part.reference);
  end loop;
end $$;
create trigger monthly_payments_same_id before update on monthly_payments
  for each row when (old.id <> new.id) execute function app.refuse_other_id();
create trigger monthly_publisher_payments_same_id before update on monthly_publisher_payments
  for each row when (old.id <> new.id) execute function app.refuse_other_id();

-- Closing marks every row once: with room in its page a row's new version needs no new index entries.
alter table monthly_publisher_payments set (fillfactor = 50);
alter table monthly_rule_snapshots set (fillfactor = 50);
alter table monthly_payments set (fillfactor = 50);
alter table monthly_agreement_snapshots set (fillfactor = 50);

-- Rows that were just written have no statistics yet: joined row by row, ten thousand agreements would take minutes.
alter function app.check_month_sums(bigint, integer) set enable_nestloop to off;

-- Which state of its books a draft was computed from: a close that finds the same one need not compute it again.
alter table month_states add column books_version text;
-- Whatever reads the books of a month reads those of one medium.
create index agreements_medium on agreements (medium_id);
