-- What the bank may have paid already is not sent to it again: a payment of a recalled transfer that the bank may still carry
-- out, or of which somebody says that it has.
create function app.keep_recalled_unsent() returns trigger language plpgsql as $$
begin
  if exists (select from public.transfer_payments x where x.transfer_id = new.id
    and app.is_recall_pending(x.monthly_payment_id, (new.updated_at at time zone 'Asia/Tokyo')::date)) then
    raise exception 'transfer % pays what a recalled one may have paid', new.id
      using errcode = 'check_violation', constraint = 'transfer_recall_pending';
  end if;
  return new;
end $$;
create trigger transfers_recalled_unsent before update on transfers for each row
  when (old.state = 'planned' and new.state = 'exported') execute function app.keep_recalled_unsent();
