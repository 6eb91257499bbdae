-- What happens to finalised payments: transfers, the bank's file, its answer. A transfer keeps everything that its line of
-- the file says, so that the file can be written again, byte for byte, whatever was changed since.

-- The account that the money leaves, and what its bank wants; a group of columns that is null holds as the rows before say.
alter table payment_settings
  add column transfer_client_code text check (transfer_client_code ~ '^[0-9]{1,10}$'),
  -- Half-width kana, as the bank file writes it.
  add column transfer_client_name text check (transfer_client_name <> '' and char_length(transfer_client_name) <= 40),
  add column source_bank_code text check (source_bank_code ~ '^[0-9]{4}$'),
  add column source_bank_name text,
  add column source_branch_code text check (source_branch_code ~ '^[0-9]{3}$'),
  add column source_branch_name text,
  add column source_account_type text check (source_account_type in ('ordinary', 'current', 'other')),
  add column source_account_number text check (source_account_number ~ '^[0-9]{7}$'),
  add column bank_file_has_line_breaks boolean,
  -- Signs that this bank accepts besides the common ones.
  add column bank_file_extra_characters text,
  -- Where the bank marks the outcome within the last seven bytes of a record, from its own document; never guessed.
  add column result_mark_offset integer check (result_mark_offset between 0 and 6),
  add column result_mark_length integer check (result_mark_length between 1 and 7),
  add column result_paid_marks text[],
  add column result_returned_marks text[],
  add constraint payment_settings_source check (num_nulls(transfer_client_code, transfer_client_name, source_bank_code,
    source_bank_name, source_branch_code, source_branch_name, source_account_type, source_account_number) in (0, 8)),
  add constraint payment_settings_result check (
    num_nulls(result_mark_offset, result_mark_length, result_paid_marks, result_returned_marks) in (0, 4)
    and result_mark_offset + result_mark_length <= 7);

-- Income tax withheld from individuals by day of payment; rates in 1/100 per cent (Income Tax Act, articles 204 and 205).
create table withholding_rates (
  valid_from date primary key,
  threshold_yen bigint not null check (threshold_yen >= 0),
  rate_up_to_threshold integer not null check (rate_up_to_threshold between 0 and 10000),
  rate_above_threshold integer not null check (rate_above_threshold between 0 and 10000)
);
insert into withholding_rates values ('2013-01-01', 1000000, 1021, 2042);

-- The names of the accounts in the platform's books, by the month that an entry belongs to.
create table journal_accounts (
  account text not null check (account in ('publisher_cost', 'accrued_cost', 'payable', 'input_tax', 'non_deductible_tax',
    'withholding_payable', 'bank_fee', 'bank')),
  valid_from_month integer not null check (valid_from_month between 190001 and 999912 and valid_from_month % 100 between 1 and 12),
  name text not null check (name <> ''),
  primary key (account, valid_from_month)
);
insert into journal_accounts values
  ('publisher_cost', 202012, '支払報酬料'), ('accrued_cost', 202012, '未払費用'), ('payable', 202012, '未払金'),
  ('input_tax', 202012, '仮払消費税'), ('non_deductible_tax', 202012, '租税公課'),
  ('withholding_payable', 202012, '預り金'), ('bank_fee', 202012, '支払手数料'), ('bank', 202012, '普通預金');

-- Whether a payee is withheld from is frozen with the month, like everything else that a payment is made of.
alter table monthly_agreement_snapshots
  add column payee_kind text not null default 'company' check (payee_kind in ('company', 'individual'));
select set_config('app.scope', 'all', true);
alter table monthly_agreement_snapshots disable trigger monthly_agreement_snapshots_keep;
update monthly_agreement_snapshots s set payee_kind = a.payee_kind
  from agreements a where a.id = s.agreement_id and a.payee_kind <> s.payee_kind;
alter table monthly_agreement_snapshots enable trigger monthly_agreement_snapshots_keep;
create function app.freeze_payee_kind() returns trigger language plpgsql as $$
begin
  select a.payee_kind into new.payee_kind from public.agreements a where a.id = new.agreement_id;
  return new;
end $$;
-- While the month is open the value is of no use, so it is read when the row becomes final.
create trigger monthly_agreement_snapshots_freeze before update on monthly_agreement_snapshots for each row
  when (new.has_been_finalized and not old.has_been_finalized) execute function app.freeze_payee_kind();

