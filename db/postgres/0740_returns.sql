-- Each time that a transfer, or one of several records, comes back is a row of its own, with its day and its fee: one that the
-- bank paid though it was recalled may come back again, and records come back on days of their own.
alter table transfer_return_fees
  -- Of one of several records; 0: the transfer is its own record.
  add column record_number integer not null default 0 check (record_number >= 0),
  -- Which time, from 1.
  add column return_number integer not null default 1 check (return_number >= 1),
  drop constraint transfer_return_fees_pkey,
  add primary key (transfer_id, record_number, return_number);

-- What was kept so far keeps its day and its amount. The fee of a transfer with several records was that of the return that
-- left nothing of it: it is now that of a record which came back on the day.
drop trigger transfer_return_fees_keep on transfer_return_fees;
update transfer_return_fees f set record_number = coalesce(
    (select min(r.number) from transfer_records r where r.transfer_id = f.transfer_id and r.returned_on = f.charged_on), 1)
  from transfers t where t.id = f.transfer_id and t.record_count > 1;
-- Two returns were kept as one, with the sum of both: the sum stays with the first, and whoever knows better corrects it.
insert into transfer_return_fees (transfer_id, record_number, return_number, charged_on, fee_yen, updated_at)
select r.transfer_id, r.number, 1 + (select count(*) from transfer_return_fees f
    where f.transfer_id = r.transfer_id and f.record_number = r.number), r.returned_on, 0, r.updated_at
from (
  select t.id as transfer_id, 0 as number, t.returned_on, t.updated_at from transfers t where t.record_count = 1
  union all
  select r.transfer_id, r.number, r.returned_on, r.updated_at from transfer_records r) r
where r.returned_on is not null and not exists (select from transfer_return_fees f
  where f.transfer_id = r.transfer_id and f.record_number = r.number and f.charged_on = r.returned_on);

-- Of what is returned now, on that day; only the amount is corrected.
create or replace function app.keep_return_fee() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' and (
      new.record_number = 0 and exists (select from public.transfers t where t.id = new.transfer_id and t.record_count = 1
        and t.state = 'returned' and t.returned_on = new.charged_on)
      or exists (select from public.transfer_records r where r.transfer_id = new.transfer_id
        and r.number = new.record_number and r.state = 'returned' and r.returned_on = new.charged_on))
    or tg_op = 'UPDATE' and (new.transfer_id, new.record_number, new.return_number, new.charged_on)
      = (old.transfer_id, old.record_number, old.return_number, old.charged_on) then
    return new;
  end if;
  raise exception 'the fee of a return is kept: % is refused', tg_op
    using errcode = 'check_violation', constraint = 'transfer_return_fee_kept';
end $$;
create trigger transfer_return_fees_keep before insert or update or delete on transfer_return_fees
  for each row execute function app.keep_return_fee();

-- Nothing comes back without its row, whichever way it went; what the bank charges is entered after that.
create function app.add_return() returns trigger language plpgsql as $$
declare
  transfer bigint := (to_jsonb(new) ->> tg_argv[0])::bigint;
  record integer := coalesce((to_jsonb(new) ->> 'number')::integer, 0);
begin
  insert into public.transfer_return_fees (transfer_id, record_number, return_number, charged_on, fee_yen, updated_at)
  select transfer, record, coalesce(max(f.return_number), 0) + 1, new.returned_on, 0, new.updated_at
  from public.transfer_return_fees f where f.transfer_id = transfer and f.record_number = record;
  return null;
end $$;
create trigger transfers_add_return after update of state on transfers for each row
  when (new.record_count = 1 and new.state = 'returned' and old.state <> 'returned') execute function app.add_return('id');
create trigger transfer_records_add_return after update of state on transfer_records for each row
  when (new.state = 'returned' and old.state <> 'returned') execute function app.add_return('transfer_id');
