-- A payee takes an objection back: the statement waits for its confirmation as before, and may be objected to again.
alter table statement_events drop constraint statement_events_event_check,
  add constraint statement_events_event_check
    check (event in ('confirm', 'deem', 'object', 'withdraw', 'resolve', 'replace', 'send')),
  drop constraint statement_events_check4,
  add constraint statement_events_check4
    check (event in ('object', 'withdraw', 'confirm', 'deem') or text is not null);

-- Each thing happens once, except an objection that was withdrawn. Two at once are refused by app.keep_statement.
drop index statement_events_once;
create unique index statement_events_once on statement_events (statement_id, event)
  where event not in ('object', 'withdraw');
drop index statement_events_answer;
create unique index statement_events_answer on statement_events (statement_id) where event in ('confirm', 'deem');

drop policy own_organization_answer on statement_events;
create policy own_organization_answer on statement_events for insert with check (
  (select app.scope()) = 'organization' and actor_uid = (select app.uid()) and event in ('confirm', 'object', 'withdraw')
  and statement_id in (select s.id from statements s));
drop policy own_organization_answer on statements;
create policy own_organization_answer on statements for update using (
  (select app.scope()) = 'organization' and organization_id = (select app.organization_id()))
  with check (organization_id = (select app.organization_id()) and state in ('issued', 'confirmed', 'objected'));

create or replace function app.keep_statement() returns trigger language plpgsql as $$
declare
  kept public.statements;
begin
  if tg_op = 'DELETE' then
    raise exception 'a statement is kept' using errcode = 'check_violation', constraint = 'statement_kept';
  end if;
  if tg_op = 'INSERT' then
    if not exists (select from public.monthly_payments p where p.id = new.monthly_payment_id and p.has_been_finalized
      and p.medium_id = new.medium_id and p.agreement_id = new.agreement_id and p.month = new.month
      and p.organization_id = new.organization_id and p.payment_yen = new.total_without_tax_yen
      and p.payment_including_tax_yen = new.total_yen and p.due_on = new.due_on) then
      raise exception 'the statement differs from the finalised payment'
        using errcode = 'check_violation', constraint = 'statement_ties';
    end if;
    return new;
  end if;
  kept := new;
  kept.state := old.state;
  kept.confirmation_method := old.confirmation_method;
  kept.state_changed_at := old.state_changed_at;
  -- A generated column has no value yet before the row is written.
  kept.payee_search_text := old.payee_search_text;
  if kept is not distinct from old and new.state = old.state
    and new.confirmation_method is not distinct from old.confirmation_method then
    return new;
  end if;
  if kept is distinct from old
    or (old.state, new.state) not in (('issued', 'confirmed'), ('issued', 'objected'), ('objected', 'issued'),
      ('objected', 'resolved'),
      ('issued', 'replaced'), ('confirmed', 'replaced'), ('objected', 'replaced'), ('resolved', 'replaced'))
    or new.state = 'confirmed' and new.confirmation_method is null
    or new.state in ('issued', 'objected', 'resolved') and new.confirmation_method is not null
    or new.state = 'replaced' and new.confirmation_method is distinct from old.confirmation_method then
    raise exception 'a statement is never changed' using errcode = 'check_violation', constraint = 'statement_kept';
  end if;
  return new;
end $$;
