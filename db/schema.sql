-- The schema after all migrations, for reading. Made by `npm run db -- dump`; a check compares it with the migrations.
-- Not executed anywhere but in a test, which proves that nothing is missing here.

create schema app;

CREATE OR REPLACE FUNCTION app.search_pieces(value text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ARRAY(SELECT DISTINCT substr(search_pieces.value, place.place, size.size) AS substr FROM generate_series(1, length(search_pieces.value)) place(place), generate_series(1, 2) size(size) WHERE (((place.place + size.size) - 1) <= length(search_pieces.value)))
;

CREATE OR REPLACE FUNCTION app.search_text(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN regexp_replace(translate(lower(NORMALIZE(value, NFKC)), 'ぁあぃいぅうぇえぉおかがきぎくぐけげこごさざしじすずせぜそぞただちぢっつづてでとどなにぬねのはばぱひびぴふぶぷへべぺほぼぽまみむめもゃやゅゆょよらりるれろゎわゐゑをんゔゕゖァィゥェォッャュョヮヵヶ'::text, 'アアイイウウエエオオカガキギクグケゲコゴサザシジスズセゼソゾタダチヂツツヅテデトドナニヌネノハバパヒビピフブプヘベペホボポマミムメモヤヤユユヨヨラリルレロワワヰヱヲンヴカケアイウエオツヤユヨワカケ'::text), '[\s\-‐‑‒–—―−ー〜~・･。、.,''"‘’“”()（）「」『』\[\]【】<>〈〉《》/\\&!?:;_*#+=@|]'::text, ''::text, 'g'::text)
;

create table app.publisher_pieces (
  publisher_id bigint not null,
  organization_id bigint not null,
  search_text text not null,
  pieces text[] generated always as (app.search_pieces(search_text)) stored not null
);

create table public.agreement_bank_accounts (
  id bigint generated always as identity not null,
  agreement_id bigint not null,
  bank_account_id bigint not null,
  used_from_month integer not null,
  created_at timestamp with time zone default now() not null
);

create table public.agreement_publisher_rule_versions (
  rule_id bigint not null,
  valid_from_month integer not null,
  fixed_revenue_yen bigint not null,
  minimum_revenue_yen bigint not null,
  payment_rate integer not null,
  ssp_payment_rate integer not null,
  video_ssp_payment_rate integer not null,
  live_ssp_payment_rate integer not null,
  is_target_for_ssp_allocation boolean not null,
  is_target_for_video_ssp_allocation boolean not null,
  is_target_for_live_ssp_allocation boolean not null,
  created_at timestamp with time zone default now() not null
);

create table public.agreement_publisher_rules (
  id bigint generated always as identity not null,
  agreement_id bigint not null,
  publisher_id bigint not null,
  medium_id bigint not null,
  fixed_revenue_yen bigint default 0 not null,
  minimum_revenue_yen bigint default 0 not null,
  payment_rate integer not null,
  ssp_payment_rate integer default 0 not null,
  video_ssp_payment_rate integer default 0 not null,
  live_ssp_payment_rate integer default 0 not null,
  is_target_for_ssp_allocation boolean default false not null,
  is_target_for_video_ssp_allocation boolean default false not null,
  is_target_for_live_ssp_allocation boolean default false not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  revision integer default 1 not null,
  valid_from_month integer default 202012 not null
);

create table public.agreement_terms_versions (
  agreement_id bigint not null,
  valid_from_month integer not null,
  fee_paid_by text not null,
  payment_timing text not null,
  minimum_revenue_type text not null,
  fixed_revenue_yen bigint not null,
  minimum_revenue_yen bigint not null,
  payout_threshold_yen bigint,
  created_at timestamp with time zone default now() not null
);

create table public.agreements (
  id bigint generated always as identity not null,
  medium_id bigint not null,
  organization_id bigint not null,
  name text not null,
  code text not null,
  terminated_at timestamp with time zone,
  is_payment_disabled boolean default false not null,
  notes text,
  fee_paid_by text default 'product'::text not null,
  payment_timing text default 'a_month_later'::text not null,
  minimum_revenue_type text default 'none'::text not null,
  fixed_revenue_yen bigint default 0 not null,
  minimum_revenue_yen bigint default 0 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  revision integer default 1 not null,
  valid_from_month integer default 202012 not null,
  payout_threshold_yen bigint,
  payee_kind text default 'company'::text not null,
  small_supplier_coverage text default 'unknown'::text not null,
  freelance_coverage text default 'unknown'::text not null,
  is_shift_agreed_in_writing boolean default false not null,
  is_qualified_invoice_issuer boolean default false not null,
  invoice_registration_number text,
  acknowledged_law_rule_ids text[] default '{}'::text[] not null,
  search_text text generated always as ((app.search_text(name) || ' '::text) || app.search_text(code)) stored
);

create table public.api_keys (
  id bigint generated always as identity not null,
  name text not null,
  secret_sha256 text not null,
  scopes text[] not null,
  created_at timestamp with time zone default now() not null,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone
);

create table public.audit_head (
  is_only boolean default true not null,
  seq bigint not null,
  hash bytea not null
);

create table public.audit_log (
  seq bigint default 0 not null,
  at timestamp with time zone default now() not null,
  actor_uid uuid,
  acting_as_uid uuid,
  source_address text not null,
  request_id text not null,
  action text not null,
  resource_name text not null,
  row_id text not null,
  before jsonb,
  after jsonb,
  previous_hash bytea default '\x'::bytea not null,
  hash bytea default '\x'::bytea not null
);

create table public.bank_accounts (
  id bigint generated always as identity not null,
  organization_id bigint not null,
  bank_id bigint not null,
  bank_branch_id bigint not null,
  type_name text not null,
  number text not null,
  holder text not null,
  state text default 'requested'::text not null,
  enabled boolean generated always as (state = 'approved'::text) stored not null,
  requested_by uuid,
  requested_at timestamp with time zone default now() not null,
  decided_by uuid,
  decided_at timestamp with time zone,
  rejection_reason text,
  revision integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null
);

create table public.bank_branches (
  id bigint generated always as identity not null,
  bank_id bigint not null,
  code text not null,
  name text not null,
  kana text not null,
  hira text not null,
  roma text not null,
  is_gone boolean default false not null,
  search_text text generated always as ((((((code || ' '::text) || app.search_text(name)) || ' '::text) || app.search_text(kana)) || ' '::text) || app.search_text(roma)) stored
);

create table public.bank_master_imports (
  is_only boolean default true not null,
  version text not null,
  imported_at timestamp with time zone default now() not null
);

create table public.banks (
  id bigint generated always as identity not null,
  code text not null,
  name text not null,
  kana text not null,
  hira text not null,
  roma text not null,
  is_gone boolean default false not null,
  search_text text generated always as ((((((code || ' '::text) || app.search_text(name)) || ' '::text) || app.search_text(kana)) || ' '::text) || app.search_text(roma)) stored
);

create table public.feeds (
  id bigint generated always as identity not null,
  publisher_id bigint not null,
  medium_id bigint not null,
  enabled boolean default true not null,
  name text not null,
  short_name text default ''::text not null,
  site_url text default ''::text not null,
  description text default ''::text not null,
  url text not null,
  type text not null,
  logo_url text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null
);

create table public.idempotency_keys (
  uid uuid not null,
  operation text not null,
  key text not null,
  arguments_sha256 bytea not null,
  answer jsonb,
  created_at timestamp with time zone default now() not null
);

create table public.idp_accounts (
  uid uuid not null,
  password_hash text not null,
  password_changed_at timestamp with time zone default now() not null
);

create table public.idp_attempts (
  id bigint generated always as identity not null,
  subject text not null,
  attempted_at timestamp with time zone not null
);

create table public.idp_payloads (
  model text not null,
  id text not null,
  payload jsonb not null,
  grant_id text,
  user_code text,
  session_uid text,
  account_id text generated always as (payload ->> 'accountId'::text) stored,
  expires_at timestamp with time zone,
  consumed_at timestamp with time zone
);

create table public.idp_settings (
  key text not null,
  value jsonb not null
);

create table public.ingest_batches (
  batch_no bigint generated always as identity not null,
  dataset text not null,
  batch_id text not null,
  revision integer default 1 not null,
  content_sha256 text not null,
  state text not null,
  replaces_batch_no bigint,
  rows_total bigint default 0 not null,
  rows_quarantined bigint default 0 not null,
  first_day date,
  last_day date,
  received_at timestamp with time zone default now() not null,
  applied_at timestamp with time zone,
  source_name text default ''::text not null,
  fact_rows bigint default 0 not null
);

create table public.ingest_quarantined_rows (
  batch_no bigint not null,
  line bigint not null,
  column_name text not null,
  reason text not null,
  source_text text not null,
  row_no bigint
);

create table public.media (
  id bigint not null,
  name text not null
);

create table public.medium_articles (
  article_id bigint not null,
  medium_id bigint not null,
  medium_article_id text not null,
  publisher_id bigint not null,
  feed_id bigint,
  enabled boolean default true not null,
  title text not null,
  url text not null,
  published_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null
);

create table public.month_closings (
  medium_id bigint not null,
  month integer not null,
  finalized_at timestamp with time zone not null
);

create table public.organizations (
  id bigint generated always as identity not null,
  name text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  kana text default ''::text not null,
  search_text text generated always as ((app.search_text(name) || ' '::text) || app.search_text(kana)) stored
);

create table public.page_views (
  id bigint generated always as identity not null,
  uid uuid,
  path text not null,
  viewed_at timestamp with time zone default now() not null
);

create table public.policies (
  id bigint generated always as identity not null,
  role_name text not null,
  actions text[] not null,
  resource_name text not null,
  condition_key text,
  condition_value text
);

create table public.publishers (
  id bigint generated always as identity not null,
  organization_id bigint not null,
  enabled boolean default true not null,
  name text not null,
  notes text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  revision integer default 1 not null,
  kana text default ''::text not null,
  search_text text generated always as ((app.search_text(name) || ' '::text) || app.search_text(kana)) stored
);

create table public.roles (
  name text not null
);

create table public.user_agreements (
  uid uuid not null,
  agreement_id bigint not null
);

create table public.user_roles (
  uid uuid not null,
  role_name text not null
);

create table public.users (
  uid uuid default uuidv7() not null,
  email text not null,
  email_verified_at timestamp with time zone,
  organization_id bigint,
  enabled boolean default true not null,
  photo_url text,
  oidc_issuer text,
  oidc_subject text,
  sessions_valid_from timestamp with time zone default '1970-01-01 09:00:00+09'::timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null
);

create table public.videos (
  video_id bigint not null,
  medium_id bigint not null,
  publisher_id bigint not null,
  title text not null,
  url text not null,
  thumbnail_url text default ''::text not null,
  duration_seconds integer not null,
  published_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null
);

CREATE OR REPLACE FUNCTION app.append_to_audit_chain()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION app.audit_row_text(entry public.audit_log)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO 'pg_catalog'
RETURN (jsonb_build_object('seq', (entry).seq, 'at', (EXTRACT(epoch FROM (entry).at))::text, 'actor_uid', ((entry).actor_uid)::text, 'acting_as_uid', ((entry).acting_as_uid)::text, 'source_address', (entry).source_address, 'request_id', (entry).request_id, 'action', (entry).action, 'resource_name', (entry).resource_name, 'row_id', (entry).row_id, 'before', (entry).before, 'after', (entry).after))::text
;

CREATE OR REPLACE FUNCTION app.find_publishers(words text[])
 RETURNS SETOF bigint
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 500
 SET search_path TO 'pg_catalog'
AS $function$
declare
  wanted text[] := '{}';
  word text;
begin
  foreach word in array words loop
    wanted := wanted || case when length(word) < 2 then array[word]
      else array(select substr(word, place, 2) from generate_series(1, length(word) - 1) place) end;
  end loop;
  return query select p.publisher_id from app.publisher_pieces p
    where p.pieces @> wanted
      and (select bool_and(strpos(p.search_text, one) > 0) from unnest(words) one)
      and (app.scope() = 'all' or (app.scope() in ('organization', 'agreements') and p.organization_id = app.organization_id()));
end $function$
;

CREATE OR REPLACE FUNCTION app.keep_bank_account()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.organization_id, new.bank_id, new.bank_branch_id, new.type_name, new.number, new.holder)
     is distinct from (old.organization_id, old.bank_id, old.bank_branch_id, old.type_name, old.number, old.holder)
     or (old.state <> 'requested' and new.state <> old.state) then
    raise exception 'a bank account is not changed after its creation' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION app.keep_publisher_pieces()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  insert into app.publisher_pieces (publisher_id, organization_id, search_text)
  values (new.id, new.organization_id, new.search_text)
  on conflict (publisher_id) do update
    set organization_id = excluded.organization_id, search_text = excluded.search_text;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION app.organization_id()
 RETURNS bigint
 LANGUAGE sql
 STABLE
RETURN (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::bigint
;

CREATE OR REPLACE FUNCTION app.own_agreement_ids()
 RETURNS bigint[]
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return array(select ua.agreement_id from public.user_agreements ua where ua.uid = app.uid());
end $function$
;

CREATE OR REPLACE FUNCTION app.refuse_audit_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'the audit log is append-only' using errcode = 'insufficient_privilege';
end $function$
;

CREATE OR REPLACE FUNCTION app.scope()
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN COALESCE(current_setting('app.scope'::text, true), ''::text)
;

CREATE OR REPLACE FUNCTION app.uid()
 RETURNS uuid
 LANGUAGE sql
 STABLE
RETURN (NULLIF(current_setting('app.uid'::text, true), ''::text))::uuid
;

alter table app.publisher_pieces add constraint publisher_pieces_pkey
  PRIMARY KEY (publisher_id);

alter table public.agreement_bank_accounts add constraint agreement_bank_accounts_pkey
  PRIMARY KEY (id);

alter table public.agreement_bank_accounts add constraint agreement_bank_accounts_agreement_id_used_from_month_key
  UNIQUE (agreement_id, used_from_month);

alter table public.agreement_bank_accounts add constraint agreement_bank_accounts_used_from_month_check
  CHECK (used_from_month >= 202012 AND used_from_month <= 999912 AND (used_from_month % 100) >= 1 AND (used_from_month % 100) <= 12);

alter table public.agreement_publisher_rule_versions add constraint agreement_publisher_rule_versions_pkey
  PRIMARY KEY (rule_id, valid_from_month);

alter table public.agreement_publisher_rule_versions add constraint agreement_publisher_rule_versions_fixed_revenue_yen_check
  CHECK (fixed_revenue_yen >= 0);

alter table public.agreement_publisher_rule_versions add constraint agreement_publisher_rule_versions_live_ssp_payment_rate_check
  CHECK (live_ssp_payment_rate >= 0 AND live_ssp_payment_rate <= 10000);

alter table public.agreement_publisher_rule_versions add constraint agreement_publisher_rule_versions_minimum_revenue_yen_check
  CHECK (minimum_revenue_yen >= 0);

alter table public.agreement_publisher_rule_versions add constraint agreement_publisher_rule_versions_payment_rate_check
  CHECK (payment_rate >= 0 AND payment_rate <= 10000);

alter table public.agreement_publisher_rule_versions add constraint agreement_publisher_rule_versions_ssp_payment_rate_check
  CHECK (ssp_payment_rate >= 0 AND ssp_payment_rate <= 10000);

alter table public.agreement_publisher_rule_versions add constraint agreement_publisher_rule_versions_valid_from_month_check
  CHECK (valid_from_month >= 202012 AND valid_from_month <= 999912 AND (valid_from_month % 100) >= 1 AND (valid_from_month % 100) <= 12);

alter table public.agreement_publisher_rule_versions add constraint agreement_publisher_rule_versions_video_ssp_payment_rate_check
  CHECK (video_ssp_payment_rate >= 0 AND video_ssp_payment_rate <= 10000);

alter table public.agreement_publisher_rules add constraint agreement_publisher_rules_pkey
  PRIMARY KEY (id);

alter table public.agreement_publisher_rules add constraint agreement_publisher_rules_agreement_id_publisher_id_key
  UNIQUE (agreement_id, publisher_id);

alter table public.agreement_publisher_rules add constraint agreement_publisher_rules_fixed_revenue_yen_check
  CHECK (fixed_revenue_yen >= 0);

alter table public.agreement_publisher_rules add constraint agreement_publisher_rules_live_ssp_payment_rate_check
  CHECK (live_ssp_payment_rate >= 0 AND live_ssp_payment_rate <= 10000);

alter table public.agreement_publisher_rules add constraint agreement_publisher_rules_minimum_revenue_yen_check
  CHECK (minimum_revenue_yen >= 0);

alter table public.agreement_publisher_rules add constraint agreement_publisher_rules_payment_rate_check
  CHECK (payment_rate >= 0 AND payment_rate <= 10000);

alter table public.agreement_publisher_rules add constraint agreement_publisher_rules_ssp_payment_rate_check
  CHECK (ssp_payment_rate >= 0 AND ssp_payment_rate <= 10000);

alter table public.agreement_publisher_rules add constraint agreement_publisher_rules_valid_from_month_check
  CHECK (valid_from_month >= 202012 AND valid_from_month <= 999912 AND (valid_from_month % 100) >= 1 AND (valid_from_month % 100) <= 12);

alter table public.agreement_publisher_rules add constraint agreement_publisher_rules_video_ssp_payment_rate_check
  CHECK (video_ssp_payment_rate >= 0 AND video_ssp_payment_rate <= 10000);

alter table public.agreement_terms_versions add constraint agreement_terms_versions_pkey
  PRIMARY KEY (agreement_id, valid_from_month);

alter table public.agreement_terms_versions add constraint agreement_terms_versions_fee_paid_by_check
  CHECK (fee_paid_by = ANY (ARRAY['product'::text, 'publisher'::text]));

alter table public.agreement_terms_versions add constraint agreement_terms_versions_fixed_revenue_yen_check
  CHECK (fixed_revenue_yen >= 0);

alter table public.agreement_terms_versions add constraint agreement_terms_versions_minimum_revenue_type_check
  CHECK (minimum_revenue_type = ANY (ARRAY['by_agreement'::text, 'by_publisher'::text, 'none'::text]));

alter table public.agreement_terms_versions add constraint agreement_terms_versions_minimum_revenue_yen_check
  CHECK (minimum_revenue_yen >= 0);

alter table public.agreement_terms_versions add constraint agreement_terms_versions_payment_timing_check
  CHECK (payment_timing = ANY (ARRAY['a_month_later'::text, 'two_months_later'::text]));

alter table public.agreement_terms_versions add constraint agreement_terms_versions_payout_threshold_yen_check
  CHECK (payout_threshold_yen >= 0);

alter table public.agreement_terms_versions add constraint agreement_terms_versions_valid_from_month_check
  CHECK (valid_from_month >= 202012 AND valid_from_month <= 999912 AND (valid_from_month % 100) >= 1 AND (valid_from_month % 100) <= 12);

alter table public.agreements add constraint agreements_pkey
  PRIMARY KEY (id);

alter table public.agreements add constraint agreements_code_key
  UNIQUE (code);

alter table public.agreements add constraint agreements_fee_paid_by_check
  CHECK (fee_paid_by = ANY (ARRAY['product'::text, 'publisher'::text]));

alter table public.agreements add constraint agreements_fixed_revenue_yen_check
  CHECK (fixed_revenue_yen >= 0);

alter table public.agreements add constraint agreements_freelance_coverage_check
  CHECK (freelance_coverage = ANY (ARRAY['covered'::text, 'not_covered'::text, 'unknown'::text]));

alter table public.agreements add constraint agreements_invoice_registration_number_check
  CHECK (invoice_registration_number ~ '^T[1-9][0-9]{12}$'::text);

alter table public.agreements add constraint agreements_minimum_revenue_type_check
  CHECK (minimum_revenue_type = ANY (ARRAY['by_agreement'::text, 'by_publisher'::text, 'none'::text]));

alter table public.agreements add constraint agreements_minimum_revenue_yen_check
  CHECK (minimum_revenue_yen >= 0);

alter table public.agreements add constraint agreements_payee_kind_check
  CHECK (payee_kind = ANY (ARRAY['company'::text, 'individual'::text]));

alter table public.agreements add constraint agreements_payment_timing_check
  CHECK (payment_timing = ANY (ARRAY['a_month_later'::text, 'two_months_later'::text]));

alter table public.agreements add constraint agreements_payout_threshold_yen_check
  CHECK (payout_threshold_yen >= 0);

alter table public.agreements add constraint agreements_small_supplier_coverage_check
  CHECK (small_supplier_coverage = ANY (ARRAY['covered'::text, 'not_covered'::text, 'unknown'::text]));

alter table public.agreements add constraint agreements_valid_from_month_check
  CHECK (valid_from_month >= 202012 AND valid_from_month <= 999912 AND (valid_from_month % 100) >= 1 AND (valid_from_month % 100) <= 12);

alter table public.api_keys add constraint api_keys_pkey
  PRIMARY KEY (id);

alter table public.api_keys add constraint api_keys_secret_sha256_key
  UNIQUE (secret_sha256);

alter table public.audit_head add constraint audit_head_pkey
  PRIMARY KEY (is_only);

alter table public.audit_head add constraint audit_head_is_only_check
  CHECK (is_only);

alter table public.audit_log add constraint audit_log_pkey
  PRIMARY KEY (seq);

alter table public.bank_accounts add constraint bank_accounts_pkey
  PRIMARY KEY (id);

alter table public.bank_accounts add constraint bank_accounts_check
  CHECK ((state = 'requested'::text) = (decided_at IS NULL));

alter table public.bank_accounts add constraint bank_accounts_check1
  CHECK (decided_by IS DISTINCT FROM requested_by OR decided_by IS NULL);

alter table public.bank_accounts add constraint bank_accounts_holder_check
  CHECK (holder <> ''::text AND octet_length(holder) <= 90);

alter table public.bank_accounts add constraint bank_accounts_number_check
  CHECK (number ~ '^[0-9]{7}$'::text);

alter table public.bank_accounts add constraint bank_accounts_state_check
  CHECK (state = ANY (ARRAY['requested'::text, 'approved'::text, 'rejected'::text]));

alter table public.bank_accounts add constraint bank_accounts_type_name_check
  CHECK (type_name = ANY (ARRAY['ordinary'::text, 'current'::text, 'savings'::text]));

alter table public.bank_branches add constraint bank_branches_pkey
  PRIMARY KEY (id);

alter table public.bank_branches add constraint bank_branches_bank_id_code_key
  UNIQUE (bank_id, code);

alter table public.bank_branches add constraint bank_branches_code_check
  CHECK (code ~ '^[0-9]{3}$'::text);

alter table public.bank_master_imports add constraint bank_master_imports_pkey
  PRIMARY KEY (is_only);

alter table public.bank_master_imports add constraint bank_master_imports_is_only_check
  CHECK (is_only);

alter table public.banks add constraint banks_pkey
  PRIMARY KEY (id);

alter table public.banks add constraint banks_code_key
  UNIQUE (code);

alter table public.banks add constraint banks_code_check
  CHECK (code ~ '^[0-9]{4}$'::text);

alter table public.feeds add constraint feeds_pkey
  PRIMARY KEY (id);

alter table public.idempotency_keys add constraint idempotency_keys_pkey
  PRIMARY KEY (uid, operation, key);

alter table public.idp_accounts add constraint idp_accounts_pkey
  PRIMARY KEY (uid);

alter table public.idp_attempts add constraint idp_attempts_pkey
  PRIMARY KEY (id);

alter table public.idp_payloads add constraint idp_payloads_pkey
  PRIMARY KEY (model, id);

alter table public.idp_settings add constraint idp_settings_pkey
  PRIMARY KEY (key);

alter table public.ingest_batches add constraint ingest_batches_pkey
  PRIMARY KEY (batch_no);

alter table public.ingest_batches add constraint ingest_batches_dataset_batch_id_revision_key
  UNIQUE (dataset, batch_id, revision);

alter table public.ingest_batches add constraint ingest_batches_dataset_check
  CHECK (dataset = ANY (ARRAY['article-daily'::text, 'video-daily'::text, 'summary-daily'::text, 'events'::text]));

alter table public.ingest_batches add constraint ingest_batches_state_check
  CHECK (state = ANY (ARRAY['received'::text, 'applying'::text, 'applied'::text, 'replaced'::text, 'refused'::text]));

alter table public.ingest_quarantined_rows add constraint ingest_quarantined_rows_pkey
  PRIMARY KEY (batch_no, line, column_name);

alter table public.media add constraint media_pkey
  PRIMARY KEY (id);

alter table public.medium_articles add constraint medium_articles_pkey
  PRIMARY KEY (article_id);

alter table public.medium_articles add constraint medium_articles_medium_id_medium_article_id_key
  UNIQUE (medium_id, medium_article_id);

alter table public.month_closings add constraint month_closings_pkey
  PRIMARY KEY (medium_id, month);

alter table public.month_closings add constraint month_closings_month_check
  CHECK (month >= 202012 AND month <= 999912 AND (month % 100) >= 1 AND (month % 100) <= 12);

alter table public.organizations add constraint organizations_pkey
  PRIMARY KEY (id);

alter table public.organizations add constraint organizations_name_check
  CHECK (name <> ''::text);

alter table public.page_views add constraint page_views_pkey
  PRIMARY KEY (id);

alter table public.policies add constraint policies_pkey
  PRIMARY KEY (id);

alter table public.policies add constraint policies_role_name_resource_name_condition_key_condition_va_key
  UNIQUE NULLS NOT DISTINCT (role_name, resource_name, condition_key, condition_value);

alter table public.publishers add constraint publishers_pkey
  PRIMARY KEY (id);

alter table public.publishers add constraint publishers_name_check
  CHECK (name <> ''::text);

alter table public.roles add constraint roles_pkey
  PRIMARY KEY (name);

alter table public.user_agreements add constraint user_agreements_pkey
  PRIMARY KEY (uid, agreement_id);

alter table public.user_roles add constraint user_roles_pkey
  PRIMARY KEY (uid, role_name);

alter table public.users add constraint users_pkey
  PRIMARY KEY (uid);

alter table public.users add constraint users_email_key
  UNIQUE (email);

alter table public.users add constraint users_oidc_issuer_oidc_subject_key
  UNIQUE (oidc_issuer, oidc_subject);

alter table public.users add constraint users_email_check
  CHECK (email = lower(email));

alter table public.videos add constraint videos_pkey
  PRIMARY KEY (video_id);

alter table public.videos add constraint videos_duration_seconds_check
  CHECK (duration_seconds >= 0);

alter table app.publisher_pieces add constraint publisher_pieces_publisher_id_fkey
  FOREIGN KEY (publisher_id) REFERENCES public.publishers(id) ON DELETE CASCADE;

alter table public.agreement_bank_accounts add constraint agreement_bank_accounts_agreement_id_fkey
  FOREIGN KEY (agreement_id) REFERENCES public.agreements(id) ON DELETE CASCADE;

alter table public.agreement_bank_accounts add constraint agreement_bank_accounts_bank_account_id_fkey
  FOREIGN KEY (bank_account_id) REFERENCES public.bank_accounts(id);

alter table public.agreement_publisher_rule_versions add constraint agreement_publisher_rule_versions_rule_id_fkey
  FOREIGN KEY (rule_id) REFERENCES public.agreement_publisher_rules(id) ON DELETE CASCADE;

alter table public.agreement_publisher_rules add constraint agreement_publisher_rules_agreement_id_fkey
  FOREIGN KEY (agreement_id) REFERENCES public.agreements(id);

alter table public.agreement_publisher_rules add constraint agreement_publisher_rules_medium_id_fkey
  FOREIGN KEY (medium_id) REFERENCES public.media(id);

alter table public.agreement_publisher_rules add constraint agreement_publisher_rules_publisher_id_fkey
  FOREIGN KEY (publisher_id) REFERENCES public.publishers(id);

alter table public.agreement_terms_versions add constraint agreement_terms_versions_agreement_id_fkey
  FOREIGN KEY (agreement_id) REFERENCES public.agreements(id) ON DELETE CASCADE;

alter table public.agreements add constraint agreements_medium_id_fkey
  FOREIGN KEY (medium_id) REFERENCES public.media(id);

alter table public.agreements add constraint agreements_organization_id_fkey
  FOREIGN KEY (organization_id) REFERENCES public.organizations(id);

alter table public.bank_accounts add constraint bank_accounts_bank_branch_id_fkey
  FOREIGN KEY (bank_branch_id) REFERENCES public.bank_branches(id);

alter table public.bank_accounts add constraint bank_accounts_bank_id_fkey
  FOREIGN KEY (bank_id) REFERENCES public.banks(id);

alter table public.bank_accounts add constraint bank_accounts_decided_by_fkey
  FOREIGN KEY (decided_by) REFERENCES public.users(uid) ON DELETE SET NULL;

alter table public.bank_accounts add constraint bank_accounts_organization_id_fkey
  FOREIGN KEY (organization_id) REFERENCES public.organizations(id);

alter table public.bank_accounts add constraint bank_accounts_requested_by_fkey
  FOREIGN KEY (requested_by) REFERENCES public.users(uid) ON DELETE SET NULL;

alter table public.bank_branches add constraint bank_branches_bank_id_fkey
  FOREIGN KEY (bank_id) REFERENCES public.banks(id);

alter table public.feeds add constraint feeds_medium_id_fkey
  FOREIGN KEY (medium_id) REFERENCES public.media(id);

alter table public.feeds add constraint feeds_publisher_id_fkey
  FOREIGN KEY (publisher_id) REFERENCES public.publishers(id);

alter table public.idempotency_keys add constraint idempotency_keys_uid_fkey
  FOREIGN KEY (uid) REFERENCES public.users(uid) ON DELETE CASCADE;

alter table public.idp_accounts add constraint idp_accounts_uid_fkey
  FOREIGN KEY (uid) REFERENCES public.users(uid) ON DELETE CASCADE;

alter table public.ingest_batches add constraint ingest_batches_replaces_batch_no_fkey
  FOREIGN KEY (replaces_batch_no) REFERENCES public.ingest_batches(batch_no);

alter table public.ingest_quarantined_rows add constraint ingest_quarantined_rows_batch_no_fkey
  FOREIGN KEY (batch_no) REFERENCES public.ingest_batches(batch_no) ON DELETE CASCADE;

alter table public.medium_articles add constraint medium_articles_feed_id_fkey
  FOREIGN KEY (feed_id) REFERENCES public.feeds(id);

alter table public.medium_articles add constraint medium_articles_medium_id_fkey
  FOREIGN KEY (medium_id) REFERENCES public.media(id);

alter table public.medium_articles add constraint medium_articles_publisher_id_fkey
  FOREIGN KEY (publisher_id) REFERENCES public.publishers(id);

alter table public.month_closings add constraint month_closings_medium_id_fkey
  FOREIGN KEY (medium_id) REFERENCES public.media(id);

alter table public.policies add constraint policies_role_name_fkey
  FOREIGN KEY (role_name) REFERENCES public.roles(name) ON DELETE CASCADE;

alter table public.publishers add constraint publishers_organization_id_fkey
  FOREIGN KEY (organization_id) REFERENCES public.organizations(id);

alter table public.user_agreements add constraint user_agreements_agreement_id_fkey
  FOREIGN KEY (agreement_id) REFERENCES public.agreements(id) ON DELETE CASCADE;

alter table public.user_agreements add constraint user_agreements_uid_fkey
  FOREIGN KEY (uid) REFERENCES public.users(uid) ON DELETE CASCADE;

alter table public.user_roles add constraint user_roles_role_name_fkey
  FOREIGN KEY (role_name) REFERENCES public.roles(name);

alter table public.user_roles add constraint user_roles_uid_fkey
  FOREIGN KEY (uid) REFERENCES public.users(uid) ON DELETE CASCADE;

alter table public.users add constraint users_organization_id_fkey
  FOREIGN KEY (organization_id) REFERENCES public.organizations(id);

alter table public.videos add constraint videos_medium_id_fkey
  FOREIGN KEY (medium_id) REFERENCES public.media(id);

alter table public.videos add constraint videos_publisher_id_fkey
  FOREIGN KEY (publisher_id) REFERENCES public.publishers(id);

CREATE INDEX publisher_pieces_pieces ON app.publisher_pieces USING gin (pieces);

CREATE INDEX agreement_bank_accounts_account ON public.agreement_bank_accounts USING btree (bank_account_id);

CREATE INDEX agreement_publisher_rules_publisher ON public.agreement_publisher_rules USING btree (publisher_id);

CREATE INDEX agreements_organization ON public.agreements USING btree (organization_id);

CREATE INDEX audit_log_row ON public.audit_log USING btree (resource_name, row_id, seq DESC);

CREATE INDEX bank_accounts_organization ON public.bank_accounts USING btree (organization_id);

CREATE INDEX feeds_publisher ON public.feeds USING btree (publisher_id);

CREATE INDEX idempotency_keys_age ON public.idempotency_keys USING btree (created_at);

CREATE INDEX idp_attempts_subject ON public.idp_attempts USING btree (subject, attempted_at);

CREATE INDEX idp_payloads_account ON public.idp_payloads USING btree (account_id) WHERE (account_id IS NOT NULL);

CREATE INDEX idp_payloads_expiry ON public.idp_payloads USING btree (expires_at);

CREATE INDEX idp_payloads_grant ON public.idp_payloads USING btree (grant_id) WHERE (grant_id IS NOT NULL);

CREATE INDEX idp_payloads_session ON public.idp_payloads USING btree (model, session_uid) WHERE (session_uid IS NOT NULL);

CREATE INDEX ingest_batches_days ON public.ingest_batches USING btree (dataset, first_day, last_day) WHERE (state = ANY (ARRAY['applying'::text, 'applied'::text]));

CREATE UNIQUE INDEX ingest_batches_live ON public.ingest_batches USING btree (dataset, batch_id) WHERE (state = ANY (ARRAY['applying'::text, 'applied'::text]));

CREATE INDEX medium_articles_publisher ON public.medium_articles USING btree (publisher_id, published_at DESC);

CREATE INDEX publishers_organization ON public.publishers USING btree (organization_id);

CREATE INDEX users_organization ON public.users USING btree (organization_id);

CREATE INDEX videos_publisher ON public.videos USING btree (publisher_id, published_at DESC);

create view public.agreement_terms_history with (security_invoker=true) as
 SELECT agreements.id AS agreement_id,
    agreements.valid_from_month,
    agreements.fee_paid_by,
    agreements.payment_timing,
    agreements.minimum_revenue_type,
    agreements.fixed_revenue_yen,
    agreements.minimum_revenue_yen,
    agreements.payout_threshold_yen,
    agreements.created_at
   FROM public.agreements
UNION ALL
 SELECT agreement_terms_versions.agreement_id,
    agreement_terms_versions.valid_from_month,
    agreement_terms_versions.fee_paid_by,
    agreement_terms_versions.payment_timing,
    agreement_terms_versions.minimum_revenue_type,
    agreement_terms_versions.fixed_revenue_yen,
    agreement_terms_versions.minimum_revenue_yen,
    agreement_terms_versions.payout_threshold_yen,
    agreement_terms_versions.created_at
   FROM public.agreement_terms_versions;

create view public.agreement_publisher_rule_history with (security_invoker=true) as
 SELECT agreement_publisher_rules.id AS rule_id,
    agreement_publisher_rules.valid_from_month,
    agreement_publisher_rules.fixed_revenue_yen,
    agreement_publisher_rules.minimum_revenue_yen,
    agreement_publisher_rules.payment_rate,
    agreement_publisher_rules.ssp_payment_rate,
    agreement_publisher_rules.video_ssp_payment_rate,
    agreement_publisher_rules.live_ssp_payment_rate,
    agreement_publisher_rules.is_target_for_ssp_allocation,
    agreement_publisher_rules.is_target_for_video_ssp_allocation,
    agreement_publisher_rules.is_target_for_live_ssp_allocation,
    agreement_publisher_rules.created_at
   FROM public.agreement_publisher_rules
UNION ALL
 SELECT agreement_publisher_rule_versions.rule_id,
    agreement_publisher_rule_versions.valid_from_month,
    agreement_publisher_rule_versions.fixed_revenue_yen,
    agreement_publisher_rule_versions.minimum_revenue_yen,
    agreement_publisher_rule_versions.payment_rate,
    agreement_publisher_rule_versions.ssp_payment_rate,
    agreement_publisher_rule_versions.video_ssp_payment_rate,
    agreement_publisher_rule_versions.live_ssp_payment_rate,
    agreement_publisher_rule_versions.is_target_for_ssp_allocation,
    agreement_publisher_rule_versions.is_target_for_video_ssp_allocation,
    agreement_publisher_rule_versions.is_target_for_live_ssp_allocation,
    agreement_publisher_rule_versions.created_at
   FROM public.agreement_publisher_rule_versions;

CREATE TRIGGER audit_head_keep BEFORE DELETE ON public.audit_head FOR EACH ROW EXECUTE FUNCTION app.refuse_audit_change();

CREATE TRIGGER audit_head_keep_all BEFORE TRUNCATE ON public.audit_head FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_audit_change();

CREATE TRIGGER audit_log_append BEFORE INSERT ON public.audit_log FOR EACH ROW EXECUTE FUNCTION app.append_to_audit_chain();

CREATE TRIGGER audit_log_keep BEFORE DELETE OR UPDATE ON public.audit_log FOR EACH ROW EXECUTE FUNCTION app.refuse_audit_change();

CREATE TRIGGER audit_log_keep_all BEFORE TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_audit_change();

CREATE TRIGGER bank_accounts_keep BEFORE UPDATE ON public.bank_accounts FOR EACH ROW EXECUTE FUNCTION app.keep_bank_account();

CREATE TRIGGER publishers_pieces AFTER INSERT OR UPDATE OF name, kana, organization_id ON public.publishers FOR EACH ROW EXECUTE FUNCTION app.keep_publisher_pieces();

alter table app.publisher_pieces disable row level security;
alter table app.publisher_pieces no force row level security;

alter table public.agreement_bank_accounts enable row level security;
alter table public.agreement_bank_accounts force row level security;

alter table public.agreement_publisher_rule_versions enable row level security;
alter table public.agreement_publisher_rule_versions force row level security;

alter table public.agreement_publisher_rules enable row level security;
alter table public.agreement_publisher_rules force row level security;

alter table public.agreement_terms_versions enable row level security;
alter table public.agreement_terms_versions force row level security;

alter table public.agreements enable row level security;
alter table public.agreements force row level security;

alter table public.api_keys enable row level security;
alter table public.api_keys force row level security;

alter table public.audit_head enable row level security;
alter table public.audit_head force row level security;

alter table public.audit_log enable row level security;
alter table public.audit_log force row level security;

alter table public.bank_accounts enable row level security;
alter table public.bank_accounts force row level security;

alter table public.bank_branches enable row level security;
alter table public.bank_branches force row level security;

alter table public.bank_master_imports enable row level security;
alter table public.bank_master_imports force row level security;

alter table public.banks enable row level security;
alter table public.banks force row level security;

alter table public.feeds enable row level security;
alter table public.feeds force row level security;

alter table public.idempotency_keys enable row level security;
alter table public.idempotency_keys force row level security;

alter table public.idp_accounts enable row level security;
alter table public.idp_accounts force row level security;

alter table public.idp_attempts enable row level security;
alter table public.idp_attempts force row level security;

alter table public.idp_payloads enable row level security;
alter table public.idp_payloads force row level security;

alter table public.idp_settings enable row level security;
alter table public.idp_settings force row level security;

alter table public.ingest_batches enable row level security;
alter table public.ingest_batches force row level security;

alter table public.ingest_quarantined_rows enable row level security;
alter table public.ingest_quarantined_rows force row level security;

alter table public.media enable row level security;
alter table public.media force row level security;

alter table public.medium_articles enable row level security;
alter table public.medium_articles force row level security;

alter table public.month_closings enable row level security;
alter table public.month_closings force row level security;

alter table public.organizations enable row level security;
alter table public.organizations force row level security;

alter table public.page_views enable row level security;
alter table public.page_views force row level security;

alter table public.policies enable row level security;
alter table public.policies force row level security;

alter table public.publishers enable row level security;
alter table public.publishers force row level security;

alter table public.roles enable row level security;
alter table public.roles force row level security;

alter table public.user_agreements enable row level security;
alter table public.user_agreements force row level security;

alter table public.user_roles enable row level security;
alter table public.user_roles force row level security;

alter table public.users enable row level security;
alter table public.users force row level security;

alter table public.videos enable row level security;
alter table public.videos force row level security;

create policy all_rows on public.agreement_bank_accounts as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy own_organization on public.agreement_bank_accounts as permissive for select to public
  using ((( SELECT app.scope() AS scope)) = 'organization'::text AND (agreement_id IN ( SELECT a.id
   FROM public.agreements a)));

create policy all_rows on public.agreement_publisher_rule_versions as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy visible_rules on public.agreement_publisher_rule_versions as permissive for select to public
  using (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text])) AND (rule_id IN ( SELECT r.id
   FROM public.agreement_publisher_rules r)));

