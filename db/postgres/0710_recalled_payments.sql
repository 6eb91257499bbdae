-- A bank that carried out a recalled transfer all the same: one person asks that it be recorded as paid, another one confirms.
alter table transfer_recalls
  add column purpose text not null default 'return' check (purpose in ('return', 'pay')),
  add column paid_on date,
  add constraint transfer_recalls_paid_on check ((purpose = 'pay') = (paid_on is not null)),
  add constraint transfer_recalls_bank_note check (bank_reference is null or purpose = 'return');
drop index transfer_recalls_one;
create unique index transfer_recalls_one on transfer_recalls (transfer_id, purpose) where state <> 'rejected';
create index transfer_recalls_pay on transfer_recalls (transfer_id) where purpose = 'pay' and state = 'requested';

create or replace function app.check_early_return() returns trigger language plpgsql as $$
begin
  if exists (select from public.transfer_batches b where b.id = new.batch_id
      and b.transfer_on > (new.updated_at at time zone 'Asia/Tokyo')::date)
    and not exists (select from public.transfer_recalls r
      where r.transfer_id = new.id and r.purpose = 'return' and r.state = 'confirmed') then
    raise exception 'transfer % is not returned before its day without a second person', new.id
      using errcode = 'check_violation', constraint = 'transfer_recall_confirmed';
  end if;
  return new;
end $$;

-- The bank may still pay a recalled order until its day has passed or it has said that it will not; and it may have paid
-- one of which somebody says so.
create or replace function app.is_recall_pending(payment bigint, on_day date) returns boolean language sql stable as $$
  select exists (
    select from public.transfer_payments x
    join public.transfers t on t.id = x.transfer_id
    join public.transfer_batches b on b.id = t.batch_id
    join public.transfer_recalls r on r.transfer_id = t.id
    where x.monthly_payment_id = payment and (
      r.purpose = 'return' and r.state = 'confirmed' and r.bank_reference is null and b.transfer_on >= on_day
      or r.purpose = 'pay' and r.state = 'requested'))
$$;

-- A transfer that came back stays so, but for a recalled one that two persons say the bank has paid.
create or replace function app.keep_transfer() returns trigger language plpgsql as $$
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
    if kept is not distinct from old and ((old.state, new.state) in (
      ('planned', 'exported'), ('planned', 'cancelled'), ('exported', 'paid'), ('exported', 'returned'), ('paid', 'returned'))
      or (old.state, new.state) = ('returned', 'paid') and old.paid_on is null and exists (
        select from public.transfer_recalls r where r.transfer_id = new.id and r.purpose = 'pay' and r.state = 'confirmed'
          and r.paid_on = new.paid_on))
      and (old.paid_on is null or new.paid_on = old.paid_on) then
      return new;
    end if;
  end if;
  raise exception 'a transfer is not changed: % is refused', tg_op
    using errcode = 'check_violation', constraint = 'transfer_kept';
end $$;

create or replace function app.keep_transfer_payment() returns trigger language plpgsql as $$
declare
  kept public.transfer_payments;
begin
  if tg_op = 'UPDATE' then
    kept := new;
    kept.is_live := old.is_live;
    if kept is not distinct from old and old.is_live <> new.is_live and exists (
      select from public.transfers t where t.id = old.transfer_id
        and t.state in ('returned', 'cancelled') = old.is_live and (old.is_live or t.state = 'paid')) then
      return new;
    end if;
  end if;
  raise exception 'the parts of a transfer are not changed: % is refused', tg_op
    using errcode = 'check_violation', constraint = 'transfer_kept';
end $$;

-- Its payments are its own again; one that another transfer sends refuses it (transfer_payments_one_live).
create function app.take_transfer_payments() returns trigger language plpgsql as $$
begin
  update public.transfer_payments set is_live = true where transfer_id = new.id and not is_live;
  return null;
end $$;
create trigger transfers_take after update on transfers for each row
  when (old.state = 'returned' and new.state = 'paid') execute function app.take_transfer_payments();

create or replace function app.keep_finalized_payment() returns trigger language plpgsql as $$
declare
  kept public.monthly_payments;
begin
  if tg_op = 'UPDATE' and old.has_been_finalized and app.is_closed(old.medium_id, old.month) then
    kept := new;
    kept.payment_status := old.payment_status;
    kept.paid_at_month := old.paid_at_month;
    kept.paid_on := old.paid_on;
    kept.returned_reason := old.returned_reason;
    kept.updated_at := old.updated_at;
    if kept is not distinct from old and ((old.payment_status, new.payment_status) in (
      ('scheduled', 'exported'), ('scheduled', 'paid'), ('exported', 'paid'), ('exported', 'returned'),
      ('paid', 'returned'), ('returned', 'scheduled'))
      or (old.payment_status, new.payment_status) = ('returned', 'paid') and exists (
        select from public.transfer_payments x join public.transfers t on t.id = x.transfer_id
        where x.monthly_payment_id = new.id and x.is_live and t.state = 'paid')) then
      return new;
    end if;
    raise exception 'the payment is finalised: its % is refused', tg_op
      using errcode = 'check_violation', constraint = 'closed_month';
  end if;
  if tg_op <> 'INSERT' and app.is_closed(old.medium_id, old.month)
    or tg_op <> 'DELETE' and app.is_closed(new.medium_id, new.month) then
    raise exception 'the month is finalised: % of % is refused', tg_op, tg_table_name
      using errcode = 'check_violation', constraint = 'closed_month';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
