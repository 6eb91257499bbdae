-- What the reports showed of a month before it was final, kept when the month was over and all of its days had arrived for
-- the first time, or at the latest when it was closed. The way from there to the final amounts is told from these rows.
create table revenue_estimates (
  medium_id bigint not null references media,
  month integer not null check (month between 202012 and 999912 and month % 100 between 1 and 12),
  recorded_at timestamptz not null,
  -- complete: the month was over and had all its days. finalize: nobody had looked until it was closed.
  occasion text not null check (occasion in ('complete', 'finalize')),
  -- The statistics that were shown.
  data_version text not null,
  primary key (medium_id, month)
);

-- By publisher, in micro-yen: the publisher's revenue as it was shown, and the source amounts behind it (staff only).
create table publisher_revenue_estimates (
  medium_id bigint not null,
  month integer not null,
  publisher_id bigint not null,
  shown_micro_yen bigint not null,
  ads_micro_yen bigint not null,
  ssp_micro_yen bigint not null,
  video_ssp_micro_yen bigint not null,
  live_ssp_micro_yen bigint not null,
  primary key (medium_id, month, publisher_id),
  foreign key (medium_id, month) references revenue_estimates
);

-- The estimate of each row of a finalised month, frozen with it: what was shown, and what of it the final rates make of the
-- own ads and of the pools as they were known then.
create table monthly_estimates (
  monthly_publisher_payment_id bigint primary key,
  monthly_payment_id bigint not null,
  medium_id bigint not null,
  agreement_id bigint not null,
  organization_id bigint not null,
  month integer not null,
  shown_micro_yen bigint not null,
  ads_yen bigint not null,
  pool_yen bigint not null check (pool_yen >= 0)
);
create index monthly_estimates_payment on monthly_estimates (monthly_payment_id);
create index monthly_estimates_month on monthly_estimates (medium_id, month);

do $$
declare
  name text;
begin
  foreach name in array array['revenue_estimates', 'publisher_revenue_estimates', 'monthly_estimates']
  loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format($policy$create policy all_rows on %I using ((select app.scope()) = 'all')$policy$, name);
    execute format('create trigger %I before update or delete on %I
      for each row execute function app.refuse_ledger_change()', name || '_append', name);
    execute format('create trigger %I before truncate on %I
      for each statement execute function app.refuse_truncate()', name || '_keep_all', name);
    execute format('create trigger %I after insert on %I referencing new table as new_rows
      for each statement execute function app.refuse_rows_of_closed_month()', name || '_keep_insert', name);
  end loop;
end $$;
-- Written by the ten thousand while a month is closed: whether each has its owner is looked at by statement.
create trigger monthly_estimates_owned_insert after insert on monthly_estimates referencing new table as new_rows
  for each statement execute function app.refuse_orphans('monthly_publisher_payments',
    'p.id = n.monthly_publisher_payment_id and p.monthly_payment_id = n.monthly_payment_id and p.medium_id = n.medium_id
      and p.agreement_id = n.agreement_id and p.organization_id = n.organization_id and p.month = n.month');
-- There are rows of finalised months only.
create policy own_organization on monthly_estimates for select using (
  (select app.scope()) = 'organization' and organization_id = (select app.organization_id()));
create policy own_agreements on monthly_estimates for select using (
  (select app.scope()) = 'agreements' and agreement_id = any ((select app.own_agreement_ids())::bigint[]));
