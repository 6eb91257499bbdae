-- Which agreements a requested account is to be paid for: they take it automatically on its first usable day.
create table bank_account_switches (
  bank_account_id bigint not null references bank_accounts,
  agreement_id bigint not null references agreements on delete cascade,
  -- `superseded`: the agreement was given another account since the request. `cancelled`: staff stopped it.
  state text not null default 'planned' check (state in ('planned', 'done', 'superseded', 'cancelled')),
  -- Why the last attempt was refused.
  refusal_code text,
  ended_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (bank_account_id, agreement_id),
  check ((state = 'planned') = (ended_at is null)),
  check (refusal_code is null or state = 'planned')
);
create index bank_account_switches_agreement on bank_account_switches (agreement_id);
create index bank_account_switches_planned on bank_account_switches (bank_account_id) where state = 'planned';
create trigger same_organization after insert or update of agreement_id, bank_account_id
  on bank_account_switches for each row execute function app.refuse_foreign_account();

alter table bank_account_switches enable row level security;
alter table bank_account_switches force row level security;
create policy all_rows on bank_account_switches using ((select app.scope()) = 'all');
create policy own_organization on bank_account_switches for select using (
  (select app.scope()) = 'organization' and bank_account_id in (select b.id from bank_accounts b));
create policy own_organization_request on bank_account_switches for insert with check (
  (select app.scope()) = 'organization' and state = 'planned' and bank_account_id in (
    select b.id from bank_accounts b where b.state = 'requested' and b.requested_by = (select app.uid()))
  and agreement_id in (select a.id from agreements a));
