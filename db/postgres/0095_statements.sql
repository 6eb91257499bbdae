-- 支払通知書 兼 仕入明細書: what was issued, word for word, and what the payee said about it. A document is never changed
-- or removed; a replaced one keeps its number and gets a revision.

-- What the payer prints about itself and has agreed on, in force for documents issued from a month on.
create table statement_settings (
  valid_from_month integer primary key check (valid_from_month between 202012 and 999912 and valid_from_month % 100 between 1 and 12),
  payer_name text not null check (btrim(payer_name) <> ''),
  payer_address text not null default '',
  payer_registration_number text not null check (payer_registration_number ~ '^T[1-9][0-9]{12}$'),
  -- Days after the issue on which silence counts as a confirmation, as agreed with the payees beforehand.
  deemed_confirmation_days integer not null check (deemed_confirmation_days between 1 and 90),
  -- Where the money is sent from, for the fee that a payee bears; unknown: no statement of such a payee can be issued.
  source_bank_code text check (source_bank_code ~ '^\d{4}$'),
  source_branch_code text check (source_branch_code ~ '^\d{3}$'),
  revision integer not null default 1,
  updated_at timestamptz not null default now(),
  check ((source_bank_code is null) = (source_branch_code is null))
);

create table statements (
  id bigint generated always as identity primary key,
  monthly_payment_id bigint not null references monthly_payments,
  medium_id bigint not null references media,
  agreement_id bigint not null references agreements,
  organization_id bigint not null references organizations,
  month integer not null,
  number text not null,
  revision integer not null default 0 check (revision >= 0),
  revision_reason text check (btrim(revision_reason) <> ''),
  -- Which template draws it: the document is a pure function of this and the content.
  template_version integer not null check (template_version > 0),
  -- Canonical text of every printed field.
  content text not null,
  -- SHA-256 of template version and content: what the payee confirms.
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  issued_on date not null,
  issued_at timestamptz not null,
  -- Null: the system.
  issued_by_uid uuid,
  deemed_on date not null check (deemed_on > issued_on),
  due_on date not null,
  -- Copies of the content, for the search of the archive.
  payee_name text not null check (btrim(payee_name) <> ''),
  payee_search_text text generated always as (app.search_text(payee_name)) stored,
  total_without_tax_yen bigint not null check (total_without_tax_yen > 0),
  total_yen bigint not null check (total_yen >= total_without_tax_yen),
  transfer_amount_yen bigint not null check (transfer_amount_yen between 1 and total_yen),
  state text not null default 'issued' check (state in ('issued', 'confirmed', 'objected', 'resolved', 'replaced')),
  -- Null while it is not confirmed.
  confirmation_method text check (confirmation_method in ('explicit', 'deemed')),
  state_changed_at timestamptz not null,
  unique (number, revision),
  check ((revision > 0) = (revision_reason is not null))
);
-- One document of a payment counts.
create unique index statements_current on statements (monthly_payment_id) where state <> 'replaced';
create index statements_organization on statements (organization_id, issued_on desc);
create index statements_issued on statements (issued_on desc, id desc);
create index statements_month on statements (medium_id, month);
create index statements_agreement on statements (agreement_id);
create index statements_waiting on statements (deemed_on) where state = 'issued';

-- Who said what about which text, from where and when: the evidence.
create table statement_events (
  id bigint generated always as identity primary key,
  statement_id bigint not null references statements,
  event text not null check (event in ('confirm', 'deem', 'object', 'resolve', 'replace')),
  statement_hash text not null,
  at timestamptz not null,
  -- Null, as the next one: silence confirmed it.
  actor_uid uuid,
  -- Kept when the person is gone.
  actor_email text,
  source_address text,
  text text check (btrim(text) <> ''),
  -- Of an objection: [{"label": …, "reason": …}].
  lines jsonb not null default '[]',
  resolution text check (resolution in ('upheld', 'adjusted_later')),
  adjustment_month integer,
  check ((event = 'deem') = (actor_uid is null)),
  check ((event = 'deem') = (source_address is null)),
  check ((event = 'resolve') = (resolution is not null)),
  check ((resolution is not distinct from 'adjusted_later') = (adjustment_month is not null)),
  check (event in ('object', 'confirm', 'deem') or text is not null)
);
create index statement_events_statement on statement_events (statement_id, id);
-- Whoever comes at the same time: each thing happens once.
create unique index statement_events_once on statement_events (statement_id, event);
create unique index statement_events_answer on statement_events (statement_id) where event in ('confirm', 'deem', 'object');

-- Which statements the payee was told about.
create table statement_notices (
  statement_id bigint primary key references statements,
  notified_at timestamptz not null
);

do $$
declare
  name text;
begin
  foreach name in array array['statement_settings', 'statements', 'statement_events', 'statement_notices']
  loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format($policy$create policy all_rows on %I using ((select app.scope()) = 'all')$policy$, name);
  end loop;
end $$;
-- A publisher's administrator reads what was issued to the own organisation, and answers it.
create policy own_organization on statements for select using (
  (select app.scope()) = 'organization' and organization_id = (select app.organization_id()));
create policy own_organization_answer on statements for update using (
  (select app.scope()) = 'organization' and organization_id = (select app.organization_id()))
  with check (organization_id = (select app.organization_id()) and state in ('confirmed', 'objected'));
create policy own_organization on statement_events for select using (
  (select app.scope()) = 'organization' and statement_id in (select s.id from statements s));
create policy own_organization_answer on statement_events for insert with check (
  (select app.scope()) = 'organization' and actor_uid = (select app.uid()) and event in ('confirm', 'object')
  and statement_id in (select s.id from statements s));

-- A document is issued of a finalised payment only, to the yen; afterwards only its state goes on.
create function app.keep_statement() returns trigger language plpgsql as $$
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
  if kept is distinct from old
    or (old.state, new.state) not in (('issued', 'confirmed'), ('issued', 'objected'), ('objected', 'resolved'),
      ('issued', 'replaced'), ('confirmed', 'replaced'), ('objected', 'replaced'), ('resolved', 'replaced'))
    or new.state = 'confirmed' and new.confirmation_method is null
    or new.state in ('objected', 'resolved') and new.confirmation_method is not null
    or new.state = 'replaced' and new.confirmation_method is distinct from old.confirmation_method then
    raise exception 'a statement is never changed' using errcode = 'check_violation', constraint = 'statement_kept';
  end if;
  return new;
end $$;
create trigger statements_keep before insert or update or delete on statements
  for each row execute function app.keep_statement();
create trigger statement_events_append before update or delete on statement_events
  for each row execute function app.refuse_ledger_change();
create trigger statements_keep_all before truncate on statements
  for each statement execute function app.refuse_truncate();
create trigger statement_events_keep_all before truncate on statement_events
  for each statement execute function app.refuse_truncate();
