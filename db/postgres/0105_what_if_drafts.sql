-- Changes to a month that somebody tries out before they are made. Nothing of the books is in here: only what was asked,
-- to be computed again against the books as they are then.
create table what_if_drafts (
  id bigint generated always as identity primary key,
  medium_id bigint not null references media,
  month integer not null check (month between 202012 and 999912 and month % 100 between 1 and 12),
  name text not null check (name <> '' and char_length(name) <= 100),
  -- As the call `whatIfMonth` takes it.
  change jsonb not null,
  -- Kept when the person is gone.
  created_by_uid uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  revision integer not null default 1
);
create index what_if_drafts_month on what_if_drafts (medium_id, month);

alter table what_if_drafts enable row level security;
alter table what_if_drafts force row level security;
create policy all_rows on what_if_drafts using ((select app.scope()) = 'all');
