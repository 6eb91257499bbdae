-- The archive orders statements by what stands in these indexes, and finds a page without reading the documents themselves.
drop index statements_issued;
create index statements_issued on statements (issued_on desc, id desc)
  include (state, total_yen, organization_id, agreement_id, month, medium_id);
create index statements_month_order on statements (month, id) include (state, total_yen, organization_id, agreement_id, medium_id);
create index statements_total_order on statements (total_yen, id) include (state, organization_id, agreement_id, month, medium_id);
create index statements_deemed_order on statements (deemed_on, id) include (state, organization_id, agreement_id, month, medium_id);

-- As of the lists before (0151): a truth value is likely, a text that is compared is taken to hold for one row of two hundred,
-- and a plan for 25 rows of 240,000 sorts them all.
do $$
declare
  name text;
begin
  foreach name in array array['statements', 'monthly_payments', 'agreement_bank_accounts', 'transfer_payments', 'questions', 'feed_health']
  loop
    execute format($policy$alter policy all_rows on public.%I using ((select app.scope() = 'all'))$policy$, name);
  end loop;
end $$;

-- For staff: the agreements that a word names, however many: by name, code, organisation or reading, or by what the
-- organisation was called on a statement. A set that a plan makes once, instead of texts that it reads for each statement.
create function app.named_agreements(word text) returns setof bigint
  language plpgsql stable security definer set search_path = pg_catalog rows 20000 as $$
begin
  if app.scope() is distinct from 'all' then return; end if;
  return query select a.id from app.agreement_pieces a
    where strpos(a.search_text, word) > 0
      or a.organization_id in (select p.organization_id from app.statement_payees p where strpos(p.search_text, word) > 0);
end $$;
-- The same of one agreement.
create function app.is_named_agreement(agreement bigint, word text) returns boolean
  language plpgsql stable security definer set search_path = pg_catalog as $$
begin
  return app.scope() = 'all' and exists (select from app.agreement_pieces a where a.id = agreement
    and (strpos(a.search_text, word) > 0 or exists (select from app.statement_payees p
      where p.organization_id = a.organization_id and strpos(p.search_text, word) > 0)));
end $$;

-- How many statements an agreement has in each state, and what they come to, exact at every moment: sums over rows that are
-- only ever added, as of articles and of searches. The columns have the names that they have in the table of statements.
create table app.statement_counts (
  agreement_id bigint not null,
  organization_id bigint not null,
  medium_id bigint not null,
  state text not null,
  statements bigint not null,
  total_yen bigint not null
);
create index statement_counts_agreement on app.statement_counts (agreement_id);
alter table app.statement_counts enable row level security;
create policy all_rows on app.statement_counts using ((select app.scope() = 'all'));
grant select on app.statement_counts to pc_app;

create function app.count_statements() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  if tg_op = 'INSERT' then
    insert into app.statement_counts
    select w.agreement_id, w.organization_id, w.medium_id, w.state, count(*), sum(w.total_yen) from written w group by 1, 2, 3, 4;
  elsif tg_op = 'DELETE' then
    insert into app.statement_counts
    select g.agreement_id, g.organization_id, g.medium_id, g.state, -count(*), -sum(g.total_yen) from gone g group by 1, 2, 3, 4;
  else
    insert into app.statement_counts
    select c.agreement_id, c.organization_id, c.medium_id, c.state, sum(c.change), sum(c.change * c.total_yen)
    from (select agreement_id, organization_id, medium_id, state, total_yen, 1 as change from written
      union all select agreement_id, organization_id, medium_id, state, total_yen, -1 from gone) c
    group by 1, 2, 3, 4 having sum(c.change) <> 0 or sum(c.change * c.total_yen) <> 0;
  end if;
  return null;
end $$;
create trigger statements_counted_new after insert on statements
  referencing new table as written for each statement execute function app.count_statements();
create trigger statements_counted_moved after update on statements
  referencing old table as gone new table as written for each statement execute function app.count_statements();
create trigger statements_counted_gone after delete on statements
  referencing old table as gone for each statement execute function app.count_statements();
-- Under the lock of the triggers nobody writes statements until this is committed.
insert into app.statement_counts
  select agreement_id, organization_id, medium_id, state, count(*), sum(total_yen) from statements group by 1, 2, 3, 4;

-- One row of each agreement and state instead of several. Rows that two mergings want go to one of them; rows that are added
-- meanwhile stay.
create function app.merge_statement_counts() returns void language plpgsql security definer set search_path = pg_catalog as $$
begin
  if app.scope() is distinct from 'all' then return; end if;
  with several as (
    select c.agreement_id, c.state from app.statement_counts c group by 1, 2 having count(*) > 1
  ), gone as (
    delete from app.statement_counts c using several s where c.agreement_id = s.agreement_id and c.state = s.state
    returning c.*
  )
  insert into app.statement_counts
  select g.agreement_id, g.organization_id, g.medium_id, g.state, sum(g.statements), sum(g.total_yen)
  from gone g group by 1, 2, 3, 4 having sum(g.statements) <> 0;
end $$;
revoke execute on function app.named_agreements(text), app.is_named_agreement(bigint, text), app.merge_statement_counts() from public;
grant execute on function app.named_agreements(text), app.is_named_agreement(bigint, text), app.merge_statement_counts() to pc_app;
