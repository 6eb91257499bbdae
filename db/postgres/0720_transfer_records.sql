-- What one record of a bank file may hold: ten digits by its format, less by the bank's contract.
alter table transfer_sources add column transfer_limit_yen bigint not null default 9999999999
  check (transfer_limit_yen between 1000000 and 9999999999);
-- Batches made before could not hold more than the format.
alter table transfer_batches add column transfer_limit_yen bigint not null default 9999999999
  check (transfer_limit_yen between 1000000 and 9999999999);

-- A transfer above the limit is sent in several records; one with a single record is its own record. Of a transfer with
-- several, paid_on is the day of the first one that was paid, and stays.
alter table transfers
  add column record_count integer not null default 1 check (record_count between 1 and 999),
  drop constraint transfers_check1,
  add constraint transfers_fee_of_payee check (fee_borne_by_payee_yen in (0, fee_yen)
    or (record_count > 1 and fee_borne_by_payee_yen between 0 and fee_yen)),
  drop constraint transfers_check6,
  add constraint transfers_paid_on check (paid_on is null or state in ('paid', 'returned')
    or (record_count > 1 and state = 'exported'));

create table transfer_records (
  transfer_id bigint not null references transfers,
  -- From 1; customer code 2 of the bank file.
  number integer not null check (number between 1 and 99999),
  -- The transfer's own for the first ones; a record that is sent again is in another file.
  batch_id bigint not null references transfer_batches,
  -- The record that came back and that this one sends again.
  replaces integer,
  amount_yen bigint not null check (amount_yen between 1 and 9999999999),
  -- What the bank charges for it.
  fee_yen bigint not null check (fee_yen >= 0),
  state text not null default 'planned' check (state in ('planned', 'exported', 'paid', 'returned', 'cancelled')),
  paid_on date,
  returned_on date,
  reason text,
  settled_by text check (settled_by in ('file', 'hand')),
  updated_at timestamptz not null,
  primary key (transfer_id, number),
  foreign key (transfer_id, replaces) references transfer_records (transfer_id, number),
  check (replaces < number),
  check (state <> 'paid' or paid_on is not null),
  check ((state = 'returned') = (returned_on is not null)),
  check (state in ('paid', 'returned') or paid_on is null),
  check (returned_on >= paid_on)
);
create index transfer_records_batch on transfer_records (batch_id);
create index transfer_records_paid_on on transfer_records (paid_on);
create index transfer_records_returned_on on transfer_records (returned_on);
-- What came back is sent again once.
create unique index transfer_records_replaced_once on transfer_records (transfer_id, replaces) where state <> 'cancelled';

alter table transfer_records enable row level security;
alter table transfer_records force row level security;
create policy all_rows on transfer_records using ((select app.scope()) = 'all');
create policy own_organization on transfer_records for select using (
  (select app.scope()) = 'organization' and transfer_id in (select t.id from transfers t));

-- Two persons say that the bank paid a recalled transfer on the day.
create function app.is_recalled_payment(transfer bigint, paid date) returns boolean language sql stable as $$
  select exists (select from public.transfer_recalls r
    where r.transfer_id = transfer and r.purpose = 'pay' and r.state = 'confirmed' and r.paid_on = paid)
$$;

-- A transfer with several records goes its own way: a part of what was paid may come back.
create function app.keep_split_transfer() returns trigger language plpgsql as $$
declare
  kept public.transfers;
begin
  kept := new;
  kept.state := old.state;
  kept.paid_on := old.paid_on;
  kept.returned_on := old.returned_on;
  kept.reason := old.reason;
  kept.settled_by := old.settled_by;
  kept.updated_at := old.updated_at;
  if kept is not distinct from old and (old.state, new.state) in (
    ('planned', 'exported'), ('planned', 'cancelled'), ('exported', 'exported'), ('exported', 'paid'),
    ('exported', 'returned'), ('paid', 'exported'), ('paid', 'returned'), ('returned', 'paid'))
    and ((old.state, new.state) <> ('returned', 'paid') or app.is_recalled_payment(new.id, new.paid_on))
    and (old.paid_on is null or new.paid_on = old.paid_on) then
    return new;
  end if;
  raise exception 'a transfer is not changed: % is refused', tg_op
    using errcode = 'check_violation', constraint = 'transfer_kept';
end $$;
drop trigger transfers_keep on transfers;
create trigger transfers_keep before insert or delete on transfers
  for each row execute function app.keep_transfer();
create trigger transfers_keep_whole before update on transfers for each row
  when (old.record_count = 1) execute function app.keep_transfer();
create trigger transfers_keep_split before update on transfers for each row
  when (old.record_count > 1) execute function app.keep_split_transfer();

-- A record is written with its transfer, or in place of one that came back; then only its way through the bank changes.
create function app.keep_transfer_record() returns trigger language plpgsql as $$
declare
  kept public.transfer_records;
  transfer public.transfers;
  sent public.transfer_batches;
