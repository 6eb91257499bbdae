-- The books of a medium begin with the first month that was closed. A month before it can never be closed any more, so
-- nothing is entered for it or computed of it: its draft would stand in the way of every later month.
create function app.is_before_books(of_medium_id bigint, of_month integer) returns boolean language sql stable
  return of_month < (select min(s.month) from public.month_states s
    where s.medium_id = of_medium_id and s.state in ('finalized', 'paid'));

-- Drafts that were made of such months while nothing kept them out. Entries stay in their ledger, where they were.
do $$
declare
  draft record;
begin
  for draft in select medium_id, month from month_states
    where state in ('open', 'computed') and app.is_before_books(medium_id, month)
  loop
    delete from monthly_pools where medium_id = draft.medium_id and month = draft.month;
    delete from monthly_agreement_snapshots where medium_id = draft.medium_id and month = draft.month;
    delete from month_states where medium_id = draft.medium_id and month = draft.month;
  end loop;
end $$;

create or replace function app.keep_month_state() returns trigger language plpgsql as $$
declare
  kept public.month_states;
begin
  if tg_op = 'DELETE' then
    if old.state in ('finalized', 'paid') then
      raise exception 'a finalised month is not removed' using errcode = 'check_violation', constraint = 'closed_month';
    end if;
    return old;
  end if;
  if new.state in ('open', 'computed') and app.is_before_books(new.medium_id, new.month) then
    raise exception 'the books begin with a later month' using errcode = 'check_violation', constraint = 'closed_month';
  end if;
  if tg_op = 'INSERT' then
    if new.state <> 'open' then
      raise exception 'a month begins open' using errcode = 'check_violation', constraint = 'month_transition';
    end if;
    return new;
  end if;
  if old.state in ('finalized', 'paid') then
    kept := new;
    kept.state := old.state;
    kept.paid_at := old.paid_at;
    if kept is distinct from old or (old.state, new.state) not in (('finalized', 'finalized'), ('finalized', 'paid'), ('paid', 'paid')) then
      raise exception 'a finalised month does not change' using errcode = 'check_violation', constraint = 'closed_month';
    end if;
    return new;
  end if;
  if new.medium_id <> old.medium_id or new.month <> old.month
    or (old.state, new.state) not in (('open', 'open'), ('open', 'computed'), ('computed', 'computed'), ('computed', 'open'), ('computed', 'finalized')) then
    raise exception 'month % cannot go from % to %', old.month, old.state, new.state
      using errcode = 'check_violation', constraint = 'month_transition';
  end if;
  if new.state = 'finalized' then
    perform app.check_month_sums(new.medium_id, new.month);
    insert into public.month_closings (medium_id, month, finalized_at) values (new.medium_id, new.month, new.finalized_at)
      on conflict (medium_id, month) do nothing;
  end if;
  return new;
end $$;
