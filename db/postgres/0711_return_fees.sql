-- What the bank charges for sending a transfer back (組戻手数料): the usual fee, and that of each transfer. The payer bears it.
alter table payment_settings add column return_fee_yen bigint not null default 0 check (return_fee_yen between 0 and 100000);

create table transfer_return_fees (
  transfer_id bigint primary key references transfers,
  -- On which the money was back, and the fee is booked.
  charged_on date not null,
  -- Zero: the bank charged nothing, as somebody says.
  fee_yen bigint not null check (fee_yen between 0 and 100000),
  updated_at timestamptz not null
);
create index transfer_return_fees_charged_on on transfer_return_fees (charged_on);
alter table transfer_return_fees enable row level security;
alter table transfer_return_fees force row level security;
create policy all_rows on transfer_return_fees using ((select app.scope()) = 'all');

-- A fee is of a transfer that came back, on that day; only its amount is corrected.
create function app.keep_return_fee() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' and exists (select from public.transfers t
      where t.id = new.transfer_id and t.state = 'returned' and t.returned_on = new.charged_on)
    or tg_op = 'UPDATE' and (new.transfer_id, new.charged_on) = (old.transfer_id, old.charged_on) then
    return new;
  end if;
  raise exception 'the fee of a return is kept: % is refused', tg_op
    using errcode = 'check_violation', constraint = 'transfer_return_fee_kept';
end $$;
create trigger transfer_return_fees_keep before insert or update or delete on transfer_return_fees
  for each row execute function app.keep_return_fee();
create trigger transfer_return_fees_keep_all before truncate on transfer_return_fees
  for each statement execute function app.refuse_truncate();