-- One file of the bank, or payments that people recorded without one.
create table transfer_batches (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('bank_file', 'by_hand')),
  -- The day on which the bank moves the money.
  transfer_on date not null,
  due_on date not null,
  client_code text,
  client_name text,
  bank_code text,
  bank_name text,
  branch_code text,
  branch_name text,
  account_type text,
  account_number text,
  has_line_breaks boolean not null default false,
  extra_characters text not null default '',
  -- Why it was recorded by hand, or cancelled.
  notes text not null default '',
  created_at timestamptz not null,
  -- Kept when the person is gone.
  created_by_uid uuid,
  exported_at timestamptz,
  exported_by_uid uuid,
  -- Of the file as it was first written; a later one must be the same.
  file_sha256 text,
  check ((kind = 'bank_file') = (num_nulls(client_code, client_name, bank_code, bank_name, branch_code, branch_name,
    account_type, account_number) = 0)),
  check ((exported_at is null) = (file_sha256 is null))
);

create table transfers (
  id bigint generated always as identity primary key,
  batch_id bigint not null references transfer_batches,
  organization_id bigint not null references organizations,
  bank_account_id bigint not null references bank_accounts,
  due_on date not null,
  partner_name text not null,
  fee_paid_by text not null check (fee_paid_by in ('product', 'publisher')),
  payee_kind text not null check (payee_kind in ('company', 'individual')),
  payment_yen bigint not null check (payment_yen > 0),
  payment_including_tax_yen bigint not null check (payment_including_tax_yen >= payment_yen),
  withholding_yen bigint not null check (withholding_yen >= 0),
  -- What the bank charges, whoever bears it.
  fee_yen bigint not null check (fee_yen >= 0),
  fee_borne_by_payee_yen bigint not null check (fee_borne_by_payee_yen in (0, fee_yen)),
  transfer_amount_yen bigint not null check (transfer_amount_yen > 0),
  -- The account as it was: names for people, kana for the file.
  bank_code text not null,
  bank_name text not null,
  bank_kana text not null,
  branch_code text not null,
  branch_name text not null,
  branch_kana text not null,
  account_type text not null check (account_type in ('ordinary', 'current', 'savings')),
  account_number text not null,
  holder text not null,
  state text not null default 'planned' check (state in ('planned', 'exported', 'paid', 'returned', 'cancelled')),
  paid_on date,
  returned_on date,
  -- Why it came back, or how a person knows that it was paid.
  reason text,
  settled_by text check (settled_by in ('file', 'hand')),
  updated_at timestamptz not null,
  check (transfer_amount_yen = payment_including_tax_yen - withholding_yen - fee_borne_by_payee_yen),
  check (fee_paid_by = 'publisher' or fee_borne_by_payee_yen = 0),
  check (state <> 'paid' or paid_on is not null),
  check ((state = 'returned') = (returned_on is not null)),
  check (state in ('paid', 'returned') or paid_on is null)
);
create index transfers_batch on transfers (batch_id);
create index transfers_paid_on on transfers (paid_on);
create index transfers_returned_on on transfers (returned_on);
create index transfers_account on transfers (bank_account_id);
create index transfers_organization on transfers (organization_id);

-- Which payments a transfer pays, and each one's part of it.
create table transfer_payments (
  transfer_id bigint not null references transfers,
  monthly_payment_id bigint not null references monthly_payments,
  payment_yen bigint not null check (payment_yen > 0),
  payment_including_tax_yen bigint not null,
  withholding_yen bigint not null check (withholding_yen >= 0),
  fee_borne_by_payee_yen bigint not null check (fee_borne_by_payee_yen >= 0),
  transfer_amount_yen bigint not null,
  -- False once the transfer came back or was cancelled: then another one may be made.
  is_live boolean not null default true,
  primary key (transfer_id, monthly_payment_id),
  check (transfer_amount_yen = payment_including_tax_yen - withholding_yen - fee_borne_by_payee_yen)
);
-- Nobody is paid twice.
create unique index transfer_payments_one_live on transfer_payments (monthly_payment_id) where is_live;
create index transfer_payments_payment on transfer_payments (monthly_payment_id);

-- Which answers of the bank were read in.
create table transfer_result_imports (
  id bigint generated always as identity primary key,
  imported_at timestamptz not null,
  imported_by_uid uuid,
  file_name text not null,
  content_sha256 text not null,
  paid integer not null,
  returned integer not null,
  unchanged integer not null,
  unknown integer not null
);

-- Of a batch only its export is written once; of a transfer only its way through the bank.
create function app.keep_transfer_batch() returns trigger language plpgsql as $$
declare
  kept public.transfer_batches;
begin
  if tg_op = 'UPDATE' then
    kept := new;
    kept.exported_at := old.exported_at;
    kept.exported_by_uid := old.exported_by_uid;
    kept.file_sha256 := old.file_sha256;
    kept.notes := old.notes;
    if kept is not distinct from old and (old.exported_at is null or (new.exported_at, new.file_sha256) = (old.exported_at, old.file_sha256)) then
      return new;
    end if;
  end if;
  raise exception 'a transfer batch is not changed: % is refused', tg_op
    using errcode = 'check_violation', constraint = 'transfer_kept';