create policy all_rows on public.agreement_publisher_rules as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy visible_agreements on public.agreement_publisher_rules as permissive for select to public
  using (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text])) AND (agreement_id IN ( SELECT a.id
   FROM public.agreements a)));

create policy all_rows on public.agreement_terms_versions as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy visible_agreements on public.agreement_terms_versions as permissive for select to public
  using (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text])) AND (agreement_id IN ( SELECT a.id
   FROM public.agreements a)));

create policy all_rows on public.agreements as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy own_agreements on public.agreements as permissive for select to public
  using ((( SELECT app.scope() AS scope)) = 'agreements'::text AND (id = ANY ((( SELECT app.own_agreement_ids() AS own_agreement_ids))::bigint[])));

create policy own_organization on public.agreements as permissive for select to public
  using ((( SELECT app.scope() AS scope)) = 'organization'::text AND organization_id = (( SELECT app.organization_id() AS organization_id)));

create policy all_rows on public.api_keys as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.audit_head as permissive for select to pc_app
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy chain on public.audit_head as permissive for all to pc_owner
  using ((( SELECT app.scope() AS scope)) <> ''::text);

create policy all_rows_append on public.audit_log as permissive for insert to public
  with check ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows_read on public.audit_log as permissive for select to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy own_rows_append on public.audit_log as permissive for insert to public
  with check (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text, 'self'::text])) AND actor_uid = (( SELECT app.uid() AS uid)));

