-- Pools and corrections of a month: what staff entered, the job that books it, and the ledger it books to. Only staff
-- and the system see any of it. Nothing in the ledger is ever changed or removed: a reset adds counter-lines.

-- The manual operation of a month: the entries of all media, and the one who closes them.
create table dividend_operations (
  id bigint generated always as identity primary key,
  month integer not null unique check (month between 202012 and 999912 and month % 100 between 1 and 12),
  has_been_finalized boolean not null default false,
  finalized_at timestamptz,
  created_at timestamptz not null default now(),
  check (has_been_finalized = (finalized_at is not null))
);

create table dividends (
  id bigint generated always as identity primary key,
  operation_id bigint not null references dividend_operations,
  medium_id bigint not null references media,
  month integer not null,
  kind text not null check (kind in ('ssp', 'ssp_video', 'ssp_live', 'csv', 'reset')),
  method text not null check (method in ('payment', 'discard')),
  -- The pool, or the sum of the rows; 0 for a reset.
  extra_revenue_yen bigint not null,
  extra_revenue_month integer not null,
  notes text not null default '',
  -- Kept when the person is gone.
  user_uid uuid,
  job_status text not null default 'pending' check (job_status in ('pending', 'running', 'success', 'failed')),
  -- Counts the workers that took the job up; only the last one may end it.
  attempts integer not null default 0,
  -- How far it got, in steps of a hundred.
  progress integer not null default 0 check (progress between 0 and 100),
  failure_code text,
  failure_text text,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  completed_at timestamptz,
  -- Which statistics the weights were read from; null when the entry brought its own.
  data_version text,
  -- How often the pool was booked: terms that change before the close book it anew.
  booking integer not null default 0,
  booking_hash text,
  reversed_by_dividend_id bigint references dividends,
  check (kind in ('csv', 'reset') or extra_revenue_yen >= 0),
  check ((job_status = 'failed') = (failure_text is not null)),
  check ((job_status in ('success', 'failed')) = (completed_at is not null))
);
create index dividends_operation on dividends (operation_id);
create index dividends_month on dividends (medium_id, month);
create index dividends_reversed_by on dividends (reversed_by_dividend_id);
-- At most one job of a medium and month waits or runs.
create unique index dividends_one_unfinished on dividends (medium_id, month) where job_status in ('pending', 'running');

-- The raw data line by line, after they were checked: amounts of a csv job, weights of a pool job.
create table dividend_rows (
  dividend_id bigint not null references dividends,
  line integer not null check (line > 0),
  agreement_id bigint not null references agreements,
  publisher_id bigint not null references publishers,
  amount_yen bigint,
  weight bigint check (weight >= 0),
  reason text check (reason in ('invalid_traffic', 'correction', 'other')),
  -- The finalised month that the line corrects.
  origin_month integer,
  primary key (dividend_id, line),
  check ((amount_yen is null) <> (weight is null)),
  check ((amount_yen is null) = (reason is null))
);

-- The weights that a pool is divided by, frozen when the job ran.
create table dividend_weights (
  dividend_id bigint not null references dividends,
  agreement_id bigint not null references agreements,
  publisher_id bigint not null references publishers,
  weight bigint not null check (weight >= 0),
  primary key (dividend_id, agreement_id, publisher_id)
);

create table dividend_ledger_lines (
  id bigint generated always as identity primary key,
  -- The job that wrote the line.
  dividend_id bigint not null references dividends,
  medium_id bigint not null,
  month integer not null,
  kind text not null check (kind in ('ssp', 'ssp_video', 'ssp_live', 'csv')),
  method text not null check (method in ('payment', 'discard')),
  -- Which booking of the job; a counter-line names the one it turns back.
  booking integer not null check (booking > 0),
  agreement_id bigint not null references agreements,
  publisher_id bigint not null references publishers,
  -- The line of the raw data, 0 for a pool.
  line integer not null,
  weight bigint not null default 0,
  quota_yen bigint not null default 0,
  extra_yen bigint not null default 0,
  allocated_yen bigint not null,
  rate_units integer not null default 0,
  amount_yen bigint not null,
  -- The job whose line this turns back; null for an original line.
  reverses_dividend_id bigint references dividends,
  check (allocated_yen = quota_yen + extra_yen)
);
create index dividend_ledger_lines_dividend on dividend_ledger_lines (dividend_id);
create index dividend_ledger_lines_month on dividend_ledger_lines (medium_id, month);
-- A job is there once, whoever ran it how often: a line and its counter-line have one place each.
create unique index dividend_ledger_lines_original on dividend_ledger_lines (dividend_id, booking, agreement_id, publisher_id, line)
  where reverses_dividend_id is null;
create unique index dividend_ledger_lines_counter on dividend_ledger_lines (reverses_dividend_id, booking, agreement_id, publisher_id, line)
  where reverses_dividend_id is not null;

do $$
declare
  name text;
begin
  foreach name in array array[
    'dividend_operations', 'dividends', 'dividend_rows', 'dividend_weights', 'dividend_ledger_lines']
  loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format($policy$create policy all_rows on %I using ((select app.scope()) = 'all')$policy$, name);
  end loop;
end $$;
