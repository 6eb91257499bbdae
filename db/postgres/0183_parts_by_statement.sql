-- What belongs to a month's snapshots and payments is seen to statement by statement, like the parts of publishers before:
-- a reference that is looked up for each of its rows is most of what writing them costs. Snapshots keep their references
-- to master data; a payment is of its snapshot's own medium, agreement, organisation and month, which says more.
alter table monthly_payments
  drop constraint monthly_payments_monthly_agreement_snapshot_id_fkey,
  drop constraint monthly_payments_medium_id_fkey,
  drop constraint monthly_payments_agreement_id_fkey,
  drop constraint monthly_payments_organization_id_fkey;
alter table monthly_snapshot_inputs drop constraint monthly_snapshot_inputs_snapshot_id_fkey;
alter table monthly_tax_lines drop constraint monthly_tax_lines_monthly_payment_id_fkey;
alter table monthly_paid_buckets drop constraint monthly_paid_buckets_monthly_payment_id_fkey;

do $$
declare
  part record;
begin
  for part in select * from (values
    ('monthly_payments', 'monthly_agreement_snapshot_id', 'monthly_agreement_snapshots', 'p.id = n.monthly_agreement_snapshot_id
      and p.medium_id = n.medium_id and p.agreement_id = n.agreement_id and p.organization_id = n.organization_id and p.month = n.month'),
    ('monthly_snapshot_inputs', 'snapshot_id', 'monthly_agreement_snapshots', 'p.id = n.snapshot_id
      and p.medium_id = n.medium_id and p.month = n.month'),
    ('monthly_tax_lines', 'monthly_payment_id', 'monthly_payments', 'p.id = n.monthly_payment_id
      and p.medium_id = n.medium_id and p.month = n.month'),
    ('monthly_paid_buckets', 'monthly_payment_id', 'monthly_payments', 'p.id = n.monthly_payment_id
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
create trigger monthly_agreement_snapshots_same_id before update on monthly_agreement_snapshots
  for each row when (old.id <> new.id) execute function app.refuse_other_id();

-- The estimate of a month is one row that is never changed or removed: that it is there needs one look.
alter table publisher_revenue_estimates drop constraint publisher_revenue_estimates_medium_id_month_fkey;
create trigger publisher_revenue_estimates_owned_insert after insert on publisher_revenue_estimates
  referencing new table as new_rows for each statement
  execute function app.refuse_orphans('revenue_estimates', 'p.medium_id = n.medium_id and p.month = n.month');

-- The hash of an input is written by the close: with room in its page that needs no new index entry.
alter table monthly_snapshot_inputs set (fillfactor = 50);