create policy all_rows on public.bank_accounts as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy own_organization on public.bank_accounts as permissive for select to public
  using ((( SELECT app.scope() AS scope)) = 'organization'::text AND organization_id = (( SELECT app.organization_id() AS organization_id)));

create policy own_organization_request on public.bank_accounts as permissive for insert to public
  with check ((( SELECT app.scope() AS scope)) = 'organization'::text AND organization_id = (( SELECT app.organization_id() AS organization_id)) AND state = 'requested'::text AND requested_by = (( SELECT app.uid() AS uid)));

create policy all_rows on public.bank_branches as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy reference_data on public.bank_branches as permissive for select to public
  using ((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text]));

create policy all_rows on public.bank_master_imports as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.banks as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy reference_data on public.banks as permissive for select to public
  using ((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text]));

create policy all_rows on public.feeds as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy visible_publishers on public.feeds as permissive for select to public
  using (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text])) AND (publisher_id IN ( SELECT p.id
   FROM public.publishers p)));

create policy all_rows on public.idempotency_keys as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy own_rows on public.idempotency_keys as permissive for select to public
  using (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text, 'self'::text])) AND uid = (( SELECT app.uid() AS uid)));

create policy own_rows_insert on public.idempotency_keys as permissive for insert to public
  with check (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text, 'self'::text])) AND uid = (( SELECT app.uid() AS uid)));

