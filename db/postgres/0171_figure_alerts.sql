-- Sudden changes of a publisher's figures on a medium (domain/report/sudden-change.ts decides, this table remembers).
create table figure_alerts (
  id bigint generated always as identity primary key,
  publisher_id bigint not null references publishers on delete cascade,
  medium_id bigint not null references media on delete cascade,
  figure text not null check (figure in ('impressions', 'clicks', 'revenue')),
  direction text not null check (direction in ('drop', 'rise')),
  -- The first unusual day, and the last one that was looked at.
  began_on date not null,
  last_on date not null,
  -- Of the last unusual day; revenue in micro-yen.
  value bigint not null,
  usual bigint not null,
  -- The first day that was usual again; null while the change goes on.
  ended_on date,
  check (began_on <= last_on and (ended_on is null or ended_on > last_on))
);
create unique index figure_alerts_going_on on figure_alerts (medium_id, publisher_id, figure) where ended_on is null;
create index figure_alerts_publisher on figure_alerts (publisher_id);

-- How far the days of a medium have been looked at.
create table figure_alert_checks (
  medium_id bigint primary key references media on delete cascade,
  checked_until date not null
);

alter table figure_alerts enable row level security;
alter table figure_alerts force row level security;
create policy all_rows on figure_alerts using ((select app.scope()) = 'all');
create policy visible_publishers on figure_alerts for select using (
  ((select app.scope()) = 'organization' and publisher_id in (select p.id from publishers p))
  or ((select app.scope()) = 'agreements' and exists (
    select from agreement_publisher_rules r
    where r.publisher_id = figure_alerts.publisher_id and r.medium_id = figure_alerts.medium_id)));
alter table figure_alert_checks enable row level security;
alter table figure_alert_checks force row level security;
create policy all_rows on figure_alert_checks using ((select app.scope()) = 'all');
