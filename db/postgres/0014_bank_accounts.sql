-- Banks and branches of the whole country (npm package zengin-code), the accounts of the payees, and which agreement is
-- paid to which of them from which month on.

create table banks (
  id bigint generated always as identity primary key,
  code text not null unique check (code ~ '^[0-9]{4}$'),
  name text not null,
  kana text not null,
  hira text not null,
  roma text not null,
  -- No longer in the master: it stays readable, new accounts cannot name it.
  is_gone boolean not null default false
);
create table bank_branches (
  id bigint generated always as identity primary key,
  bank_id bigint not null references banks,
  code text not null check (code ~ '^[0-9]{3}$'),
  name text not null,
  kana text not null,
  hira text not null,
  roma text not null,
  is_gone boolean not null default false,
  unique (bank_id, code)
);
-- One row: the version of the master that was imported last.
create table bank_master_imports (
  is_only boolean primary key default true check (is_only),
  version text not null,
  imported_at timestamptz not null default now()
);

create table bank_accounts (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  bank_id bigint not null references banks,
  bank_branch_id bigint not null references bank_branches,
  type_name text not null check (type_name in ('ordinary', 'current', 'savings')),
  number text not null check (number ~ '^[0-9]{7}$'),
  -- Half-width capital kana as the bank file writes it.
  holder text not null check (holder <> '' and octet_length(holder) <= 90),
  -- A request by one person, until another one has decided. Never changed otherwise: a new account is a new row.
  state text not null default 'requested' check (state in ('requested', 'approved', 'rejected')),
  enabled boolean not null generated always as (state = 'approved') stored,
  requested_by uuid references users on delete set null,
  requested_at timestamptz not null default now(),
  decided_by uuid references users on delete set null,
  decided_at timestamptz,
  rejection_reason text,
  revision integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((state = 'requested') = (decided_at is null)),
  check (decided_by is distinct from requested_by or decided_by is null)
);
create index bank_accounts_organization on bank_accounts (organization_id);

create function app.keep_bank_account() returns trigger language plpgsql as $$
begin
  if (new.organization_id, new.bank_id, new.bank_branch_id, new.type_name, new.number, new.holder)
     is distinct from (old.organization_id, old.bank_id, old.bank_branch_id, old.type_name, old.number, old.holder)
     or (old.state <> 'requested' and new.state <> old.state) then
    raise exception 'a bank account is not changed after its creation' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
create trigger bank_accounts_keep before update on bank_accounts for each row execute function app.keep_bank_account();

create table agreement_bank_accounts (
  id bigint generated always as identity primary key,
  agreement_id bigint not null references agreements on delete cascade,
  bank_account_id bigint not null references bank_accounts,
  used_from_month integer not null
    check (used_from_month between 202012 and 999912 and used_from_month % 100 between 1 and 12),
  created_at timestamptz not null default now(),
  unique (agreement_id, used_from_month)
);
create index agreement_bank_accounts_account on agreement_bank_accounts (bank_account_id);

do $$
declare
  name text;
begin
  foreach name in array array['banks', 'bank_branches', 'bank_master_imports', 'bank_accounts', 'agreement_bank_accounts'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format($policy$create policy all_rows on %I using ((select app.scope()) = 'all')$policy$, name);
  end loop;
end $$;
create policy reference_data on banks for select using ((select app.scope()) in ('organization', 'agreements'));
create policy reference_data on bank_branches for select using ((select app.scope()) in ('organization', 'agreements'));
-- An administrator of a publisher sees and requests accounts of the own organisation; an editor sees none.
create policy own_organization on bank_accounts for select using (
  (select app.scope()) = 'organization' and organization_id = (select app.organization_id()));
create policy own_organization_request on bank_accounts for insert with check (
  (select app.scope()) = 'organization' and organization_id = (select app.organization_id())
  and state = 'requested' and requested_by = (select app.uid()));
create policy own_organization on agreement_bank_accounts for select using (
  (select app.scope()) = 'organization' and agreement_id in (select a.id from agreements a));