create policy own_rows_update on public.idempotency_keys as permissive for update to public
  using (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text, 'self'::text])) AND uid = (( SELECT app.uid() AS uid)));

create policy all_rows on public.idp_accounts as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy idp_attempts_scope on public.idp_attempts as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.idp_payloads as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.idp_settings as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.ingest_batches as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.ingest_quarantined_rows as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.media as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy reference_data on public.media as permissive for select to public
  using ((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text]));

create policy all_rows on public.medium_articles as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy visible_publishers on public.medium_articles as permissive for select to public
  using (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text])) AND (publisher_id IN ( SELECT p.id
   FROM public.publishers p)));

create policy visible_publishers_delete on public.medium_articles as permissive for delete to public
  using (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text])) AND (publisher_id IN ( SELECT p.id
   FROM public.publishers p)));

create policy all_rows on public.month_closings as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy reference_data on public.month_closings as permissive for select to public
  using ((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text]));

create policy all_rows on public.organizations as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy own_organization on public.organizations as permissive for select to public
  using (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text])) AND id = (( SELECT app.organization_id() AS organization_id)));

create policy all_rows on public.page_views as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy own_views on public.page_views as permissive for insert to public
  with check (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text, 'self'::text])) AND uid = (( SELECT app.uid() AS uid)));

