-- A submission that carries a key has one effect, however often it arrives. Written in the transaction of the effect;
-- kept for seven days.
create table idempotency_keys (
  uid uuid not null references users on delete cascade,
  operation text not null,
  key text not null,
  arguments_sha256 bytea not null,
  -- Null only while the first submission runs.
  answer jsonb,
  created_at timestamptz not null default now(),
  primary key (uid, operation, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

alter table idempotency_keys enable row level security;
alter table idempotency_keys force row level security;
create policy all_rows on idempotency_keys using ((select app.scope()) = 'all');
create policy own_rows on idempotency_keys for select using (
  (select app.scope()) in ('organization', 'agreements', 'self') and uid = (select app.uid()));
create policy own_rows_insert on idempotency_keys for insert with check (
  (select app.scope()) in ('organization', 'agreements', 'self') and uid = (select app.uid()));
create policy own_rows_update on idempotency_keys for update using (
  (select app.scope()) in ('organization', 'agreements', 'self') and uid = (select app.uid()));
