-- Keys with which an organisation's own programs read its data (ADR 52). Of the secret only a hash is kept.
create table publisher_api_keys (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations on delete cascade,
  name text not null check (name <> '' and char_length(name) <= 60),
  -- SHA-256 of the whole key: with 256 random bits in it, nothing slower is needed.
  secret_sha256 bytea not null unique check (length(secret_sha256) = 32),
  -- The last characters, a part of its checksum: which key this is, and nothing to guess the rest by.
  secret_end text not null check (char_length(secret_end) = 4),
  scopes text[] not null check (cardinality(scopes) > 0 and scopes <@ array['reports', 'payments']),
  -- In whose name it reads; a key of nobody reads nothing.
  created_by_uid uuid references users on delete set null,
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at and expires_at <= created_at + interval '8760 hours'),
  revoked_at timestamptz,
  -- Its administrators were told that it ends.
  end_noticed_at timestamptz,
  -- What it was used for so far; written a little later than it happens.
  request_count bigint not null default 0,
  last_used_at timestamptz,
  last_used_from text
);
create index publisher_api_keys_organization on publisher_api_keys (organization_id);
create index publisher_api_keys_ending on publisher_api_keys (expires_at)
  where revoked_at is null and end_noticed_at is null;

alter table publisher_api_keys enable row level security;
alter table publisher_api_keys force row level security;
create policy all_rows on publisher_api_keys using ((select app.scope()) = 'all');
create policy own_rows on publisher_api_keys for select using (
  (select app.scope()) = 'organization' and organization_id = (select app.organization_id()));
-- Nobody makes one in somebody else's name.
create policy own_rows_insert on publisher_api_keys for insert with check (
  (select app.scope()) = 'organization' and organization_id = (select app.organization_id())
  and created_by_uid = (select app.uid()));
create policy own_rows_update on publisher_api_keys for update
  using ((select app.scope()) = 'organization' and organization_id = (select app.organization_id()))
  with check (organization_id = (select app.organization_id()));

/* What a key is, and until when, stays as it was made: it can only be revoked, for good, and its use counted. */
create function app.keep_api_key() returns trigger language plpgsql as $$
begin
  if (new.organization_id, new.secret_sha256, new.scopes, new.created_at, new.expires_at)
      is distinct from (old.organization_id, old.secret_sha256, old.scopes, old.created_at, old.expires_at)
    or (new.created_by_uid is not null and new.created_by_uid is distinct from old.created_by_uid)
    or (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at)
  then raise exception 'an API key stays as it was made' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger publisher_api_keys_stay before update on publisher_api_keys
  for each row execute function app.keep_api_key();