create policy all_rows on public.policies as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy own_roles on public.policies as permissive for select to public
  using (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text, 'self'::text])) AND (role_name IN ( SELECT ur.role_name
   FROM public.user_roles ur
  WHERE ur.uid = (( SELECT app.uid() AS uid)))));

create policy all_rows on public.publishers as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy own_agreements on public.publishers as permissive for select to public
  using ((( SELECT app.scope() AS scope)) = 'agreements'::text AND (id IN ( SELECT r.publisher_id
   FROM public.agreement_publisher_rules r)));

create policy own_organization on public.publishers as permissive for select to public
  using ((( SELECT app.scope() AS scope)) = 'organization'::text AND organization_id = (( SELECT app.organization_id() AS organization_id)));

create policy all_rows on public.roles as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy names on public.roles as permissive for select to public
  using ((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text, 'self'::text]));

create policy all_rows on public.user_agreements as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy own_organization_delete on public.user_agreements as permissive for delete to public
  using ((( SELECT app.scope() AS scope)) = 'organization'::text AND (uid IN ( SELECT u.uid
   FROM public.users u
  WHERE u.organization_id = (( SELECT app.organization_id() AS organization_id)))));

create policy own_organization_insert on public.user_agreements as permissive for insert to public
  with check ((( SELECT app.scope() AS scope)) = 'organization'::text AND (uid IN ( SELECT u.uid
   FROM public.users u
  WHERE u.organization_id = (( SELECT app.organization_id() AS organization_id)))) AND (agreement_id IN ( SELECT a.id
   FROM public.agreements a)));

