-- A practice system is a copy of the whole system in which the newest closed month is open again, so that staff can close
-- it once more (ADR 74). These tables are filled while the copy is made, by the administrator of the copy's own server;
-- the running system can only read them. Where practice_system is empty, it is no practice.
create table practice_system (
  is_only boolean primary key default true check (is_only),
  -- The month that is open again.
  month integer not null check (month between 202012 and 999912 and month % 100 between 1 and 12),
  copied_at timestamptz not null
);

-- What was entered for the real close, to be entered again.
create table practice_entries (
  number integer primary key,
  medium_id bigint not null references media,
  kind text not null,
  method text not null,
  extra_revenue_yen bigint not null,
  extra_revenue_month integer not null,
  notes text not null,
  -- The rows of a file as it is uploaded; empty where the entry is an amount.
  rows_csv text not null
);

-- What the real close paid, by agreement and by publisher.
create table practice_payments (
  agreement_id bigint primary key,
  medium_id bigint not null references media,
  partner_name text not null,
  payment_yen bigint not null,
  payment_including_tax_yen bigint not null,
  due_on date not null,
  -- Whether figures of the month came after its close: the practice computes with them, the real close did not.
  has_late_figures boolean not null
);
create table practice_publisher_payments (
  agreement_id bigint not null references practice_payments,
  publisher_id bigint not null references publishers,
  revenue_yen bigint not null,
  payment_yen bigint not null,
  primary key (agreement_id, publisher_id)
);

do $$
declare
  name text;
begin
  foreach name in array array['practice_system', 'practice_entries', 'practice_payments', 'practice_publisher_payments']
  loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format($policy$create policy all_rows on %I using ((select app.scope()) = 'all')$policy$, name);
    execute format('revoke insert, update, delete on %I from pc_app', name);
  end loop;
end $$;

-- No bank takes a file of a practice system: its requester has no code, whatever the payment settings say.
create function app.spoil_practice_batch() returns trigger language plpgsql as $$
begin
  if new.kind = 'bank_file' and exists (select from public.practice_system) then
    new.client_code := '0000000000';
    new.client_name := 'ﾚﾝｼﾕｳ';
  end if;
  return new;
end $$;
create trigger transfer_batches_practice before insert on transfer_batches
  for each row execute function app.spoil_practice_batch();
