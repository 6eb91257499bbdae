-- What an administrator wants to change about another person's account, until the person or a second administrator agrees.
-- A changed address of one's own is noted here too, so that it can be objected to.
create table account_changes (
  id bigint generated always as identity primary key,
  uid uuid not null references users on delete cascade,
  kind text not null check (kind in ('email', 'second-factor', 'invitation')),
  -- The address that is told, and where the change may be refused.
  email text not null,
  new_email text,
  requested_by_uid uuid not null,
  source_address text not null,
  requested_at timestamptz not null default now(),
  expires_at timestamptz not null,
  state text not null default 'pending' check (state in ('pending', 'done', 'withdrawn', 'refused', 'expired')),
  old_email_confirmed_at timestamptz,
  new_email_confirmed_at timestamptz,
  -- The person, or the second administrator.
  confirmed_by_uid uuid,
  settled_at timestamptz,
  check ((kind = 'email') = (new_email is not null)),
  check ((state = 'pending') = (settled_at is null)),
  -- Who asked for a change of somebody else never confirms it.
  check (confirmed_by_uid is null or confirmed_by_uid <> requested_by_uid or requested_by_uid = uid)
);
create unique index account_changes_pending on account_changes (uid) where state = 'pending';
create index account_changes_uid on account_changes (uid, settled_at);
alter table account_changes enable row level security;
alter table account_changes force row level security;
create policy all_rows on account_changes using ((select app.scope()) = 'all');
create policy own_organization on account_changes for select using (
  (select app.scope()) = 'organization' and uid in (select u.uid from users u));
create policy own_organization_insert on account_changes for insert with check (
  (select app.scope()) = 'organization' and requested_by_uid = (select app.uid()) and uid <> (select app.uid())
  and uid in (select u.uid from users u where u.organization_id = (select app.organization_id())));
create policy own_organization_update on account_changes for update using (
  (select app.scope()) = 'organization'
  and uid in (select u.uid from users u where u.organization_id = (select app.organization_id())));
revoke delete on account_changes from pc_app;

-- How an account was before a change took effect, for an objection. Kept for a week, read by the system alone.
create table account_undos (
  change_id bigint primary key references account_changes on delete cascade,
  kept_at timestamptz not null default now(),
  email text not null,
  oidc_issuer text,
  oidc_subject text,
  password_hash text,
  authenticators jsonb not null,
  recovery_codes jsonb not null
);
alter table account_undos enable row level security;
alter table account_undos force row level security;
create policy all_rows on account_undos using ((select app.scope()) = 'all');

-- A publisher's administrator confirms changes of the own organisation, whose secrets the own scope does not show.
create function app.keep_account_for_undo(change bigint) returns void language plpgsql as $$
declare
  own_scope text := app.scope();
  target uuid;
begin
  select c.uid into target from public.account_changes c where c.id = change and c.state = 'pending';
  if target is null or own_scope not in ('all', 'organization') then
    raise exception 'not a change that may take effect' using errcode = 'insufficient_privilege';
  end if;
  perform set_config('app.scope', 'all', true);
  insert into public.account_undos (change_id, email, oidc_issuer, oidc_subject, password_hash, authenticators, recovery_codes)
    select change, u.email, u.oidc_issuer, u.oidc_subject,
      (select a.password_hash from public.idp_accounts a where a.uid = u.uid),
      (select coalesce(jsonb_agg(to_jsonb(f)), '[]') from public.idp_authenticators f where f.uid = u.uid),
      (select coalesce(jsonb_agg(to_jsonb(r)), '[]') from public.idp_recovery_codes r where r.uid = u.uid)
    from public.users u where u.uid = target;
  perform set_config('app.scope', own_scope, true);
end $$;

-- The address of before stays reserved while a change can be undone: whoever took it would make the objection impossible.
create function app.is_email_reserved(address text, except_uid uuid) returns boolean language plpgsql as $$
declare
  own_scope text := coalesce(app.scope(), '');
  answer boolean;
begin
  perform set_config('app.scope', 'all', true);
  answer := exists (select from public.account_undos k join public.account_changes c on c.id = k.change_id
    where k.email = address and c.state = 'done' and c.uid <> except_uid);
  perform set_config('app.scope', own_scope, true);
  return answer;
end $$;
create function app.refuse_reserved_email() returns trigger language plpgsql as $$
begin
  if app.is_email_reserved(new.email, new.uid) then
    raise exception 'the address is reserved' using errcode = 'unique_violation', constraint = 'users_email_key';
  end if;
  return new;
end $$;
create trigger users_reserved_email before insert or update of email on users
  for each row execute function app.refuse_reserved_email();
create index account_undos_email on account_undos (email);

-- Roles that are not so new that whoever gave them could have made an accomplice, of the caller and of who asked for a
-- change that the caller sees, perhaps staff. The days count from the role and from the accepted invitation. None of
-- somebody disabled.
create function app.established_roles_of(person uuid, days int) returns setof text language plpgsql as $$
declare
  own_scope text := app.scope();
begin
  if own_scope <> 'all' and person is distinct from app.uid()
    and not exists (select from public.account_changes c where c.requested_by_uid = person) then return;
  end if;
  perform set_config('app.scope', 'all', true);
  return query select r.role_name from public.user_roles r join public.users u on u.uid = r.uid
    where u.uid = person and u.enabled
      and (r.given_by_uid is null or r.given_at <= now() - days * interval '1 day')
      and not exists (select from public.invitations i
        where i.uid = person and i.accepted_at > now() - days * interval '1 day');
  perform set_config('app.scope', own_scope, true);
end $$;

-- A change that takes effect is logged under the name of who asked for it, also when somebody else confirms it.
create policy requested_changes_append on audit_log for insert with check (
  (select app.scope()) = 'organization' and resource_name = 'iam:user.'
  and exists (
    select from account_changes c where c.uid::text = row_id and c.requested_by_uid = actor_uid
      and c.confirmed_by_uid = (select app.uid())));

-- Since when somebody has a role, and from whom: who became an administrator a moment ago is no second administrator.
-- From nobody: the system's own doing, or from before this was noted.
alter table user_roles
  add column given_at timestamptz,
  add column given_by_uid uuid;

-- Links by which an earlier version let an administrator change an address alone. The own change is asked for again.
select set_config('app.scope', 'all', true);
delete from idp_payloads where model = 'EmailChangeLink';