create policy visible_users on public.user_agreements as permissive for select to public
  using (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text])) AND (uid IN ( SELECT u.uid
   FROM public.users u)));

create policy all_rows on public.user_roles as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy publisher_roles_delete on public.user_roles as permissive for delete to public
  using ((( SELECT app.scope() AS scope)) = 'organization'::text AND (role_name = ANY (ARRAY['insight:publisher_admin'::text, 'insight:publisher_editor'::text])) AND (uid IN ( SELECT u.uid
   FROM public.users u
  WHERE u.organization_id = (( SELECT app.organization_id() AS organization_id)))));

create policy publisher_roles_insert on public.user_roles as permissive for insert to public
  with check ((( SELECT app.scope() AS scope)) = 'organization'::text AND (role_name = ANY (ARRAY['insight:publisher_admin'::text, 'insight:publisher_editor'::text])) AND (uid IN ( SELECT u.uid
   FROM public.users u
  WHERE u.organization_id = (( SELECT app.organization_id() AS organization_id)))));

create policy visible_users on public.user_roles as permissive for select to public
  using (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text, 'self'::text])) AND (uid IN ( SELECT u.uid
   FROM public.users u)));

create policy all_rows on public.users as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy own_organization on public.users as permissive for select to public
  using ((( SELECT app.scope() AS scope)) = 'organization'::text AND organization_id = (( SELECT app.organization_id() AS organization_id)));

