-- Figures of events by hour, for the running day. Kept for three days: the statistics store holds the days for good.
-- Written in the transaction that says that a batch is applied, so they are there once or not at all.
create table event_hours (
  starts_at timestamptz not null,
  publisher_id bigint not null references publishers,
  medium_id bigint not null references media,
  batch_no bigint not null references ingest_batches on delete cascade,
  applied_at timestamptz not null,
  article_impression bigint not null,
  article_click bigint not null,
  article_watch bigint not null,
  video_impression bigint not null,
  video_click bigint not null,
  video_watch bigint not null,
  live_impression bigint not null,
  live_click bigint not null,
  live_watch bigint not null,
  primary key (starts_at, publisher_id, medium_id, batch_no)
);
create index event_hours_batch on event_hours (batch_no);

alter table event_hours enable row level security;
alter table event_hours force row level security;
create policy all_rows on event_hours using ((select app.scope()) = 'all');
create policy visible_publishers on event_hours for select using (
  (select app.scope()) in ('organization', 'agreements') and publisher_id in (select p.id from publishers p));
