-- Two persons mark a transfer of an exported file as returned before its day: the bank still has the order, and a second
-- transfer of the same payment would pay it twice (payments, step "returned"; state machines in section 2.5).
create table transfer_recalls (
  id bigint generated always as identity primary key,
  transfer_id bigint not null references transfers,
  reason text not null check (length(btrim(reason)) between 1 and 200),
  state text not null default 'requested' check (state in ('requested', 'confirmed', 'rejected')),
  requested_at timestamptz not null,
  -- Kept when the person is gone.
  requested_by_uid uuid not null,
  decided_at timestamptz,
  decided_by_uid uuid,
  -- How the bank says that it will not carry out the order.
  bank_reference text check (length(btrim(bank_reference)) between 1 and 100),
  bank_noted_at timestamptz,
  bank_noted_by_uid uuid,
  check ((state = 'requested') = (num_nulls(decided_at, decided_by_uid) = 2) and num_nulls(decided_at, decided_by_uid) <> 1),
  check (state <> 'confirmed' or decided_by_uid <> requested_by_uid),
  check (num_nulls(bank_reference, bank_noted_at, bank_noted_by_uid) in (0, 3)),
  check (bank_reference is null or state = 'confirmed')
);
create unique index transfer_recalls_one on transfer_recalls (transfer_id) where state <> 'rejected';
alter table transfer_recalls enable row level security;
alter table transfer_recalls force row level security;
create policy all_rows on transfer_recalls using ((select app.scope()) = 'all');

-- A recall is decided once, and the bank's answer is noted once.
create function app.keep_transfer_recall() returns trigger language plpgsql as $$
declare
  kept public.transfer_recalls;
begin
  if tg_op = 'UPDATE' then
    kept := new;
    if old.state = 'requested' then
      kept.state := old.state;
      kept.decided_at := old.decided_at;
      kept.decided_by_uid := old.decided_by_uid;
    elsif old.state = 'confirmed' and old.bank_reference is null then
      kept.bank_reference := old.bank_reference;
      kept.bank_noted_at := old.bank_noted_at;
      kept.bank_noted_by_uid := old.bank_noted_by_uid;
    end if;
    if kept is not distinct from old then
      return new;
    end if;
  end if;
  raise exception 'the recall of a transfer is not changed: % is refused', tg_op
    using errcode = 'check_violation', constraint = 'transfer_recall_kept';
end $$;
create trigger transfer_recalls_keep before update or delete on transfer_recalls
  for each row execute function app.keep_transfer_recall();
create trigger transfer_recalls_keep_all before truncate on transfer_recalls
  for each statement execute function app.refuse_truncate();

-- Days are those of Tokyo by the program's clock, which wrote the row.
create function app.check_early_return() returns trigger language plpgsql as $$
begin
  if exists (select from public.transfer_batches b where b.id = new.batch_id
      and b.transfer_on > (new.updated_at at time zone 'Asia/Tokyo')::date)
    and not exists (select from public.transfer_recalls r where r.transfer_id = new.id and r.state = 'confirmed') then
    raise exception 'transfer % is not returned before its day without a second person', new.id
      using errcode = 'check_violation', constraint = 'transfer_recall_confirmed';
  end if;
  return new;
end $$;
create trigger transfers_early_return before update on transfers for each row
  when (old.state = 'exported' and new.state = 'returned') execute function app.check_early_return();

-- Whether the bank may still carry out an order for the payment that was recalled: until its day has passed, or the bank
-- has said that it will not.
create function app.is_recall_pending(payment bigint, on_day date) returns boolean language sql stable as $$
  select exists (
    select from public.transfer_payments x
    join public.transfers t on t.id = x.transfer_id
    join public.transfer_batches b on b.id = t.batch_id
    join public.transfer_recalls r on r.transfer_id = t.id
    where x.monthly_payment_id = payment and r.state = 'confirmed' and r.bank_reference is null and b.transfer_on >= on_day)
$$;

create function app.check_recalled_payment() returns trigger language plpgsql as $$
begin
  if exists (
    select from public.transfers t join public.transfer_batches b on b.id = t.batch_id
    where t.id = new.transfer_id
      and app.is_recall_pending(new.monthly_payment_id, (b.created_at at time zone 'Asia/Tokyo')::date)) then
    raise exception 'the bank may still pay payment %', new.monthly_payment_id
      using errcode = 'check_violation', constraint = 'transfer_recall_pending';
  end if;
  return new;
end $$;
create trigger transfer_payments_recall before insert on transfer_payments
  for each row execute function app.check_recalled_payment();