create policy own_organization_delete on public.users as permissive for delete to public
  using ((( SELECT app.scope() AS scope)) = 'organization'::text AND organization_id = (( SELECT app.organization_id() AS organization_id)) AND uid <> (( SELECT app.uid() AS uid)));

create policy own_organization_insert on public.users as permissive for insert to public
  with check ((( SELECT app.scope() AS scope)) = 'organization'::text AND organization_id = (( SELECT app.organization_id() AS organization_id)));

create policy own_organization_update on public.users as permissive for update to public
  using ((( SELECT app.scope() AS scope)) = 'organization'::text AND organization_id = (( SELECT app.organization_id() AS organization_id)));

create policy own_row on public.users as permissive for select to public
  using (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text, 'self'::text])) AND uid = (( SELECT app.uid() AS uid)));

create policy all_rows on public.videos as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy visible_publishers on public.videos as permissive for select to public
  using (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text])) AND (publisher_id IN ( SELECT p.id
   FROM public.publishers p)));

grant usage on schema app to pc_app;

grant usage on schema public to pc_app;

grant delete, insert, select, update on public.agreement_bank_accounts to pc_app;

grant delete, insert, select, update on public.agreement_publisher_rule_history to pc_app;

grant delete, insert, select, update on public.agreement_publisher_rule_versions to pc_app;

