-- Statements are found by their payee, their agreement and their number without reading all of them. What narrows them must
-- be known before row-level security lets a plan look at texts: payees and agreements become ids, the number a range.

-- What each organisation was called on its statements, in the normal form of searches: few names, of many statements.
create table app.statement_payees (
  organization_id bigint not null,
  search_text text not null,
  primary key (organization_id, search_text)
);
create function app.keep_statement_payees() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  insert into app.statement_payees (organization_id, search_text)
    select distinct w.organization_id, w.payee_search_text from written w order by 1, 2
    on conflict do nothing;
  return null;
end $$;
create trigger statements_payees after insert on statements
  referencing new table as written for each statement execute function app.keep_statement_payees();
insert into app.statement_payees (organization_id, search_text)
  select distinct organization_id, payee_search_text from statements;

-- For staff, which sees every row anyway; more than 2,000 are not named.
create function app.find_payees(word text) returns bigint[]
  language plpgsql stable security definer set search_path = pg_catalog as $$
declare
  found bigint[];
begin
  if app.scope() is distinct from 'all' then return null; end if;
  found := array(select distinct p.organization_id from app.statement_payees p where strpos(p.search_text, word) > 0 limit 2001);
  return case when cardinality(found) <= 2000 then found end;
end $$;

create index statements_number on statements (number collate "C");
create index statements_agreement_issued on statements (agreement_id, issued_on desc);
drop index statements_agreement;

-- What waits for somebody is counted whenever staff opens the start page.
create index bank_accounts_requested on bank_accounts (updated_at) where state = 'requested';
create index statements_objected on statements (issued_on) where state = 'objected';
create index monthly_payments_unpaid on monthly_payments (due_on)
  where has_been_finalized and payment_status in ('scheduled', 'returned');
