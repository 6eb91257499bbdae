-- Of which steps of statements the other side was told: each once, also when its job runs again.
create table statement_event_notices (
  statement_event_id bigint primary key references statement_events
);
alter table statement_event_notices enable row level security;
alter table statement_event_notices force row level security;
create policy all_rows on statement_event_notices using ((select app.scope()) = 'all');
