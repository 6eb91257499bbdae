-- What happened to a month and who did it, and what the books' own checks found.

create table month_close_log (
  id bigint generated always as identity primary key,
  medium_id bigint not null references media,
  month integer not null,
  at timestamptz not null,
  -- Null: the system itself.
  actor_uid uuid,
  action text not null check (action in ('job_created', 'job_finished', 'computed', 'audited', 'finalized', 'paid', 'returned')),
  detail text not null default ''
);
create index month_close_log_month on month_close_log (month, medium_id, id);

create table invariant_runs (
  id bigint generated always as identity primary key,
  medium_id bigint not null references media,
  month integer not null,
  ran_at timestamptz not null,
  occasion text not null check (occasion in ('compute', 'nightly', 'demand', 'finalize')),
  data_version text,
  violations integer not null,
  -- Which violations, so that the same ones are not reported by mail again and again.
  violations_hash text not null
);
create index invariant_runs_month on invariant_runs (medium_id, month, id desc);

create table invariant_violations (
  run_id bigint not null references invariant_runs on delete cascade,
  number integer not null,
  invariant text not null,
  row_name text not null,
  detail text not null,
  primary key (run_id, number)
);

do $$
declare
  name text;
begin
  foreach name in array array['month_close_log', 'invariant_runs', 'invariant_violations']
  loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format($policy$create policy all_rows on %I using ((select app.scope()) = 'all')$policy$, name);
  end loop;
end $$;
create trigger month_close_log_append before update or delete on month_close_log
  for each row execute function app.refuse_ledger_change();
