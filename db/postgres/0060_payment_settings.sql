-- What payments are computed by and what changes by law, contract or decision: dated data, never constants of the
-- program. A settlement freezes what it used, so a later line never touches a finalised month.

-- Decisions of the platform, in force from a revenue month on.
create table payment_settings (
  valid_from_month integer primary key check (valid_from_month between 190001 and 999912 and valid_from_month % 100 between 1 and 12),
  payout_threshold_yen bigint not null check (payout_threshold_yen >= 0),
  business_day_shift text not null check (business_day_shift in ('previous', 'next')),
  -- Whether the one who finalises must not be the only one who prepared the month.
  needs_two_persons boolean not null default false,
  updated_at timestamptz not null default now()
);
insert into payment_settings (valid_from_month, payout_threshold_yen, business_day_shift) values (202012, 1, 'previous');

-- Standard consumption tax rates by generated month.
create table consumption_tax_rates (
  valid_from_month integer primary key check (valid_from_month between 190001 and 999912 and valid_from_month % 100 between 1 and 12),
  rate_percent integer not null check (rate_percent between 0 and 100)
);
insert into consumption_tax_rates values (198904, 3), (199704, 5), (201404, 8), (201910, 10);

-- How much input tax on purchases from suppliers without a registration is deductible, by generated month.
create table input_tax_deductions (
  valid_from_month integer primary key check (valid_from_month between 190001 and 999912 and valid_from_month % 100 between 1 and 12),
  deductible_percent integer not null check (deductible_percent between 0 and 100)
);
insert into input_tax_deductions values (198904, 100), (202310, 80), (202610, 70), (202810, 50), (203010, 30), (203110, 0);

-- The price list of the bank that sends the money, tax included.
create table transfer_fees (
  source_bank_code text not null check (source_bank_code ~ '^\d{4}$'),
  destination text not null check (destination in ('same_branch', 'same_bank', 'other_bank')),
  valid_from date not null,
  -- The line holds for amounts from here up to the next line.
  from_amount_yen bigint not null check (from_amount_yen >= 0),
  fee_yen bigint not null check (fee_yen >= 0),
  primary key (source_bank_code, destination, valid_from, from_amount_yen)
);

-- National holidays as the Cabinet Office publishes them, replaced whole by an import (npm run db -- import-holidays).
create table holidays (
  day date primary key,
  name text not null check (name <> '')
);
-- Which years the holidays speak about; days outside of them are unknown, not working days. The latest row counts.
create table holiday_imports (
  id bigint generated always as identity primary key,
  first_year integer not null,
  last_year integer not null check (last_year >= first_year),
  source_name text not null,
  content_sha256 text not null,
  imported_at timestamptz not null default now()
);

-- What the public register of invoice issuers says about a number, from the provider in use; a number without a row has
-- not been looked up.
create table invoice_register_results (
  registration_number text not null check (registration_number ~ '^T[1-9][0-9]{12}$'),
  registered_on date not null,
  -- The first day on which it no longer holds.
  ended_on date check (ended_on > registered_on),
  source text not null,
  checked_at timestamptz not null default now(),
  primary key (registration_number, registered_on)
);

do $$
declare
  name text;
begin
  foreach name in array array[
    'payment_settings', 'consumption_tax_rates', 'input_tax_deductions', 'transfer_fees', 'holidays', 'holiday_imports',
    'invoice_register_results']
  loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format($policy$create policy all_rows on %I using ((select app.scope()) = 'all')$policy$, name);
  end loop;
end $$;
