-- People: invitations, the limit of mails, second factors, what is known of sessions, and views taken on by staff.

-- The one open or used invitation of a person. Only the hash of the link's secret is kept; it is filled when the mail
-- is written, so that no secret ever waits in a queue. A new invitation takes the place of the one before.
create table invitations (
  uid uuid primary key references users on delete cascade,
  secret_sha256 text unique,
  invited_by_uid uuid,
  invited_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz
);
alter table invitations enable row level security;
alter table invitations force row level security;
create policy all_rows on invitations using ((select app.scope()) = 'all');
create policy visible_users on invitations for select using (
  (select app.scope()) = 'organization' and uid in (select u.uid from users u));
create policy own_organization_insert on invitations for insert with check (
  (select app.scope()) = 'organization'
  and uid in (select u.uid from users u where u.organization_id = (select app.organization_id())));
create policy own_organization_update on invitations for update using (
  (select app.scope()) = 'organization'
  and uid in (select u.uid from users u where u.organization_id = (select app.organization_id())));

-- One row per mail that somebody had sent to another person, for the limit per hour.
create table sent_mails (
  id bigint generated always as identity primary key,
  sender_uid uuid not null,
  sent_at timestamptz not null default now()
);
create index sent_mails_sender on sent_mails (sender_uid, sent_at);
alter table sent_mails enable row level security;
alter table sent_mails force row level security;
create policy all_rows on sent_mails using ((select app.scope()) = 'all');
create policy own_rows on sent_mails for select using (
  (select app.scope()) = 'organization' and sender_uid = (select app.uid()));
create policy own_rows_insert on sent_mails for insert with check (
  (select app.scope()) = 'organization' and sender_uid = (select app.uid()));

-- Second factors of the embedded issuer. A TOTP secret has to be readable to be compared; codes for emergencies and
-- passkeys are kept as hashes and public keys.
create table idp_authenticators (
  id bigint generated always as identity primary key,
  uid uuid not null references users on delete cascade,
  kind text not null check (kind in ('totp', 'passkey')),
  label text not null,
  totp_secret bytea,
  -- The time step of the last code that was accepted: no code counts twice.
  totp_last_step bigint,
  credential_id text unique,
  public_key bytea,
  sign_count bigint,
  transports text[],
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  check ((kind = 'totp') = (totp_secret is not null)),
  check ((kind = 'passkey') = (credential_id is not null and public_key is not null))
);
create index idp_authenticators_uid on idp_authenticators (uid);
create unique index idp_authenticators_one_totp on idp_authenticators (uid) where kind = 'totp';
create table idp_recovery_codes (
  uid uuid not null references users on delete cascade,
  code_sha256 text not null,
  used_at timestamptz,
  primary key (uid, code_sha256)
);

-- What is known of a session beside the issuer's own record: from where, when last, and when its person last proved
-- to be there (step-up).
create table idp_session_uses (
  session_uid text primary key,
  uid uuid not null references users on delete cascade,
  device text not null,
  address text not null,
  last_used_at timestamptz not null,
  proved_at timestamptz
);
create index idp_session_uses_uid on idp_session_uses (uid);

-- Staff who see the system as a publisher's user does: bound to one session, read-only, at most 30 minutes.
create table view_as_sessions (
  id bigint generated always as identity primary key,
  session_key text not null,
  staff_uid uuid not null references users on delete cascade,
  target_uid uuid not null references users on delete cascade,
  reason text not null check (reason <> ''),
  started_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz
);
create unique index view_as_sessions_open on view_as_sessions (session_key) where ended_at is null;
create index view_as_sessions_staff on view_as_sessions (staff_uid);
create index view_as_sessions_target on view_as_sessions (target_uid);

do $$
declare
  name text;
begin
  foreach name in array array['idp_authenticators', 'idp_recovery_codes', 'idp_session_uses', 'view_as_sessions'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format($policy$create policy all_rows on %I using ((select app.scope()) = 'all')$policy$, name);
  end loop;
end $$;
-- Ending a view happens in the scope of the person whose view it is.
create policy own_view on view_as_sessions for select using (
  (select app.scope()) in ('organization', 'agreements', 'self') and target_uid = (select app.uid()));
create policy own_view_end on view_as_sessions for update using (
  (select app.scope()) in ('organization', 'agreements', 'self') and target_uid = (select app.uid()));

-- Ends every session of a user at once. A publisher's administrator does it to people of the own organisation, whose
-- sessions the own scope does not show: the function asks whose they are, then sees all for its two statements.
create function app.end_sessions_of(target uuid) returns void language plpgsql as $$
declare
  own_scope text := app.scope();
begin
  if own_scope not in ('all', 'organization') or not exists (
    select from public.users u where u.uid = target
      and (own_scope = 'all' or u.organization_id = app.organization_id()))
  then
    raise exception 'not a user whose sessions may be ended' using errcode = 'insufficient_privilege';
  end if;
  perform set_config('app.scope', 'all', true);
  -- Sessions count their beginning in whole seconds: a sign-in within the same second must not be refused.
  update public.users set sessions_valid_from = date_trunc('second', now()) where uid = target;
  -- In one order whoever asks, so that two of them never wait for each other's rows in a circle.
  delete from public.idp_payloads p using (
    select model, id from public.idp_payloads where account_id = target::text order by model, id for update
  ) gone where p.model = gone.model and p.id = gone.id;
  perform set_config('app.scope', own_scope, true);
end $$;

-- What staff does during a view (look at watched data, end the view) happens in the scope of the person viewed.
create policy viewed_rows_append on audit_log for insert with check (
  (select app.scope()) in ('organization', 'agreements', 'self') and acting_as_uid = (select app.uid()));

-- Readers of the audit log filter by actor and by time.
create index audit_log_actor on audit_log (actor_uid, seq desc);
