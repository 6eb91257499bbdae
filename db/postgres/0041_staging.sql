-- Publishers and feeds of the staging system, brought in by an import and copied into production one by one. A schema of
-- its own: nothing of it is shown, counted or paid before somebody copies it.
create schema staging;
grant usage on schema staging to pc_app;

create table staging.publishers (
  id text primary key,
  name text not null,
  notes text not null default '',
  -- Terms per medium as staging has them: a list of objects, checked at import.
  rules jsonb not null,
  source text not null,
  imported_at timestamptz not null default now(),
  -- Set when it was copied: it is never copied twice.
  publisher_id bigint unique references publishers,
  copied_at timestamptz,
  copied_by uuid references users,
  check ((publisher_id is null) = (copied_at is null))
);

create table staging.feeds (
  id text primary key,
  staging_publisher_id text not null references staging.publishers,
  name text not null,
  url text not null,
  -- Every further field, checked at import.
  fields jsonb not null,
  source text not null,
  imported_at timestamptz not null default now(),
  feed_id bigint unique references feeds,
  copied_at timestamptz,
  copied_by uuid references users,
  check ((feed_id is null) = (copied_at is null))
);
create index staging_feeds_publisher on staging.feeds (staging_publisher_id);

alter table staging.publishers enable row level security;
alter table staging.publishers force row level security;
create policy all_rows on staging.publishers using ((select app.scope()) = 'all');
alter table staging.feeds enable row level security;
alter table staging.feeds force row level security;
create policy all_rows on staging.feeds using ((select app.scope()) = 'all');

grant select, insert, update, delete on staging.publishers, staging.feeds to pc_app;