end $$;

create function app.keep_transfer() returns trigger language plpgsql as $$
declare
  kept public.transfers;
begin
  if tg_op = 'INSERT' then
    if new.state = 'planned' or (new.state = 'paid' and exists (
      select from public.transfer_batches b where b.id = new.batch_id and b.kind = 'by_hand')) then
      return new;
    end if;
  elsif tg_op = 'UPDATE' then
    kept := new;
    kept.state := old.state;
    kept.paid_on := old.paid_on;
    kept.returned_on := old.returned_on;
    kept.reason := old.reason;
    kept.settled_by := old.settled_by;
    kept.updated_at := old.updated_at;
    if kept is not distinct from old and (old.state, new.state) in (
      ('planned', 'exported'), ('planned', 'cancelled'), ('exported', 'paid'), ('exported', 'returned'), ('paid', 'returned'))
      and (old.paid_on is null or new.paid_on = old.paid_on) then
      return new;
    end if;
  end if;
  raise exception 'a transfer is not changed: % is refused', tg_op
    using errcode = 'check_violation', constraint = 'transfer_kept';
end $$;

create function app.free_transfer_payments() returns trigger language plpgsql as $$
begin
  update public.transfer_payments set is_live = false where transfer_id = new.id and is_live;
  return null;
end $$;

create function app.keep_transfer_payment() returns trigger language plpgsql as $$
declare
  kept public.transfer_payments;
begin
  if tg_op = 'UPDATE' then
    kept := new;
    kept.is_live := old.is_live;
    if kept is not distinct from old and old.is_live and not new.is_live and exists (
      select from public.transfers t where t.id = old.transfer_id and t.state in ('returned', 'cancelled')) then
      return new;
    end if;
  end if;
  raise exception 'the parts of a transfer are not changed: % is refused', tg_op
    using errcode = 'check_violation', constraint = 'transfer_kept';
end $$;

-- The parts add up to the transfer and are what the payments say, whatever the program computed.
create function app.check_transfer_parts() returns trigger language plpgsql as $$
begin
  if exists (
    select from public.transfers t
    left join (
      select x.transfer_id, sum(x.payment_yen) as payment_yen, sum(x.payment_including_tax_yen) as including_yen,
        sum(x.withholding_yen) as withholding_yen, sum(x.fee_borne_by_payee_yen) as fee_yen,
        bool_and(p.payment_yen = x.payment_yen and p.payment_including_tax_yen = x.payment_including_tax_yen
          and p.organization_id = o.organization_id and p.has_been_finalized) as fits
      from public.transfer_payments x
      join public.monthly_payments p on p.id = x.monthly_payment_id
      join public.transfers o on o.id = x.transfer_id
      where x.transfer_id = new.id group by x.transfer_id
    ) s on s.transfer_id = t.id
    where t.id = new.id and (s.transfer_id is null or not s.fits or s.payment_yen <> t.payment_yen
      or s.including_yen <> t.payment_including_tax_yen or s.withholding_yen <> t.withholding_yen
      or s.fee_yen <> t.fee_borne_by_payee_yen)) then
    raise exception 'the parts of transfer % do not add up', new.id
      using errcode = 'check_violation', constraint = 'transfer_sums';
  end if;
  return null;
end $$;

create trigger transfer_batches_keep before update or delete on transfer_batches
  for each row execute function app.keep_transfer_batch();
create trigger transfers_keep before insert or update or delete on transfers
  for each row execute function app.keep_transfer();
create trigger transfers_free after update on transfers for each row
  when (new.state in ('returned', 'cancelled')) execute function app.free_transfer_payments();
create trigger transfer_payments_keep before update or delete on transfer_payments
  for each row execute function app.keep_transfer_payment();
create constraint trigger transfers_sums after insert on transfers deferrable initially deferred
  for each row execute function app.check_transfer_parts();
create trigger transfer_result_imports_append before update or delete on transfer_result_imports
  for each row execute function app.refuse_ledger_change();

do $$
declare
  name text;
begin
  foreach name in array array['transfer_batches', 'transfers', 'transfer_payments', 'transfer_result_imports']
  loop
    execute format('create trigger %I before truncate on %I for each statement execute function app.refuse_truncate()', name || '_keep_all', name);
  end loop;
  foreach name in array array['withholding_rates', 'journal_accounts', 'transfer_batches', 'transfers', 'transfer_payments',
    'transfer_result_imports']
  loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format($policy$create policy all_rows on %I using ((select app.scope()) = 'all')$policy$, name);
  end loop;
end $$;