begin
  if tg_op = 'INSERT' then
    select * into transfer from public.transfers t where t.id = new.transfer_id;
    select * into sent from public.transfer_batches b where b.id = new.batch_id;
    if transfer.record_count > 1 and (
      (new.replaces is null and transfer.state = 'planned' and new.state = 'planned'
        and new.batch_id = transfer.batch_id and new.number <= transfer.record_count)
      or (transfer.state = 'exported' and new.number > transfer.record_count
        and ((new.state = 'planned' and sent.kind = 'bank_file') or (new.state = 'paid' and sent.kind = 'by_hand'))
        and exists (select from public.transfer_records r where r.transfer_id = new.transfer_id
          and r.number = new.replaces and r.state = 'returned' and r.amount_yen = new.amount_yen))) then
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
      ('planned', 'exported'), ('planned', 'cancelled'), ('exported', 'paid'), ('exported', 'returned'), ('paid', 'returned'),
      ('returned', 'paid'))
      and ((old.state, new.state) <> ('returned', 'paid') or app.is_recalled_payment(new.transfer_id, new.paid_on))
      and (old.paid_on is null or new.paid_on = old.paid_on) then
      return new;
    end if;
  end if;
  raise exception 'a record of a transfer is not changed: % is refused', tg_op
    using errcode = 'check_violation', constraint = 'transfer_kept';
end $$;
create trigger transfer_records_keep before insert or update or delete on transfer_records
  for each row execute function app.keep_transfer_record();
create trigger transfer_records_keep_all before truncate on transfer_records
  for each statement execute function app.refuse_truncate();

-- As for transfers: until its day the bank still has the order. Days are those of Tokyo by the program's clock.
create function app.check_early_return_of_record() returns trigger language plpgsql as $$
begin
  if exists (select from public.transfer_batches b where b.id = new.batch_id
      and b.transfer_on > (new.updated_at at time zone 'Asia/Tokyo')::date)
    and not exists (
      select from public.transfer_recalls r join public.transfers t on t.id = r.transfer_id
      where t.id = new.transfer_id and t.batch_id = new.batch_id and r.purpose = 'return' and r.state = 'confirmed') then
    raise exception 'record % of transfer % is not returned before its day', new.number, new.transfer_id
      using errcode = 'check_violation', constraint = 'transfer_recall_confirmed';
  end if;
  return new;
end $$;
create trigger transfer_records_early_return before update on transfer_records for each row
  when (old.state = 'exported' and new.state = 'returned') execute function app.check_early_return_of_record();

-- The records follow where the whole transfer goes: to the bank, given up, or back.
create function app.move_transfer_records() returns trigger language plpgsql as $$
begin
  if new.state = 'exported' and old.state = 'planned' then
    update public.transfer_records set state = 'exported', updated_at = new.updated_at
      where transfer_id = new.id and batch_id = new.batch_id and state = 'planned';
  elsif new.state in ('cancelled', 'returned') then
    update public.transfer_records set state = 'cancelled', reason = new.reason, updated_at = new.updated_at
      where transfer_id = new.id and state = 'planned';
    update public.transfer_records
      set state = 'returned', returned_on = new.returned_on, reason = new.reason, settled_by = new.settled_by,
        updated_at = new.updated_at
      where transfer_id = new.id and state in ('exported', 'paid');
  end if;
  return null;
end $$;
create trigger transfers_move_records after update of state on transfers for each row
  when (new.record_count > 1 and new.state <> old.state) execute function app.move_transfer_records();

-- The first records add up to the transfer, and it is where all of its records are, whatever the program computed.
create function app.check_transfer_records() returns trigger language plpgsql as $$
declare
  -- The argument names the column that holds the transfer's number.
  checked bigint := (to_jsonb(new) ->> tg_argv[0])::bigint;
begin
  if exists (
    select from public.transfers t
    cross join lateral (
      select count(*) filter (where r.replaces is null) as first_count,
        coalesce(sum(r.amount_yen) filter (where r.replaces is null), 0) as first_yen,
        coalesce(sum(r.fee_yen) filter (where r.replaces is null), 0) as first_fee_yen,
        coalesce(sum(r.amount_yen) filter (where r.state = 'paid'), 0) as paid_yen,
        count(*) filter (where r.state in ('planned', 'exported', 'paid')) as live,
        coalesce(bool_or(r.replaces is null and r.state = 'planned'), false) as is_planned
      from public.transfer_records r where r.transfer_id = t.id) r
    where t.id = checked and t.record_count > 1 and (
      r.first_count <> t.record_count or r.first_yen <> t.transfer_amount_yen or r.first_fee_yen <> t.fee_yen
      or (t.state = 'paid') <> (r.paid_yen = t.transfer_amount_yen)
      or (t.state in ('returned', 'cancelled')) <> (r.live = 0)
      or (t.state = 'planned') <> r.is_planned)) then
    raise exception 'the records of transfer % do not add up', checked
      using errcode = 'check_violation', constraint = 'transfer_record_sums';
  end if;
  return null;
end $$;
create constraint trigger transfers_record_sums after insert or update of state on transfers deferrable initially deferred
  for each row when (new.record_count > 1) execute function app.check_transfer_records('id');
create constraint trigger transfer_records_sums after insert or update on transfer_records deferrable initially deferred
  for each row execute function app.check_transfer_records('transfer_id');
