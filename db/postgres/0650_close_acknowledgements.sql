-- What the board found odd in a month and a person knows the reason of. `subject_sha256` names what was found: other
-- findings of the same check ask again.
create table close_acknowledgements (
  medium_id bigint not null references media,
  month integer not null,
  check_kind text not null,
  subject_sha256 text not null check (subject_sha256 ~ '^[0-9a-f]{64}$'),
  reason text not null check (length(reason) between 1 and 500),
  acknowledged_by_uid uuid not null,
  acknowledged_at timestamptz not null,
  primary key (medium_id, month, check_kind, subject_sha256)
);
alter table close_acknowledgements enable row level security;
alter table close_acknowledgements force row level security;
create policy all_rows on close_acknowledgements using ((select app.scope()) = 'all');

alter table month_close_log drop constraint month_close_log_action_check;
alter table month_close_log add constraint month_close_log_action_check check (action in ('job_created', 'job_finished',
  'job_withdrawn', 'computed', 'audited', 'finalized', 'paid', 'returned', 'acknowledged'));