grant delete, insert, select, update on public.agreement_publisher_rules to pc_app;

grant delete, insert, select, update on public.agreement_terms_history to pc_app;

grant delete, insert, select, update on public.agreement_terms_versions to pc_app;

grant delete, insert, select, update on public.agreements to pc_app;

grant delete, insert, select, update on public.api_keys to pc_app;

grant select on public.audit_head to pc_app;

grant select on public.audit_log to pc_app;

grant delete, insert, select, update on public.bank_accounts to pc_app;

grant delete, insert, select, update on public.bank_branches to pc_app;

grant delete, insert, select, update on public.bank_master_imports to pc_app;

grant delete, insert, select, update on public.banks to pc_app;

grant delete, insert, select, update on public.feeds to pc_app;

grant delete, insert, select, update on public.idempotency_keys to pc_app;

grant delete, insert, select, update on public.idp_accounts to pc_app;

grant delete, insert, select, update on public.idp_attempts to pc_app;

grant delete, insert, select, update on public.idp_payloads to pc_app;

grant delete, insert, select, update on public.idp_settings to pc_app;

grant delete, insert, select, update on public.ingest_batches to pc_app;

grant delete, insert, select, update on public.ingest_quarantined_rows to pc_app;

grant delete, insert, select, update on public.media to pc_app;

grant delete, insert, select, update on public.medium_articles to pc_app;

grant delete, insert, select, update on public.month_closings to pc_app;

grant delete, insert, select, update on public.organizations to pc_app;

grant delete, insert, select, update on public.page_views to pc_app;

grant delete, insert, select, update on public.policies to pc_app;

grant delete, insert, select, update on public.publishers to pc_app;

grant delete, insert, select, update on public.roles to pc_app;

grant delete, insert, select, update on public.user_agreements to pc_app;

grant delete, insert, select, update on public.user_roles to pc_app;

grant delete, insert, select, update on public.users to pc_app;

grant delete, insert, select, update on public.videos to pc_app;

grant insert (acting_as_uid) on public.audit_log to pc_app;

grant insert (action) on public.audit_log to pc_app;

grant insert (actor_uid) on public.audit_log to pc_app;

grant insert (after) on public.audit_log to pc_app;

grant insert (before) on public.audit_log to pc_app;

grant insert (request_id) on public.audit_log to pc_app;

grant insert (resource_name) on public.audit_log to pc_app;

grant insert (row_id) on public.audit_log to pc_app;

grant insert (source_address) on public.audit_log to pc_app;

alter default privileges in schema public grant delete, insert, select, update on tables to pc_app;
