-- The paper behind an agreement: its files, when it ends, and the reminder before that (features, 1.3).

alter table agreements
  add column contract_end_month integer
    check (contract_end_month between 202012 and 999912 and contract_end_month % 100 between 1 and 12),
  -- How many days before the end of that month somebody has to decide about the renewal.
  add column renewal_notice_days integer check (renewal_notice_days between 1 and 365);
create index agreements_contract_end on agreements (contract_end_month) where contract_end_month is not null;

-- Files of agreements. The bytes are in the object store; a file that was taken away keeps its row and its bytes.
create table agreement_documents (
  id bigint generated always as identity primary key,
  agreement_id bigint not null references agreements,
  object_key text not null unique,
  file_name text not null check (file_name <> '' and char_length(file_name) <= 200),
  size_bytes integer not null check (size_bytes > 0),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  -- Kept when the person is gone.
  added_by uuid,
  added_at timestamptz not null default now(),
  removed_at timestamptz
);
create index agreement_documents_agreement on agreement_documents (agreement_id);
create unique index agreement_documents_content on agreement_documents (agreement_id, sha256) where removed_at is null;
alter table agreement_documents enable row level security;
alter table agreement_documents force row level security;
create policy all_rows on agreement_documents using ((select app.scope()) = 'all');
create policy visible_agreements on agreement_documents for select
  using ((select app.scope()) in ('organization', 'agreements') and removed_at is null
    and agreement_id in (select a.id from agreements a));

-- Of which term people were reminded: once.
create table agreement_renewal_notices (
  agreement_id bigint not null references agreements on delete cascade,
  contract_end_month integer not null,
  noticed_at timestamptz not null,
  primary key (agreement_id, contract_end_month)
);
alter table agreement_renewal_notices enable row level security;
alter table agreement_renewal_notices force row level security;
create policy all_rows on agreement_renewal_notices using ((select app.scope()) = 'all');
