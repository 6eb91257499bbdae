-- Which versions of the statistics on ClickHouse are published (ADR 128). `change_no` grows with every change and gives
-- versions their numbers; `publication_no` grows when answers may change.
create table stats_ledger (
  only_row boolean primary key default true check (only_row),
  change_no bigint not null default 0,
  publication_no bigint not null default 0
);
insert into stats_ledger default values;

-- A version of a table's month; month 0: of a whole table. Rows of a version without a line are published up to `change_no`.
create table stats_versions (
  table_name text not null,
  month int not null,
  version_no bigint not null,
  -- Of which batch all of its rows are; null: of several.
  batch_no bigint,
  writer text not null,
  state text not null check (state in ('writing', 'published', 'replaced', 'abandoned')),
  ended_at timestamptz,
  is_purged boolean not null default false,
  primary key (table_name, month, version_no),
  check ((ended_at is null) = (state in ('writing', 'published')))
);
create index stats_versions_hidden on stats_versions (table_name, month, version_no) where state <> 'published';
create index stats_versions_of_month on stats_versions (month) where state = 'published';

alter table stats_ledger enable row level security;
alter table stats_ledger force row level security;
create policy all_rows on stats_ledger using ((select app.scope()) = 'all');
alter table stats_versions enable row level security;
alter table stats_versions force row level security;
create policy all_rows on stats_versions using ((select app.scope()) = 'all');
