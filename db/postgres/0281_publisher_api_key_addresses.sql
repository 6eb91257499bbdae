-- Publishers' keys: from where each may be used, that somebody tried from elsewhere, and one pace over all processes (ADR 52).
alter table publisher_api_keys
  -- Addresses and ranges as domain/api-key/address-range.ts writes them; empty: from everywhere.
  add column allowed_addresses text[] not null default '{}' check (cardinality(allowed_addresses) <= 20),
  -- The last request from anywhere else; written at most once a minute.
  add column refused_at timestamptz,
  add column refused_from text;

/* What a key is, from where and until when, stays as it was made: it can only be revoked, for good, and its use counted. */
create or replace function app.keep_api_key() returns trigger language plpgsql as $$
begin
  if (new.organization_id, new.secret_sha256, new.scopes, new.allowed_addresses, new.created_at, new.expires_at)
      is distinct from
      (old.organization_id, old.secret_sha256, old.scopes, old.allowed_addresses, old.created_at, old.expires_at)
    or (new.created_by_uid is not null and new.created_by_uid is distinct from old.created_by_uid)
    or (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at)
  then raise exception 'an API key stays as it was made' using errcode = 'check_violation';
  end if;
  return new;
end $$;

-- Where the limit of a key is counted for all processes. Unlogged: a commit waits for no disk, and what a crash forgets is
-- half a minute of counting.
create unlogged table publisher_api_key_paces (
  key_id bigint primary key references publisher_api_keys on delete cascade,
  -- When its bucket will be full again.
  full_at timestamptz not null
) with (fillfactor = 50);
alter table publisher_api_key_paces enable row level security;
alter table publisher_api_key_paces force row level security;
create policy all_rows on publisher_api_key_paces using ((select app.scope()) = 'all');
