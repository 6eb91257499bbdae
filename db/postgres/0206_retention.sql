-- What must not be deleted although its time is over, and what was deleted (features, row 1.6). The kinds and their months
-- stand in domain/retention/retention-rules.ts.
create table legal_holds (
  id bigint generated always as identity primary key,
  -- Null: of every organisation.
  organization_id bigint references organizations,
  -- Null: of every month.
  from_month integer check (from_month between 202012 and 999912 and from_month % 100 between 1 and 12),
  to_month integer check (to_month between 202012 and 999912 and to_month % 100 between 1 and 12),
  reason text not null check (btrim(reason) <> ''),
  -- Kept when the person is gone.
  placed_by_uid uuid not null,
  placed_by_email text not null,
  placed_at timestamptz not null,
  released_at timestamptz,
  released_by_email text,
  release_reason text check (btrim(release_reason) <> ''),
  check ((from_month is null) = (to_month is null) and to_month >= from_month),
  check (organization_id is not null or from_month is not null),
  check ((released_at is null) = (release_reason is null) and (released_at is null) = (released_by_email is null))
);
create index legal_holds_active on legal_holds (id) where released_at is null;

-- One line for each night and kind with something to delete, or something that a hold kept.
create table retention_runs (
  id bigint generated always as identity primary key,
  ran_at timestamptz not null,
  kind text not null,
  kept_since date not null,
  deleted bigint not null check (deleted >= 0),
  held bigint not null check (held >= 0)
);
create index retention_runs_kind on retention_runs (kind, id desc);

do $$
declare
  name text;
begin
  foreach name in array array['legal_holds', 'retention_runs']
  loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format($policy$create policy all_rows on %I using ((select app.scope()) = 'all')$policy$, name);
  end loop;
end $$;
create trigger retention_runs_append before update or delete on retention_runs
  for each row execute function app.refuse_ledger_change();

-- A hold is released, never rewritten or removed.
create function app.keep_legal_hold() returns trigger language plpgsql as $$
declare
  kept public.legal_holds;
begin
  if tg_op = 'DELETE' or old.released_at is not null then
    raise exception 'a legal hold is kept' using errcode = 'check_violation', constraint = 'legal_hold_kept';
  end if;
  kept := new;
  kept.released_at := old.released_at;
  kept.released_by_email := old.released_by_email;
  kept.release_reason := old.release_reason;
  if kept is distinct from old then
    raise exception 'a legal hold is kept' using errcode = 'check_violation', constraint = 'legal_hold_kept';
  end if;
  return new;
end $$;
create trigger legal_holds_keep before update or delete on legal_holds
  for each row execute function app.keep_legal_hold();

-- By age, for the nightly deletion.
create index page_views_viewed on page_views (viewed_at);
