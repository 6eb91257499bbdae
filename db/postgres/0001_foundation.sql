-- Foundation: organisations, people, rights, master data, ingest ledger, identity provider state.
-- Runs as the owner. The application works as pc_app (made outside of migrations: roles belong to the cluster), which
-- owns nothing, cannot bypass row-level security and sees no row until a transaction sets its scope.

create schema app;

-- The scope of the running transaction, set by `inScope` with SET LOCAL semantics. No scope: nothing is visible.
--   app.scope            'all' (staff and the system), 'organization', 'agreements', 'self'
--   app.uid              the viewer, when there is one
--   app.organization_id  the viewer's organisation
create function app.scope() returns text language sql stable
  return coalesce(current_setting('app.scope', true), '');
create function app.uid() returns uuid language sql stable
  return nullif(current_setting('app.uid', true), '')::uuid;
create function app.organization_id() returns bigint language sql stable
  return nullif(current_setting('app.organization_id', true), '')::bigint;

create table organizations (
  id bigint generated always as identity primary key,
  name text not null check (name <> ''),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table users (
  uid uuid primary key default uuidv7(),
  email text not null check (email = lower(email)),
  email_verified_at timestamptz,
  organization_id bigint references organizations,
  enabled boolean not null default true,
  photo_url text,
  -- The identity provider's account once it has been bound: an issuer and its subject.
  oidc_issuer text,
  oidc_subject text,
  -- Tokens of sessions that began before this instant are refused (sign out everywhere, disabling, role changes).
  sessions_valid_from timestamptz not null default 'epoch',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (email),
  unique (oidc_issuer, oidc_subject)
);
create index users_organization on users (organization_id);

-- Rights as data; seeded from domain/access, the same rows serve the strict and the client's evaluator.
create table roles (
  name text primary key
);
create table policies (
  id bigint generated always as identity primary key,
  role_name text not null references roles on delete cascade,
  actions text[] not null,
  resource_name text not null,
  -- Same-condition key and value: the row's key must equal what the value names in the viewer ('organizationId' → 'own').
  condition_key text,
  condition_value text,
  unique nulls not distinct (role_name, resource_name, condition_key, condition_value)
);
create table user_roles (
  uid uuid not null references users on delete cascade,
  role_name text not null references roles,
  primary key (uid, role_name)
);

create table media (
  id bigint primary key,
  name text not null
);

create table agreements (
  id bigint generated always as identity primary key,
  medium_id bigint not null references media,
  organization_id bigint not null references organizations,
  name text not null,
  code text not null unique,
  terminated_at timestamptz,
  is_payment_disabled boolean not null default false,
  notes text,
  fee_paid_by text not null default 'product' check (fee_paid_by in ('product', 'publisher')),
  payment_timing text not null default 'a_month_later' check (payment_timing in ('a_month_later', 'two_months_later')),
  minimum_revenue_type text not null default 'none' check (minimum_revenue_type in ('by_agreement', 'by_publisher', 'none')),
  fixed_revenue_yen bigint not null default 0 check (fixed_revenue_yen >= 0),
  minimum_revenue_yen bigint not null default 0 check (minimum_revenue_yen >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index agreements_organization on agreements (organization_id);

-- Which agreements a publisher editor works for.
create table user_agreements (
  uid uuid not null references users on delete cascade,
  agreement_id bigint not null references agreements on delete cascade,
  primary key (uid, agreement_id)
);

create table publishers (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  enabled boolean not null default true,
  name text not null check (name <> ''),
  notes text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index publishers_organization on publishers (organization_id);

create table agreement_publisher_rules (
  id bigint generated always as identity primary key,
  agreement_id bigint not null references agreements,
  publisher_id bigint not null references publishers,
  medium_id bigint not null references media,
  fixed_revenue_yen bigint not null default 0 check (fixed_revenue_yen >= 0),
  minimum_revenue_yen bigint not null default 0 check (minimum_revenue_yen >= 0),
  -- Rates in units: 100 = 1 %, 10,000 = 100 %.
  payment_rate integer not null check (payment_rate between 0 and 10000),
  ssp_payment_rate integer not null default 0 check (ssp_payment_rate between 0 and 10000),
  video_ssp_payment_rate integer not null default 0 check (video_ssp_payment_rate between 0 and 10000),
  live_ssp_payment_rate integer not null default 0 check (live_ssp_payment_rate between 0 and 10000),
  is_target_for_ssp_allocation boolean not null default false,
  is_target_for_video_ssp_allocation boolean not null default false,
  is_target_for_live_ssp_allocation boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (agreement_id, publisher_id)
);
create index agreement_publisher_rules_publisher on agreement_publisher_rules (publisher_id);

create table feeds (
  id bigint generated always as identity primary key,
  publisher_id bigint not null references publishers,
  medium_id bigint not null references media,
  enabled boolean not null default true,
  name text not null,
  short_name text not null default '',
  site_url text not null default '',
  description text not null default '',
  url text not null,
  type text not null,
  logo_url text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index feeds_publisher on feeds (publisher_id);

-- An article as one medium shows it. article_id is the platform's id, which the statistics use.
create table medium_articles (
  article_id bigint primary key,
  medium_id bigint not null references media,
  medium_article_id text not null,
  publisher_id bigint not null references publishers,
  feed_id bigint references feeds,
  enabled boolean not null default true,
  title text not null,
  url text not null,
  published_at timestamptz not null,
  created_at timestamptz not null default now(),
  unique (medium_id, medium_article_id)
);
create index medium_articles_publisher on medium_articles (publisher_id, published_at desc);

create table videos (
  video_id bigint primary key,
  medium_id bigint not null references media,
  publisher_id bigint not null references publishers,
  title text not null,
  url text not null,
  thumbnail_url text not null default '',
  duration_seconds integer not null check (duration_seconds >= 0),
  published_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index videos_publisher on videos (publisher_id, published_at desc);

-- A month of a medium whose figures are final. Its days are shown as finalised, all later days as estimates.
create table month_closings (
  medium_id bigint not null references media,
  month integer not null check (month between 202012 and 999912 and month % 100 between 1 and 12),
  finalized_at timestamptz not null,
  primary key (medium_id, month)
);

-- One row per revision of a batch that came in. The statistics store is rebuilt from what this table calls 'applied'.
create table ingest_batches (
  batch_no bigint generated always as identity primary key,
  dataset text not null check (dataset in ('article-daily', 'video-daily', 'summary-daily', 'events')),
  batch_id text not null,
  revision integer not null default 1,
  content_sha256 text not null,
  -- received: source kept, nothing visible. applying: being published, redone at start. applied: visible.
  -- replaced: a later revision took its place. refused: bad rows; nothing was ever visible.
  state text not null check (state in ('received', 'applying', 'applied', 'replaced', 'refused')),
  replaces_batch_no bigint references ingest_batches,
  rows_total bigint not null default 0,
  rows_quarantined bigint not null default 0,
  first_day date,
  last_day date,
  received_at timestamptz not null default now(),
  applied_at timestamptz,
  unique (dataset, batch_id, revision)
);
create unique index ingest_batches_live on ingest_batches (dataset, batch_id) where state in ('applying', 'applied');

create table ingest_quarantined_rows (
  batch_no bigint not null references ingest_batches on delete cascade,
  line bigint not null,
  column_name text not null,
  reason text not null,
  source_text text not null,
  primary key (batch_no, line, column_name)
);

-- Keys for machines (ingest). Only the SHA-256 of the secret is kept.
create table api_keys (
  id bigint generated always as identity primary key,
  name text not null,
  secret_sha256 text not null unique,
  scopes text[] not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz
);

-- The embedded identity provider.
create table idp_accounts (
  uid uuid primary key references users on delete cascade,
  password_hash text not null,
  password_changed_at timestamptz not null default now()
);
create table idp_settings (
  key text primary key,
  value jsonb not null
);
create table idp_payloads (
  model text not null,
  id text not null,
  payload jsonb not null,
  grant_id text,
  user_code text,
  session_uid text,
  account_id text generated always as (payload ->> 'accountId') stored,
  expires_at timestamptz,
  consumed_at timestamptz,
  primary key (model, id)
);
create index idp_payloads_grant on idp_payloads (grant_id) where grant_id is not null;
create index idp_payloads_session on idp_payloads (model, session_uid) where session_uid is not null;
create index idp_payloads_account on idp_payloads (account_id) where account_id is not null;
create index idp_payloads_expiry on idp_payloads (expires_at);
-- Attempts to sign in, for the limits per account and per address.
create table idp_attempts (
  subject text not null,
  window_started_at timestamptz not null,
  failures integer not null,
  primary key (subject, window_started_at)
);

create table page_views (
  id bigint generated always as identity primary key,
  uid uuid,
  path text not null,
  viewed_at timestamptz not null default now()
);

-- Row-level security: the second wall, below the application's own checks. Every table has it, also those without
-- tenants, so that a transaction without a scope sees nothing at all; the migrator refuses a table without it.
-- Subqueries in parentheses run once per statement, not once per row.

-- Agreements the viewer works for. A function, because policies of two tables must not refer to each other.
create function app.own_agreement_ids() returns bigint[] language plpgsql stable as $$
begin
  return array(select ua.agreement_id from public.user_agreements ua where ua.uid = app.uid());
end $$;

-- The first policy of every table: staff and the system see and write everything.
do $$
declare
  name text;
begin
  foreach name in array array[
    'organizations', 'users', 'roles', 'policies', 'user_roles', 'media', 'agreements', 'user_agreements', 'publishers',
    'agreement_publisher_rules', 'feeds', 'medium_articles', 'videos', 'month_closings', 'ingest_batches',
    'ingest_quarantined_rows', 'api_keys', 'idp_accounts', 'idp_settings', 'idp_payloads', 'idp_attempts', 'page_views']
  loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format($policy$create policy all_rows on %I using ((select app.scope()) = 'all')$policy$, name);
  end loop;
end $$;
-- api_keys, idp_* and ingest_* have no other policy: only the system sees them.

-- What a tenant may read.
create policy own_organization on organizations for select using (
  (select app.scope()) in ('organization', 'agreements') and id = (select app.organization_id()));

create policy own_row on users for select using (
  (select app.scope()) in ('organization', 'agreements', 'self') and uid = (select app.uid()));
create policy own_organization on users for select using (
  (select app.scope()) = 'organization' and organization_id = (select app.organization_id()));

create policy visible_users on user_roles for select using (
  (select app.scope()) in ('organization', 'agreements', 'self') and uid in (select u.uid from users u));
create policy visible_users on user_agreements for select using (
  (select app.scope()) in ('organization', 'agreements') and uid in (select u.uid from users u));

create policy names on roles for select using ((select app.scope()) in ('organization', 'agreements', 'self'));
create policy own_roles on policies for select using (
  (select app.scope()) in ('organization', 'agreements', 'self')
  and role_name in (select ur.role_name from user_roles ur where ur.uid = (select app.uid())));

create policy reference_data on media for select using ((select app.scope()) in ('organization', 'agreements'));
create policy reference_data on month_closings for select using ((select app.scope()) in ('organization', 'agreements'));

create policy own_organization on agreements for select using (
  (select app.scope()) = 'organization' and organization_id = (select app.organization_id()));
create policy own_agreements on agreements for select using (
  (select app.scope()) = 'agreements' and id = any ((select app.own_agreement_ids())::bigint[]));

create policy visible_agreements on agreement_publisher_rules for select using (
  (select app.scope()) in ('organization', 'agreements') and agreement_id in (select a.id from agreements a));

create policy own_organization on publishers for select using (
  (select app.scope()) = 'organization' and organization_id = (select app.organization_id()));
create policy own_agreements on publishers for select using (
  (select app.scope()) = 'agreements' and id in (select r.publisher_id from agreement_publisher_rules r));

create policy visible_publishers on feeds for select using (
  (select app.scope()) in ('organization', 'agreements') and publisher_id in (select p.id from publishers p));
create policy visible_publishers on medium_articles for select using (
  (select app.scope()) in ('organization', 'agreements') and publisher_id in (select p.id from publishers p));
create policy visible_publishers on videos for select using (
  (select app.scope()) in ('organization', 'agreements') and publisher_id in (select p.id from publishers p));

-- What a tenant may write: a publisher's administrator manages the people of the own organisation, with the roles of
-- publishers only; both kinds of publishers may delete their articles; anybody leaves page views.
create policy own_organization_insert on users for insert with check (
  (select app.scope()) = 'organization' and organization_id = (select app.organization_id()));
create policy own_organization_update on users for update using (
  (select app.scope()) = 'organization' and organization_id = (select app.organization_id()));
create policy own_organization_delete on users for delete using (
  (select app.scope()) = 'organization' and organization_id = (select app.organization_id())
  and uid <> (select app.uid()));

create policy publisher_roles_insert on user_roles for insert with check (
  (select app.scope()) = 'organization' and role_name in ('insight:publisher_admin', 'insight:publisher_editor')
  and uid in (select u.uid from users u where u.organization_id = (select app.organization_id())));
create policy publisher_roles_delete on user_roles for delete using (
  (select app.scope()) = 'organization' and role_name in ('insight:publisher_admin', 'insight:publisher_editor')
  and uid in (select u.uid from users u where u.organization_id = (select app.organization_id())));

create policy own_organization_insert on user_agreements for insert with check (
  (select app.scope()) = 'organization'
  and uid in (select u.uid from users u where u.organization_id = (select app.organization_id()))
  and agreement_id in (select a.id from agreements a));
create policy own_organization_delete on user_agreements for delete using (
  (select app.scope()) = 'organization'
  and uid in (select u.uid from users u where u.organization_id = (select app.organization_id())));

create policy visible_publishers_delete on medium_articles for delete using (
  (select app.scope()) in ('organization', 'agreements') and publisher_id in (select p.id from publishers p));

create policy own_views on page_views for insert with check (
  (select app.scope()) in ('organization', 'agreements', 'self') and uid = (select app.uid()));

-- Later migrations run as the same owner and need no grants of their own. Nothing else: no TRUNCATE, no REFERENCES, no
-- TRIGGER, and identity columns need no rights on sequences.
grant usage on schema public, app to pc_app;
grant select, insert, update, delete on all tables in schema public to pc_app;
alter default privileges in schema public grant select, insert, update, delete on tables to pc_app;
