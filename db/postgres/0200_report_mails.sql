-- Reports that people have sent to themselves by mail (domain/report/report-mail.ts says when, ADR 50).
create table report_mails (
  id bigint generated always as identity primary key,
  uid uuid not null references users on delete cascade,
  name text not null check (name = btrim(name) and char_length(name) between 1 and 60),
  cadence text not null check (cadence in ('daily', 'weekly', 'monthly')),
  -- Of the clock in Asia/Tokyo.
  hour smallint not null check (hour between 0 and 23),
  -- Of a monthly mail; of the others the default.
  month_day text not null default 'first' check (month_day in ('first', 'first_business_day')),
  compare_with text not null check (compare_with in ('previous_period', 'same_weekdays', 'same_month_last_year')),
  ranking text not null check (ranking in ('none', 'articles', 'publishers')),
  -- The filter as in the dashboard's address; empty: everything that the reader may see.
  condition text not null default '' check (char_length(condition) <= 4000),
  is_paused boolean not null default false,
  -- What was due before is not sent any more: made, changed or resumed then.
  active_since timestamptz not null,
  deleted_at timestamptz,
  revision integer not null default 1
);
create index report_mails_uid on report_mails (uid) where deleted_at is null;

-- One row per period that was due, and one per mail that was asked for as a test.
create table report_mail_deliveries (
  id bigint generated always as identity primary key,
  report_mail_id bigint not null references report_mails on delete cascade,
  is_test boolean not null default false,
  period_from date not null,
  period_to date not null check (period_to >= period_from),
  due_at timestamptz not null,
  -- waiting: for the figures of the last day; queued: with the letters; not_sent: the reader may not, or does not want it.
  state text not null check (state in ('waiting', 'queued', 'sent', 'not_sent')),
  changed_at timestamptz not null
);
create unique index report_mail_deliveries_once on report_mail_deliveries (report_mail_id, period_from, period_to)
  where not is_test;
create index report_mail_deliveries_waiting on report_mail_deliveries (due_at) where state = 'waiting';
create index report_mail_deliveries_last on report_mail_deliveries (report_mail_id, due_at);

alter table report_mails enable row level security;
alter table report_mails force row level security;
create policy all_rows on report_mails using ((select app.scope()) = 'all');
create policy own_rows on report_mails for select using (
  (select app.scope()) in ('organization', 'agreements', 'self') and uid = (select app.uid()));
create policy own_rows_insert on report_mails for insert with check (
  (select app.scope()) in ('organization', 'agreements', 'self') and uid = (select app.uid()));
-- Deleted ones are marked, so that it can be undone.
create policy own_rows_update on report_mails for update
  using ((select app.scope()) in ('organization', 'agreements', 'self') and uid = (select app.uid()))
  with check (uid = (select app.uid()));

alter table report_mail_deliveries enable row level security;
alter table report_mail_deliveries force row level security;
create policy all_rows on report_mail_deliveries using ((select app.scope()) = 'all');
create policy own_rows on report_mail_deliveries for select using (
  (select app.scope()) in ('organization', 'agreements', 'self')
  and report_mail_id in (select m.id from report_mails m));
-- A person asks for tests only; what is due is written by the system.
create policy own_tests on report_mail_deliveries for insert with check (
  (select app.scope()) in ('organization', 'agreements', 'self') and is_test
  and report_mail_id in (select m.id from report_mails m));
