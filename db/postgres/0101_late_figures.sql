-- Figures that arrive after their month was finalised: what they change is booked to the next open month, as a csv entry
-- whose rows name the month they come from.
create table late_corrections (
  dividend_id bigint primary key references dividends,
  medium_id bigint not null references media,
  origin_month integer not null check (origin_month between 202012 and 999912 and origin_month % 100 between 1 and 12),
  -- The statistics that made the difference.
  data_version text not null,
  created_at timestamptz not null default now()
);
create index late_corrections_origin on late_corrections (medium_id, origin_month);
alter table late_corrections enable row level security;
alter table late_corrections force row level security;
create policy all_rows on late_corrections using ((select app.scope()) = 'all');
create trigger late_corrections_append before update or delete on late_corrections
  for each row execute function app.refuse_ledger_change();
create trigger late_corrections_keep_all before truncate on late_corrections
  for each statement execute function app.refuse_truncate();
