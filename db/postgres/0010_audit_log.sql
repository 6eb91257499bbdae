-- What was changed, by whom, when and from where: one row per change, written in the transaction of the change.
-- The application may append and read, nothing else; nobody may change or remove a row; every row's hash covers the
-- hash before it, so that whoever gets around the triggers is found out (platform/audit/verify-audit-chain.ts).

create table audit_log (
  -- Without gaps, in the order of commits. Given by the trigger, as are the time and the hashes.
  seq bigint primary key default 0,
  at timestamptz not null default now(),
  -- Null: the system itself, then `action` says which part.
  actor_uid uuid,
  -- Whose view the actor had taken on.
  acting_as_uid uuid,
  source_address text not null,
  request_id text not null,
  action text not null,
  resource_name text not null,
  row_id text not null,
  before jsonb,
  after jsonb,
  previous_hash bytea not null default '',
  hash bytea not null default ''
);
create index audit_log_row on audit_log (resource_name, row_id, seq desc);

-- The end of the chain. Its row lock makes writers append one after the other, which is why the sequence has no gaps.
create table audit_head (
  is_only boolean primary key default true check (is_only),
  seq bigint not null,
  hash bytea not null
);
insert into audit_head (seq, hash) values (0, sha256('publisher-center audit log'));

-- Number, time and hashes are given here, so that no writer can choose them.
create function app.append_to_audit_chain() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
declare
  head public.audit_head;
begin
  select * into strict head from public.audit_head for update;
  new.seq := head.seq + 1;
  new.at := clock_timestamp();
  new.previous_hash := head.hash;
  new.hash := sha256(new.previous_hash || convert_to(app.audit_row_text(new), 'UTF8'));
  update public.audit_head set seq = new.seq, hash = new.hash;
  return new;
end $$;

-- The canonical text of a row: what PostgreSQL prints for a jsonb does not depend on how it was written.
create function app.audit_row_text(entry public.audit_log) returns text language sql immutable set search_path = pg_catalog
  return jsonb_build_object(
    'seq', entry.seq,
    'at', extract(epoch from entry.at)::text,
    'actor_uid', entry.actor_uid::text,
    'acting_as_uid', entry.acting_as_uid::text,
    'source_address', entry.source_address,
    'request_id', entry.request_id,
    'action', entry.action,
    'resource_name', entry.resource_name,
    'row_id', entry.row_id,
    'before', entry.before,
    'after', entry.after)::text;

create function app.refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only' using errcode = 'insufficient_privilege';
end $$;

create trigger audit_log_append before insert on audit_log for each row execute function app.append_to_audit_chain();
create trigger audit_log_keep before update or delete on audit_log for each row execute function app.refuse_audit_change();
create trigger audit_log_keep_all before truncate on audit_log for each statement execute function app.refuse_audit_change();
create trigger audit_head_keep before delete on audit_head for each row execute function app.refuse_audit_change();
create trigger audit_head_keep_all before truncate on audit_head for each statement execute function app.refuse_audit_change();

alter table audit_log enable row level security;
alter table audit_log force row level security;
-- Only staff and the system read it. A tenant leaves rows in its own name only.
create policy all_rows_read on audit_log for select using ((select app.scope()) = 'all');
create policy all_rows_append on audit_log for insert with check ((select app.scope()) = 'all');
create policy own_rows_append on audit_log for insert with check (
  (select app.scope()) in ('organization', 'agreements', 'self') and actor_uid = (select app.uid()));
alter table audit_head enable row level security;
alter table audit_head force row level security;
-- Read by staff; moved by the trigger, which works as the owner, in every scope.
create policy all_rows on audit_head for select to pc_app using ((select app.scope()) = 'all');
create policy chain on audit_head to current_role using ((select app.scope()) <> '');

revoke all on audit_log, audit_head from pc_app;
grant select on audit_log, audit_head to pc_app;
grant insert (actor_uid, acting_as_uid, source_address, request_id, action, resource_name, row_id, before, after)
  on audit_log to pc_app;
