-- The schema after all migrations, for reading. Made by `npm run db -- dump`; a check compares it with the migrations.
-- Not executed anywhere but in a test, which proves that nothing is missing here.

create schema app;

CREATE OR REPLACE FUNCTION app.search_text(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN regexp_replace(translate(lower(NORMALIZE(value, NFKC)), 'ぁあぃいぅうぇえぉおかがきぎくぐけげこごさざしじすずせぜそぞただちぢっつづてでとどなにぬねのはばぱひびぴふぶぷへべぺほぼぽまみむめもゃやゅゆょよらりるれろゎわゐゑをんゔゕゖァィゥェォッャュョヮヵヶ'::text, 'アアイイウウエエオオカガキギクグケゲコゴサザシジスズセゼソゾタダチヂツツヅテデトドナニヌネノハバパヒビピフブプヘベペホボポマミムメモヤヤユユヨヨラリルレロワワヰヱヲンヴカケアイウエオツヤユヨワカケ'::text), '[\s\-‐‑‒–—―−ー〜~・･。、.,''"‘’“”()（）「」『』\[\]【】<>〈〉《》/\\&!?:;_*#+=@|]'::text, ''::text, 'g'::text)
;

create table app.agreement_pieces (
  id bigint not null,
  search_text text not null,
  organization_id bigint not null,
  medium_id bigint not null,
  is_live boolean not null,
  is_payment_disabled boolean not null,
  terminated_at timestamp with time zone
);

create table app.feed_pieces (
  id bigint not null,
  search_text text not null,
  publisher_id bigint not null,
  medium_id bigint not null,
  type text not null,
  is_live boolean not null
);

create table app.medium_article_counts (
  publisher_id bigint not null,
  medium_id bigint not null,
  articles bigint not null
);

create table app.medium_article_pieces (
  article_id bigint not null,
  publisher_id bigint not null,
  search_text text not null,
  medium_id bigint not null,
  feed_id bigint,
  published_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone default now() not null
);

create table app.piece_counts (
  kind text not null,
  piece text not null,
  is_live boolean not null,
  row_count bigint not null
);

create table app.publisher_pieces (
  id bigint not null,
  search_text text not null,
  organization_id bigint not null,
  is_live boolean not null
);

create table app.statement_counts (
  agreement_id bigint not null,
  organization_id bigint not null,
  medium_id bigint not null,
  state text not null,
  statements bigint not null,
  total_yen bigint not null
);

create table app.statement_payees (
  organization_id bigint not null,
  search_text text not null
);

create table public.account_changes (
  id bigint generated always as identity not null,
  uid uuid not null,
  kind text not null,
  email text not null,
  new_email text,
  requested_by_uid uuid not null,
  source_address text not null,
  requested_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  state text default 'pending'::text not null,
  old_email_confirmed_at timestamp with time zone,
  new_email_confirmed_at timestamp with time zone,
  confirmed_by_uid uuid,
  settled_at timestamp with time zone
);

create table public.account_undos (
  change_id bigint not null,
  kept_at timestamp with time zone default now() not null,
  email text not null,
  oidc_issuer text,
  oidc_subject text,
  password_hash text,
  authenticators jsonb not null,
  recovery_codes jsonb not null
);

create table public.agreement_bank_accounts (
  id bigint generated always as identity not null,
  agreement_id bigint not null,
  bank_account_id bigint not null,
  used_from_month integer not null,
  created_at timestamp with time zone default now() not null
);

create table public.agreement_documents (
  id bigint generated always as identity not null,
  agreement_id bigint not null,
  object_key text not null,
  file_name text not null,
  size_bytes integer not null,
  sha256 text not null,
  added_by uuid,
  added_at timestamp with time zone default now() not null,
  removed_at timestamp with time zone
);

create table public.agreement_law_notices (
  agreement_id bigint not null,
  rule_id text not null,
  noticed_at timestamp with time zone not null
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

create table public.agreement_renewal_notices (
  agreement_id bigint not null,
  contract_end_month integer not null,
  noticed_at timestamp with time zone not null
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
  search_text text generated always as ((app.search_text(name) || ' '::text) || app.search_text(code)) stored,
  contract_end_month integer,
  renewal_notice_days integer,
  payee_residence text default 'resident'::text not null,
  treaty_form_from date,
  treaty_form_to date,
  treaty_form_rate integer,
  tax_treatment_confirmed_at timestamp with time zone,
  tax_treatment_confirmed_by_uid uuid
);

create table public.annotations (
  id bigint generated always as identity not null,
  owner_uid uuid not null,
  is_by_staff boolean not null,
  starts_on date not null,
  ends_on date not null,
  text text not null,
  visibility text not null,
  publisher_id bigint,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  revision integer default 1 not null,
  medium_ids bigint[] default '{}'::bigint[] not null
);

create table public.announcement_reads (
  announcement_id bigint not null,
  uid uuid not null,
  read_at timestamp with time zone not null
);

create table public.announcement_targets (
  announcement_id bigint not null,
  kind text not null,
  medium_id bigint,
  organization_id bigint,
  role_name text
);

create table public.announcements (
  id bigint generated always as identity not null,
  enabled boolean default false not null,
  level text not null,
  title text not null,
  body text not null,
  start_at timestamp with time zone not null,
  end_at timestamp with time zone,
  close_button_text text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  revision integer default 1 not null
);

create table public.answer_templates (
  id bigint generated always as identity not null,
  name text not null,
  body text not null,
  updated_at timestamp with time zone default now() not null,
  revision integer default 1 not null
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

create table public.article_labels (
  id bigint generated always as identity not null,
  publisher_id bigint not null,
  kind text not null,
  key text not null,
  name text not null,
  search_text text generated always as (app.search_text(name)) stored not null,
  medium_ids bigint[] default '{}'::bigint[] not null
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

create table public.bank_account_switches (
  bank_account_id bigint not null,
  agreement_id bigint not null,
  state text default 'planned'::text not null,
  refusal_code text,
  ended_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  notified_at timestamp with time zone
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
  updated_at timestamp with time zone default now() not null,
  usable_from date,
  search_text text generated always as (app.search_text(holder)) stored
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
  search_text text generated always as ((((((code || ' '::text) || app.search_text(name)) || ' '::text) || app.search_text(kana)) || ' '::text) || app.search_text(roma)) stored,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null
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
  search_text text generated always as ((((((code || ' '::text) || app.search_text(name)) || ' '::text) || app.search_text(kana)) || ' '::text) || app.search_text(roma)) stored,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null
);

create table public.boards (
  id bigint generated always as identity not null,
  owner_uid uuid not null,
  organization_id bigint,
  is_by_staff boolean not null,
  name text not null,
  shared_roles text[] default '{}'::text[] not null,
  tiles jsonb default '[]'::jsonb not null,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  revision integer default 1 not null
);

create table public.close_acknowledgements (
  medium_id bigint not null,
  month integer not null,
  check_kind text not null,
  subject_sha256 text not null,
  reason text not null,
  acknowledged_by_uid uuid not null,
  acknowledged_at timestamp with time zone not null
);

create table public.consumption_tax_rates (
  valid_from_month integer not null,
  rate_percent integer not null
);

create table public.demonstration (
  is_only boolean default true not null,
  begun_at timestamp with time zone not null,
  completed_at timestamp with time zone
);

create table public.dividend_ledger_lines (
  id bigint generated always as identity not null,
  dividend_id bigint not null,
  medium_id bigint not null,
  month integer not null,
  kind text not null,
  method text not null,
  booking integer not null,
  agreement_id bigint not null,
  publisher_id bigint not null,
  line integer not null,
  weight bigint default 0 not null,
  quota_yen bigint default 0 not null,
  extra_yen bigint default 0 not null,
  allocated_yen bigint not null,
  rate_units integer default 0 not null,
  amount_yen bigint not null,
  reverses_dividend_id bigint
);

create table public.dividend_operations (
  id bigint generated always as identity not null,
  month integer not null,
  has_been_finalized boolean default false not null,
  finalized_at timestamp with time zone,
  created_at timestamp with time zone default now() not null
);

create table public.dividend_rows (
  dividend_id bigint not null,
  line integer not null,
  agreement_id bigint not null,
  publisher_id bigint not null,
  amount_yen bigint,
  weight bigint,
  reason text,
  origin_month integer
);

create table public.dividend_weights (
  dividend_id bigint not null,
  agreement_id bigint not null,
  publisher_id bigint not null,
  weight bigint not null
);

create table public.dividends (
  id bigint generated always as identity not null,
  operation_id bigint not null,
  medium_id bigint not null,
  month integer not null,
  kind text not null,
  method text not null,
  extra_revenue_yen bigint not null,
  extra_revenue_month integer not null,
  notes text default ''::text not null,
  user_uid uuid,
  job_status text default 'pending'::text not null,
  attempts integer default 0 not null,
  progress integer default 0 not null,
  failure_code text,
  failure_text text,
  created_at timestamp with time zone default now() not null,
  started_at timestamp with time zone,
  completed_at timestamp with time zone,
  data_version text,
  booking integer default 0 not null,
  booking_hash text,
  reversed_by_dividend_id bigint,
  withdrawn_at timestamp with time zone,
  withdrawn_by_uid uuid
);

create table public.event_hours (
  starts_at timestamp with time zone not null,
  publisher_id bigint not null,
  medium_id bigint not null,
  batch_no bigint not null,
  applied_at timestamp with time zone not null,
  article_impression bigint not null,
  article_click bigint not null,
  article_watch bigint not null,
  video_impression bigint not null,
  video_click bigint not null,
  video_watch bigint not null,
  live_impression bigint not null,
  live_click bigint not null,
  live_watch bigint not null
);

create table public.feed_health (
  feed_id bigint not null,
  state text not null,
  checked_at timestamp with time zone,
  last_success_at timestamp with time zone,
  error_class text,
  failing_since timestamp with time zone,
  failures integer default 0 not null,
  alerted_at timestamp with time zone,
  next_check_at timestamp with time zone not null,
  watched_since date,
  etag text,
  last_modified text,
  volume_day date,
  volume_items integer,
  usual_hundredths integer
);

create table public.feed_seen_items (
  feed_id bigint not null,
  item_key bytea not null,
  day date not null
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
  updated_at timestamp with time zone default now() not null,
  legacy_feed_id text,
  wide_logo_url text default ''::text not null,
  banner_url text default ''::text not null,
  is_delete_feed boolean default false not null,
  is_safe_for_firstview boolean default false not null,
  related_link_num integer default 0 not null,
  article_expiration_days integer default 30 not null,
  availability_for_promo boolean default false not null,
  allow_video boolean default false not null,
  allow_content_body boolean default true not null,
  ttl_minutes integer default 15 not null,
  manually_feed_score integer default 0 not null,
  notes text,
  revision integer default 1 not null,
  staging_feed_id text,
  search_text text generated always as ((((app.search_text(name) || ' '::text) || app.search_text(short_name)) || ' '::text) || app.search_text(url)) stored
);

create table public.figure_alert_checks (
  medium_id bigint not null,
  checked_until date not null
);

create table public.figure_alerts (
  id bigint generated always as identity not null,
  publisher_id bigint not null,
  medium_id bigint not null,
  figure text not null,
  direction text not null,
  began_on date not null,
  last_on date not null,
  value bigint not null,
  usual bigint not null,
  ended_on date
);

create table public.holiday_imports (
  id bigint generated always as identity not null,
  first_year integer not null,
  last_year integer not null,
  source_name text not null,
  content_sha256 text not null,
  imported_at timestamp with time zone default now() not null
);

create table public.holidays (
  day date not null,
  name text not null
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

create table public.idp_authenticators (
  id bigint generated always as identity not null,
  uid uuid not null,
  kind text not null,
  label text not null,
  totp_secret bytea,
  totp_last_step bigint,
  credential_id text,
  public_key bytea,
  sign_count bigint,
  transports text[],
  created_at timestamp with time zone default now() not null,
  last_used_at timestamp with time zone,
  sealed_totp_secret text
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

create table public.idp_recovery_codes (
  uid uuid not null,
  code_sha256 text not null,
  used_at timestamp with time zone
);

create table public.idp_session_uses (
  session_uid text not null,
  uid uuid not null,
  device text not null,
  address text not null,
  last_used_at timestamp with time zone not null,
  proved_at timestamp with time zone
);

create table public.idp_settings (
  key text not null,
  value jsonb not null
);

create table public.import_rows (
  import_id bigint not null,
  row_number integer not null,
  state text not null,
  cells jsonb not null,
  changes jsonb not null,
  refusals jsonb not null,
  record_ids jsonb default '{}'::jsonb not null
);

create table public.imports (
  id bigint generated always as identity not null,
  kind text not null,
  file_name text not null,
  file_sha256 text not null,
  preview_sha256 text not null,
  new_count integer not null,
  changed_count integer not null,
  unchanged_count integer not null,
  refused_count integer not null,
  uploaded_by_uid uuid not null,
  uploaded_by_email text not null,
  uploaded_at timestamp with time zone not null,
  confirmed_by_email text,
  confirmed_at timestamp with time zone
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
  fact_rows bigint default 0 not null,
  api_key_id bigint,
  medium_ids bigint[] default '{}'::bigint[] not null,
  refused_because text default ''::text not null,
  refused_rows bigint default 0 not null,
  moved_rows bigint default 0 not null,
  delivered_by_uid uuid,
  is_unsettled boolean default false not null
);

create table public.ingest_quarantined_rows (
  batch_no bigint not null,
  line bigint not null,
  column_name text not null,
  reason text not null,
  source_text text not null,
  row_no bigint
);

create table public.input_tax_deductions (
  valid_from_month integer not null,
  deductible_percent integer not null
);

create table public.invariant_runs (
  id bigint generated always as identity not null,
  medium_id bigint not null,
  month integer not null,
  ran_at timestamp with time zone not null,
  occasion text not null,
  data_version text,
  violations integer not null,
  violations_hash text not null
);

create table public.invariant_violations (
  run_id bigint not null,
  number integer not null,
  invariant text not null,
  row_name text not null,
  detail text not null
);

create table public.invitations (
  uid uuid not null,
  secret_sha256 text,
  invited_by_uid uuid,
  invited_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  accepted_at timestamp with time zone
);

create table public.invoice_register_results (
  registration_number text not null,
  registered_on date not null,
  ended_on date,
  source text not null,
  checked_at timestamp with time zone default now() not null
);

create table public.journal_accounts (
  account text not null,
  valid_from_month integer not null,
  name text not null,
  sub_account text default ''::text not null,
  department text default ''::text not null
);

create table public.late_corrections (
  dividend_id bigint not null,
  medium_id bigint not null,
  origin_month integer not null,
  data_version text not null,
  created_at timestamp with time zone default now() not null
);

create table public.legal_holds (
  id bigint generated always as identity not null,
  organization_id bigint,
  from_month integer,
  to_month integer,
  reason text not null,
  placed_by_uid uuid not null,
  placed_by_email text not null,
  placed_at timestamp with time zone not null,
  released_at timestamp with time zone,
  released_by_email text,
  release_reason text
);

create table public.media (
  id bigint not null,
  name text not null,
  code text default ''::text not null,
  display_order integer default 0 not null,
  retired_on date,
  revision integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null
);

create table public.medium_article_removals (
  id bigint generated always as identity not null,
  article_id bigint not null,
  publisher_id bigint not null,
  reason text not null,
  removed_by uuid not null,
  removed_at timestamp with time zone not null,
  undo_until timestamp with time zone not null,
  restored_by uuid,
  restored_at timestamp with time zone
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
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  batch_no bigint,
  authors jsonb default '[]'::jsonb not null,
  section text default ''::text not null,
  tags jsonb default '[]'::jsonb not null
);

create table public.month_close_log (
  id bigint generated always as identity not null,
  medium_id bigint not null,
  month integer not null,
  at timestamp with time zone not null,
  actor_uid uuid,
  action text not null,
  detail text default ''::text not null
);

create table public.month_closings (
  medium_id bigint not null,
  month integer not null,
  finalized_at timestamp with time zone not null
);

create table public.month_states (
  medium_id bigint not null,
  month integer not null,
  state text default 'open'::text not null,
  input_seq bigint default 0 not null,
  data_version text,
  input_hash text,
  head text,
  computed_at timestamp with time zone,
  computed_by_uid uuid,
  finalized_at timestamp with time zone,
  finalized_by_uid uuid,
  paid_at timestamp with time zone,
  previous_hash text,
  head_hash text,
  hash text,
  books_version text
);

create table public.monthly_adjustments (
  monthly_publisher_payment_id bigint not null,
  medium_id bigint not null,
  month integer not null,
  dividend_id bigint not null,
  line integer not null,
  applied_yen bigint not null
);

create table public.monthly_agreement_snapshots (
  id bigint generated always as identity not null,
  medium_id bigint not null,
  agreement_id bigint not null,
  organization_id bigint not null,
  month integer not null,
  has_been_finalized boolean default false not null,
  agreement_name text not null,
  agreement_code text not null,
  partner_name text not null,
  qualified_invoice_issuer boolean not null,
  invoice_registration_number text,
  payee_kind text default 'company'::text not null,
  payee_residence text default 'resident'::text not null
);

create table public.monthly_carried_buckets (
  monthly_publisher_payment_id bigint not null,
  medium_id bigint not null,
  month integer not null,
  generated_month integer not null,
  open_yen bigint not null,
  next_yen bigint not null
);

create table public.monthly_estimates (
  monthly_publisher_payment_id bigint not null,
  monthly_payment_id bigint not null,
  medium_id bigint not null,
  agreement_id bigint not null,
  organization_id bigint not null,
  month integer not null,
  shown_micro_yen bigint not null,
  ads_yen bigint not null,
  pool_yen bigint not null
);

create table public.monthly_paid_buckets (
  monthly_payment_id bigint not null,
  medium_id bigint not null,
  month integer not null,
  generated_month integer not null,
  amount_yen bigint not null,
  rate_percent integer not null,
  tax_yen bigint not null,
  is_qualified boolean not null,
  deductible_percent integer not null,
  deductible_tax_yen bigint not null,
  non_deductible_tax_yen bigint not null
);

create table public.monthly_payments (
  id bigint generated always as identity not null,
  monthly_agreement_snapshot_id bigint not null,
  medium_id bigint not null,
  agreement_id bigint not null,
  organization_id bigint not null,
  month integer not null,
  has_been_finalized boolean default false not null,
  payment_status text default 'computed'::text not null,
  outcome text not null,
  reason_code text,
  reason_threshold_yen bigint,
  ads_revenue_yen bigint not null,
  ssp_revenue_yen bigint not null,
  video_ssp_revenue_yen bigint not null,
  live_ssp_revenue_yen bigint not null,
  fixed_revenue_applied_yen bigint not null,
  minimum_top_up_revenue_yen bigint not null,
  revenue_yen bigint not null,
  manual_adjustment_revenue_yen bigint not null,
  carried_over_revenue_yen bigint not null,
  cumulative_revenue_yen bigint not null,
  payment_yen bigint not null,
  carried_over_to_next_yen bigint not null,
  agreement_fixed_yen bigint not null,
  agreement_top_up_yen bigint not null,
  tax_rate_percent integer not null,
  revenue_tax_yen bigint not null,
  payment_tax_yen bigint not null,
  payment_including_tax_yen bigint not null,
  fee_paid_by text not null,
  is_active boolean not null,
  is_terminated boolean not null,
  payout_threshold_yen bigint not null,
  due_on_nominal date not null,
  due_on date not null,
  scheduled_month integer,
  bank_account_id bigint,
  has_discarded_rows boolean not null,
  has_discarded_pools boolean not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  finalized_at timestamp with time zone,
  finalized_at_month integer,
  paid_at_month integer,
  paid_on date,
  returned_reason text
);

create table public.monthly_pools (
  dividend_id bigint not null,
  medium_id bigint not null,
  month integer not null,
  pool_yen bigint not null,
  allocated_yen bigint not null,
  shared_yen bigint not null,
  booked_yen bigint not null,
  retained_yen bigint not null
);

create table public.monthly_publisher_payments (
  id bigint generated always as identity not null,
  monthly_payment_id bigint not null,
  medium_id bigint not null,
  agreement_id bigint not null,
  organization_id bigint not null,
  publisher_id bigint not null,
  rule_id bigint not null,
  month integer not null,
  has_been_finalized boolean default false not null,
  ads_revenue_yen bigint not null,
  ssp_revenue_yen bigint not null,
  video_ssp_revenue_yen bigint not null,
  live_ssp_revenue_yen bigint not null,
  fixed_revenue_applied_yen bigint not null,
  minimum_top_up_revenue_yen bigint not null,
  revenue_yen bigint not null,
  manual_adjustment_revenue_yen bigint not null,
  carried_over_revenue_yen bigint not null,
  cumulative_revenue_yen bigint not null,
  payment_yen bigint not null,
  carried_over_to_next_yen bigint not null,
  fixed_of_rule_yen bigint not null,
  fixed_of_agreement_yen bigint not null,
  top_up_of_rule_yen bigint not null,
  top_up_of_agreement_yen bigint not null,
  reference_tax_yen bigint not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null
);

create table public.monthly_rule_snapshots (
  monthly_publisher_payment_id bigint not null,
  medium_id bigint not null,
  month integer not null,
  agreement_id bigint not null,
  organization_id bigint not null,
  has_been_finalized boolean default false not null,
  own_ads_rate_units integer not null,
  ssp_rate_units integer not null,
  video_ssp_rate_units integer not null,
  live_ssp_rate_units integer not null,
  is_target_for_ssp_allocation boolean not null,
  is_target_for_video_ssp_allocation boolean not null,
  is_target_for_live_ssp_allocation boolean not null
);

create table public.monthly_snapshot_inputs (
  snapshot_id bigint not null,
  medium_id bigint not null,
  month integer not null,
  input text not null,
  hash text
);

create table public.monthly_tax_lines (
  monthly_payment_id bigint not null,
  medium_id bigint not null,
  month integer not null,
  rate_percent integer not null,
  amount_yen bigint not null,
  tax_yen bigint not null
);

create table public.opening_balances (
  id bigint generated always as identity not null,
  agreement_id bigint not null,
  publisher_id bigint not null,
  origin_month integer not null,
  booked_month integer not null,
  amount_yen bigint not null,
  is_qualified boolean default false not null,
  revision integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null
);

create table public.organizations (
  id bigint generated always as identity not null,
  name text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  kana text default ''::text not null,
  search_text text generated always as ((app.search_text(name) || ' '::text) || app.search_text(kana)) stored,
  revision integer default 1 not null,
  postal_code text default ''::text not null,
  address text default ''::text not null
);

create table public.page_views (
  id bigint generated always as identity not null,
  uid uuid,
  path text not null,
  viewed_at timestamp with time zone default now() not null,
  title text
);

create table public.payment_setting_revisions (
  section text not null,
  revision integer default 1 not null
);

create table public.payment_settings (
  valid_from_month integer not null,
  payout_threshold_yen bigint not null,
  business_day_shift text not null,
  needs_two_persons boolean default false not null,
  updated_at timestamp with time zone default now() not null,
  ssp_weight text default 'article_click'::text not null,
  video_ssp_weight text default 'video_watch3s'::text not null,
  live_ssp_weight text default 'live_watch'::text not null,
  tax_period_start_month smallint default 1 not null,
  input_tax_timing text default 'finalising'::text not null,
  return_fee_yen bigint default 0 not null
);

create table public.policies (
  id bigint generated always as identity not null,
  role_name text not null,
  actions text[] not null,
  resource_name text not null,
  condition_key text,
  condition_value text
);

create table public.practice_entries (
  number integer not null,
  medium_id bigint not null,
  kind text not null,
  method text not null,
  extra_revenue_yen bigint not null,
  extra_revenue_month integer not null,
  notes text not null,
  rows_csv text not null
);

create table public.practice_payments (
  agreement_id bigint not null,
  medium_id bigint not null,
  partner_name text not null,
  payment_yen bigint not null,
  payment_including_tax_yen bigint not null,
  due_on date not null,
  has_late_figures boolean not null
);

create table public.practice_publisher_payments (
  agreement_id bigint not null,
  publisher_id bigint not null,
  revenue_yen bigint not null,
  payment_yen bigint not null
);

create table public.practice_system (
  is_only boolean default true not null,
  month integer not null,
  copied_at timestamp with time zone not null
);

create table public.preferences (
  uid uuid not null,
  key text not null,
  value jsonb not null,
  updated_at timestamp with time zone default now() not null
);

create table public.publisher_api_key_paces (
  key_id bigint not null,
  full_at timestamp with time zone not null
);

create table public.publisher_api_keys (
  id bigint generated always as identity not null,
  organization_id bigint not null,
  name text not null,
  secret_sha256 bytea not null,
  secret_end text not null,
  scopes text[] not null,
  created_by_uid uuid,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  end_noticed_at timestamp with time zone,
  request_count bigint default 0 not null,
  last_used_at timestamp with time zone,
  last_used_from text,
  allowed_addresses text[] default '{}'::text[] not null,
  refused_at timestamp with time zone,
  refused_from text
);

create table public.publisher_revenue_estimates (
  medium_id bigint not null,
  month integer not null,
  publisher_id bigint not null,
  shown_micro_yen bigint not null,
  ads_micro_yen bigint not null,
  ssp_micro_yen bigint not null,
  video_ssp_micro_yen bigint not null,
  live_ssp_micro_yen bigint not null
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

create table public.question_messages (
  id bigint generated always as identity not null,
  question_id bigint not null,
  writer_uid uuid not null,
  writer_email text not null,
  is_by_staff boolean not null,
  is_internal boolean default false not null,
  text text not null,
  written_at timestamp with time zone not null
);

create table public.question_reads (
  question_id bigint not null,
  uid uuid not null,
  message_id bigint not null
);

create table public.questions (
  id bigint generated always as identity not null,
  organization_id bigint not null,
  asker_uid uuid not null,
  asker_email text not null,
  asker_scope text not null,
  kind text not null,
  monthly_payment_id bigint,
  monthly_publisher_payment_id bigint,
  statement_id bigint,
  agreement_id bigint,
  amount_column text,
  node_path text,
  from_day date,
  to_day date,
  figure text,
  medium_ids bigint[] default '{}'::bigint[] not null,
  publisher_ids bigint[] default '{}'::bigint[] not null,
  month integer,
  subject text not null,
  context text default ''::text not null,
  search_text text generated always as (app.search_text((subject || ' '::text) || context)) stored,
  value_then text,
  unit text not null,
  state text default 'open'::text not null,
  state_changed_at timestamp with time zone not null,
  assignee_uid uuid,
  asked_at timestamp with time zone not null,
  last_message_at timestamp with time zone not null,
  told_message_id bigint default 0 not null,
  revision integer default 1 not null
);

create table public.report_mail_deliveries (
  id bigint generated always as identity not null,
  report_mail_id bigint not null,
  is_test boolean default false not null,
  period_from date not null,
  period_to date not null,
  due_at timestamp with time zone not null,
  state text not null,
  changed_at timestamp with time zone not null
);

create table public.report_mails (
  id bigint generated always as identity not null,
  uid uuid not null,
  name text not null,
  cadence text not null,
  hour smallint not null,
  month_day text default 'first'::text not null,
  compare_with text not null,
  ranking text not null,
  condition text default ''::text not null,
  is_paused boolean default false not null,
  active_since timestamp with time zone not null,
  deleted_at timestamp with time zone,
  revision integer default 1 not null
);

create table public.retention_runs (
  id bigint generated always as identity not null,
  ran_at timestamp with time zone not null,
  kind text not null,
  kept_since date not null,
  deleted bigint not null,
  held bigint not null
);

create table public.revenue_estimates (
  medium_id bigint not null,
  month integer not null,
  recorded_at timestamp with time zone not null,
  occasion text not null,
  data_version text not null
);

create table public.roles (
  name text not null,
  side text default 'other service'::text not null
);

create table public.saved_views (
  id bigint generated always as identity not null,
  uid uuid not null,
  screen text not null,
  name text not null,
  condition text default ''::text not null,
  columns text[],
  shared_with_role text,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  revision integer default 1 not null
);

create table public.second_factor_rule (
  is_only boolean default true not null,
  is_required boolean not null,
  required_from timestamp with time zone default now() not null,
  grace_days integer default 14 not null,
  revision integer default 1 not null
);

create table public.sent_mails (
  id bigint generated always as identity not null,
  sender_uid uuid not null,
  sent_at timestamp with time zone default now() not null
);

create table public.settlement_rules (
  version text not null,
  valid_from_month integer not null,
  is_proposed boolean default false not null,
  updated_at timestamp with time zone default now() not null
);

create table public.statement_event_notices (
  statement_event_id bigint not null
);

create table public.statement_events (
  id bigint generated always as identity not null,
  statement_id bigint not null,
  event text not null,
  statement_hash text not null,
  at timestamp with time zone not null,
  actor_uid uuid,
  actor_email text,
  source_address text,
  text text,
  lines jsonb default '[]'::jsonb not null,
  resolution text,
  adjustment_month integer
);

create table public.statement_notices (
  statement_id bigint not null,
  notified_at timestamp with time zone not null
);

create table public.statement_settings (
  valid_from_month integer not null,
  payer_name text not null,
  payer_address text default ''::text not null,
  payer_registration_number text not null,
  deemed_confirmation_days integer not null,
  revision integer default 1 not null,
  updated_at timestamp with time zone default now() not null
);

create table public.statements (
  id bigint generated always as identity not null,
  monthly_payment_id bigint not null,
  medium_id bigint not null,
  agreement_id bigint not null,
  organization_id bigint not null,
  month integer not null,
  number text not null,
  revision integer default 0 not null,
  revision_reason text,
  template_version integer not null,
  content text not null,
  hash text not null,
  issued_on date not null,
  issued_at timestamp with time zone not null,
  issued_by_uid uuid,
  deemed_on date not null,
  due_on date not null,
  payee_name text not null,
  payee_search_text text generated always as (app.search_text(payee_name)) stored,
  total_without_tax_yen bigint not null,
  total_yen bigint not null,
  transfer_amount_yen bigint not null,
  state text default 'issued'::text not null,
  confirmation_method text,
  state_changed_at timestamp with time zone not null
);

create table public.stats_ledger (
  only_row boolean default true not null,
  change_no bigint default 0 not null,
  publication_no bigint default 0 not null,
  change_id uuid default gen_random_uuid() not null,
  publication_id uuid default gen_random_uuid() not null
);

create table public.stats_versions (
  table_name text not null,
  month integer not null,
  version_no bigint not null,
  batch_no bigint,
  writer text not null,
  state text not null,
  ended_at timestamp with time zone,
  is_purged boolean default false not null
);

create table public.transfer_batches (
  id bigint generated always as identity not null,
  kind text not null,
  transfer_on date not null,
  due_on date not null,
  client_code text,
  client_name text,
  bank_code text,
  bank_name text,
  branch_code text,
  branch_name text,
  account_type text,
  account_number text,
  has_line_breaks boolean default false not null,
  extra_characters text default ''::text not null,
  notes text default ''::text not null,
  created_at timestamp with time zone not null,
  created_by_uid uuid,
  exported_at timestamp with time zone,
  exported_by_uid uuid,
  file_sha256 text,
  transfer_limit_yen bigint default '9999999999'::bigint not null
);

create table public.transfer_fees (
  source_bank_code text not null,
  destination text not null,
  valid_from date not null,
  from_amount_yen bigint not null,
  fee_yen bigint not null
);

create table public.transfer_payments (
  transfer_id bigint not null,
  monthly_payment_id bigint not null,
  payment_yen bigint not null,
  payment_including_tax_yen bigint not null,
  withholding_yen bigint not null,
  fee_borne_by_payee_yen bigint not null,
  transfer_amount_yen bigint not null,
  is_live boolean default true not null
);

create table public.transfer_recalls (
  id bigint generated always as identity not null,
  transfer_id bigint not null,
  reason text not null,
  state text default 'requested'::text not null,
  requested_at timestamp with time zone not null,
  requested_by_uid uuid not null,
  decided_at timestamp with time zone,
  decided_by_uid uuid,
  bank_reference text,
  bank_noted_at timestamp with time zone,
  bank_noted_by_uid uuid,
  purpose text default 'return'::text not null,
  paid_on date
);

create table public.transfer_records (
  transfer_id bigint not null,
  number integer not null,
  batch_id bigint not null,
  replaces integer,
  amount_yen bigint not null,
  fee_yen bigint not null,
  state text default 'planned'::text not null,
  paid_on date,
  returned_on date,
  reason text,
  settled_by text,
  updated_at timestamp with time zone not null
);

create table public.transfer_result_imports (
  id bigint generated always as identity not null,
  imported_at timestamp with time zone not null,
  imported_by_uid uuid,
  file_name text not null,
  content_sha256 text not null,
  paid integer not null,
  returned integer not null,
  unchanged integer not null,
  unknown integer not null
);

create table public.transfer_return_fees (
  transfer_id bigint not null,
  charged_on date not null,
  fee_yen bigint not null,
  updated_at timestamp with time zone not null,
  record_number integer default 0 not null,
  return_number integer default 1 not null
);

create table public.transfer_sources (
  valid_from_month integer not null,
  client_code text not null,
  client_name text not null,
  bank_code text not null,
  bank_name text not null,
  branch_code text not null,
  branch_name text not null,
  account_type text not null,
  account_number text not null,
  has_line_breaks boolean default false not null,
  extra_characters text default ''::text not null,
  result_mark_offset integer,
  result_mark_length integer,
  result_paid_marks text[],
  result_returned_marks text[],
  updated_at timestamp with time zone default now() not null,
  transfer_limit_yen bigint default '9999999999'::bigint not null
);

create table public.transfers (
  id bigint generated always as identity not null,
  batch_id bigint not null,
  organization_id bigint not null,
  bank_account_id bigint not null,
  due_on date not null,
  partner_name text not null,
  fee_paid_by text not null,
  payee_kind text not null,
  payment_yen bigint not null,
  payment_including_tax_yen bigint not null,
  withholding_yen bigint not null,
  fee_yen bigint not null,
  fee_borne_by_payee_yen bigint not null,
  transfer_amount_yen bigint not null,
  bank_code text not null,
  bank_name text not null,
  bank_kana text not null,
  branch_code text not null,
  branch_name text not null,
  branch_kana text not null,
  account_type text not null,
  account_number text not null,
  holder text not null,
  state text default 'planned'::text not null,
  paid_on date,
  returned_on date,
  reason text,
  settled_by text,
  updated_at timestamp with time zone not null,
  record_count integer default 1 not null,
  payee_residence text default 'resident'::text not null,
  non_resident_rate integer,
  has_treaty_form boolean default false not null
);

create table public.user_agreements (
  uid uuid not null,
  agreement_id bigint not null
);

create table public.user_roles (
  uid uuid not null,
  role_name text not null,
  given_at timestamp with time zone default now() not null,
  given_by_uid uuid
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
  created_at timestamp with time zone default now() not null,
  batch_no bigint,
  updated_at timestamp with time zone default now() not null
);

create table public.view_as_sessions (
  id bigint generated always as identity not null,
  session_key text not null,
  staff_uid uuid not null,
  target_uid uuid not null,
  reason text not null,
  started_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  ended_at timestamp with time zone
);

create table public.webhook_deliveries (
  id bigint generated always as identity not null,
  webhook_id bigint not null,
  event_id bigint not null,
  state text default 'waiting'::text not null,
  attempts integer default 0 not null,
  is_by_hand boolean default false not null,
  last_status integer,
  last_problem text,
  changed_at timestamp with time zone default now() not null
);

create table public.webhook_events (
  id bigint generated always as identity not null,
  key uuid default gen_random_uuid() not null,
  kind text not null,
  organization_id bigint,
  occurred_at timestamp with time zone default now() not null,
  data jsonb not null
);

create table public.webhooks (
  id bigint generated always as identity not null,
  organization_id bigint,
  url text not null,
  events text[] not null,
  secret text,
  is_paused boolean default false not null,
  is_given_up boolean default false not null,
  failing_since timestamp with time zone,
  created_by_uid uuid,
  created_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  revision integer default 1 not null,
  sealed_secret text,
  format text default 'json'::text not null
);

create table public.what_if_drafts (
  id bigint generated always as identity not null,
  medium_id bigint not null,
  month integer not null,
  name text not null,
  change jsonb not null,
  created_by_uid uuid,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  revision integer default 1 not null
);

create table public.withholding_rates (
  valid_from date not null,
  threshold_yen bigint not null,
  rate_up_to_threshold integer not null,
  rate_above_threshold integer not null,
  rate_non_resident integer default 2042 not null
);

CREATE OR REPLACE FUNCTION app.add_return()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  transfer bigint := (to_jsonb(new) ->> tg_argv[0])::bigint;
  record integer := coalesce((to_jsonb(new) ->> 'number')::integer, 0);
begin
  insert into public.transfer_return_fees (transfer_id, record_number, return_number, charged_on, fee_yen, updated_at)
  select transfer, record, coalesce(max(f.return_number), 0) + 1, new.returned_on, 0, new.updated_at
  from public.transfer_return_fees f where f.transfer_id = transfer and f.record_number = record;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION app.append_to_audit_chain()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
declare
  head public.audit_head;
  last_seq bigint;
  last_hash bytea;
begin
  -- Its row lock makes writers append one after the other.
  select * into strict head from public.audit_head for update;
  select seq, hash into last_seq, last_hash from public.audit_log where seq > head.seq order by seq desc limit 1;
  new.seq := coalesce(last_seq, head.seq) + 1;
  new.at := clock_timestamp();
  new.previous_hash := coalesce(last_hash, head.hash);
  new.hash := sha256(new.previous_hash || convert_to(app.audit_row_text(new), 'UTF8'));
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

CREATE OR REPLACE FUNCTION app.check_early_return()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from public.transfer_batches b where b.id = new.batch_id
      and b.transfer_on > (new.updated_at at time zone 'Asia/Tokyo')::date)
    and not exists (select from public.transfer_recalls r
      where r.transfer_id = new.id and r.purpose = 'return' and r.state = 'confirmed') then
    raise exception 'transfer % is not returned before its day without a second person', new.id
      using errcode = 'check_violation', constraint = 'transfer_recall_confirmed';
  end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION app.check_early_return_of_record()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from public.transfer_batches b where b.id = new.batch_id
      and b.transfer_on > (new.updated_at at time zone 'Asia/Tokyo')::date)
    and not exists (
      select from public.transfer_recalls r join public.transfers t on t.id = r.transfer_id
      where t.id = new.transfer_id and t.batch_id = new.batch_id and r.purpose = 'return' and r.state = 'confirmed') then
    raise exception 'record % of transfer % is not returned before its day', new.number, new.transfer_id
      using errcode = 'check_violation', constraint = 'transfer_recall_confirmed';
  end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION app.check_month_sums(of_medium_id bigint, of_month integer)
 RETURNS void
 LANGUAGE plpgsql
 SET enable_nestloop TO 'off'
AS $function$
declare
  wrong text;
  -- The last month with rows: what it left over is carried into this one.
  before integer := (select max(q.month) from public.monthly_payments q
    where q.medium_id = of_medium_id and q.month < of_month);
begin
  select string_agg(x.problem, ', ') into wrong from (
    select 'a job is unfinished' as problem where exists (
      select from public.dividends d where d.medium_id = of_medium_id and d.month = of_month and d.job_status in ('pending', 'running'))
    union all
    select 'an earlier month is open' where exists (
      select from public.month_states s where s.medium_id = of_medium_id and s.month < of_month and s.state in ('open', 'computed') and s.head is not null)
    union all
    select 'a later month is closed' where exists (
      select from public.month_states s where s.medium_id = of_medium_id and s.month > of_month and s.state in ('finalized', 'paid'))
    union all
    select 'a row is not final' where exists (
      select from public.monthly_payments p where p.medium_id = of_medium_id and p.month = of_month and not p.has_been_finalized)
      or exists (
      select from public.monthly_publisher_payments p where p.medium_id = of_medium_id and p.month = of_month and not p.has_been_finalized)
      or exists (
      select from public.monthly_agreement_snapshots p where p.medium_id = of_medium_id and p.month = of_month and not p.has_been_finalized)
      or exists (
      select from public.monthly_rule_snapshots p where p.medium_id = of_medium_id and p.month = of_month and not p.has_been_finalized)
      or exists (
      select from public.monthly_snapshot_inputs p where p.medium_id = of_medium_id and p.month = of_month and p.hash is null)
    union all
    select 'publishers do not sum to agreement ' || p.agreement_id from public.monthly_payments p
      left join (
        select monthly_payment_id,
        sum(ads_revenue_yen) as ads_revenue_yen,
        sum(ssp_revenue_yen) as ssp_revenue_yen,
        sum(video_ssp_revenue_yen) as video_ssp_revenue_yen,
        sum(live_ssp_revenue_yen) as live_ssp_revenue_yen,
        sum(fixed_revenue_applied_yen) as fixed_revenue_applied_yen,
        sum(minimum_top_up_revenue_yen) as minimum_top_up_revenue_yen,
        sum(revenue_yen) as revenue_yen,
        sum(manual_adjustment_revenue_yen) as manual_adjustment_revenue_yen,
        sum(carried_over_revenue_yen) as carried_over_revenue_yen,
        sum(cumulative_revenue_yen) as cumulative_revenue_yen,
        sum(payment_yen) as payment_yen,
        sum(carried_over_to_next_yen) as carried_over_to_next_yen
        from public.monthly_publisher_payments where medium_id = of_medium_id and month = of_month group by monthly_payment_id
      ) s on s.monthly_payment_id = p.id
      where p.medium_id = of_medium_id and p.month = of_month and (s.monthly_payment_id is null and p.cumulative_revenue_yen <> 0
          or p.ads_revenue_yen <> s.ads_revenue_yen
          or p.ssp_revenue_yen <> s.ssp_revenue_yen
          or p.video_ssp_revenue_yen <> s.video_ssp_revenue_yen
          or p.live_ssp_revenue_yen <> s.live_ssp_revenue_yen
          or p.fixed_revenue_applied_yen <> s.fixed_revenue_applied_yen
          or p.minimum_top_up_revenue_yen <> s.minimum_top_up_revenue_yen
          or p.revenue_yen <> s.revenue_yen
          or p.manual_adjustment_revenue_yen <> s.manual_adjustment_revenue_yen
          or p.carried_over_revenue_yen <> s.carried_over_revenue_yen
          or p.cumulative_revenue_yen <> s.cumulative_revenue_yen
          or p.payment_yen <> s.payment_yen
          or p.carried_over_to_next_yen <> s.carried_over_to_next_yen)
    union all
    select 'tax of agreement ' || p.agreement_id from public.monthly_payments p
      left join (select monthly_payment_id, sum(amount_yen) as amount_yen, sum(tax_yen) as tax_yen
        from public.monthly_tax_lines where medium_id = of_medium_id and month = of_month group by monthly_payment_id) t
        on t.monthly_payment_id = p.id
      left join (select monthly_payment_id, sum(amount_yen) as amount_yen, sum(tax_yen) as tax_yen
        from public.monthly_paid_buckets where medium_id = of_medium_id and month = of_month group by monthly_payment_id) b
        on b.monthly_payment_id = p.id
      where p.medium_id = of_medium_id and p.month = of_month and (
        coalesce(t.amount_yen, 0) <> p.payment_yen or coalesce(t.tax_yen, 0) <> p.payment_tax_yen
        or coalesce(b.amount_yen, 0) <> p.payment_yen or coalesce(b.tax_yen, 0) <> p.payment_tax_yen)
    union all
    select 'balance by month of publisher ' || p.publisher_id from public.monthly_publisher_payments p
      left join (select monthly_publisher_payment_id, sum(open_yen) as open_yen, sum(next_yen) as next_yen
        from public.monthly_carried_buckets where medium_id = of_medium_id and month = of_month
        group by monthly_publisher_payment_id) b on b.monthly_publisher_payment_id = p.id
      where p.medium_id = of_medium_id and p.month = of_month and (
        coalesce(b.open_yen, 0) <> p.cumulative_revenue_yen or coalesce(b.next_yen, 0) <> p.carried_over_to_next_yen)
    union all
    select 'carry of agreement ' || coalesce(p.agreement_id, q.agreement_id)
      from (select agreement_id, carried_over_revenue_yen from public.monthly_payments
        where medium_id = of_medium_id and month = of_month) p
      full join (select agreement_id, carried_over_to_next_yen from public.monthly_payments
        where medium_id = of_medium_id and month = before) q on q.agreement_id = p.agreement_id
      left join (select o.agreement_id, sum(o.amount_yen) as amount_yen
        from public.opening_balances o join public.agreements a on a.id = o.agreement_id
        where a.medium_id = of_medium_id and o.booked_month <= of_month and o.booked_month > coalesce(before, 0)
        group by o.agreement_id) o on o.agreement_id = coalesce(p.agreement_id, q.agreement_id)
      where coalesce(q.carried_over_to_next_yen, 0) + coalesce(o.amount_yen, 0) <> coalesce(p.carried_over_revenue_yen, 0)
    union all
    select 'opening balance of agreement ' || o.agreement_id
      from public.opening_balances o join public.agreements a on a.id = o.agreement_id
      where a.medium_id = of_medium_id and o.booked_month <= of_month and o.booked_month > coalesce(before, 0)
        and not exists (select from public.monthly_payments p
          where p.medium_id = of_medium_id and p.month = of_month and p.agreement_id = o.agreement_id)
    limit 5) x;
  if wrong is not null then
    raise exception 'month % of medium % cannot be finalised: %', of_month, of_medium_id, wrong
      using errcode = 'check_violation', constraint = 'month_sums';
  end if;
end $function$
;

CREATE OR REPLACE FUNCTION app.check_recalled_payment()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (
    select from public.transfers t join public.transfer_batches b on b.id = t.batch_id
    where t.id = new.transfer_id
      and app.is_recall_pending(new.monthly_payment_id, (b.created_at at time zone 'Asia/Tokyo')::date)) then
    raise exception 'the bank may still pay payment %', new.monthly_payment_id
      using errcode = 'check_violation', constraint = 'transfer_recall_pending';
  end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION app.check_transfer_parts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (
    select from public.transfers t
    left join (
      select x.transfer_id, sum(x.payment_yen) as payment_yen, sum(x.payment_including_tax_yen) as including_yen,
        sum(x.withholding_yen) as withholding_yen, sum(x.fee_borne_by_payee_yen) as fee_yen,
        bool_and(p.payment_yen = x.payment_yen and p.payment_including_tax_yen = x.payment_including_tax_yen
          and p.organization_id = o.organization_id and p.has_been_finalized) as fits
      from public.transfer_payments x
      join public.monthly_payments p on p.id = x.monthly_payment_id
      join public.transfers o on o.id = x.transfer_id
      where x.transfer_id = new.id group by x.transfer_id
    ) s on s.transfer_id = t.id
    where t.id = new.id and (s.transfer_id is null or not s.fits or s.payment_yen <> t.payment_yen
      or s.including_yen <> t.payment_including_tax_yen or s.withholding_yen <> t.withholding_yen
      or s.fee_yen <> t.fee_borne_by_payee_yen)) then
    raise exception 'the parts of transfer % do not add up', new.id
      using errcode = 'check_violation', constraint = 'transfer_sums';
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION app.check_transfer_records()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  -- The argument names the column that holds the transfer's number.
  checked bigint := (to_jsonb(new) ->> tg_argv[0])::bigint;
begin
  if exists (
    select from public.transfers t
    cross join lateral (
      select count(*) filter (where r.replaces is null) as first_count,
        coalesce(sum(r.amount_yen) filter (where r.replaces is null), 0) as first_yen,
        coalesce(sum(r.fee_yen) filter (where r.replaces is null), 0) as first_fee_yen,
        coalesce(sum(r.amount_yen) filter (where r.state = 'paid'), 0) as paid_yen,
        count(*) filter (where r.state in ('planned', 'exported', 'paid')) as live,
        coalesce(bool_or(r.replaces is null and r.state = 'planned'), false) as is_planned
      from public.transfer_records r where r.transfer_id = t.id) r
    where t.id = checked and t.record_count > 1 and (
      r.first_count <> t.record_count or r.first_yen <> t.transfer_amount_yen or r.first_fee_yen <> t.fee_yen
      or (t.state = 'paid') <> (r.paid_yen = t.transfer_amount_yen)
      or (t.state in ('returned', 'cancelled')) <> (r.live = 0)
      or (t.state = 'planned') <> r.is_planned)) then
    raise exception 'the records of transfer % do not add up', checked
      using errcode = 'check_violation', constraint = 'transfer_record_sums';
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION app.count_gone_medium_articles()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  insert into app.medium_article_counts (publisher_id, medium_id, articles)
  select publisher_id, medium_id, -count(*) from gone group by publisher_id, medium_id;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION app.count_medium_articles(of_medium bigint, of_publisher bigint)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  publishers bigint[] := case when of_publisher is not null then array[of_publisher] end;
  -- Not true without a scope: then there are no publishers either.
  by_medium boolean := app.scope() = 'agreements';
  articles bigint;
  removed bigint;
begin
  if app.scope() is distinct from 'all' then
    publishers := array(select own from unnest(app.own_publisher_ids()) own where own = of_publisher or of_publisher is null);
  end if;
  select coalesce(sum(c.articles), 0) from app.medium_article_counts c
    where (publishers is null or c.publisher_id = any (publishers)) and (of_medium is null or c.medium_id = of_medium)
      and (not by_medium
        or (c.publisher_id, c.medium_id) in (select o.publisher_id, o.medium_id from app.own_publisher_media() o))
    into articles;
  select count(*) from public.medium_article_removals r join public.medium_articles a on a.article_id = r.article_id
    where r.restored_at is null
      and (publishers is null or a.publisher_id = any (publishers)) and (of_medium is null or a.medium_id = of_medium)
      and (not by_medium
        or (a.publisher_id, a.medium_id) in (select o.publisher_id, o.medium_id from app.own_publisher_media() o))
    into removed;
  return articles - removed;
end $function$
;

CREATE OR REPLACE FUNCTION app.count_moved_medium_articles()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  insert into app.medium_article_counts (publisher_id, medium_id, articles)
  select publisher_id, medium_id, sum(change)
  from (select publisher_id, medium_id, 1 as change from written
    union all select publisher_id, medium_id, -1 from gone) moved
  group by publisher_id, medium_id having sum(change) <> 0;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION app.count_new_medium_articles()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  insert into app.medium_article_counts (publisher_id, medium_id, articles)
  select publisher_id, medium_id, count(*) from written group by publisher_id, medium_id;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION app.count_no_medium_articles()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  delete from app.medium_article_counts;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION app.count_pieces()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  if tg_op = 'TRUNCATE' then
    delete from app.piece_counts where kind = tg_argv[0];
  elsif tg_op = 'INSERT' then
    insert into app.piece_counts
    select tg_argv[0], p.piece, a.is_live, count(*)
    from added a cross join lateral (select distinct unnest(app.search_pieces(a.search_text)) as piece) p
    group by p.piece, a.is_live;
  elsif tg_op = 'DELETE' then
    insert into app.piece_counts
    select tg_argv[0], p.piece, g.is_live, -count(*)
    from gone g cross join lateral (select distinct unnest(app.search_pieces(g.search_text)) as piece) p
    group by p.piece, g.is_live;
  else
    insert into app.piece_counts
    select tg_argv[0], piece, is_live, sum(difference)
    from (
      select a.is_live, p.piece, 1 as difference
      from added a join gone g using (id) cross join lateral (select distinct unnest(app.search_pieces(a.search_text)) as piece) p
      where (a.search_text, a.is_live) is distinct from (g.search_text, g.is_live)
      union all
      select g.is_live, p.piece, -1
      from added a join gone g using (id) cross join lateral (select distinct unnest(app.search_pieces(g.search_text)) as piece) p
      where (a.search_text, a.is_live) is distinct from (g.search_text, g.is_live)
    ) p
    group by piece, is_live having sum(difference) <> 0;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION app.count_statements()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into app.statement_counts
    select w.agreement_id, w.organization_id, w.medium_id, w.state, count(*), sum(w.total_yen) from written w group by 1, 2, 3, 4;
  elsif tg_op = 'DELETE' then
    insert into app.statement_counts
    select g.agreement_id, g.organization_id, g.medium_id, g.state, -count(*), -sum(g.total_yen) from gone g group by 1, 2, 3, 4;
  else
    insert into app.statement_counts
    select c.agreement_id, c.organization_id, c.medium_id, c.state, sum(c.change), sum(c.change * c.total_yen)
    from (select agreement_id, organization_id, medium_id, state, total_yen, 1 as change from written
      union all select agreement_id, organization_id, medium_id, state, total_yen, -1 from gone) c
    group by 1, 2, 3, 4 having sum(c.change) <> 0 or sum(c.change * c.total_yen) <> 0;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION app.end_sessions_of(target uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION app.established_roles_of(person uuid, days integer)
 RETURNS SETOF text
 LANGUAGE plpgsql
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION app.find_medium_articles(typed text[], exact text, of_medium bigint, of_publisher bigint, of_feed bigint, published_from timestamp with time zone, published_to timestamp with time zone, removed boolean, ordering text, most integer, skipped integer)
 RETURNS TABLE(article_id bigint, total bigint)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
 SET enable_seqscan TO 'on'
 SET enable_indexscan TO 'on'
 SET max_parallel_workers_per_gather TO '0'
 SET work_mem TO '64MB'
AS $function$
declare
  frequent constant integer := 20000;
  words text[] := array(select app.search_text(one) from unnest(typed) one where app.search_text(one) <> '');
  exact_ids bigint[] := array(
    select e.article_id from public.medium_articles e
      where e.article_id = case when exact ~ '^\d{1,18}$' then exact::bigint end
    union select e.article_id from public.medium_articles e where e.medium_article_id = exact
    union select e.article_id from public.medium_articles e where e.url = exact);
  in_titles text := case when cardinality(words) = 0 then 'false' else app.holds_words(words, null, true) end;
  in_pieces text := case when cardinality(words) = 0 then 'false' else app.holds_words(words, 'app.search_pieces', true) end;
  found text;
  source text := '';
  filters text := format(
    '%s exists (select from public.medium_article_removals r where r.article_id = p.article_id and r.restored_at is null)',
    case when removed then '' else 'not' end);
  place text := case split_part(ordering, '_', 1)
    when 'ID' then 'p.article_id' when 'CREATEDAT' then 'p.created_at' when 'UPDATEDAT' then 'p.updated_at'
    else 'p.published_at' end;
  way text := case when ordering like '%\_ASC' then 'asc' else 'desc' end;
  is_own boolean := app.scope() is distinct from 'all';
  hits bigint;
begin
  if is_own then
    filters := filters || format(' and p.publisher_id = any (%L::bigint[])', app.own_publisher_ids());
  end if;
  if app.scope() = 'agreements' then
    -- Spelled out, so that it stays a condition of the rows that the publisher's index finds and becomes no join.
    filters := filters || ' and (' || coalesce((
      select string_agg(format('p.medium_id = %s and p.publisher_id = any (%L::bigint[])', o.medium_id, o.publisher_ids), ' or ')
      from (select own.medium_id, array_agg(own.publisher_id) as publisher_ids from app.own_publisher_media() own
        group by own.medium_id) o), 'false') || ')';
  end if;
  if of_medium is not null then filters := filters || format(' and p.medium_id = %s', of_medium); end if;
  if of_publisher is not null then filters := filters || format(' and p.publisher_id = %s', of_publisher); end if;
  if of_feed is not null then filters := filters || format(' and p.feed_id = %s', of_feed); end if;
  if published_from is not null then filters := filters || format(' and p.published_at >= %L', published_from); end if;
  if published_to is not null then filters := filters || format(' and p.published_at < %L', published_to); end if;

  if is_own or of_publisher is not null then
    found := format('app.medium_article_pieces p where (%s or p.article_id = any (%L::bigint[]))', in_titles, exact_ids);
    if cardinality(exact_ids) = 0 then found := format('app.medium_article_pieces p where %s', in_titles); end if;
    return query execute format(
      'with hit as materialized (select p.article_id, p.created_at, p.updated_at, p.published_at from %s and %s)
      select p.article_id, (select count(*) from hit) from hit p order by %s %s, p.article_id %s limit %s offset %s',
      found, filters, place, way, way, most, skipped);
    return;
  end if;

  -- From here on for the scope of staff: the pieces say how many there are, which is exact and cheaper than reading titles.
  -- The offset keeps the filters out, so that no plan takes titles apart behind another index.
  perform set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'off', true);
  source := format('with hit as materialized (
      select p.* from (select * from app.medium_article_pieces where %s offset 0) p where %s
      union all select p.* from app.medium_article_pieces p where p.article_id = any (%L::bigint[]) and not (%s) and %s)',
    in_pieces, filters, exact_ids, in_titles, filters);
  execute format('select (select count(*) from (select * from app.medium_article_pieces where %s offset 0) p where %s)
      + (select count(*) from app.medium_article_pieces p where p.article_id = any (%L::bigint[]) and not (%s) and %s)',
    in_pieces, filters, exact_ids, in_titles, filters) into hits;
  if hits <= frequent then
    found := 'hit p where true';
  else
    -- The order is walked until the page is full, which is soon.
    perform set_config('enable_seqscan', 'on', true), set_config('enable_indexscan', 'on', true);
    source := '';
    found := format('app.medium_article_pieces p where (%s or p.article_id = any (%L::bigint[])) and %s', in_titles,
      exact_ids, filters);
    if cardinality(exact_ids) = 0 then
      found := format('app.medium_article_pieces p where %s and %s', in_titles, filters);
    end if;
  end if;
  return query execute format(
    '%s select p.article_id, %s::bigint from %s order by %s %s, p.article_id %s limit %s offset %s',
    source, hits, found, place, way, way, most, skipped);
end $function$
;

CREATE OR REPLACE FUNCTION app.find_payees(word text)
 RETURNS bigint[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
declare
  found bigint[];
begin
  if app.scope() is distinct from 'all' then return null; end if;
  found := array(select distinct p.organization_id from app.statement_payees p where strpos(p.search_text, word) > 0 limit 2001);
  return case when cardinality(found) <= 2000 then found end;
end $function$
;

CREATE OR REPLACE FUNCTION app.find_rows(kind text, words text[], OUT ids bigint[], OUT total bigint)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'pg_catalog'
AS $function$
begin
  select f.ids, f.total into ids, total from app.find_rows(kind, words, '{}'::jsonb) f;
end $function$
;

CREATE OR REPLACE FUNCTION app.find_rows(kind text, words text[], filters jsonb, OUT ids bigint[], OUT total bigint)
 RETURNS record
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
 SET max_parallel_workers_per_gather TO '0'
 SET jit TO 'off'
 SET enable_seqscan TO 'on'
 SET enable_bitmapscan TO 'on'
AS $function$
declare
  live boolean := (filters ->> 'is_live')::boolean;
  live_on date := (filters ->> 'live_on')::date;
  narrowed text := '';
  name text;
  wanted text;
  wanted_pieces text[];
  most bigint;
  found text;
begin
  if app.scope() is distinct from 'all' then return; end if;
  if kind not in ('publisher', 'agreement', 'feed') then raise exception 'not searched: %', kind; end if;
  for name, wanted in select * from jsonb_each_text(filters - 'live_on') loop
    narrowed := narrowed || case when name = 'is_live' and live_on is not null
      then format(' and app.is_terminated(terminated_at, %L) = %L', live_on, not live)
      else format(' and %I = %L', name, wanted) end;
  end loop;
  wanted_pieces := array(
    select distinct piece from unnest(words) word, generate_series(1, greatest(length(word) - 1, 1)) place,
      substr(word, place, 2) piece);
  -- Zero for a piece that stands nowhere, which is then the smallest.
  select min(coalesce(counted.n, 0) + scheduled.n) into most
  from unnest(wanted_pieces) w(piece)
  left join lateral (
    select sum(c.row_count)::bigint as n from app.piece_counts c
    where c.kind = find_rows.kind and c.piece = w.piece and (live is null or c.is_live = live)
  ) counted on true
  cross join lateral (
    select case when live then count(*) else -count(*) end as n from app.agreement_pieces p
    where p.terminated_at >= (live_on + 1)::timestamp at time zone 'Asia/Tokyo' and strpos(p.search_text, w.piece) > 0
  ) scheduled;
  if most = 0 then
    ids := '{}';
    total := 0;
    return;
  end if;
  if most > 2000 and cardinality(wanted_pieces) = 1 and (filters - 'is_live' - 'live_on') = '{}' then
    total := most;
    return;
  end if;
  if most <= 5000 then
    -- For this function alone, because it names the setting itself.
    perform set_config('enable_seqscan', 'off', true);
    found := format('from app.%I where %s%s', kind || '_pieces', app.holds_words(words, 'app.search_pieces', true), narrowed);
    execute 'select array(select id ' || found || ' limit 2001)' into ids;
  else
    perform set_config('enable_bitmapscan', 'off', true);
    found := format('from app.%I where %s%s', kind || '_pieces', app.holds_words(words, null, true), narrowed);
  end if;
  if ids is null or cardinality(ids) > 2000 then
    execute 'select count(*) ' || found into total;
    ids := case when total <= 2000 then ids end;
    if total <= 2000 then execute 'select array(select id ' || found || ')' into ids; end if;
  else
    total := cardinality(ids);
  end if;
end $function$
;

CREATE OR REPLACE FUNCTION app.free_transfer_payments()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update public.transfer_payments set is_live = false where transfer_id = new.id and is_live;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION app.freeze_payee_kind()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  select a.payee_kind, a.payee_residence into new.payee_kind, new.payee_residence
    from public.agreements a where a.id = new.agreement_id;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION app.holds_words(words text[], pieces text, has_single boolean)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO 'pg_catalog'
AS $function$
declare
  wanted text[] := '{}';
  read text[] := '{}';
  word text;
begin
  foreach word in array words loop
    if pieces is not null and length(word) > 1 then
      wanted := wanted || array(select substr(word, place, 2) from generate_series(1, length(word) - 1) place);
    elsif pieces is not null and has_single then
      wanted := wanted || word;
    end if;
    -- A piece itself is the whole proof; of a longer word, its pieces may stand apart.
    if length(word) > 2 or pieces is null or (length(word) = 1 and not has_single) then
      read := read || format('strpos(search_text, %L) > 0', word);
    end if;
  end loop;
  if cardinality(wanted) > 0 then
    read := array[format('%s(search_text) @> %L::text[]', pieces, wanted)] || read;
  end if;
  return case when cardinality(read) = 0 then 'true' else array_to_string(read, ' and ') end;
end $function$
;

CREATE OR REPLACE FUNCTION app.is_before_books(of_medium_id bigint, of_month integer)
 RETURNS boolean
 LANGUAGE sql
 STABLE
RETURN (of_month < (SELECT min(s.month) AS min FROM public.month_states s WHERE ((s.medium_id = is_before_books.of_medium_id) AND (s.state = ANY (ARRAY['finalized'::text, 'paid'::text])))))
;

CREATE OR REPLACE FUNCTION app.is_closed(of_medium_id bigint, of_month integer)
 RETURNS boolean
 LANGUAGE sql
 STABLE
RETURN (EXISTS (SELECT FROM public.month_states s WHERE ((s.medium_id = is_closed.of_medium_id) AND (s.month = is_closed.of_month) AND (s.state = ANY (ARRAY['finalized'::text, 'paid'::text])))))
;

CREATE OR REPLACE FUNCTION app.is_email_reserved(address text, except_uid uuid)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  own_scope text := coalesce(app.scope(), '');
  answer boolean;
begin
  perform set_config('app.scope', 'all', true);
  answer := exists (select from public.account_undos k join public.account_changes c on c.id = k.change_id
    where k.email = address and c.state = 'done' and c.uid <> except_uid);
  perform set_config('app.scope', own_scope, true);
  return answer;
end $function$
;

CREATE OR REPLACE FUNCTION app.is_named_agreement(agreement bigint, word text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  return app.scope() = 'all' and exists (select from app.agreement_pieces a where a.id = agreement
    and (strpos(a.search_text, word) > 0 or exists (select from app.statement_payees p
      where p.organization_id = a.organization_id and strpos(p.search_text, word) > 0)));
end $function$
;

CREATE OR REPLACE FUNCTION app.is_recall_pending(payment bigint, on_day date)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (
    select from public.transfer_payments x
    join public.transfers t on t.id = x.transfer_id
    join public.transfer_batches b on b.id = t.batch_id
    join public.transfer_recalls r on r.transfer_id = t.id
    where x.monthly_payment_id = payment and (
      r.purpose = 'return' and r.state = 'confirmed' and r.bank_reference is null and b.transfer_on >= on_day
      or r.purpose = 'pay' and r.state = 'requested'))
$function$
;

CREATE OR REPLACE FUNCTION app.is_recalled_payment(transfer bigint, paid date)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (select from public.transfer_recalls r
    where r.transfer_id = transfer and r.purpose = 'pay' and r.state = 'confirmed' and r.paid_on = paid)
$function$
;

CREATE OR REPLACE FUNCTION app.is_terminated(terminated_at timestamp with time zone, day date)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN COALESCE((terminated_at < (((day + 1))::timestamp without time zone AT TIME ZONE 'Asia/Tokyo'::text)), false)
;

CREATE OR REPLACE FUNCTION app.keep_account_for_undo(change bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION app.keep_agreement_pieces()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  insert into app.agreement_pieces as kept
    (id, search_text, organization_id, medium_id, is_live, is_payment_disabled, terminated_at)
  select a.id, a.search_text || ' ' || o.search_text, a.organization_id, a.medium_id, a.terminated_at is null,
    a.is_payment_disabled, a.terminated_at
  from written a join public.organizations o on o.id = a.organization_id
  on conflict (id) do update
    set (search_text, organization_id, medium_id, is_live, is_payment_disabled, terminated_at)
      = (excluded.search_text, excluded.organization_id, excluded.medium_id, excluded.is_live,
        excluded.is_payment_disabled, excluded.terminated_at)
    where (kept.search_text, kept.organization_id, kept.medium_id, kept.is_live, kept.is_payment_disabled, kept.terminated_at)
      is distinct from (excluded.search_text, excluded.organization_id, excluded.medium_id, excluded.is_live,
        excluded.is_payment_disabled, excluded.terminated_at);
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION app.keep_agreement_pieces_of_organizations()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  update app.agreement_pieces p set search_text = a.search_text || ' ' || o.search_text
  from written o join public.agreements a on a.organization_id = o.id
  where p.id = a.id and p.search_text is distinct from a.search_text || ' ' || o.search_text;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION app.keep_api_key()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.organization_id, new.secret_sha256, new.scopes, new.allowed_addresses, new.created_at, new.expires_at)
      is distinct from
      (old.organization_id, old.secret_sha256, old.scopes, old.allowed_addresses, old.created_at, old.expires_at)
    or (new.created_by_uid is not null and new.created_by_uid is distinct from old.created_by_uid)
    or (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at)
  then raise exception 'an API key stays as it was made' using errcode = 'check_violation';
  end if;
  return new;
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

CREATE OR REPLACE FUNCTION app.keep_closing()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if app.is_closed(old.medium_id, old.month) then
    raise exception 'a finalised month stays closed' using errcode = 'check_violation', constraint = 'closed_month';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $function$
;

CREATE OR REPLACE FUNCTION app.keep_feed_pieces()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  insert into app.feed_pieces as kept (id, search_text, publisher_id, medium_id, type, is_live)
  select id, search_text, publisher_id, medium_id, type, enabled from written
  on conflict (id) do update
    set (search_text, publisher_id, medium_id, type, is_live)
      = (excluded.search_text, excluded.publisher_id, excluded.medium_id, excluded.type, excluded.is_live)
    where (kept.search_text, kept.publisher_id, kept.medium_id, kept.type, kept.is_live)
      is distinct from (excluded.search_text, excluded.publisher_id, excluded.medium_id, excluded.type, excluded.is_live);
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION app.keep_finalized_payment()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  kept public.monthly_payments;
begin
  if tg_op = 'UPDATE' and old.has_been_finalized and app.is_closed(old.medium_id, old.month) then
    kept := new;
    kept.payment_status := old.payment_status;
    kept.paid_at_month := old.paid_at_month;
    kept.paid_on := old.paid_on;
    kept.returned_reason := old.returned_reason;
    kept.updated_at := old.updated_at;
    if kept is not distinct from old and ((old.payment_status, new.payment_status) in (
      ('scheduled', 'exported'), ('scheduled', 'paid'), ('exported', 'paid'), ('exported', 'returned'),
      ('paid', 'returned'), ('returned', 'scheduled'))
      or (old.payment_status, new.payment_status) = ('returned', 'paid') and exists (
        select from public.transfer_payments x join public.transfers t on t.id = x.transfer_id
        where x.monthly_payment_id = new.id and x.is_live and t.state = 'paid')) then
      return new;
    end if;
    raise exception 'the payment is finalised: its % is refused', tg_op
      using errcode = 'check_violation', constraint = 'closed_month';
  end if;
  if tg_op <> 'INSERT' and app.is_closed(old.medium_id, old.month)
    or tg_op <> 'DELETE' and app.is_closed(new.medium_id, new.month) then
    raise exception 'the month is finalised: % of % is refused', tg_op, tg_table_name
      using errcode = 'check_violation', constraint = 'closed_month';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $function$
;

CREATE OR REPLACE FUNCTION app.keep_legal_hold()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  kept public.legal_holds;
begin
  if tg_op = 'DELETE' or old.released_at is not null then
    raise exception 'a legal hold is kept' using errcode = 'check_violation', constraint = 'legal_hold_kept';
  end if;
  kept := new;
  kept.released_at := old.released_at;
  kept.released_by_email := old.released_by_email;
  kept.release_reason := old.release_reason;
  if kept is distinct from old then
    raise exception 'a legal hold is kept' using errcode = 'check_violation', constraint = 'legal_hold_kept';
  end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION app.keep_medium_article_pieces()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  insert into app.medium_article_pieces
    (article_id, publisher_id, medium_id, feed_id, published_at, created_at, updated_at, search_text)
  select article_id, publisher_id, medium_id, feed_id, published_at, created_at, updated_at, app.search_text(title) from written
  on conflict (article_id) do update
    set (publisher_id, medium_id, feed_id, published_at, created_at, updated_at, search_text)
      = (excluded.publisher_id, excluded.medium_id, excluded.feed_id, excluded.published_at, excluded.created_at,
         excluded.updated_at, excluded.search_text)
    where (medium_article_pieces.publisher_id, medium_article_pieces.medium_id, medium_article_pieces.feed_id,
        medium_article_pieces.published_at, medium_article_pieces.created_at, medium_article_pieces.updated_at,
        medium_article_pieces.search_text)
      is distinct from (excluded.publisher_id, excluded.medium_id, excluded.feed_id, excluded.published_at,
        excluded.created_at, excluded.updated_at, excluded.search_text);
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION app.keep_medium_number()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
begin
  if tg_op = 'INSERT' then
    if new.code = '' then
      new.code := 'medium-' || new.id;
    end if;
  elsif new.id is distinct from old.id then
    raise exception 'the number of a medium never changes' using errcode = '23514', constraint = 'media_number_kept';
  end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION app.keep_month_state()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  kept public.month_states;
begin
  if tg_op = 'DELETE' then
    if old.state in ('finalized', 'paid') then
      raise exception 'a finalised month is not removed' using errcode = 'check_violation', constraint = 'closed_month';
    end if;
    return old;
  end if;
  if new.state in ('open', 'computed') and app.is_before_books(new.medium_id, new.month) then
    raise exception 'the books begin with a later month' using errcode = 'check_violation', constraint = 'closed_month';
  end if;
  if tg_op = 'INSERT' then
    if new.state <> 'open' then
      raise exception 'a month begins open' using errcode = 'check_violation', constraint = 'month_transition';
    end if;
    return new;
  end if;
  if old.state in ('finalized', 'paid') then
    kept := new;
    kept.state := old.state;
    kept.paid_at := old.paid_at;
    if kept is distinct from old or (old.state, new.state) not in (('finalized', 'finalized'), ('finalized', 'paid'), ('paid', 'paid')) then
      raise exception 'a finalised month does not change' using errcode = 'check_violation', constraint = 'closed_month';
    end if;
    return new;
  end if;
  if new.medium_id <> old.medium_id or new.month <> old.month
    or (old.state, new.state) not in (('open', 'open'), ('open', 'computed'), ('computed', 'computed'), ('computed', 'open'), ('computed', 'finalized')) then
    raise exception 'month % cannot go from % to %', old.month, old.state, new.state
      using errcode = 'check_violation', constraint = 'month_transition';
  end if;
  if new.state = 'finalized' then
    perform app.check_month_sums(new.medium_id, new.month);
    insert into public.month_closings (medium_id, month, finalized_at) values (new.medium_id, new.month, new.finalized_at)
      on conflict (medium_id, month) do nothing;
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
  insert into app.publisher_pieces as kept (id, search_text, organization_id, is_live)
  select id, search_text, organization_id, enabled from written
  on conflict (id) do update
    set (search_text, organization_id, is_live) = (excluded.search_text, excluded.organization_id, excluded.is_live)
    where (kept.search_text, kept.organization_id, kept.is_live)
      is distinct from (excluded.search_text, excluded.organization_id, excluded.is_live);
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION app.keep_question()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  kept public.questions;
begin
  if tg_op = 'DELETE' then
    raise exception 'a question is kept' using errcode = 'check_violation', constraint = 'question_kept';
  end if;
  kept := new;
  kept.state := old.state;
  kept.state_changed_at := old.state_changed_at;
  kept.assignee_uid := old.assignee_uid;
  kept.last_message_at := old.last_message_at;
  kept.told_message_id := old.told_message_id;
  kept.revision := old.revision;
  -- A generated column has no value yet before the row is written.
  kept.search_text := old.search_text;
  if kept is distinct from old then
    raise exception 'what was asked is never changed' using errcode = 'check_violation', constraint = 'question_kept';
  end if;
  if app.scope() <> 'all'
    and (new.assignee_uid is distinct from old.assignee_uid or new.told_message_id <> old.told_message_id) then
    raise exception 'staff decides who answers' using errcode = 'check_violation', constraint = 'question_kept';
  end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION app.keep_recalled_unsent()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from public.transfer_payments x where x.transfer_id = new.id
    and app.is_recall_pending(x.monthly_payment_id, (new.updated_at at time zone 'Asia/Tokyo')::date)) then
    raise exception 'transfer % pays what a recalled one may have paid', new.id
      using errcode = 'check_violation', constraint = 'transfer_recall_pending';
  end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION app.keep_return_fee()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' and (
      new.record_number = 0 and exists (select from public.transfers t where t.id = new.transfer_id and t.record_count = 1
        and t.state = 'returned' and t.returned_on = new.charged_on)
      or exists (select from public.transfer_records r where r.transfer_id = new.transfer_id
        and r.number = new.record_number and r.state = 'returned' and r.returned_on = new.charged_on))
    or tg_op = 'UPDATE' and (new.transfer_id, new.record_number, new.return_number, new.charged_on)
      = (old.transfer_id, old.record_number, old.return_number, old.charged_on) then
    return new;
  end if;
  raise exception 'the fee of a return is kept: % is refused', tg_op
    using errcode = 'check_violation', constraint = 'transfer_return_fee_kept';
end $function$
;

CREATE OR REPLACE FUNCTION app.keep_split_transfer()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  kept public.transfers;
begin
  kept := new;
  kept.state := old.state;
  kept.paid_on := old.paid_on;
  kept.returned_on := old.returned_on;
  kept.reason := old.reason;
  kept.settled_by := old.settled_by;
  kept.updated_at := old.updated_at;
  if kept is not distinct from old and (old.state, new.state) in (
    ('planned', 'exported'), ('planned', 'cancelled'), ('exported', 'exported'), ('exported', 'paid'),
    ('exported', 'returned'), ('paid', 'exported'), ('paid', 'returned'), ('returned', 'paid'))
    and ((old.state, new.state) <> ('returned', 'paid') or app.is_recalled_payment(new.id, new.paid_on))
    and (old.paid_on is null or new.paid_on = old.paid_on) then
    return new;
  end if;
  raise exception 'a transfer is not changed: % is refused', tg_op
    using errcode = 'check_violation', constraint = 'transfer_kept';
end $function$
;

CREATE OR REPLACE FUNCTION app.keep_statement()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  kept public.statements;
begin
  if tg_op = 'DELETE' then
    raise exception 'a statement is kept' using errcode = 'check_violation', constraint = 'statement_kept';
  end if;
  if tg_op = 'INSERT' then
    if not exists (select from public.monthly_payments p where p.id = new.monthly_payment_id and p.has_been_finalized
      and p.medium_id = new.medium_id and p.agreement_id = new.agreement_id and p.month = new.month
      and p.organization_id = new.organization_id and p.payment_yen = new.total_without_tax_yen
      and p.payment_including_tax_yen = new.total_yen and p.due_on = new.due_on) then
      raise exception 'the statement differs from the finalised payment'
        using errcode = 'check_violation', constraint = 'statement_ties';
    end if;
    return new;
  end if;
  kept := new;
  kept.state := old.state;
  kept.confirmation_method := old.confirmation_method;
  kept.state_changed_at := old.state_changed_at;
  -- A generated column has no value yet before the row is written.
  kept.payee_search_text := old.payee_search_text;
  if kept is not distinct from old and new.state = old.state
    and new.confirmation_method is not distinct from old.confirmation_method then
    return new;
  end if;
  if kept is distinct from old
    or (old.state, new.state) not in (('issued', 'confirmed'), ('issued', 'objected'), ('objected', 'issued'),
      ('objected', 'resolved'),
      ('issued', 'replaced'), ('confirmed', 'replaced'), ('objected', 'replaced'), ('resolved', 'replaced'))
    or new.state = 'confirmed' and new.confirmation_method is null
    or new.state in ('issued', 'objected', 'resolved') and new.confirmation_method is not null
    or new.state = 'replaced' and new.confirmation_method is distinct from old.confirmation_method then
    raise exception 'a statement is never changed' using errcode = 'check_violation', constraint = 'statement_kept';
  end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION app.keep_statement_payees()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  insert into app.statement_payees (organization_id, search_text)
    select distinct w.organization_id, w.payee_search_text from written w order by 1, 2
    on conflict do nothing;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION app.keep_transfer()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  kept public.transfers;
begin
  if tg_op = 'INSERT' then
    if new.state = 'planned' or (new.state = 'paid' and exists (
      select from public.transfer_batches b where b.id = new.batch_id and b.kind = 'by_hand')) then
      return new;
    end if;
  elsif tg_op = 'UPDATE' then
    kept := new;
    kept.state := old.state;
    kept.paid_on := old.paid_on;
    kept.returned_on := old.returned_on;
    kept.reason := old.reason;
    kept.settled_by := old.settled_by;
    kept.updated_at := old.updated_at;
    if kept is not distinct from old and ((old.state, new.state) in (
      ('planned', 'exported'), ('planned', 'cancelled'), ('exported', 'paid'), ('exported', 'returned'), ('paid', 'returned'))
      or (old.state, new.state) = ('returned', 'paid') and old.paid_on is null and exists (
        select from public.transfer_recalls r where r.transfer_id = new.id and r.purpose = 'pay' and r.state = 'confirmed'
          and r.paid_on = new.paid_on))
      and (old.paid_on is null or new.paid_on = old.paid_on) then
      return new;
    end if;
  end if;
  raise exception 'a transfer is not changed: % is refused', tg_op
    using errcode = 'check_violation', constraint = 'transfer_kept';
end $function$
;

CREATE OR REPLACE FUNCTION app.keep_transfer_batch()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  kept public.transfer_batches;
begin
  if tg_op = 'UPDATE' then
    kept := new;
    kept.exported_at := old.exported_at;
    kept.exported_by_uid := old.exported_by_uid;
    kept.file_sha256 := old.file_sha256;
    kept.notes := old.notes;
    if kept is not distinct from old and (old.exported_at is null or (new.exported_at, new.file_sha256) = (old.exported_at, old.file_sha256)) then
      return new;
    end if;
  end if;
  raise exception 'a transfer batch is not changed: % is refused', tg_op
    using errcode = 'check_violation', constraint = 'transfer_kept';
end $function$
;

CREATE OR REPLACE FUNCTION app.keep_transfer_payment()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  kept public.transfer_payments;
begin
  if tg_op = 'UPDATE' then
    kept := new;
    kept.is_live := old.is_live;
    if kept is not distinct from old and old.is_live <> new.is_live and exists (
      select from public.transfers t where t.id = old.transfer_id
        and t.state in ('returned', 'cancelled') = old.is_live and (old.is_live or t.state = 'paid')) then
      return new;
    end if;
  end if;
  raise exception 'the parts of a transfer are not changed: % is refused', tg_op
    using errcode = 'check_violation', constraint = 'transfer_kept';
end $function$
;

CREATE OR REPLACE FUNCTION app.keep_transfer_recall()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  kept public.transfer_recalls;
begin
  if tg_op = 'UPDATE' then
    kept := new;
    if old.state = 'requested' then
      kept.state := old.state;
      kept.decided_at := old.decided_at;
      kept.decided_by_uid := old.decided_by_uid;
    elsif old.state = 'confirmed' and old.bank_reference is null then
      kept.bank_reference := old.bank_reference;
      kept.bank_noted_at := old.bank_noted_at;
      kept.bank_noted_by_uid := old.bank_noted_by_uid;
    end if;
    if kept is not distinct from old then
      return new;
    end if;
  end if;
  raise exception 'the recall of a transfer is not changed: % is refused', tg_op
    using errcode = 'check_violation', constraint = 'transfer_recall_kept';
end $function$
;

CREATE OR REPLACE FUNCTION app.keep_transfer_record()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  kept public.transfer_records;
  transfer public.transfers;
  sent public.transfer_batches;
begin
  if tg_op = 'INSERT' then
    select * into transfer from public.transfers t where t.id = new.transfer_id;
    select * into sent from public.transfer_batches b where b.id = new.batch_id;
    if transfer.record_count > 1 and (
      (new.replaces is null and transfer.state = 'planned' and new.state = 'planned'
        and new.batch_id = transfer.batch_id and new.number <= transfer.record_count)
      or (transfer.state = 'exported' and new.number > transfer.record_count
        and ((new.state = 'planned' and sent.kind = 'bank_file') or (new.state = 'paid' and sent.kind = 'by_hand'))
        and exists (select from public.transfer_records r where r.transfer_id = new.transfer_id
          and r.number = new.replaces and r.state = 'returned' and r.amount_yen = new.amount_yen))) then
      return new;
    end if;
  elsif tg_op = 'UPDATE' then
    kept := new;
    kept.state := old.state;
    kept.paid_on := old.paid_on;
    kept.returned_on := old.returned_on;
    kept.reason := old.reason;
    kept.settled_by := old.settled_by;
    kept.updated_at := old.updated_at;
    if kept is not distinct from old and (old.state, new.state) in (
      ('planned', 'exported'), ('planned', 'cancelled'), ('exported', 'paid'), ('exported', 'returned'), ('paid', 'returned'),
      ('returned', 'paid'))
      and ((old.state, new.state) <> ('returned', 'paid') or app.is_recalled_payment(new.transfer_id, new.paid_on))
      and (old.paid_on is null or new.paid_on = old.paid_on) then
      return new;
    end if;
  end if;
  raise exception 'a record of a transfer is not changed: % is refused', tg_op
    using errcode = 'check_violation', constraint = 'transfer_kept';
end $function$
;

CREATE OR REPLACE FUNCTION app.label_key(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN btrim(regexp_replace(NORMALIZE(value, NFKC), '\s+'::text, ' '::text, 'g'::text))
;

CREATE OR REPLACE FUNCTION app.merge_medium_article_counts()
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
declare
  merged bigint;
begin
  if app.scope() is distinct from 'all' then return 0; end if;
  with gone as (delete from app.medium_article_counts returning publisher_id, medium_id, articles),
    kept as (
      insert into app.medium_article_counts (publisher_id, medium_id, articles)
      select publisher_id, medium_id, sum(articles) from gone group by publisher_id, medium_id having sum(articles) <> 0)
  select count(*) from gone into merged;
  return merged;
end $function$
;

CREATE OR REPLACE FUNCTION app.merge_piece_counts()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
BEGIN ATOMIC
 WITH several AS (
          SELECT c.kind,
             c.piece,
             c.is_live
            FROM app.piece_counts c
           GROUP BY c.kind, c.piece, c.is_live
          HAVING (count(*) > 1)
         ), gone AS (
          DELETE FROM app.piece_counts c
            USING several s
           WHERE ((c.kind = s.kind) AND (c.piece = s.piece) AND (c.is_live = s.is_live))
           RETURNING c.kind,
             c.piece,
             c.is_live,
             c.row_count
         )
  INSERT INTO app.piece_counts (kind, piece, is_live, row_count)  SELECT g.kind,
             g.piece,
             g.is_live,
             sum(g.row_count) AS sum
            FROM gone g
           GROUP BY g.kind, g.piece, g.is_live
          HAVING (sum(g.row_count) <> (0)::numeric);
END
;

CREATE OR REPLACE FUNCTION app.merge_statement_counts()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  if app.scope() is distinct from 'all' then return; end if;
  with several as (
    select c.agreement_id, c.state from app.statement_counts c group by 1, 2 having count(*) > 1
  ), gone as (
    delete from app.statement_counts c using several s where c.agreement_id = s.agreement_id and c.state = s.state
    returning c.*
  )
  insert into app.statement_counts
  select g.agreement_id, g.organization_id, g.medium_id, g.state, sum(g.statements), sum(g.total_yen)
  from gone g group by 1, 2, 3, 4 having sum(g.statements) <> 0;
end $function$
;

CREATE OR REPLACE FUNCTION app.move_audit_head()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
begin
  update public.audit_head h set seq = l.seq, hash = l.hash
    from (select seq, hash from public.audit_log order by seq desc limit 1) l
    where l.seq > h.seq;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION app.move_transfer_records()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.state = 'exported' and old.state = 'planned' then
    update public.transfer_records set state = 'exported', updated_at = new.updated_at
      where transfer_id = new.id and batch_id = new.batch_id and state = 'planned';
  elsif new.state in ('cancelled', 'returned') then
    update public.transfer_records set state = 'cancelled', reason = new.reason, updated_at = new.updated_at
      where transfer_id = new.id and state = 'planned';
    update public.transfer_records
      set state = 'returned', returned_on = new.returned_on, reason = new.reason, settled_by = new.settled_by,
        updated_at = new.updated_at
      where transfer_id = new.id and state in ('exported', 'paid');
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION app.name_article_labels()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
 SET enable_hashjoin TO 'on'
 SET enable_seqscan TO 'on'
 SET enable_nestloop TO 'off'
AS $function$
begin
  insert into public.article_labels as kept (publisher_id, kind, key, name, medium_ids)
  select given.publisher_id, given.kind, given.key, (array_agg(given.name order by given.first_place))[1],
    array_agg(distinct given.medium_id)
  from (
    select named.publisher_id, named.medium_id, named.kind, named.name, named.first_place, app.label_key(named.name) as key
    from (
      select w.publisher_id, w.medium_id, one.kind, one.name, min(array[w.article_id, one.place]) as first_place
      from written w cross join lateral (
        select 'section' as kind, w.section as name, 1::bigint as place where w.section <> ''
        union all select 'author', n.name, n.place from jsonb_array_elements_text(w.authors) with ordinality n (name, place)
        union all select 'tag', n.name, n.place from jsonb_array_elements_text(w.tags) with ordinality n (name, place)) one
      where w.section <> '' or w.authors <> '[]' or w.tags <> '[]'
      group by w.publisher_id, w.medium_id, one.kind, one.name) named) given
  where given.key <> '' and not exists (select from public.article_labels l
    where l.publisher_id = given.publisher_id and l.kind = given.kind and l.key = given.key
      and given.medium_id = any (l.medium_ids))
  group by given.publisher_id, given.kind, given.key
  order by given.publisher_id, given.kind, given.key
  on conflict (publisher_id, kind, key) do update
    set medium_ids = array(select distinct unnest(kept.medium_ids || excluded.medium_ids) order by 1)
    where not kept.medium_ids @> excluded.medium_ids;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION app.name_ledger_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.change_no := greatest(new.change_no, (extract(epoch from clock_timestamp()) * 1000000)::bigint);
  new.change_id := gen_random_uuid();
  if new.publication_no is distinct from old.publication_no then
    new.publication_id := gen_random_uuid();
  end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION app.named_agreements(word text)
 RETURNS SETOF bigint
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 20000
 SET search_path TO 'pg_catalog'
AS $function$
begin
  if app.scope() is distinct from 'all' then return; end if;
  return query select a.id from app.agreement_pieces a
    where strpos(a.search_text, word) > 0
      or a.organization_id in (select p.organization_id from app.statement_payees p where strpos(p.search_text, word) > 0);
end $function$
;

CREATE OR REPLACE FUNCTION app.note_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
begin
  new.updated_at := now();
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION app.note_feed_outage()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  feed record;
begin
  select f.id, f.publisher_id, p.organization_id into feed from public.feeds f
    join public.publishers p on p.id = f.publisher_id where f.id = new.feed_id;
  perform app.note_webhook_event(case when new.state = 'outage' then 'feed.failed' else 'feed.recovered' end,
    feed.organization_id, true, jsonb_build_object(
      'feedId', feed.id::text, 'publisherId', feed.publisher_id::text, 'organizationId', feed.organization_id::text,
      'errorClass', new.error_class, 'failingSince', new.failing_since, 'lastSuccessAt', new.last_success_at));
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION app.note_month_finalized()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  month text := (new.month / 100) || '-' || lpad((new.month % 100)::text, 2, '0');
  own record;
begin
  perform app.note_webhook_event('month.finalized', null, true,
    jsonb_build_object('mediumId', new.medium_id::text, 'month', month));
  -- Of an organisation: what it is paid, and nothing of anybody else.
  for own in
    select p.organization_id, sum(p.payment_yen)::bigint as yen, sum(p.payment_including_tax_yen)::bigint as with_tax
    from public.monthly_payments p
    where p.medium_id = new.medium_id and p.month = new.month and p.organization_id in (
      select w.organization_id from public.webhooks w where w.deleted_at is null and not w.is_paused)
    group by 1
  loop
    perform app.note_webhook_event('month.finalized', own.organization_id, false, jsonb_build_object(
      'mediumId', new.medium_id::text, 'month', month, 'organizationId', own.organization_id::text,
      'paymentYen', own.yen, 'paymentIncludingTaxYen', own.with_tax));
  end loop;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION app.note_payment_paid()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform app.note_webhook_event('payment.paid', new.organization_id, true, jsonb_build_object(
    'transferId', new.id::text, 'organizationId', new.organization_id::text, 'paidOn', new.paid_on,
    'paymentYen', new.payment_yen, 'paymentIncludingTaxYen', new.payment_including_tax_yen,
    'withholdingYen', new.withholding_yen, 'feeBorneByPayeeYen', new.fee_borne_by_payee_yen,
    'transferAmountYen', new.transfer_amount_yen));
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION app.note_statement_issued()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from public.webhooks w where w.deleted_at is null and not w.is_paused
      and 'statement.issued' = any (w.events)) then
    perform app.note_webhook_event('statement.issued', w.organization_id, true, jsonb_build_object(
      'statementId', w.id::text, 'number', w.number, 'revision', w.revision,
      'organizationId', w.organization_id::text, 'agreementId', w.agreement_id::text,
      'mediumId', w.medium_id::text,
      'month', (w.month / 100) || '-' || lpad((w.month % 100)::text, 2, '0'), 'issuedOn', w.issued_on,
      'dueOn', w.due_on, 'totalYen', w.total_yen, 'transferAmountYen', w.transfer_amount_yen))
    from (select * from written order by id) w;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION app.note_webhook_event(of_kind text, of_organization bigint, for_staff boolean, of_data jsonb)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  noted bigint;
  hooks bigint[];
begin
  select array_agg(w.id) into hooks from public.webhooks w
    where w.deleted_at is null and not w.is_paused and of_kind = any (w.events)
      and ((w.organization_id is null and for_staff) or w.organization_id = of_organization);
  if hooks is null then return; end if;
  insert into public.webhook_events (kind, organization_id, data) values (of_kind, of_organization, of_data)
    returning id into noted;
  insert into public.webhook_deliveries (webhook_id, event_id) select unnest(hooks), noted;
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

CREATE OR REPLACE FUNCTION app.own_publisher_ids()
 RETURNS bigint[]
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  case app.scope()
    when 'organization' then
      return array(select p.id from public.publishers p where p.organization_id = app.organization_id());
    when 'agreements' then
      return array(select distinct r.publisher_id from public.agreement_publisher_rules r
        where r.agreement_id = any (app.own_agreement_ids()));
    else
      return '{}';
  end case;
end $function$
;

CREATE OR REPLACE FUNCTION app.own_publisher_media()
 RETURNS TABLE(publisher_id bigint, medium_id bigint)
 LANGUAGE plpgsql
 STABLE ROWS 20
AS $function$
begin
  if app.scope() = 'agreements' then
    return query select distinct r.publisher_id, r.medium_id from public.agreement_publisher_rules r
      where r.agreement_id = any (app.own_agreement_ids());
  end if;
end $function$
;

CREATE OR REPLACE FUNCTION app.previous_month(of_month integer)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
RETURN CASE (of_month % 100) WHEN 1 THEN (of_month - 89) ELSE (of_month - 1) END
;

CREATE OR REPLACE FUNCTION app.refuse_audit_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'the audit log is append-only' using errcode = 'insufficient_privilege';
end $function$
;

CREATE OR REPLACE FUNCTION app.refuse_foreign_account()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
begin
  if not exists (
    select from public.agreements a join public.bank_accounts b on b.organization_id = a.organization_id
    where a.id = new.agreement_id and b.id = new.bank_account_id
  ) then
    raise exception 'agreement % and bank account % are not of one organisation', new.agreement_id, new.bank_account_id
      using errcode = 'check_violation', constraint = 'agreement_bank_accounts_same_organization';
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION app.refuse_foreign_agreement()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
begin
  if not exists (
    select from public.agreements a join public.users u on u.organization_id = a.organization_id
    where a.id = new.agreement_id and u.uid = new.uid
  ) then
    raise exception 'agreement % is not of the organisation of its user', new.agreement_id
      using errcode = 'check_violation', constraint = 'user_agreements_same_organization';
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION app.refuse_foreign_feed()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
declare
  pair record;
begin
  for pair in execute case tg_op
    when 'INSERT' then 'select distinct w.publisher_id, w.feed_id from written w where w.feed_id is not null'
    -- Rows that contradicted before may change in everything else.
    else 'select distinct moved.publisher_id, moved.feed_id from (
      select w.article_id, w.publisher_id, w.feed_id from written w where w.feed_id is not null
      except select g.article_id, g.publisher_id, g.feed_id from gone g) moved' end
  loop
    if (select o.organization_id from public.feeds f join public.publishers o on o.id = f.publisher_id where f.id = pair.feed_id)
      is distinct from (select p.organization_id from public.publishers p where p.id = pair.publisher_id)
    then
      raise exception 'feed % and publisher % of an article are not of one organisation', pair.feed_id, pair.publisher_id
        using errcode = 'check_violation', constraint = 'medium_articles_same_organization';
    end if;
  end loop;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION app.refuse_foreign_publisher()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
begin
  if not exists (
    select from public.publishers before join public.publishers after using (organization_id)
    where before.id = old.publisher_id and after.id = new.publisher_id
  ) then
    raise exception 'feed % cannot move to a publisher of another organisation', old.id
      using errcode = 'check_violation', constraint = 'feeds_same_organization';
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION app.refuse_foreign_rule()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
begin
  if not exists (
    select from public.agreements a join public.publishers p on p.organization_id = a.organization_id
    where a.id = new.agreement_id and p.id = new.publisher_id and a.medium_id = new.medium_id
  ) then
    raise exception 'agreement % and publisher % are not of one organisation and medium', new.agreement_id, new.publisher_id
      using errcode = 'check_violation', constraint = 'agreement_publisher_rules_same_organization';
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION app.refuse_foreign_subject()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
begin
  if new.agreement_id is not null and not exists (
      select from public.agreements a where a.id = new.agreement_id and a.organization_id = new.organization_id)
    or new.monthly_payment_id is not null and not exists (
      select from public.monthly_payments p where p.id = new.monthly_payment_id
        and p.organization_id = new.organization_id and p.agreement_id = new.agreement_id)
    or new.monthly_publisher_payment_id is not null and not exists (
      select from public.monthly_publisher_payments p where p.id = new.monthly_publisher_payment_id
        and p.organization_id = new.organization_id and p.agreement_id = new.agreement_id)
    or new.statement_id is not null and not exists (
      select from public.statements s where s.id = new.statement_id
        and s.organization_id = new.organization_id and s.agreement_id = new.agreement_id)
  then
    raise exception 'question % is not of the organisation and agreement of what it is about', new.id
      using errcode = 'check_violation', constraint = 'questions_same_organization';
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION app.refuse_in_closed_month()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op <> 'INSERT' and app.is_closed(old.medium_id, old.month)
    or tg_op <> 'DELETE' and app.is_closed(new.medium_id, new.month) then
    raise exception 'the month is finalised: % of % is refused', tg_op, tg_table_name
      using errcode = 'check_violation', constraint = 'closed_month';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $function$
;

CREATE OR REPLACE FUNCTION app.refuse_leaving_agreements()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog'
AS $function$
begin
  if exists (select from public.user_agreements ua join public.agreements a on a.id = ua.agreement_id
    where ua.uid = new.uid and a.organization_id is distinct from new.organization_id) then
    raise exception 'user % still works for agreements of another organisation', new.uid
      using errcode = 'check_violation', constraint = 'user_agreements_same_organization';
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION app.refuse_ledger_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'the ledger is append-only' using errcode = 'check_violation', constraint = 'ledger_append_only';
end $function$
;

CREATE OR REPLACE FUNCTION app.refuse_orphans()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  orphaned boolean;
begin
  execute format('select exists (select from new_rows n where not exists (select from public.%I p where %s))',
    tg_argv[0], tg_argv[1]) into orphaned;
  if orphaned then
    raise exception '% of % without its row in %', tg_op, tg_table_name, tg_argv[0]
      using errcode = 'foreign_key_violation', constraint = tg_name;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION app.refuse_other_id()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'the id of a row of % does not change', tg_table_name
    using errcode = 'foreign_key_violation', constraint = tg_name;
end $function$
;

CREATE OR REPLACE FUNCTION app.refuse_other_organization()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'the organisation of % is fixed', tg_table_name
    using errcode = 'check_violation', constraint = tg_table_name || '_organization_fixed';
end $function$
;

CREATE OR REPLACE FUNCTION app.refuse_referenced()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
declare
  own_scope text := current_setting('app.scope', true);
  is_named boolean;
begin
  -- An older snapshot would not contain what was written while this transaction waited.
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'rows of % are deleted in a transaction that reads what is committed', tg_table_name
      using errcode = 'foreign_key_violation', constraint = tg_name;
  end if;
  perform set_config('app.scope', 'all', true);
  -- The arguments are pairs: a table, and its column that names the id.
  for place in 0 .. tg_nargs / 2 - 1 loop
    execute format('select exists (select from public.%I c join old_rows o on o.id = c.%I)', tg_argv[place * 2],
      tg_argv[place * 2 + 1]) into is_named;
    if is_named then
      raise exception 'a row of % is named by %', tg_table_name, tg_argv[place * 2]
        using errcode = 'foreign_key_violation', constraint = tg_argv[place * 2] || '_' || tg_argv[place * 2 + 1] || '_fkey';
    end if;
  end loop;
  perform set_config('app.scope', own_scope, true);
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION app.refuse_reserved_email()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if app.is_email_reserved(new.email, new.uid) then
    raise exception 'the address is reserved' using errcode = 'unique_violation', constraint = 'users_email_key';
  end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION app.refuse_rows_of_closed_month()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  refused boolean := false;
begin
  -- Separate statements: a trigger on INSERT has no old rows, one on DELETE no new ones.
  if tg_op <> 'INSERT' then
    select exists (
      select from (select distinct medium_id, month from old_rows) r join public.month_states s
        on s.medium_id = r.medium_id and s.month = r.month and s.state in ('finalized', 'paid')) into refused;
  end if;
  if tg_op <> 'DELETE' and not refused then
    select exists (
      select from (select distinct medium_id, month from new_rows) r join public.month_states s
        on s.medium_id = r.medium_id and s.month = r.month and s.state in ('finalized', 'paid')) into refused;
  end if;
  if refused then
    raise exception 'the month is finalised: % of % is refused', tg_op, tg_table_name
      using errcode = 'check_violation', constraint = 'closed_month';
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION app.refuse_settled_balances()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  refused boolean := false;
begin
  -- Separate statements: a trigger on INSERT has no old rows, one on DELETE no new ones.
  if tg_op <> 'INSERT' then
    select exists (
      select from old_rows r join public.agreements a on a.id = r.agreement_id
      join public.month_states s on s.medium_id = a.medium_id and s.month >= r.booked_month
        and s.state in ('finalized', 'paid')) into refused;
  end if;
  if tg_op <> 'DELETE' and not refused then
    select exists (
      select from new_rows r join public.agreements a on a.id = r.agreement_id
      join public.month_states s on s.medium_id = a.medium_id and s.month >= r.booked_month
        and s.state in ('finalized', 'paid')) into refused;
  end if;
  if refused then
    raise exception 'the month is finalised: % of % is refused', tg_op, tg_table_name
      using errcode = 'check_violation', constraint = 'closed_month';
  end if;
  if tg_op = 'DELETE' then
    return null;
  end if;
  if exists (select from new_rows r join public.monthly_agreement_snapshots s on s.agreement_id = r.agreement_id
      and s.month <= r.origin_month and s.has_been_finalized) then
    raise exception 'the books themselves settled the origin month'
      using errcode = 'check_violation', constraint = 'opening_balances_before_books';
  end if;
  if exists (select from new_rows r where
      not exists (select from public.consumption_tax_rates t where t.valid_from_month <= r.origin_month)
      or not exists (select from public.input_tax_deductions d where d.valid_from_month <= r.origin_month)) then
    raise exception 'the origin month has no tax rate'
      using errcode = 'check_violation', constraint = 'opening_balances_tax_rate';
  end if;
  -- The payee is the agreement's: it was registered in a month, or it was not.
  if exists (select from new_rows r join public.opening_balances o on o.agreement_id = r.agreement_id
      and o.origin_month = r.origin_month and o.is_qualified <> r.is_qualified) then
    raise exception 'a payee was qualified in a month, or it was not'
      using errcode = 'check_violation', constraint = 'opening_balances_one_qualification';
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION app.refuse_truncate()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'the books are not truncated: %', tg_table_name
    using errcode = 'check_violation', constraint = 'closed_month';
end $function$
;

CREATE OR REPLACE FUNCTION app.refuse_unknown()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog'
AS $function$
declare
  own_scope text := current_setting('app.scope', true);
  named bigint;
  known bigint;
begin
  perform set_config('app.scope', 'all', true);
  -- The arguments are pairs: a column, and the table whose id it names.
  for place in 0 .. tg_nargs / 2 - 1 loop
    execute format('select count(distinct n.%I) from new_rows n', tg_argv[place * 2]) into named;
    execute format('select count(*) from (select from public.%I p where p.id in (select n.%I from new_rows n) for key share of p) x',
      tg_argv[place * 2 + 1], tg_argv[place * 2]) into known;
    if known <> named then
      raise exception '% of % names no row of %', tg_op, tg_table_name, tg_argv[place * 2 + 1]
        using errcode = 'foreign_key_violation', constraint = tg_table_name || '_' || tg_argv[place * 2] || '_fkey';
    end if;
  end loop;
  perform set_config('app.scope', own_scope, true);
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION app.remove_parts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  execute format('delete from public.%I c using old_rows o where c.%I = o.id', tg_argv[0], tg_argv[1]);
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION app.reset_second_factors_of(target uuid)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  own_scope text := app.scope();
  gone integer;
begin
  if own_scope not in ('all', 'organization') or not exists (
    select from public.users u where u.uid = target
      and (own_scope = 'all' or u.organization_id = app.organization_id()))
  then
    raise exception 'not a user whose second factors may be reset' using errcode = 'insufficient_privilege';
  end if;
  perform set_config('app.scope', 'all', true);
  delete from public.idp_authenticators where uid = target;
  get diagnostics gone = row_count;
  delete from public.idp_recovery_codes where uid = target;
  perform set_config('app.scope', own_scope, true);
  return gone;
end $function$
;

CREATE OR REPLACE FUNCTION app.rule_version(of_month integer)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce((select r.version from public.settlement_rules r where r.valid_from_month <= of_month
    order by r.valid_from_month desc limit 1), 'offset_across_rates')
$function$
;

CREATE OR REPLACE FUNCTION app.scope()
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN COALESCE(current_setting('app.scope'::text, true), ''::text)
;

CREATE OR REPLACE FUNCTION app.search_pieces(value text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE COST 10000
RETURN (string_to_array(value, NULL::text) || ARRAY(SELECT (pair.first || pair.second) FROM UNNEST(string_to_array(search_pieces.value, NULL::text), (string_to_array(search_pieces.value, NULL::text))[2:]) pair(first, second) WHERE (pair.second IS NOT NULL)))
;

CREATE OR REPLACE FUNCTION app.spoil_practice_batch()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.kind = 'bank_file' and exists (select from public.practice_system) then
    new.client_code := '0000000000';
    new.client_name := 'ﾚﾝｼﾕｳ';
  end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION app.take_transfer_payments()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update public.transfer_payments set is_live = true where transfer_id = new.id and not is_live;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION app.touch_content()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.updated_at := now();
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION app.uid()
 RETURNS uuid
 LANGUAGE sql
 STABLE
RETURN (NULLIF(current_setting('app.uid'::text, true), ''::text))::uuid
;

CREATE OR REPLACE FUNCTION app.article_label_ids(of_publisher bigint, of_kind text, names jsonb)
 RETURNS bigint[]
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN ARRAY(SELECT DISTINCT l.id FROM (jsonb_array_elements_text(article_label_ids.names) n(name) JOIN public.article_labels l ON (((l.publisher_id = article_label_ids.of_publisher) AND (l.kind = article_label_ids.of_kind) AND (l.key = app.label_key(n.name))))) ORDER BY l.id)
;

alter table app.agreement_pieces add constraint agreement_pieces_pkey
  PRIMARY KEY (id);

alter table app.feed_pieces add constraint feed_pieces_pkey
  PRIMARY KEY (id);

alter table app.medium_article_pieces add constraint medium_article_pieces_pkey
  PRIMARY KEY (article_id);

alter table app.publisher_pieces add constraint publisher_pieces_pkey
  PRIMARY KEY (id);

alter table app.statement_payees add constraint statement_payees_pkey
  PRIMARY KEY (organization_id, search_text);

alter table public.account_changes add constraint account_changes_pkey
  PRIMARY KEY (id);

alter table public.account_changes add constraint account_changes_check
  CHECK ((kind = 'email'::text) = (new_email IS NOT NULL));

alter table public.account_changes add constraint account_changes_check1
  CHECK ((state = 'pending'::text) = (settled_at IS NULL));

alter table public.account_changes add constraint account_changes_check2
  CHECK (confirmed_by_uid IS NULL OR confirmed_by_uid <> requested_by_uid OR requested_by_uid = uid);

alter table public.account_changes add constraint account_changes_kind_check
  CHECK (kind = ANY (ARRAY['email'::text, 'second-factor'::text, 'invitation'::text]));

alter table public.account_changes add constraint account_changes_state_check
  CHECK (state = ANY (ARRAY['pending'::text, 'done'::text, 'withdrawn'::text, 'refused'::text, 'expired'::text]));

alter table public.account_undos add constraint account_undos_pkey
  PRIMARY KEY (change_id);

alter table public.agreement_bank_accounts add constraint agreement_bank_accounts_pkey
  PRIMARY KEY (id);

alter table public.agreement_bank_accounts add constraint agreement_bank_accounts_agreement_id_used_from_month_key
  UNIQUE (agreement_id, used_from_month);

alter table public.agreement_bank_accounts add constraint agreement_bank_accounts_used_from_month_check
  CHECK (used_from_month >= 202012 AND used_from_month <= 999912 AND (used_from_month % 100) >= 1 AND (used_from_month % 100) <= 12);

alter table public.agreement_documents add constraint agreement_documents_pkey
  PRIMARY KEY (id);

alter table public.agreement_documents add constraint agreement_documents_object_key_key
  UNIQUE (object_key);

alter table public.agreement_documents add constraint agreement_documents_file_name_check
  CHECK (file_name <> ''::text AND char_length(file_name) <= 200);

alter table public.agreement_documents add constraint agreement_documents_sha256_check
  CHECK (sha256 ~ '^[0-9a-f]{64}$'::text);

alter table public.agreement_documents add constraint agreement_documents_size_bytes_check
  CHECK (size_bytes > 0);

alter table public.agreement_law_notices add constraint agreement_law_notices_pkey
  PRIMARY KEY (agreement_id, rule_id);

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

alter table public.agreement_renewal_notices add constraint agreement_renewal_notices_pkey
  PRIMARY KEY (agreement_id, contract_end_month);

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

alter table public.agreements add constraint agreements_contract_end_month_check
  CHECK (contract_end_month >= 202012 AND contract_end_month <= 999912 AND (contract_end_month % 100) >= 1 AND (contract_end_month % 100) <= 12);

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

alter table public.agreements add constraint agreements_payee_residence_check
  CHECK (payee_residence = ANY (ARRAY['resident'::text, 'non_resident'::text]));

alter table public.agreements add constraint agreements_payment_timing_check
  CHECK (payment_timing = ANY (ARRAY['a_month_later'::text, 'two_months_later'::text]));

alter table public.agreements add constraint agreements_payout_threshold_yen_check
  CHECK (payout_threshold_yen >= 0);

alter table public.agreements add constraint agreements_renewal_notice_days_check
  CHECK (renewal_notice_days >= 1 AND renewal_notice_days <= 365);

alter table public.agreements add constraint agreements_small_supplier_coverage_check
  CHECK (small_supplier_coverage = ANY (ARRAY['covered'::text, 'not_covered'::text, 'unknown'::text]));

alter table public.agreements add constraint agreements_treaty_form
  CHECK ((treaty_form_from IS NULL) = (treaty_form_rate IS NULL) AND (treaty_form_to IS NULL OR treaty_form_to >= treaty_form_from) AND treaty_form_rate >= 0 AND treaty_form_rate <= 2042);

alter table public.agreements add constraint agreements_valid_from_month_check
  CHECK (valid_from_month >= 202012 AND valid_from_month <= 999912 AND (valid_from_month % 100) >= 1 AND (valid_from_month % 100) <= 12);

alter table public.annotations add constraint annotations_pkey
  PRIMARY KEY (id);

alter table public.annotations add constraint annotations_check
  CHECK (ends_on >= starts_on);

alter table public.annotations add constraint annotations_check1
  CHECK (visibility <> 'publisher'::text OR publisher_id IS NOT NULL);

alter table public.annotations add constraint annotations_check2
  CHECK (visibility <> 'staff'::text OR is_by_staff);

alter table public.annotations add constraint annotations_medium_ids_check
  CHECK (cardinality(medium_ids) <= 50);

alter table public.annotations add constraint annotations_text_check
  CHECK (text <> ''::text AND char_length(text) <= 200);

alter table public.annotations add constraint annotations_visibility_check
  CHECK (visibility = ANY (ARRAY['own'::text, 'staff'::text, 'publisher'::text]));

alter table public.announcement_reads add constraint announcement_reads_pkey
  PRIMARY KEY (announcement_id, uid);

alter table public.announcement_targets add constraint announcement_targets_announcement_id_kind_medium_id_organiz_key
  UNIQUE NULLS NOT DISTINCT (announcement_id, kind, medium_id, organization_id, role_name);

alter table public.announcement_targets add constraint announcement_targets_check
  CHECK (num_nonnulls(medium_id, organization_id, role_name) =
CASE kind
    WHEN 'all'::text THEN 0
    ELSE 1
END);

alter table public.announcement_targets add constraint announcement_targets_check1
  CHECK ((kind = 'medium'::text) = (medium_id IS NOT NULL));

alter table public.announcement_targets add constraint announcement_targets_check2
  CHECK ((kind = 'organization'::text) = (organization_id IS NOT NULL));

alter table public.announcement_targets add constraint announcement_targets_check3
  CHECK ((kind = 'role'::text) = (role_name IS NOT NULL));

alter table public.announcement_targets add constraint announcement_targets_kind_check
  CHECK (kind = ANY (ARRAY['all'::text, 'medium'::text, 'organization'::text, 'role'::text]));

alter table public.announcements add constraint announcements_pkey
  PRIMARY KEY (id);

alter table public.announcements add constraint announcements_check
  CHECK (end_at > start_at);

alter table public.announcements add constraint announcements_level_check
  CHECK (level = ANY (ARRAY['info'::text, 'warn'::text]));

alter table public.announcements add constraint announcements_title_check
  CHECK (title <> ''::text);

alter table public.answer_templates add constraint answer_templates_pkey
  PRIMARY KEY (id);

alter table public.answer_templates add constraint answer_templates_body_check
  CHECK (body <> ''::text AND char_length(body) <= 4000);

alter table public.answer_templates add constraint answer_templates_name_check
  CHECK (name <> ''::text AND char_length(name) <= 60);

alter table public.api_keys add constraint api_keys_pkey
  PRIMARY KEY (id);

alter table public.api_keys add constraint api_keys_secret_sha256_key
  UNIQUE (secret_sha256);

alter table public.article_labels add constraint article_labels_pkey
  PRIMARY KEY (id);

alter table public.article_labels add constraint article_labels_publisher_id_kind_key_key
  UNIQUE (publisher_id, kind, key);

alter table public.article_labels add constraint article_labels_key_check
  CHECK (key <> ''::text);

alter table public.article_labels add constraint article_labels_kind_check
  CHECK (kind = ANY (ARRAY['author'::text, 'section'::text, 'tag'::text]));

alter table public.audit_head add constraint audit_head_pkey
  PRIMARY KEY (is_only);

alter table public.audit_head add constraint audit_head_is_only_check
  CHECK (is_only);

alter table public.audit_log add constraint audit_log_pkey
  PRIMARY KEY (seq);

alter table public.bank_account_switches add constraint bank_account_switches_pkey
  PRIMARY KEY (bank_account_id, agreement_id);

alter table public.bank_account_switches add constraint bank_account_switches_check
  CHECK ((state = 'planned'::text) = (ended_at IS NULL));

alter table public.bank_account_switches add constraint bank_account_switches_check1
  CHECK (refusal_code IS NULL OR state = 'planned'::text);

alter table public.bank_account_switches add constraint bank_account_switches_notified_check
  CHECK (notified_at IS NULL OR (state = ANY (ARRAY['done'::text, 'cancelled'::text])));

alter table public.bank_account_switches add constraint bank_account_switches_state_check
  CHECK (state = ANY (ARRAY['planned'::text, 'done'::text, 'superseded'::text, 'cancelled'::text]));

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

alter table public.bank_accounts add constraint bank_accounts_usable_from_check
  CHECK (usable_from IS NULL OR state = 'approved'::text);

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

alter table public.boards add constraint boards_pkey
  PRIMARY KEY (id);

alter table public.boards add constraint boards_check
  CHECK (is_by_staff OR organization_id IS NOT NULL OR shared_roles = '{}'::text[]);

alter table public.boards add constraint boards_name_check
  CHECK (name <> ''::text AND char_length(name) <= 60);

alter table public.boards add constraint boards_tiles_check
  CHECK (jsonb_typeof(tiles) = 'array'::text AND jsonb_array_length(tiles) <= 24);

alter table public.close_acknowledgements add constraint close_acknowledgements_pkey
  PRIMARY KEY (medium_id, month, check_kind, subject_sha256);

alter table public.close_acknowledgements add constraint close_acknowledgements_reason_check
  CHECK (length(reason) >= 1 AND length(reason) <= 500);

alter table public.close_acknowledgements add constraint close_acknowledgements_subject_sha256_check
  CHECK (subject_sha256 ~ '^[0-9a-f]{64}$'::text);

alter table public.consumption_tax_rates add constraint consumption_tax_rates_pkey
  PRIMARY KEY (valid_from_month);

alter table public.consumption_tax_rates add constraint consumption_tax_rates_rate_percent_check
  CHECK (rate_percent >= 0 AND rate_percent <= 100);

alter table public.consumption_tax_rates add constraint consumption_tax_rates_valid_from_month_check
  CHECK (valid_from_month >= 190001 AND valid_from_month <= 999912 AND (valid_from_month % 100) >= 1 AND (valid_from_month % 100) <= 12);

alter table public.demonstration add constraint demonstration_pkey
  PRIMARY KEY (is_only);

alter table public.demonstration add constraint demonstration_is_only_check
  CHECK (is_only);

alter table public.dividend_ledger_lines add constraint dividend_ledger_lines_pkey
  PRIMARY KEY (id);

alter table public.dividend_ledger_lines add constraint dividend_ledger_lines_booking_check
  CHECK (booking > 0);

alter table public.dividend_ledger_lines add constraint dividend_ledger_lines_check
  CHECK (allocated_yen = (quota_yen + extra_yen));

alter table public.dividend_ledger_lines add constraint dividend_ledger_lines_kind_check
  CHECK (kind = ANY (ARRAY['ssp'::text, 'ssp_video'::text, 'ssp_live'::text, 'csv'::text]));

alter table public.dividend_ledger_lines add constraint dividend_ledger_lines_method_check
  CHECK (method = ANY (ARRAY['payment'::text, 'discard'::text]));

alter table public.dividend_operations add constraint dividend_operations_pkey
  PRIMARY KEY (id);

alter table public.dividend_operations add constraint dividend_operations_month_key
  UNIQUE (month);

alter table public.dividend_operations add constraint dividend_operations_check
  CHECK (has_been_finalized = (finalized_at IS NOT NULL));

alter table public.dividend_operations add constraint dividend_operations_month_check
  CHECK (month >= 202012 AND month <= 999912 AND (month % 100) >= 1 AND (month % 100) <= 12);

alter table public.dividend_rows add constraint dividend_rows_pkey
  PRIMARY KEY (dividend_id, line);

alter table public.dividend_rows add constraint dividend_rows_check
  CHECK ((amount_yen IS NULL) <> (weight IS NULL));

alter table public.dividend_rows add constraint dividend_rows_check1
  CHECK ((amount_yen IS NULL) = (reason IS NULL));

alter table public.dividend_rows add constraint dividend_rows_line_check
  CHECK (line > 0);

alter table public.dividend_rows add constraint dividend_rows_reason_check
  CHECK (reason = ANY (ARRAY['invalid_traffic'::text, 'correction'::text, 'other'::text]));

alter table public.dividend_rows add constraint dividend_rows_weight_check
  CHECK (weight >= 0);

alter table public.dividend_weights add constraint dividend_weights_pkey
  PRIMARY KEY (dividend_id, agreement_id, publisher_id);

alter table public.dividend_weights add constraint dividend_weights_weight_check
  CHECK (weight >= 0);

alter table public.dividends add constraint dividends_pkey
  PRIMARY KEY (id);

alter table public.dividends add constraint dividends_check
  CHECK ((kind = ANY (ARRAY['csv'::text, 'reset'::text])) OR extra_revenue_yen >= 0);

alter table public.dividends add constraint dividends_check1
  CHECK ((job_status = 'failed'::text) = (failure_text IS NOT NULL));

alter table public.dividends add constraint dividends_check2
  CHECK ((job_status = ANY (ARRAY['success'::text, 'failed'::text])) = (completed_at IS NOT NULL));

alter table public.dividends add constraint dividends_job_status_check
  CHECK (job_status = ANY (ARRAY['pending'::text, 'running'::text, 'success'::text, 'failed'::text]));

alter table public.dividends add constraint dividends_kind_check
  CHECK (kind = ANY (ARRAY['ssp'::text, 'ssp_video'::text, 'ssp_live'::text, 'csv'::text, 'reset'::text]));

alter table public.dividends add constraint dividends_method_check
  CHECK (method = ANY (ARRAY['payment'::text, 'discard'::text]));

alter table public.dividends add constraint dividends_progress_check
  CHECK (progress >= 0 AND progress <= 100);

alter table public.dividends add constraint dividends_withdrawn_check
  CHECK (withdrawn_at IS NULL OR job_status = 'failed'::text);

alter table public.event_hours add constraint event_hours_pkey
  PRIMARY KEY (starts_at, publisher_id, medium_id, batch_no);

alter table public.feed_health add constraint feed_health_pkey
  PRIMARY KEY (feed_id);

alter table public.feed_health add constraint feed_health_error_class_check
  CHECK (error_class = ANY (ARRAY['address'::text, 'connection'::text, 'timeout'::text, 'http'::text, 'too-large'::text, 'format'::text]));

alter table public.feed_health add constraint feed_health_state_check
  CHECK (state = ANY (ARRAY['unchecked'::text, 'ok'::text, 'quiet'::text, 'failing'::text, 'outage'::text]));

alter table public.feed_seen_items add constraint feed_seen_items_pkey
  PRIMARY KEY (feed_id, item_key);

alter table public.feeds add constraint feeds_pkey
  PRIMARY KEY (id);

alter table public.feeds add constraint feeds_staging_feed_id_key
  UNIQUE (staging_feed_id);

alter table public.feeds add constraint feeds_url
  UNIQUE (medium_id, url);

alter table public.feeds add constraint feeds_article_expiration_days_check
  CHECK (article_expiration_days >= 1 AND article_expiration_days <= 3650);

alter table public.feeds add constraint feeds_manually_feed_score_check
  CHECK (manually_feed_score >= '-100'::integer AND manually_feed_score <= 100);

alter table public.feeds add constraint feeds_related_link_num_check
  CHECK (related_link_num >= 0 AND related_link_num <= 20);

alter table public.feeds add constraint feeds_ttl_minutes_check
  CHECK (ttl_minutes >= 5 AND ttl_minutes <= 1440);

alter table public.feeds add constraint feeds_type
  CHECK (type = ANY (ARRAY['gnf1'::text, 'gnf1atom'::text, 'gnf1_no_enclosure'::text, 'gnf2'::text, 'ldnrss'::text, 'legacy'::text, 'legacy_direct_link'::text, 'matome1'::text, 'matome2'::text, 'matome_scraping'::text, 'pulit'::text, 'rss_fulltext'::text, 'scraping_rule_only'::text, 'snf2'::text, 'video_scraper'::text]));

alter table public.figure_alert_checks add constraint figure_alert_checks_pkey
  PRIMARY KEY (medium_id);

alter table public.figure_alerts add constraint figure_alerts_pkey
  PRIMARY KEY (id);

alter table public.figure_alerts add constraint figure_alerts_check
  CHECK (began_on <= last_on AND (ended_on IS NULL OR ended_on > last_on));

alter table public.figure_alerts add constraint figure_alerts_direction_check
  CHECK (direction = ANY (ARRAY['drop'::text, 'rise'::text]));

alter table public.figure_alerts add constraint figure_alerts_figure_check
  CHECK (figure = ANY (ARRAY['impressions'::text, 'clicks'::text, 'revenue'::text]));

alter table public.holiday_imports add constraint holiday_imports_pkey
  PRIMARY KEY (id);

alter table public.holiday_imports add constraint holiday_imports_check
  CHECK (last_year >= first_year);

alter table public.holidays add constraint holidays_pkey
  PRIMARY KEY (day);

alter table public.holidays add constraint holidays_name_check
  CHECK (name <> ''::text);

alter table public.idempotency_keys add constraint idempotency_keys_pkey
  PRIMARY KEY (uid, operation, key);

alter table public.idp_accounts add constraint idp_accounts_pkey
  PRIMARY KEY (uid);

alter table public.idp_attempts add constraint idp_attempts_pkey
  PRIMARY KEY (id);

alter table public.idp_authenticators add constraint idp_authenticators_pkey
  PRIMARY KEY (id);

alter table public.idp_authenticators add constraint idp_authenticators_credential_id_key
  UNIQUE (credential_id);

alter table public.idp_authenticators add constraint idp_authenticators_check1
  CHECK ((kind = 'passkey'::text) = (credential_id IS NOT NULL AND public_key IS NOT NULL));

alter table public.idp_authenticators add constraint idp_authenticators_has_seed
  CHECK ((kind = 'totp'::text) = (totp_secret IS NOT NULL OR sealed_totp_secret IS NOT NULL));

alter table public.idp_authenticators add constraint idp_authenticators_kind_check
  CHECK (kind = ANY (ARRAY['totp'::text, 'passkey'::text]));

alter table public.idp_authenticators add constraint idp_authenticators_sealed_totp_secret_check
  CHECK (char_length(sealed_totp_secret) >= 32 AND char_length(sealed_totp_secret) <= 400);

alter table public.idp_payloads add constraint idp_payloads_pkey
  PRIMARY KEY (model, id);

alter table public.idp_recovery_codes add constraint idp_recovery_codes_pkey
  PRIMARY KEY (uid, code_sha256);

alter table public.idp_session_uses add constraint idp_session_uses_pkey
  PRIMARY KEY (session_uid);

alter table public.idp_settings add constraint idp_settings_pkey
  PRIMARY KEY (key);

alter table public.import_rows add constraint import_rows_pkey
  PRIMARY KEY (import_id, row_number);

alter table public.import_rows add constraint import_rows_row_number_check
  CHECK (row_number > 0);

alter table public.import_rows add constraint import_rows_state_check
  CHECK (state = ANY (ARRAY['new'::text, 'changed'::text, 'unchanged'::text, 'refused'::text]));

alter table public.imports add constraint imports_pkey
  PRIMARY KEY (id);

alter table public.imports add constraint imports_changed_count_check
  CHECK (changed_count >= 0);

alter table public.imports add constraint imports_check
  CHECK ((confirmed_at IS NULL) = (confirmed_by_email IS NULL));

alter table public.imports add constraint imports_file_name_check
  CHECK (length(file_name) >= 1 AND length(file_name) <= 255);

alter table public.imports add constraint imports_file_sha256_check
  CHECK (file_sha256 ~ '^[0-9a-f]{64}$'::text);

alter table public.imports add constraint imports_kind_check
  CHECK (btrim(kind) <> ''::text);

alter table public.imports add constraint imports_new_count_check
  CHECK (new_count >= 0);

alter table public.imports add constraint imports_preview_sha256_check
  CHECK (preview_sha256 ~ '^[0-9a-f]{64}$'::text);

alter table public.imports add constraint imports_refused_count_check
  CHECK (refused_count >= 0);

alter table public.imports add constraint imports_unchanged_count_check
  CHECK (unchanged_count >= 0);

alter table public.ingest_batches add constraint ingest_batches_pkey
  PRIMARY KEY (batch_no);

alter table public.ingest_batches add constraint ingest_batches_dataset_batch_id_revision_key
  UNIQUE (dataset, batch_id, revision);

alter table public.ingest_batches add constraint ingest_batches_contents_check
  CHECK ((dataset <> ALL (ARRAY['articles'::text, 'videos'::text])) OR state <> 'applying'::text AND first_day IS NULL AND last_day IS NULL);

alter table public.ingest_batches add constraint ingest_batches_dataset_check
  CHECK (dataset = ANY (ARRAY['article-daily'::text, 'video-daily'::text, 'summary-daily'::text, 'events'::text, 'articles'::text, 'videos'::text]));

alter table public.ingest_batches add constraint ingest_batches_state_check
  CHECK (state = ANY (ARRAY['received'::text, 'applying'::text, 'applied'::text, 'replaced'::text, 'refused'::text, 'failed'::text]));

alter table public.ingest_quarantined_rows add constraint ingest_quarantined_rows_pkey
  PRIMARY KEY (batch_no, line, column_name);

alter table public.input_tax_deductions add constraint input_tax_deductions_pkey
  PRIMARY KEY (valid_from_month);

alter table public.input_tax_deductions add constraint input_tax_deductions_deductible_percent_check
  CHECK (deductible_percent >= 0 AND deductible_percent <= 100);

alter table public.input_tax_deductions add constraint input_tax_deductions_valid_from_month_check
  CHECK (valid_from_month >= 190001 AND valid_from_month <= 999912 AND (valid_from_month % 100) >= 1 AND (valid_from_month % 100) <= 12);

alter table public.invariant_runs add constraint invariant_runs_pkey
  PRIMARY KEY (id);

alter table public.invariant_runs add constraint invariant_runs_occasion_check
  CHECK (occasion = ANY (ARRAY['compute'::text, 'nightly'::text, 'demand'::text, 'finalize'::text]));

alter table public.invariant_violations add constraint invariant_violations_pkey
  PRIMARY KEY (run_id, number);

alter table public.invitations add constraint invitations_pkey
  PRIMARY KEY (uid);

alter table public.invitations add constraint invitations_secret_sha256_key
  UNIQUE (secret_sha256);

alter table public.invoice_register_results add constraint invoice_register_results_pkey
  PRIMARY KEY (registration_number, registered_on);

alter table public.invoice_register_results add constraint invoice_register_results_check
  CHECK (ended_on > registered_on);

alter table public.invoice_register_results add constraint invoice_register_results_registration_number_check
  CHECK (registration_number ~ '^T[1-9][0-9]{12}$'::text);

alter table public.journal_accounts add constraint journal_accounts_pkey
  PRIMARY KEY (account, valid_from_month);

alter table public.journal_accounts add constraint journal_accounts_account_check
  CHECK (account = ANY (ARRAY['publisher_cost'::text, 'accrued_cost'::text, 'payable'::text, 'input_tax'::text, 'non_deductible_tax'::text, 'withholding_payable'::text, 'bank_fee'::text, 'bank'::text]));

alter table public.journal_accounts add constraint journal_accounts_department_check
  CHECK (length(department) <= 50);

alter table public.journal_accounts add constraint journal_accounts_name_check
  CHECK (name <> ''::text);

alter table public.journal_accounts add constraint journal_accounts_sub_account_check
  CHECK (length(sub_account) <= 50);

alter table public.journal_accounts add constraint journal_accounts_valid_from_month_check
  CHECK (valid_from_month >= 190001 AND valid_from_month <= 999912 AND (valid_from_month % 100) >= 1 AND (valid_from_month % 100) <= 12);

alter table public.late_corrections add constraint late_corrections_pkey
  PRIMARY KEY (dividend_id);

alter table public.late_corrections add constraint late_corrections_origin_month_check
  CHECK (origin_month >= 202012 AND origin_month <= 999912 AND (origin_month % 100) >= 1 AND (origin_month % 100) <= 12);

alter table public.legal_holds add constraint legal_holds_pkey
  PRIMARY KEY (id);

alter table public.legal_holds add constraint legal_holds_check
  CHECK ((from_month IS NULL) = (to_month IS NULL) AND to_month >= from_month);

alter table public.legal_holds add constraint legal_holds_check1
  CHECK (organization_id IS NOT NULL OR from_month IS NOT NULL);

alter table public.legal_holds add constraint legal_holds_check2
  CHECK ((released_at IS NULL) = (release_reason IS NULL) AND (released_at IS NULL) = (released_by_email IS NULL));

alter table public.legal_holds add constraint legal_holds_from_month_check
  CHECK (from_month >= 202012 AND from_month <= 999912 AND (from_month % 100) >= 1 AND (from_month % 100) <= 12);

alter table public.legal_holds add constraint legal_holds_reason_check
  CHECK (btrim(reason) <> ''::text);

alter table public.legal_holds add constraint legal_holds_release_reason_check
  CHECK (btrim(release_reason) <> ''::text);

alter table public.legal_holds add constraint legal_holds_to_month_check
  CHECK (to_month >= 202012 AND to_month <= 999912 AND (to_month % 100) >= 1 AND (to_month % 100) <= 12);

alter table public.media add constraint media_pkey
  PRIMARY KEY (id);

alter table public.media add constraint media_code
  UNIQUE (code);

alter table public.media add constraint media_code_form
  CHECK (code ~ '^[a-z0-9]([a-z0-9_-]{0,28}[a-z0-9])?$'::text);

alter table public.media add constraint media_display_order_check
  CHECK (display_order >= 0 AND display_order <= 9999);

alter table public.media add constraint media_name
  CHECK (btrim(name) <> ''::text AND char_length(name) <= 100) NOT VALID;

alter table public.media add constraint media_number
  CHECK (id >= 1 AND id <= '999999999999999'::bigint) NOT VALID;

alter table public.media add constraint media_retired_on_check
  CHECK (retired_on >= '2000-01-01'::date AND retired_on <= '2099-12-31'::date);

alter table public.medium_article_removals add constraint medium_article_removals_pkey
  PRIMARY KEY (id);

alter table public.medium_article_removals add constraint medium_article_removals_check
  CHECK ((restored_at IS NULL) = (restored_by IS NULL));

alter table public.medium_article_removals add constraint medium_article_removals_check1
  CHECK (restored_at <= undo_until);

alter table public.medium_article_removals add constraint medium_article_removals_reason_check
  CHECK (reason <> ''::text);

alter table public.medium_articles add constraint medium_articles_pkey
  PRIMARY KEY (article_id);

alter table public.medium_articles add constraint medium_articles_medium_id_medium_article_id_key
  UNIQUE (medium_id, medium_article_id);

alter table public.month_close_log add constraint month_close_log_pkey
  PRIMARY KEY (id);

alter table public.month_close_log add constraint month_close_log_action_check
  CHECK (action = ANY (ARRAY['job_created'::text, 'job_finished'::text, 'job_withdrawn'::text, 'computed'::text, 'audited'::text, 'finalized'::text, 'paid'::text, 'returned'::text, 'acknowledged'::text]));

alter table public.month_closings add constraint month_closings_pkey
  PRIMARY KEY (medium_id, month);

alter table public.month_closings add constraint month_closings_month_check
  CHECK (month >= 202012 AND month <= 999912 AND (month % 100) >= 1 AND (month % 100) <= 12);

alter table public.month_states add constraint month_states_pkey
  PRIMARY KEY (medium_id, month);

alter table public.month_states add constraint month_states_check
  CHECK (state = 'open'::text OR head IS NOT NULL AND input_hash IS NOT NULL AND computed_at IS NOT NULL);

alter table public.month_states add constraint month_states_check1
  CHECK ((state = ANY (ARRAY['finalized'::text, 'paid'::text])) = (finalized_at IS NOT NULL));

alter table public.month_states add constraint month_states_check2
  CHECK ((state = ANY (ARRAY['finalized'::text, 'paid'::text])) = (hash IS NOT NULL));

alter table public.month_states add constraint month_states_check3
  CHECK ((state = 'paid'::text) = (paid_at IS NOT NULL));

alter table public.month_states add constraint month_states_month_check
  CHECK (month >= 202012 AND month <= 999912 AND (month % 100) >= 1 AND (month % 100) <= 12);

alter table public.month_states add constraint month_states_state_check
  CHECK (state = ANY (ARRAY['open'::text, 'computed'::text, 'finalized'::text, 'paid'::text]));

alter table public.monthly_adjustments add constraint monthly_adjustments_pkey
  PRIMARY KEY (dividend_id, line);

alter table public.monthly_agreement_snapshots add constraint monthly_agreement_snapshots_pkey
  PRIMARY KEY (id);

alter table public.monthly_agreement_snapshots add constraint monthly_agreement_snapshots_agreement_id_month_key
  UNIQUE (agreement_id, month);

alter table public.monthly_agreement_snapshots add constraint monthly_agreement_snapshots_month_check
  CHECK (month >= 202012 AND month <= 999912 AND (month % 100) >= 1 AND (month % 100) <= 12);

alter table public.monthly_agreement_snapshots add constraint monthly_agreement_snapshots_payee_kind_check
  CHECK (payee_kind = ANY (ARRAY['company'::text, 'individual'::text]));

alter table public.monthly_agreement_snapshots add constraint monthly_agreement_snapshots_payee_residence_check
  CHECK (payee_residence = ANY (ARRAY['resident'::text, 'non_resident'::text]));

alter table public.monthly_carried_buckets add constraint monthly_carried_buckets_pkey
  PRIMARY KEY (monthly_publisher_payment_id, generated_month);

alter table public.monthly_carried_buckets add constraint monthly_carried_buckets_check
  CHECK (generated_month <= month);

alter table public.monthly_carried_buckets add constraint monthly_carried_buckets_check1
  CHECK (next_yen = 0 OR next_yen = open_yen);

alter table public.monthly_estimates add constraint monthly_estimates_pkey
  PRIMARY KEY (monthly_publisher_payment_id);

alter table public.monthly_estimates add constraint monthly_estimates_pool_yen_check
  CHECK (pool_yen >= 0);

alter table public.monthly_paid_buckets add constraint monthly_paid_buckets_pkey
  PRIMARY KEY (monthly_payment_id, generated_month);

alter table public.monthly_paid_buckets add constraint monthly_paid_buckets_amount_yen_check
  CHECK (amount_yen <> 0);

alter table public.monthly_paid_buckets add constraint monthly_paid_buckets_check
  CHECK (generated_month <= month);

alter table public.monthly_paid_buckets add constraint monthly_paid_buckets_check1
  CHECK (tax_yen = (deductible_tax_yen + non_deductible_tax_yen));

alter table public.monthly_paid_buckets add constraint monthly_paid_buckets_check2
  CHECK (deductible_tax_yen = (tax_yen * deductible_percent / 100));

alter table public.monthly_paid_buckets add constraint monthly_paid_buckets_check3
  CHECK (NOT is_qualified OR deductible_percent = 100);

alter table public.monthly_paid_buckets add constraint monthly_paid_buckets_deductible_percent_check
  CHECK (deductible_percent >= 0 AND deductible_percent <= 100);

alter table public.monthly_paid_buckets add constraint monthly_paid_buckets_signs
  CHECK ((sign(tax_yen::double precision) = 0::double precision OR sign(tax_yen::double precision) = sign(amount_yen::double precision)) AND (sign(deductible_tax_yen::double precision) = 0::double precision OR sign(deductible_tax_yen::double precision) = sign(amount_yen::double precision)) AND (sign(non_deductible_tax_yen::double precision) = 0::double precision OR sign(non_deductible_tax_yen::double precision) = sign(amount_yen::double precision)));

alter table public.monthly_payments add constraint monthly_payments_pkey
  PRIMARY KEY (id);

alter table public.monthly_payments add constraint monthly_payments_agreement_id_month_key
  UNIQUE (agreement_id, month);

alter table public.monthly_payments add constraint monthly_payments_monthly_agreement_snapshot_id_key
  UNIQUE (monthly_agreement_snapshot_id);

alter table public.monthly_payments add constraint monthly_payments_ads_revenue_yen_check
  CHECK (ads_revenue_yen >= 0);

alter table public.monthly_payments add constraint monthly_payments_agreement_fixed_yen_check
  CHECK (agreement_fixed_yen >= 0);

alter table public.monthly_payments add constraint monthly_payments_agreement_top_up_yen_check
  CHECK (agreement_top_up_yen >= 0);

alter table public.monthly_payments add constraint monthly_payments_check
  CHECK (revenue_yen = (ads_revenue_yen + ssp_revenue_yen + video_ssp_revenue_yen + live_ssp_revenue_yen + fixed_revenue_applied_yen + minimum_top_up_revenue_yen));

alter table public.monthly_payments add constraint monthly_payments_check1
  CHECK (cumulative_revenue_yen = (carried_over_revenue_yen + revenue_yen + manual_adjustment_revenue_yen));

alter table public.monthly_payments add constraint monthly_payments_check10
  CHECK (has_been_finalized = (payment_status <> ALL (ARRAY['accruing'::text, 'computed'::text])));

alter table public.monthly_payments add constraint monthly_payments_check11
  CHECK (has_been_finalized = (finalized_at IS NOT NULL));

alter table public.monthly_payments add constraint monthly_payments_check12
  CHECK (payment_yen > 0 OR (payment_status = ANY (ARRAY['accruing'::text, 'computed'::text, 'carried_over'::text, 'held'::text])));

alter table public.monthly_payments add constraint monthly_payments_check2
  CHECK (carried_over_to_next_yen = (cumulative_revenue_yen - payment_yen));

alter table public.monthly_payments add constraint monthly_payments_check3
  CHECK (payment_including_tax_yen = (payment_yen + payment_tax_yen));

alter table public.monthly_payments add constraint monthly_payments_check4
  CHECK ((outcome = 'scheduled'::text) = (payment_yen > 0));

alter table public.monthly_payments add constraint monthly_payments_check5
  CHECK ((outcome = 'scheduled'::text) = (reason_code IS NULL));

alter table public.monthly_payments add constraint monthly_payments_check6
  CHECK ((outcome = 'scheduled'::text) = (bank_account_id IS NOT NULL));

alter table public.monthly_payments add constraint monthly_payments_check7
  CHECK ((outcome = 'scheduled'::text) = (scheduled_month IS NOT NULL));

alter table public.monthly_payments add constraint monthly_payments_check8
  CHECK ((payment_status = 'paid'::text) = (paid_on IS NOT NULL));

alter table public.monthly_payments add constraint monthly_payments_check9
  CHECK ((paid_on IS NULL) = (paid_at_month IS NULL));

alter table public.monthly_payments add constraint monthly_payments_fee_paid_by_check
  CHECK (fee_paid_by = ANY (ARRAY['product'::text, 'publisher'::text]));

alter table public.monthly_payments add constraint monthly_payments_fixed_revenue_applied_yen_check
  CHECK (fixed_revenue_applied_yen >= 0);

alter table public.monthly_payments add constraint monthly_payments_live_ssp_revenue_yen_check
  CHECK (live_ssp_revenue_yen >= 0);

alter table public.monthly_payments add constraint monthly_payments_minimum_top_up_revenue_yen_check
  CHECK (minimum_top_up_revenue_yen >= 0);

alter table public.monthly_payments add constraint monthly_payments_month_check
  CHECK (month >= 202012 AND month <= 999912 AND (month % 100) >= 1 AND (month % 100) <= 12);

alter table public.monthly_payments add constraint monthly_payments_outcome_check
  CHECK (outcome = ANY (ARRAY['scheduled'::text, 'carried_over'::text, 'held'::text]));

alter table public.monthly_payments add constraint monthly_payments_payment_status_check
  CHECK (payment_status = ANY (ARRAY['accruing'::text, 'computed'::text, 'scheduled'::text, 'carried_over'::text, 'held'::text, 'exported'::text, 'paid'::text, 'returned'::text]));

alter table public.monthly_payments add constraint monthly_payments_payment_yen_check
  CHECK (payment_yen >= 0);

alter table public.monthly_payments add constraint monthly_payments_positive_total
  CHECK (outcome <> 'scheduled'::text OR payment_including_tax_yen > 0);

alter table public.monthly_payments add constraint monthly_payments_reason_code_check
  CHECK (reason_code = ANY (ARRAY['NON_POSITIVE_BALANCE'::text, 'PAYMENT_DISABLED'::text, 'NO_BANK_ACCOUNT'::text, 'BELOW_THRESHOLD'::text, 'NON_POSITIVE_TOTAL'::text]));

alter table public.monthly_payments add constraint monthly_payments_ssp_revenue_yen_check
  CHECK (ssp_revenue_yen >= 0);

alter table public.monthly_payments add constraint monthly_payments_tax_rate_percent_check
  CHECK (tax_rate_percent >= 0 AND tax_rate_percent <= 100);

alter table public.monthly_payments add constraint monthly_payments_video_ssp_revenue_yen_check
  CHECK (video_ssp_revenue_yen >= 0);

alter table public.monthly_pools add constraint monthly_pools_pkey
  PRIMARY KEY (dividend_id);

alter table public.monthly_pools add constraint monthly_pools_check
  CHECK (allocated_yen = pool_yen);

alter table public.monthly_pools add constraint monthly_pools_check1
  CHECK (shared_yen >= 0 AND shared_yen <= pool_yen);

alter table public.monthly_pools add constraint monthly_pools_check2
  CHECK (booked_yen = 0 OR booked_yen = shared_yen);

alter table public.monthly_pools add constraint monthly_pools_check3
  CHECK (retained_yen = (pool_yen - booked_yen));

alter table public.monthly_pools add constraint monthly_pools_pool_yen_check
  CHECK (pool_yen >= 0);

alter table public.monthly_publisher_payments add constraint monthly_publisher_payments_pkey
  PRIMARY KEY (id);

alter table public.monthly_publisher_payments add constraint monthly_publisher_payments_monthly_payment_id_publisher_id_key
  UNIQUE (monthly_payment_id, publisher_id);

alter table public.monthly_publisher_payments add constraint monthly_publisher_payments_ads_revenue_yen_check
  CHECK (ads_revenue_yen >= 0);

alter table public.monthly_publisher_payments add constraint monthly_publisher_payments_check
  CHECK (revenue_yen = (ads_revenue_yen + ssp_revenue_yen + video_ssp_revenue_yen + live_ssp_revenue_yen + fixed_revenue_applied_yen + minimum_top_up_revenue_yen));

alter table public.monthly_publisher_payments add constraint monthly_publisher_payments_check1
  CHECK (cumulative_revenue_yen = (carried_over_revenue_yen + revenue_yen + manual_adjustment_revenue_yen));

alter table public.monthly_publisher_payments add constraint monthly_publisher_payments_check2
  CHECK (carried_over_to_next_yen = (cumulative_revenue_yen - payment_yen));

alter table public.monthly_publisher_payments add constraint monthly_publisher_payments_check3
  CHECK (fixed_revenue_applied_yen = (fixed_of_rule_yen + fixed_of_agreement_yen));

alter table public.monthly_publisher_payments add constraint monthly_publisher_payments_check4
  CHECK (minimum_top_up_revenue_yen = (top_up_of_rule_yen + top_up_of_agreement_yen));

alter table public.monthly_publisher_payments add constraint monthly_publisher_payments_check5
  CHECK (payment_yen = 0 OR payment_yen = cumulative_revenue_yen);

alter table public.monthly_publisher_payments add constraint monthly_publisher_payments_fixed_of_agreement_yen_check
  CHECK (fixed_of_agreement_yen >= 0);

alter table public.monthly_publisher_payments add constraint monthly_publisher_payments_fixed_of_rule_yen_check
  CHECK (fixed_of_rule_yen >= 0);

alter table public.monthly_publisher_payments add constraint monthly_publisher_payments_fixed_revenue_applied_yen_check
  CHECK (fixed_revenue_applied_yen >= 0);

alter table public.monthly_publisher_payments add constraint monthly_publisher_payments_live_ssp_revenue_yen_check
  CHECK (live_ssp_revenue_yen >= 0);

alter table public.monthly_publisher_payments add constraint monthly_publisher_payments_minimum_top_up_revenue_yen_check
  CHECK (minimum_top_up_revenue_yen >= 0);

alter table public.monthly_publisher_payments add constraint monthly_publisher_payments_ssp_revenue_yen_check
  CHECK (ssp_revenue_yen >= 0);

alter table public.monthly_publisher_payments add constraint monthly_publisher_payments_top_up_of_agreement_yen_check
  CHECK (top_up_of_agreement_yen >= 0);

alter table public.monthly_publisher_payments add constraint monthly_publisher_payments_top_up_of_rule_yen_check
  CHECK (top_up_of_rule_yen >= 0);

alter table public.monthly_publisher_payments add constraint monthly_publisher_payments_video_ssp_revenue_yen_check
  CHECK (video_ssp_revenue_yen >= 0);

alter table public.monthly_rule_snapshots add constraint monthly_rule_snapshots_pkey
  PRIMARY KEY (monthly_publisher_payment_id);

alter table public.monthly_snapshot_inputs add constraint monthly_snapshot_inputs_pkey
  PRIMARY KEY (snapshot_id);

alter table public.monthly_tax_lines add constraint monthly_tax_lines_pkey
  PRIMARY KEY (monthly_payment_id, rate_percent);

alter table public.monthly_tax_lines add constraint monthly_tax_lines_amount_yen_check
  CHECK (amount_yen <> 0);

alter table public.monthly_tax_lines add constraint monthly_tax_lines_check
  CHECK (tax_yen = (amount_yen * rate_percent / 100));

alter table public.opening_balances add constraint opening_balances_pkey
  PRIMARY KEY (id);

alter table public.opening_balances add constraint opening_balances_agreement_id_publisher_id_origin_month_key
  UNIQUE (agreement_id, publisher_id, origin_month);

alter table public.opening_balances add constraint opening_balances_amount_yen_check
  CHECK (amount_yen <> 0);

alter table public.opening_balances add constraint opening_balances_booked_month_check
  CHECK (booked_month >= 202012 AND booked_month <= 999912 AND (booked_month % 100) >= 1 AND (booked_month % 100) <= 12);

alter table public.opening_balances add constraint opening_balances_check
  CHECK (origin_month < booked_month);

alter table public.opening_balances add constraint opening_balances_origin_month_check
  CHECK (origin_month >= 198904 AND origin_month <= 999912 AND (origin_month % 100) >= 1 AND (origin_month % 100) <= 12);

alter table public.organizations add constraint organizations_pkey
  PRIMARY KEY (id);

alter table public.organizations add constraint organizations_address
  CHECK (postal_code = ''::text OR address <> ''::text);

alter table public.organizations add constraint organizations_address_check
  CHECK (char_length(address) <= 200);

alter table public.organizations add constraint organizations_name_check
  CHECK (name <> ''::text);

alter table public.organizations add constraint organizations_postal_code_check
  CHECK (postal_code ~ '^(\d{3}-\d{4})?$'::text);

alter table public.page_views add constraint page_views_pkey
  PRIMARY KEY (id);

alter table public.page_views add constraint page_views_title_check
  CHECK (length(title) <= 100);

alter table public.payment_setting_revisions add constraint payment_setting_revisions_pkey
  PRIMARY KEY (section);

alter table public.payment_setting_revisions add constraint payment_setting_revisions_section_check
  CHECK (section = ANY (ARRAY['payout'::text, 'consumption_tax'::text, 'input_tax_deduction'::text, 'transfer_fee'::text, 'transfer_source'::text, 'withholding'::text, 'journal_account'::text, 'settlement_rule'::text]));

alter table public.payment_settings add constraint payment_settings_pkey
  PRIMARY KEY (valid_from_month);

alter table public.payment_settings add constraint payment_settings_business_day_shift_check
  CHECK (business_day_shift = ANY (ARRAY['previous'::text, 'next'::text]));

alter table public.payment_settings add constraint payment_settings_input_tax_timing_check
  CHECK (input_tax_timing = ANY (ARRAY['accrual'::text, 'finalising'::text]));

alter table public.payment_settings add constraint payment_settings_payout_threshold_yen_check
  CHECK (payout_threshold_yen >= 0);

alter table public.payment_settings add constraint payment_settings_return_fee_yen_check
  CHECK (return_fee_yen >= 0 AND return_fee_yen <= 100000);

alter table public.payment_settings add constraint payment_settings_tax_period_start_month_check
  CHECK (tax_period_start_month >= 1 AND tax_period_start_month <= 12);

alter table public.payment_settings add constraint payment_settings_valid_from_month_check
  CHECK (valid_from_month >= 190001 AND valid_from_month <= 999912 AND (valid_from_month % 100) >= 1 AND (valid_from_month % 100) <= 12);

alter table public.payment_settings add constraint payment_settings_weights
  CHECK (ARRAY[ssp_weight, video_ssp_weight, live_ssp_weight] <@ ARRAY['article_impression'::text, 'article_click'::text, 'article_watch'::text, 'video_impression'::text, 'video_click'::text, 'video_watch'::text, 'video_watch3s'::text, 'live_impression'::text, 'live_click'::text, 'live_watch'::text]);

alter table public.policies add constraint policies_pkey
  PRIMARY KEY (id);

alter table public.policies add constraint policies_role_name_resource_name_condition_key_condition_va_key
  UNIQUE NULLS NOT DISTINCT (role_name, resource_name, condition_key, condition_value);

alter table public.practice_entries add constraint practice_entries_pkey
  PRIMARY KEY (number);

alter table public.practice_payments add constraint practice_payments_pkey
  PRIMARY KEY (agreement_id);

alter table public.practice_publisher_payments add constraint practice_publisher_payments_pkey
  PRIMARY KEY (agreement_id, publisher_id);

alter table public.practice_system add constraint practice_system_pkey
  PRIMARY KEY (is_only);

alter table public.practice_system add constraint practice_system_is_only_check
  CHECK (is_only);

alter table public.practice_system add constraint practice_system_month_check
  CHECK (month >= 202012 AND month <= 999912 AND (month % 100) >= 1 AND (month % 100) <= 12);

alter table public.preferences add constraint preferences_pkey
  PRIMARY KEY (uid, key);

alter table public.preferences add constraint preferences_key_check
  CHECK (key ~ '^[a-z0-9]+(?:[-/][a-z0-9]+){0,9}$'::text AND char_length(key) <= 80);

alter table public.preferences add constraint preferences_value_check
  CHECK (octet_length(value::text) <= 8192);

alter table public.publisher_api_key_paces add constraint publisher_api_key_paces_pkey
  PRIMARY KEY (key_id);

alter table public.publisher_api_keys add constraint publisher_api_keys_pkey
  PRIMARY KEY (id);

alter table public.publisher_api_keys add constraint publisher_api_keys_secret_sha256_key
  UNIQUE (secret_sha256);

alter table public.publisher_api_keys add constraint publisher_api_keys_allowed_addresses_check
  CHECK (cardinality(allowed_addresses) <= 20);

alter table public.publisher_api_keys add constraint publisher_api_keys_check
  CHECK (expires_at > created_at AND expires_at <= (created_at + '8760:00:00'::interval));

alter table public.publisher_api_keys add constraint publisher_api_keys_name_check
  CHECK (name <> ''::text AND char_length(name) <= 60);

alter table public.publisher_api_keys add constraint publisher_api_keys_scopes_check
  CHECK (cardinality(scopes) > 0 AND scopes <@ ARRAY['reports'::text, 'payments'::text]);

alter table public.publisher_api_keys add constraint publisher_api_keys_secret_end_check
  CHECK (char_length(secret_end) = 4);

alter table public.publisher_api_keys add constraint publisher_api_keys_secret_sha256_check
  CHECK (length(secret_sha256) = 32);

alter table public.publisher_revenue_estimates add constraint publisher_revenue_estimates_pkey
  PRIMARY KEY (medium_id, month, publisher_id);

alter table public.publishers add constraint publishers_pkey
  PRIMARY KEY (id);

alter table public.publishers add constraint publishers_name_check
  CHECK (name <> ''::text);

alter table public.question_messages add constraint question_messages_pkey
  PRIMARY KEY (id);

alter table public.question_messages add constraint question_messages_check
  CHECK (is_by_staff OR NOT is_internal);

alter table public.question_messages add constraint question_messages_text_check
  CHECK (btrim(text) <> ''::text AND char_length(text) <= 20000);

alter table public.question_reads add constraint question_reads_pkey
  PRIMARY KEY (question_id, uid);

alter table public.questions add constraint questions_pkey
  PRIMARY KEY (id);

alter table public.questions add constraint questions_asker_scope_check
  CHECK (asker_scope = ANY (ARRAY['organization'::text, 'agreements'::text]));

alter table public.questions add constraint questions_check
  CHECK ((kind = 'payment'::text) = (monthly_payment_id IS NOT NULL));

alter table public.questions add constraint questions_check1
  CHECK ((kind = 'publisher_payment'::text) = (monthly_publisher_payment_id IS NOT NULL));

alter table public.questions add constraint questions_check2
  CHECK ((kind = 'statement'::text) = (statement_id IS NOT NULL));

alter table public.questions add constraint questions_check3
  CHECK ((kind = 'report'::text) = (from_day IS NOT NULL) AND (kind = 'report'::text) = (to_day IS NOT NULL) AND (kind = 'report'::text) = (figure IS NOT NULL) AND to_day >= from_day);

alter table public.questions add constraint questions_check4
  CHECK (kind = 'report'::text OR agreement_id IS NOT NULL);

alter table public.questions add constraint questions_kind_check
  CHECK (kind = ANY (ARRAY['payment'::text, 'publisher_payment'::text, 'report'::text, 'statement'::text]));

alter table public.questions add constraint questions_state_check
  CHECK (state = ANY (ARRAY['open'::text, 'answered'::text, 'resolved'::text]));

alter table public.questions add constraint questions_subject_check
  CHECK (btrim(subject) <> ''::text);

alter table public.questions add constraint questions_unit_check
  CHECK (unit = ANY (ARRAY['yen'::text, 'count'::text]));

alter table public.report_mail_deliveries add constraint report_mail_deliveries_pkey
  PRIMARY KEY (id);

alter table public.report_mail_deliveries add constraint report_mail_deliveries_check
  CHECK (period_to >= period_from);

alter table public.report_mail_deliveries add constraint report_mail_deliveries_state_check
  CHECK (state = ANY (ARRAY['waiting'::text, 'queued'::text, 'sent'::text, 'not_sent'::text]));

alter table public.report_mails add constraint report_mails_pkey
  PRIMARY KEY (id);

alter table public.report_mails add constraint report_mails_cadence_check
  CHECK (cadence = ANY (ARRAY['daily'::text, 'weekly'::text, 'monthly'::text]));

alter table public.report_mails add constraint report_mails_compare_with_check
  CHECK (compare_with = ANY (ARRAY['previous_period'::text, 'same_weekdays'::text, 'same_month_last_year'::text]));

alter table public.report_mails add constraint report_mails_condition_check
  CHECK (char_length(condition) <= 6000);

alter table public.report_mails add constraint report_mails_hour_check
  CHECK (hour >= 0 AND hour <= 23);

alter table public.report_mails add constraint report_mails_month_day_check
  CHECK (month_day = ANY (ARRAY['first'::text, 'first_business_day'::text]));

alter table public.report_mails add constraint report_mails_name_check
  CHECK (name = btrim(name) AND char_length(name) >= 1 AND char_length(name) <= 60);

alter table public.report_mails add constraint report_mails_ranking_check
  CHECK (ranking = ANY (ARRAY['none'::text, 'articles'::text, 'publishers'::text]));

alter table public.retention_runs add constraint retention_runs_pkey
  PRIMARY KEY (id);

alter table public.retention_runs add constraint retention_runs_deleted_check
  CHECK (deleted >= 0);

alter table public.retention_runs add constraint retention_runs_held_check
  CHECK (held >= 0);

alter table public.revenue_estimates add constraint revenue_estimates_pkey
  PRIMARY KEY (medium_id, month);

alter table public.revenue_estimates add constraint revenue_estimates_month_check
  CHECK (month >= 202012 AND month <= 999912 AND (month % 100) >= 1 AND (month % 100) <= 12);

alter table public.revenue_estimates add constraint revenue_estimates_occasion_check
  CHECK (occasion = ANY (ARRAY['complete'::text, 'finalize'::text]));

alter table public.roles add constraint roles_pkey
  PRIMARY KEY (name);

alter table public.roles add constraint roles_side_check
  CHECK (side = ANY (ARRAY['staff'::text, 'publisher'::text, 'other service'::text]));

alter table public.saved_views add constraint saved_views_pkey
  PRIMARY KEY (id);

alter table public.saved_views add constraint saved_views_columns_check
  CHECK (cardinality(columns) <= 100);

alter table public.saved_views add constraint saved_views_condition_check
  CHECK (char_length(condition) <= 4000);

alter table public.saved_views add constraint saved_views_name_check
  CHECK (name = btrim(name) AND char_length(name) >= 1 AND char_length(name) <= 60);

alter table public.saved_views add constraint saved_views_screen_check
  CHECK (screen ~ '^[a-z0-9]+(?:-[a-z0-9]+){0,9}$'::text AND char_length(screen) <= 60);

alter table public.second_factor_rule add constraint second_factor_rule_pkey
  PRIMARY KEY (is_only);

alter table public.second_factor_rule add constraint second_factor_rule_grace_days_check
  CHECK (grace_days >= 0 AND grace_days <= 90);

alter table public.second_factor_rule add constraint second_factor_rule_is_only_check
  CHECK (is_only);

alter table public.sent_mails add constraint sent_mails_pkey
  PRIMARY KEY (id);

alter table public.settlement_rules add constraint settlement_rules_pkey
  PRIMARY KEY (version);

alter table public.settlement_rules add constraint settlement_rules_valid_from_month_check
  CHECK (valid_from_month >= 202012 AND valid_from_month <= 999912 AND (valid_from_month % 100) >= 1 AND (valid_from_month % 100) <= 12);

alter table public.settlement_rules add constraint settlement_rules_version_check
  CHECK (version = 'returns_per_rate'::text);

alter table public.statement_event_notices add constraint statement_event_notices_pkey
  PRIMARY KEY (statement_event_id);

alter table public.statement_events add constraint statement_events_pkey
  PRIMARY KEY (id);

alter table public.statement_events add constraint statement_events_check
  CHECK ((event = 'deem'::text) = (actor_uid IS NULL));

alter table public.statement_events add constraint statement_events_check1
  CHECK ((event = 'deem'::text) = (source_address IS NULL));

alter table public.statement_events add constraint statement_events_check2
  CHECK ((event = 'resolve'::text) = (resolution IS NOT NULL));

alter table public.statement_events add constraint statement_events_check3
  CHECK ((NOT resolution IS DISTINCT FROM 'adjusted_later'::text) = (adjustment_month IS NOT NULL));

alter table public.statement_events add constraint statement_events_check4
  CHECK ((event = ANY (ARRAY['object'::text, 'withdraw'::text, 'confirm'::text, 'deem'::text])) OR text IS NOT NULL);

alter table public.statement_events add constraint statement_events_event_check
  CHECK (event = ANY (ARRAY['confirm'::text, 'deem'::text, 'object'::text, 'withdraw'::text, 'resolve'::text, 'replace'::text, 'send'::text]));

alter table public.statement_events add constraint statement_events_resolution_check
  CHECK (resolution = ANY (ARRAY['upheld'::text, 'adjusted_later'::text]));

alter table public.statement_events add constraint statement_events_text_check
  CHECK (btrim(text) <> ''::text);

alter table public.statement_notices add constraint statement_notices_pkey
  PRIMARY KEY (statement_id);

alter table public.statement_settings add constraint statement_settings_pkey
  PRIMARY KEY (valid_from_month);

alter table public.statement_settings add constraint statement_settings_deemed_confirmation_days_check
  CHECK (deemed_confirmation_days >= 1 AND deemed_confirmation_days <= 90);

alter table public.statement_settings add constraint statement_settings_payer_name_check
  CHECK (btrim(payer_name) <> ''::text);

alter table public.statement_settings add constraint statement_settings_payer_registration_number_check
  CHECK (payer_registration_number ~ '^T[1-9][0-9]{12}$'::text);

alter table public.statement_settings add constraint statement_settings_valid_from_month_check
  CHECK (valid_from_month >= 202012 AND valid_from_month <= 999912 AND (valid_from_month % 100) >= 1 AND (valid_from_month % 100) <= 12);

alter table public.statements add constraint statements_pkey
  PRIMARY KEY (id);

alter table public.statements add constraint statements_number_revision_key
  UNIQUE (number, revision);

alter table public.statements add constraint statements_check
  CHECK (deemed_on > issued_on);

alter table public.statements add constraint statements_check3
  CHECK ((revision > 0) = (revision_reason IS NOT NULL));

alter table public.statements add constraint statements_confirmation_method_check
  CHECK (confirmation_method = ANY (ARRAY['explicit'::text, 'deemed'::text]));

alter table public.statements add constraint statements_hash_check
  CHECK (hash ~ '^[0-9a-f]{64}$'::text);

alter table public.statements add constraint statements_payee_name_check
  CHECK (btrim(payee_name) <> ''::text);

alter table public.statements add constraint statements_revision_check
  CHECK (revision >= 0);

alter table public.statements add constraint statements_revision_reason_check
  CHECK (btrim(revision_reason) <> ''::text);

alter table public.statements add constraint statements_state_check
  CHECK (state = ANY (ARRAY['issued'::text, 'confirmed'::text, 'objected'::text, 'resolved'::text, 'replaced'::text]));

alter table public.statements add constraint statements_template_version_check
  CHECK (template_version > 0);

alter table public.statements add constraint statements_total_without_tax_yen_check
  CHECK (total_without_tax_yen > 0);

alter table public.statements add constraint statements_total_yen_check
  CHECK (total_yen > 0);

alter table public.statements add constraint statements_transfer_amount
  CHECK (transfer_amount_yen >= 0 AND transfer_amount_yen <= total_yen);

alter table public.stats_ledger add constraint stats_ledger_pkey
  PRIMARY KEY (only_row);

alter table public.stats_ledger add constraint stats_ledger_only_row_check
  CHECK (only_row);

alter table public.stats_versions add constraint stats_versions_pkey
  PRIMARY KEY (table_name, month, version_no);

alter table public.stats_versions add constraint stats_versions_check
  CHECK ((ended_at IS NULL) = (state = ANY (ARRAY['writing'::text, 'published'::text])));

alter table public.stats_versions add constraint stats_versions_state_check
  CHECK (state = ANY (ARRAY['writing'::text, 'published'::text, 'replaced'::text, 'abandoned'::text]));

alter table public.transfer_batches add constraint transfer_batches_pkey
  PRIMARY KEY (id);

alter table public.transfer_batches add constraint transfer_batches_check
  CHECK ((kind = 'bank_file'::text) = (num_nulls(client_code, client_name, bank_code, bank_name, branch_code, branch_name, account_type, account_number) = 0));

alter table public.transfer_batches add constraint transfer_batches_check1
  CHECK ((exported_at IS NULL) = (file_sha256 IS NULL));

alter table public.transfer_batches add constraint transfer_batches_kind_check
  CHECK (kind = ANY (ARRAY['bank_file'::text, 'by_hand'::text]));

alter table public.transfer_batches add constraint transfer_batches_transfer_limit_yen_check
  CHECK (transfer_limit_yen >= 1000000 AND transfer_limit_yen <= '9999999999'::bigint);

alter table public.transfer_fees add constraint transfer_fees_pkey
  PRIMARY KEY (source_bank_code, destination, valid_from, from_amount_yen);

alter table public.transfer_fees add constraint transfer_fees_destination_check
  CHECK (destination = ANY (ARRAY['same_branch'::text, 'same_bank'::text, 'other_bank'::text]));

alter table public.transfer_fees add constraint transfer_fees_fee_yen_check
  CHECK (fee_yen >= 0);

alter table public.transfer_fees add constraint transfer_fees_from_amount_yen_check
  CHECK (from_amount_yen >= 0);

alter table public.transfer_fees add constraint transfer_fees_source_bank_code_check
  CHECK (source_bank_code ~ '^\d{4}$'::text);

alter table public.transfer_payments add constraint transfer_payments_pkey
  PRIMARY KEY (transfer_id, monthly_payment_id);

alter table public.transfer_payments add constraint transfer_payments_check
  CHECK (transfer_amount_yen = (payment_including_tax_yen - withholding_yen - fee_borne_by_payee_yen));

alter table public.transfer_payments add constraint transfer_payments_fee_borne_by_payee_yen_check
  CHECK (fee_borne_by_payee_yen >= 0);

alter table public.transfer_payments add constraint transfer_payments_payment_yen_check
  CHECK (payment_yen > 0);

alter table public.transfer_payments add constraint transfer_payments_withholding_yen_check
  CHECK (withholding_yen >= 0);

alter table public.transfer_recalls add constraint transfer_recalls_pkey
  PRIMARY KEY (id);

alter table public.transfer_recalls add constraint transfer_recalls_bank_note
  CHECK (bank_reference IS NULL OR purpose = 'return'::text);

alter table public.transfer_recalls add constraint transfer_recalls_bank_reference_check
  CHECK (length(btrim(bank_reference)) >= 1 AND length(btrim(bank_reference)) <= 100);

alter table public.transfer_recalls add constraint transfer_recalls_check
  CHECK ((state = 'requested'::text) = (num_nulls(decided_at, decided_by_uid) = 2) AND num_nulls(decided_at, decided_by_uid) <> 1);

alter table public.transfer_recalls add constraint transfer_recalls_check1
  CHECK (state <> 'confirmed'::text OR decided_by_uid <> requested_by_uid);

alter table public.transfer_recalls add constraint transfer_recalls_check2
  CHECK (num_nulls(bank_reference, bank_noted_at, bank_noted_by_uid) = ANY (ARRAY[0, 3]));

alter table public.transfer_recalls add constraint transfer_recalls_check3
  CHECK (bank_reference IS NULL OR state = 'confirmed'::text);

alter table public.transfer_recalls add constraint transfer_recalls_paid_on
  CHECK ((purpose = 'pay'::text) = (paid_on IS NOT NULL));

alter table public.transfer_recalls add constraint transfer_recalls_purpose_check
  CHECK (purpose = ANY (ARRAY['return'::text, 'pay'::text]));

alter table public.transfer_recalls add constraint transfer_recalls_reason_check
  CHECK (length(btrim(reason)) >= 1 AND length(btrim(reason)) <= 200);

alter table public.transfer_recalls add constraint transfer_recalls_state_check
  CHECK (state = ANY (ARRAY['requested'::text, 'confirmed'::text, 'rejected'::text]));

alter table public.transfer_records add constraint transfer_records_pkey
  PRIMARY KEY (transfer_id, number);

alter table public.transfer_records add constraint transfer_records_amount_yen_check
  CHECK (amount_yen >= 1 AND amount_yen <= '9999999999'::bigint);

alter table public.transfer_records add constraint transfer_records_check
  CHECK (replaces < number);

alter table public.transfer_records add constraint transfer_records_check1
  CHECK (state <> 'paid'::text OR paid_on IS NOT NULL);

alter table public.transfer_records add constraint transfer_records_check2
  CHECK ((state = 'returned'::text) = (returned_on IS NOT NULL));

alter table public.transfer_records add constraint transfer_records_check3
  CHECK ((state = ANY (ARRAY['paid'::text, 'returned'::text])) OR paid_on IS NULL);

alter table public.transfer_records add constraint transfer_records_check4
  CHECK (returned_on >= paid_on);

alter table public.transfer_records add constraint transfer_records_fee_yen_check
  CHECK (fee_yen >= 0);

alter table public.transfer_records add constraint transfer_records_number_check
  CHECK (number >= 1 AND number <= 99999);

alter table public.transfer_records add constraint transfer_records_settled_by_check
  CHECK (settled_by = ANY (ARRAY['file'::text, 'hand'::text]));

alter table public.transfer_records add constraint transfer_records_state_check
  CHECK (state = ANY (ARRAY['planned'::text, 'exported'::text, 'paid'::text, 'returned'::text, 'cancelled'::text]));

alter table public.transfer_result_imports add constraint transfer_result_imports_pkey
  PRIMARY KEY (id);

alter table public.transfer_return_fees add constraint transfer_return_fees_pkey
  PRIMARY KEY (transfer_id, record_number, return_number);

alter table public.transfer_return_fees add constraint transfer_return_fees_fee_yen_check
  CHECK (fee_yen >= 0 AND fee_yen <= 100000);

alter table public.transfer_return_fees add constraint transfer_return_fees_record_number_check
  CHECK (record_number >= 0);

alter table public.transfer_return_fees add constraint transfer_return_fees_return_number_check
  CHECK (return_number >= 1);

alter table public.transfer_sources add constraint transfer_sources_pkey
  PRIMARY KEY (valid_from_month);

alter table public.transfer_sources add constraint transfer_sources_account_number_check
  CHECK (account_number ~ '^[0-9]{7}$'::text);

alter table public.transfer_sources add constraint transfer_sources_account_type_check
  CHECK (account_type = ANY (ARRAY['ordinary'::text, 'current'::text, 'other'::text]));

alter table public.transfer_sources add constraint transfer_sources_bank_code_check
  CHECK (bank_code ~ '^[0-9]{4}$'::text);

alter table public.transfer_sources add constraint transfer_sources_branch_code_check
  CHECK (branch_code ~ '^[0-9]{3}$'::text);

alter table public.transfer_sources add constraint transfer_sources_client_code_check
  CHECK (client_code ~ '^[0-9]{1,10}$'::text);

alter table public.transfer_sources add constraint transfer_sources_client_name_check
  CHECK (client_name <> ''::text AND char_length(client_name) <= 40);

alter table public.transfer_sources add constraint transfer_sources_result
  CHECK ((num_nulls(result_mark_offset, result_mark_length, result_paid_marks, result_returned_marks) = ANY (ARRAY[0, 4])) AND (result_mark_offset IS NULL OR (result_mark_offset + result_mark_length) <= 7));

alter table public.transfer_sources add constraint transfer_sources_result_mark_length_check
  CHECK (result_mark_length >= 1 AND result_mark_length <= 7);

alter table public.transfer_sources add constraint transfer_sources_result_mark_offset_check
  CHECK (result_mark_offset >= 0 AND result_mark_offset <= 6);

alter table public.transfer_sources add constraint transfer_sources_transfer_limit_yen_check
  CHECK (transfer_limit_yen >= 1000000 AND transfer_limit_yen <= '9999999999'::bigint);

alter table public.transfer_sources add constraint transfer_sources_valid_from_month_check
  CHECK (valid_from_month >= 190001 AND valid_from_month <= 999912 AND (valid_from_month % 100) >= 1 AND (valid_from_month % 100) <= 12);

alter table public.transfers add constraint transfers_pkey
  PRIMARY KEY (id);

alter table public.transfers add constraint transfers_account_type_check
  CHECK (account_type = ANY (ARRAY['ordinary'::text, 'current'::text, 'savings'::text]));

alter table public.transfers add constraint transfers_check2
  CHECK (transfer_amount_yen = (payment_including_tax_yen - withholding_yen - fee_borne_by_payee_yen));

alter table public.transfers add constraint transfers_check3
  CHECK (fee_paid_by = 'publisher'::text OR fee_borne_by_payee_yen = 0);

alter table public.transfers add constraint transfers_check4
  CHECK (state <> 'paid'::text OR paid_on IS NOT NULL);

alter table public.transfers add constraint transfers_check5
  CHECK ((state = 'returned'::text) = (returned_on IS NOT NULL));

alter table public.transfers add constraint transfers_fee_of_payee
  CHECK (fee_borne_by_payee_yen = 0 OR fee_borne_by_payee_yen = fee_yen OR record_count > 1 AND fee_borne_by_payee_yen >= 0 AND fee_borne_by_payee_yen <= fee_yen);

alter table public.transfers add constraint transfers_fee_paid_by_check
  CHECK (fee_paid_by = ANY (ARRAY['product'::text, 'publisher'::text]));

alter table public.transfers add constraint transfers_fee_yen_check
  CHECK (fee_yen >= 0);

alter table public.transfers add constraint transfers_non_resident_rate
  CHECK ((payee_residence = 'resident'::text) = (non_resident_rate IS NULL));

alter table public.transfers add constraint transfers_non_resident_rate_check
  CHECK (non_resident_rate >= 0 AND non_resident_rate <= 10000);

alter table public.transfers add constraint transfers_paid_on
  CHECK (paid_on IS NULL OR (state = ANY (ARRAY['paid'::text, 'returned'::text])) OR record_count > 1 AND state = 'exported'::text);

alter table public.transfers add constraint transfers_payee_kind_check
  CHECK (payee_kind = ANY (ARRAY['company'::text, 'individual'::text]));

alter table public.transfers add constraint transfers_payee_residence_check
  CHECK (payee_residence = ANY (ARRAY['resident'::text, 'non_resident'::text]));

alter table public.transfers add constraint transfers_payment_including_tax_yen_check
  CHECK (payment_including_tax_yen > 0);

alter table public.transfers add constraint transfers_payment_yen_check
  CHECK (payment_yen > 0);

alter table public.transfers add constraint transfers_record_count_check
  CHECK (record_count >= 1 AND record_count <= 999);

alter table public.transfers add constraint transfers_settled_by_check
  CHECK (settled_by = ANY (ARRAY['file'::text, 'hand'::text]));

alter table public.transfers add constraint transfers_state_check
  CHECK (state = ANY (ARRAY['planned'::text, 'exported'::text, 'paid'::text, 'returned'::text, 'cancelled'::text]));

alter table public.transfers add constraint transfers_transfer_amount_yen_check
  CHECK (transfer_amount_yen > 0);

alter table public.transfers add constraint transfers_treaty_form
  CHECK (payee_residence = 'non_resident'::text OR NOT has_treaty_form);

alter table public.transfers add constraint transfers_withholding_yen_check
  CHECK (withholding_yen >= 0);

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

alter table public.view_as_sessions add constraint view_as_sessions_pkey
  PRIMARY KEY (id);

alter table public.view_as_sessions add constraint view_as_sessions_reason_check
  CHECK (reason <> ''::text);

alter table public.webhook_deliveries add constraint webhook_deliveries_pkey
  PRIMARY KEY (id);

alter table public.webhook_deliveries add constraint webhook_deliveries_webhook_id_event_id_key
  UNIQUE (webhook_id, event_id);

alter table public.webhook_deliveries add constraint webhook_deliveries_state_check
  CHECK (state = ANY (ARRAY['waiting'::text, 'queued'::text, 'delivered'::text, 'failed'::text, 'dropped'::text]));

alter table public.webhook_events add constraint webhook_events_pkey
  PRIMARY KEY (id);

alter table public.webhook_events add constraint webhook_events_key_key
  UNIQUE (key);

alter table public.webhooks add constraint webhooks_pkey
  PRIMARY KEY (id);

alter table public.webhooks add constraint webhooks_check
  CHECK (is_paused OR NOT is_given_up);

alter table public.webhooks add constraint webhooks_events_check
  CHECK (cardinality(events) >= 1 AND cardinality(events) <= 10);

alter table public.webhooks add constraint webhooks_format_check
  CHECK (format ~ '^[a-z][a-z0-9_]{0,29}$'::text);

alter table public.webhooks add constraint webhooks_has_secret
  CHECK (secret IS NOT NULL OR sealed_secret IS NOT NULL);

alter table public.webhooks add constraint webhooks_sealed_secret_check
  CHECK (char_length(sealed_secret) >= 32 AND char_length(sealed_secret) <= 400);

alter table public.webhooks add constraint webhooks_secret_check
  CHECK (char_length(secret) >= 32 AND char_length(secret) <= 100);

alter table public.webhooks add constraint webhooks_url_check
  CHECK (url ~ '^https?://'::text AND char_length(url) <= 500);

alter table public.what_if_drafts add constraint what_if_drafts_pkey
  PRIMARY KEY (id);

alter table public.what_if_drafts add constraint what_if_drafts_month_check
  CHECK (month >= 202012 AND month <= 999912 AND (month % 100) >= 1 AND (month % 100) <= 12);

alter table public.what_if_drafts add constraint what_if_drafts_name_check
  CHECK (name <> ''::text AND char_length(name) <= 100);

alter table public.withholding_rates add constraint withholding_rates_pkey
  PRIMARY KEY (valid_from);

alter table public.withholding_rates add constraint withholding_rates_rate_above_threshold_check
  CHECK (rate_above_threshold >= 0 AND rate_above_threshold <= 10000);

alter table public.withholding_rates add constraint withholding_rates_rate_non_resident_check
  CHECK (rate_non_resident >= 0 AND rate_non_resident <= 10000);

alter table public.withholding_rates add constraint withholding_rates_rate_up_to_threshold_check
  CHECK (rate_up_to_threshold >= 0 AND rate_up_to_threshold <= 10000);

alter table public.withholding_rates add constraint withholding_rates_threshold_yen_check
  CHECK (threshold_yen >= 0);

alter table app.agreement_pieces add constraint agreement_pieces_id_fkey
  FOREIGN KEY (id) REFERENCES public.agreements(id) ON DELETE CASCADE;

alter table app.feed_pieces add constraint feed_pieces_id_fkey
  FOREIGN KEY (id) REFERENCES public.feeds(id) ON DELETE CASCADE;

alter table app.medium_article_pieces add constraint medium_article_pieces_article_id_fkey
  FOREIGN KEY (article_id) REFERENCES public.medium_articles(article_id) ON DELETE CASCADE;

alter table app.publisher_pieces add constraint publisher_pieces_publisher_id_fkey
  FOREIGN KEY (id) REFERENCES public.publishers(id) ON DELETE CASCADE;

alter table public.account_changes add constraint account_changes_uid_fkey
  FOREIGN KEY (uid) REFERENCES public.users(uid) ON DELETE CASCADE;

alter table public.account_undos add constraint account_undos_change_id_fkey
  FOREIGN KEY (change_id) REFERENCES public.account_changes(id) ON DELETE CASCADE;

alter table public.agreement_bank_accounts add constraint agreement_bank_accounts_agreement_id_fkey
  FOREIGN KEY (agreement_id) REFERENCES public.agreements(id) ON DELETE CASCADE;

alter table public.agreement_bank_accounts add constraint agreement_bank_accounts_bank_account_id_fkey
  FOREIGN KEY (bank_account_id) REFERENCES public.bank_accounts(id);

alter table public.agreement_documents add constraint agreement_documents_agreement_id_fkey
  FOREIGN KEY (agreement_id) REFERENCES public.agreements(id);

alter table public.agreement_law_notices add constraint agreement_law_notices_agreement_id_fkey
  FOREIGN KEY (agreement_id) REFERENCES public.agreements(id) ON DELETE CASCADE;

alter table public.agreement_publisher_rule_versions add constraint agreement_publisher_rule_versions_rule_id_fkey
  FOREIGN KEY (rule_id) REFERENCES public.agreement_publisher_rules(id) ON DELETE CASCADE;

alter table public.agreement_publisher_rules add constraint agreement_publisher_rules_agreement_id_fkey
  FOREIGN KEY (agreement_id) REFERENCES public.agreements(id);

alter table public.agreement_publisher_rules add constraint agreement_publisher_rules_medium_id_fkey
  FOREIGN KEY (medium_id) REFERENCES public.media(id);

alter table public.agreement_publisher_rules add constraint agreement_publisher_rules_publisher_id_fkey
  FOREIGN KEY (publisher_id) REFERENCES public.publishers(id);

alter table public.agreement_renewal_notices add constraint agreement_renewal_notices_agreement_id_fkey
  FOREIGN KEY (agreement_id) REFERENCES public.agreements(id) ON DELETE CASCADE;

alter table public.agreement_terms_versions add constraint agreement_terms_versions_agreement_id_fkey
  FOREIGN KEY (agreement_id) REFERENCES public.agreements(id) ON DELETE CASCADE;

alter table public.agreements add constraint agreements_medium_id_fkey
  FOREIGN KEY (medium_id) REFERENCES public.media(id);

alter table public.agreements add constraint agreements_organization_id_fkey
  FOREIGN KEY (organization_id) REFERENCES public.organizations(id);

alter table public.annotations add constraint annotations_owner_uid_fkey
  FOREIGN KEY (owner_uid) REFERENCES public.users(uid) ON DELETE CASCADE;

alter table public.annotations add constraint annotations_publisher_id_fkey
  FOREIGN KEY (publisher_id) REFERENCES public.publishers(id);

alter table public.announcement_reads add constraint announcement_reads_announcement_id_fkey
  FOREIGN KEY (announcement_id) REFERENCES public.announcements(id) ON DELETE CASCADE;

alter table public.announcement_reads add constraint announcement_reads_uid_fkey
  FOREIGN KEY (uid) REFERENCES public.users(uid) ON DELETE CASCADE;

alter table public.announcement_targets add constraint announcement_targets_announcement_id_fkey
  FOREIGN KEY (announcement_id) REFERENCES public.announcements(id) ON DELETE CASCADE;

alter table public.announcement_targets add constraint announcement_targets_medium_id_fkey
  FOREIGN KEY (medium_id) REFERENCES public.media(id);

alter table public.announcement_targets add constraint announcement_targets_organization_id_fkey
  FOREIGN KEY (organization_id) REFERENCES public.organizations(id);

alter table public.announcement_targets add constraint announcement_targets_role_name_fkey
  FOREIGN KEY (role_name) REFERENCES public.roles(name);

alter table public.article_labels add constraint article_labels_publisher_id_fkey
  FOREIGN KEY (publisher_id) REFERENCES public.publishers(id);

alter table public.bank_account_switches add constraint bank_account_switches_agreement_id_fkey
  FOREIGN KEY (agreement_id) REFERENCES public.agreements(id) ON DELETE CASCADE;

alter table public.bank_account_switches add constraint bank_account_switches_bank_account_id_fkey
  FOREIGN KEY (bank_account_id) REFERENCES public.bank_accounts(id);

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

alter table public.boards add constraint boards_organization_id_fkey
  FOREIGN KEY (organization_id) REFERENCES public.organizations(id);

alter table public.boards add constraint boards_owner_uid_fkey
  FOREIGN KEY (owner_uid) REFERENCES public.users(uid) ON DELETE CASCADE;

alter table public.close_acknowledgements add constraint close_acknowledgements_medium_id_fkey
  FOREIGN KEY (medium_id) REFERENCES public.media(id);

alter table public.dividend_rows add constraint dividend_rows_agreement_id_fkey
  FOREIGN KEY (agreement_id) REFERENCES public.agreements(id);

alter table public.dividend_rows add constraint dividend_rows_dividend_id_fkey
  FOREIGN KEY (dividend_id) REFERENCES public.dividends(id);

alter table public.dividend_rows add constraint dividend_rows_publisher_id_fkey
  FOREIGN KEY (publisher_id) REFERENCES public.publishers(id);

alter table public.dividends add constraint dividends_medium_id_fkey
  FOREIGN KEY (medium_id) REFERENCES public.media(id);

alter table public.dividends add constraint dividends_operation_id_fkey
  FOREIGN KEY (operation_id) REFERENCES public.dividend_operations(id);

alter table public.dividends add constraint dividends_reversed_by_dividend_id_fkey
  FOREIGN KEY (reversed_by_dividend_id) REFERENCES public.dividends(id);

alter table public.event_hours add constraint event_hours_batch_no_fkey
  FOREIGN KEY (batch_no) REFERENCES public.ingest_batches(batch_no) ON DELETE CASCADE;

alter table public.event_hours add constraint event_hours_medium_id_fkey
  FOREIGN KEY (medium_id) REFERENCES public.media(id);

alter table public.event_hours add constraint event_hours_publisher_id_fkey
  FOREIGN KEY (publisher_id) REFERENCES public.publishers(id);

alter table public.feed_health add constraint feed_health_feed_id_fkey
  FOREIGN KEY (feed_id) REFERENCES public.feeds(id) ON DELETE CASCADE;

alter table public.feed_seen_items add constraint feed_seen_items_feed_id_fkey
  FOREIGN KEY (feed_id) REFERENCES public.feeds(id) ON DELETE CASCADE;

alter table public.feeds add constraint feeds_medium_id_fkey
  FOREIGN KEY (medium_id) REFERENCES public.media(id);

alter table public.feeds add constraint feeds_publisher_id_fkey
  FOREIGN KEY (publisher_id) REFERENCES public.publishers(id);

alter table public.figure_alert_checks add constraint figure_alert_checks_medium_id_fkey
  FOREIGN KEY (medium_id) REFERENCES public.media(id) ON DELETE CASCADE;

alter table public.figure_alerts add constraint figure_alerts_medium_id_fkey
  FOREIGN KEY (medium_id) REFERENCES public.media(id) ON DELETE CASCADE;

alter table public.figure_alerts add constraint figure_alerts_publisher_id_fkey
  FOREIGN KEY (publisher_id) REFERENCES public.publishers(id) ON DELETE CASCADE;

alter table public.idempotency_keys add constraint idempotency_keys_uid_fkey
  FOREIGN KEY (uid) REFERENCES public.users(uid) ON DELETE CASCADE;

alter table public.idp_accounts add constraint idp_accounts_uid_fkey
  FOREIGN KEY (uid) REFERENCES public.users(uid) ON DELETE CASCADE;

alter table public.idp_authenticators add constraint idp_authenticators_uid_fkey
  FOREIGN KEY (uid) REFERENCES public.users(uid) ON DELETE CASCADE;

alter table public.idp_recovery_codes add constraint idp_recovery_codes_uid_fkey
  FOREIGN KEY (uid) REFERENCES public.users(uid) ON DELETE CASCADE;

alter table public.idp_session_uses add constraint idp_session_uses_uid_fkey
  FOREIGN KEY (uid) REFERENCES public.users(uid) ON DELETE CASCADE;

alter table public.import_rows add constraint import_rows_import_id_fkey
  FOREIGN KEY (import_id) REFERENCES public.imports(id) ON DELETE CASCADE;

alter table public.ingest_batches add constraint ingest_batches_api_key_id_fkey
  FOREIGN KEY (api_key_id) REFERENCES public.api_keys(id);

alter table public.ingest_batches add constraint ingest_batches_delivered_by_uid_fkey
  FOREIGN KEY (delivered_by_uid) REFERENCES public.users(uid) ON DELETE SET NULL;

alter table public.ingest_batches add constraint ingest_batches_replaces_batch_no_fkey
  FOREIGN KEY (replaces_batch_no) REFERENCES public.ingest_batches(batch_no);

alter table public.ingest_quarantined_rows add constraint ingest_quarantined_rows_batch_no_fkey
  FOREIGN KEY (batch_no) REFERENCES public.ingest_batches(batch_no) ON DELETE CASCADE;

alter table public.invariant_runs add constraint invariant_runs_medium_id_fkey
  FOREIGN KEY (medium_id) REFERENCES public.media(id);

alter table public.invariant_violations add constraint invariant_violations_run_id_fkey
  FOREIGN KEY (run_id) REFERENCES public.invariant_runs(id) ON DELETE CASCADE;

alter table public.invitations add constraint invitations_uid_fkey
  FOREIGN KEY (uid) REFERENCES public.users(uid) ON DELETE CASCADE;

alter table public.late_corrections add constraint late_corrections_dividend_id_fkey
  FOREIGN KEY (dividend_id) REFERENCES public.dividends(id);

alter table public.late_corrections add constraint late_corrections_medium_id_fkey
  FOREIGN KEY (medium_id) REFERENCES public.media(id);

alter table public.legal_holds add constraint legal_holds_organization_id_fkey
  FOREIGN KEY (organization_id) REFERENCES public.organizations(id);

alter table public.medium_article_removals add constraint medium_article_removals_article_id_fkey
  FOREIGN KEY (article_id) REFERENCES public.medium_articles(article_id);

alter table public.medium_article_removals add constraint medium_article_removals_publisher_id_fkey
  FOREIGN KEY (publisher_id) REFERENCES public.publishers(id);

alter table public.medium_articles add constraint medium_articles_feed_id_fkey
  FOREIGN KEY (feed_id) REFERENCES public.feeds(id);

alter table public.medium_articles add constraint medium_articles_medium_id_fkey
  FOREIGN KEY (medium_id) REFERENCES public.media(id);

alter table public.medium_articles add constraint medium_articles_publisher_id_fkey
  FOREIGN KEY (publisher_id) REFERENCES public.publishers(id);

alter table public.month_close_log add constraint month_close_log_medium_id_fkey
  FOREIGN KEY (medium_id) REFERENCES public.media(id);

alter table public.month_closings add constraint month_closings_medium_id_fkey
  FOREIGN KEY (medium_id) REFERENCES public.media(id);

alter table public.month_states add constraint month_states_medium_id_fkey
  FOREIGN KEY (medium_id) REFERENCES public.media(id);

alter table public.monthly_adjustments add constraint monthly_adjustments_dividend_id_line_fkey
  FOREIGN KEY (dividend_id, line) REFERENCES public.dividend_rows(dividend_id, line);

alter table public.monthly_adjustments add constraint monthly_adjustments_monthly_publisher_payment_id_fkey
  FOREIGN KEY (monthly_publisher_payment_id) REFERENCES public.monthly_publisher_payments(id) ON DELETE CASCADE;

alter table public.monthly_agreement_snapshots add constraint monthly_agreement_snapshots_agreement_id_fkey
  FOREIGN KEY (agreement_id) REFERENCES public.agreements(id);

alter table public.monthly_agreement_snapshots add constraint monthly_agreement_snapshots_medium_id_fkey
  FOREIGN KEY (medium_id) REFERENCES public.media(id);

alter table public.monthly_agreement_snapshots add constraint monthly_agreement_snapshots_organization_id_fkey
  FOREIGN KEY (organization_id) REFERENCES public.organizations(id);

alter table public.monthly_pools add constraint monthly_pools_dividend_id_fkey
  FOREIGN KEY (dividend_id) REFERENCES public.dividends(id);

alter table public.monthly_publisher_payments add constraint monthly_publisher_payments_publisher_id_fkey
  FOREIGN KEY (publisher_id) REFERENCES public.publishers(id);

alter table public.opening_balances add constraint opening_balances_agreement_id_publisher_id_fkey
  FOREIGN KEY (agreement_id, publisher_id) REFERENCES public.agreement_publisher_rules(agreement_id, publisher_id);

alter table public.policies add constraint policies_role_name_fkey
  FOREIGN KEY (role_name) REFERENCES public.roles(name) ON DELETE CASCADE;

alter table public.practice_entries add constraint practice_entries_medium_id_fkey
  FOREIGN KEY (medium_id) REFERENCES public.media(id);

alter table public.practice_payments add constraint practice_payments_medium_id_fkey
  FOREIGN KEY (medium_id) REFERENCES public.media(id);

alter table public.practice_publisher_payments add constraint practice_publisher_payments_agreement_id_fkey
  FOREIGN KEY (agreement_id) REFERENCES public.practice_payments(agreement_id);

alter table public.practice_publisher_payments add constraint practice_publisher_payments_publisher_id_fkey
  FOREIGN KEY (publisher_id) REFERENCES public.publishers(id);

alter table public.preferences add constraint preferences_uid_fkey
  FOREIGN KEY (uid) REFERENCES public.users(uid) ON DELETE CASCADE;

alter table public.publisher_api_key_paces add constraint publisher_api_key_paces_key_id_fkey
  FOREIGN KEY (key_id) REFERENCES public.publisher_api_keys(id) ON DELETE CASCADE;

alter table public.publisher_api_keys add constraint publisher_api_keys_created_by_uid_fkey
  FOREIGN KEY (created_by_uid) REFERENCES public.users(uid) ON DELETE SET NULL;

alter table public.publisher_api_keys add constraint publisher_api_keys_organization_id_fkey
  FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

alter table public.publishers add constraint publishers_organization_id_fkey
  FOREIGN KEY (organization_id) REFERENCES public.organizations(id);

alter table public.question_messages add constraint question_messages_question_id_fkey
  FOREIGN KEY (question_id) REFERENCES public.questions(id);

alter table public.question_reads add constraint question_reads_question_id_fkey
  FOREIGN KEY (question_id) REFERENCES public.questions(id);

alter table public.question_reads add constraint question_reads_uid_fkey
  FOREIGN KEY (uid) REFERENCES public.users(uid) ON DELETE CASCADE;

alter table public.questions add constraint questions_agreement_id_fkey
  FOREIGN KEY (agreement_id) REFERENCES public.agreements(id);

alter table public.questions add constraint questions_assignee_uid_fkey
  FOREIGN KEY (assignee_uid) REFERENCES public.users(uid) ON DELETE SET NULL;

alter table public.questions add constraint questions_monthly_payment_id_fkey
  FOREIGN KEY (monthly_payment_id) REFERENCES public.monthly_payments(id);

alter table public.questions add constraint questions_monthly_publisher_payment_id_fkey
  FOREIGN KEY (monthly_publisher_payment_id) REFERENCES public.monthly_publisher_payments(id);

alter table public.questions add constraint questions_organization_id_fkey
  FOREIGN KEY (organization_id) REFERENCES public.organizations(id);

alter table public.questions add constraint questions_statement_id_fkey
  FOREIGN KEY (statement_id) REFERENCES public.statements(id);

alter table public.report_mail_deliveries add constraint report_mail_deliveries_report_mail_id_fkey
  FOREIGN KEY (report_mail_id) REFERENCES public.report_mails(id) ON DELETE CASCADE;

alter table public.report_mails add constraint report_mails_uid_fkey
  FOREIGN KEY (uid) REFERENCES public.users(uid) ON DELETE CASCADE;

alter table public.revenue_estimates add constraint revenue_estimates_medium_id_fkey
  FOREIGN KEY (medium_id) REFERENCES public.media(id);

alter table public.saved_views add constraint saved_views_shared_with_role_fkey
  FOREIGN KEY (shared_with_role) REFERENCES public.roles(name);

alter table public.saved_views add constraint saved_views_uid_fkey
  FOREIGN KEY (uid) REFERENCES public.users(uid) ON DELETE CASCADE;

alter table public.statement_event_notices add constraint statement_event_notices_statement_event_id_fkey
  FOREIGN KEY (statement_event_id) REFERENCES public.statement_events(id);

alter table public.statement_events add constraint statement_events_statement_id_fkey
  FOREIGN KEY (statement_id) REFERENCES public.statements(id);

alter table public.statement_notices add constraint statement_notices_statement_id_fkey
  FOREIGN KEY (statement_id) REFERENCES public.statements(id);

alter table public.statements add constraint statements_agreement_id_fkey
  FOREIGN KEY (agreement_id) REFERENCES public.agreements(id);

alter table public.statements add constraint statements_medium_id_fkey
  FOREIGN KEY (medium_id) REFERENCES public.media(id);

alter table public.statements add constraint statements_monthly_payment_id_fkey
  FOREIGN KEY (monthly_payment_id) REFERENCES public.monthly_payments(id);

alter table public.statements add constraint statements_organization_id_fkey
  FOREIGN KEY (organization_id) REFERENCES public.organizations(id);

alter table public.transfer_payments add constraint transfer_payments_monthly_payment_id_fkey
  FOREIGN KEY (monthly_payment_id) REFERENCES public.monthly_payments(id);

alter table public.transfer_payments add constraint transfer_payments_transfer_id_fkey
  FOREIGN KEY (transfer_id) REFERENCES public.transfers(id);

alter table public.transfer_recalls add constraint transfer_recalls_transfer_id_fkey
  FOREIGN KEY (transfer_id) REFERENCES public.transfers(id);

alter table public.transfer_records add constraint transfer_records_batch_id_fkey
  FOREIGN KEY (batch_id) REFERENCES public.transfer_batches(id);

alter table public.transfer_records add constraint transfer_records_transfer_id_fkey
  FOREIGN KEY (transfer_id) REFERENCES public.transfers(id);

alter table public.transfer_records add constraint transfer_records_transfer_id_replaces_fkey
  FOREIGN KEY (transfer_id, replaces) REFERENCES public.transfer_records(transfer_id, number);

alter table public.transfer_return_fees add constraint transfer_return_fees_transfer_id_fkey
  FOREIGN KEY (transfer_id) REFERENCES public.transfers(id);

alter table public.transfers add constraint transfers_bank_account_id_fkey
  FOREIGN KEY (bank_account_id) REFERENCES public.bank_accounts(id);

alter table public.transfers add constraint transfers_batch_id_fkey
  FOREIGN KEY (batch_id) REFERENCES public.transfer_batches(id);

alter table public.transfers add constraint transfers_organization_id_fkey
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

alter table public.view_as_sessions add constraint view_as_sessions_staff_uid_fkey
  FOREIGN KEY (staff_uid) REFERENCES public.users(uid) ON DELETE CASCADE;

alter table public.view_as_sessions add constraint view_as_sessions_target_uid_fkey
  FOREIGN KEY (target_uid) REFERENCES public.users(uid) ON DELETE CASCADE;

alter table public.webhook_deliveries add constraint webhook_deliveries_event_id_fkey
  FOREIGN KEY (event_id) REFERENCES public.webhook_events(id) ON DELETE CASCADE;

alter table public.webhook_deliveries add constraint webhook_deliveries_webhook_id_fkey
  FOREIGN KEY (webhook_id) REFERENCES public.webhooks(id) ON DELETE CASCADE;

alter table public.webhook_events add constraint webhook_events_organization_id_fkey
  FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

alter table public.webhooks add constraint webhooks_created_by_uid_fkey
  FOREIGN KEY (created_by_uid) REFERENCES public.users(uid) ON DELETE SET NULL;

alter table public.webhooks add constraint webhooks_organization_id_fkey
  FOREIGN KEY (organization_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

alter table public.what_if_drafts add constraint what_if_drafts_medium_id_fkey
  FOREIGN KEY (medium_id) REFERENCES public.media(id);

CREATE INDEX agreement_pieces_organization ON app.agreement_pieces USING btree (organization_id);

CREATE INDEX agreement_pieces_pieces ON app.agreement_pieces USING gin (app.search_pieces(search_text));

CREATE INDEX agreement_pieces_terminated ON app.agreement_pieces USING btree (terminated_at) WHERE (terminated_at IS NOT NULL);

CREATE INDEX feed_pieces_pieces ON app.feed_pieces USING gin (app.search_pieces(search_text));

CREATE INDEX feed_pieces_publisher ON app.feed_pieces USING btree (publisher_id);

CREATE INDEX medium_article_counts_publisher ON app.medium_article_counts USING btree (publisher_id);

CREATE INDEX medium_article_pieces_pieces ON app.medium_article_pieces USING gin (app.search_pieces(search_text));

CREATE INDEX medium_article_pieces_published ON app.medium_article_pieces USING btree (published_at, article_id);

CREATE INDEX medium_article_pieces_publisher ON app.medium_article_pieces USING btree (publisher_id);

CREATE INDEX piece_counts_piece ON app.piece_counts USING btree (kind, piece) INCLUDE (is_live, row_count);

CREATE INDEX publisher_pieces_organization ON app.publisher_pieces USING btree (organization_id);

CREATE INDEX publisher_pieces_pieces ON app.publisher_pieces USING gin (app.search_pieces(search_text));

CREATE INDEX statement_counts_agreement ON app.statement_counts USING btree (agreement_id);

CREATE UNIQUE INDEX account_changes_pending ON public.account_changes USING btree (uid) WHERE (state = 'pending'::text);

CREATE INDEX account_changes_uid ON public.account_changes USING btree (uid, settled_at);

CREATE INDEX account_undos_email ON public.account_undos USING btree (email);

CREATE INDEX agreement_bank_accounts_account ON public.agreement_bank_accounts USING btree (bank_account_id);

CREATE INDEX agreement_documents_agreement ON public.agreement_documents USING btree (agreement_id);

CREATE UNIQUE INDEX agreement_documents_content ON public.agreement_documents USING btree (agreement_id, sha256) WHERE (removed_at IS NULL);

CREATE INDEX agreement_publisher_rules_publisher ON public.agreement_publisher_rules USING btree (publisher_id);

CREATE INDEX agreements_contract_end ON public.agreements USING btree (contract_end_month) WHERE (contract_end_month IS NOT NULL);

CREATE INDEX agreements_medium ON public.agreements USING btree (medium_id);

CREATE INDEX agreements_name ON public.agreements USING btree (name, id);

CREATE INDEX agreements_organization ON public.agreements USING btree (organization_id);

CREATE INDEX agreements_paid ON public.agreements USING btree (id) INCLUDE (organization_id, terminated_at) WHERE (NOT is_payment_disabled);

CREATE INDEX annotations_days ON public.annotations USING btree (starts_on, ends_on) WHERE (deleted_at IS NULL);

CREATE INDEX annotations_owner ON public.annotations USING btree (owner_uid);

CREATE INDEX annotations_publisher ON public.annotations USING btree (publisher_id) WHERE (publisher_id IS NOT NULL);

CREATE INDEX announcement_reads_uid ON public.announcement_reads USING btree (uid);

CREATE INDEX announcements_period ON public.announcements USING btree (start_at DESC, id DESC) WHERE enabled;

CREATE UNIQUE INDEX answer_templates_name ON public.answer_templates USING btree (name);

CREATE INDEX audit_log_actor ON public.audit_log USING btree (actor_uid, seq DESC);

CREATE INDEX audit_log_row ON public.audit_log USING btree (resource_name, row_id, seq DESC);

CREATE INDEX bank_account_switches_agreement ON public.bank_account_switches USING btree (agreement_id);

CREATE INDEX bank_account_switches_planned ON public.bank_account_switches USING btree (bank_account_id) WHERE (state = 'planned'::text);

CREATE INDEX bank_accounts_organization ON public.bank_accounts USING btree (organization_id);

CREATE INDEX bank_accounts_requested ON public.bank_accounts USING btree (updated_at) WHERE (state = 'requested'::text);

CREATE INDEX boards_owner ON public.boards USING btree (owner_uid);

CREATE INDEX boards_shared ON public.boards USING gin (shared_roles) WHERE (deleted_at IS NULL);

CREATE UNIQUE INDEX dividend_ledger_lines_counter ON public.dividend_ledger_lines USING btree (reverses_dividend_id, booking, agreement_id, publisher_id, line) WHERE (reverses_dividend_id IS NOT NULL);

CREATE INDEX dividend_ledger_lines_dividend ON public.dividend_ledger_lines USING btree (dividend_id);

CREATE INDEX dividend_ledger_lines_month ON public.dividend_ledger_lines USING btree (medium_id, month);

CREATE UNIQUE INDEX dividend_ledger_lines_original ON public.dividend_ledger_lines USING btree (dividend_id, booking, agreement_id, publisher_id, line) WHERE (reverses_dividend_id IS NULL);

CREATE INDEX dividends_month ON public.dividends USING btree (medium_id, month);

CREATE UNIQUE INDEX dividends_one_unfinished ON public.dividends USING btree (medium_id, month) WHERE (job_status = ANY (ARRAY['pending'::text, 'running'::text]));

CREATE INDEX dividends_operation ON public.dividends USING btree (operation_id);

CREATE INDEX dividends_reversed_by ON public.dividends USING btree (reversed_by_dividend_id);

CREATE INDEX event_hours_batch ON public.event_hours USING btree (batch_no);

CREATE INDEX feed_health_due ON public.feed_health USING btree (next_check_at);

CREATE INDEX feed_health_state ON public.feed_health USING btree (state) WHERE (state = ANY (ARRAY['quiet'::text, 'failing'::text, 'outage'::text]));

CREATE INDEX feed_seen_items_day ON public.feed_seen_items USING btree (feed_id, day);

CREATE INDEX feeds_name ON public.feeds USING btree (name, id);

CREATE INDEX feeds_publisher ON public.feeds USING btree (publisher_id);

CREATE UNIQUE INDEX figure_alerts_going_on ON public.figure_alerts USING btree (medium_id, publisher_id, figure) WHERE (ended_on IS NULL);

CREATE INDEX figure_alerts_publisher ON public.figure_alerts USING btree (publisher_id);

CREATE INDEX idempotency_keys_age ON public.idempotency_keys USING btree (created_at);

CREATE INDEX idp_attempts_subject ON public.idp_attempts USING btree (subject, attempted_at);

CREATE UNIQUE INDEX idp_authenticators_one_totp ON public.idp_authenticators USING btree (uid) WHERE (kind = 'totp'::text);

CREATE INDEX idp_authenticators_uid ON public.idp_authenticators USING btree (uid);

CREATE INDEX idp_payloads_account ON public.idp_payloads USING btree (account_id) WHERE (account_id IS NOT NULL);

CREATE INDEX idp_payloads_expiry ON public.idp_payloads USING btree (expires_at);

CREATE INDEX idp_payloads_grant ON public.idp_payloads USING btree (grant_id) WHERE (grant_id IS NOT NULL);

CREATE INDEX idp_payloads_session ON public.idp_payloads USING btree (model, session_uid) WHERE (session_uid IS NOT NULL);

CREATE INDEX idp_session_uses_uid ON public.idp_session_uses USING btree (uid);

CREATE INDEX import_rows_state ON public.import_rows USING btree (import_id, state, row_number);

CREATE INDEX ingest_batches_days ON public.ingest_batches USING btree (dataset, first_day, last_day) WHERE (state = ANY (ARRAY['applying'::text, 'applied'::text]));

CREATE UNIQUE INDEX ingest_batches_live ON public.ingest_batches USING btree (dataset, batch_id) WHERE (state = ANY (ARRAY['applying'::text, 'applied'::text]));

CREATE INDEX ingest_batches_open ON public.ingest_batches USING btree (batch_no) WHERE ((state = ANY (ARRAY['received'::text, 'applying'::text, 'failed'::text])) OR is_unsettled);

CREATE INDEX invariant_runs_month ON public.invariant_runs USING btree (medium_id, month, id DESC);

CREATE INDEX late_corrections_origin ON public.late_corrections USING btree (medium_id, origin_month);

CREATE INDEX legal_holds_active ON public.legal_holds USING btree (id) WHERE (released_at IS NULL);

CREATE UNIQUE INDEX medium_article_removals_open ON public.medium_article_removals USING btree (article_id) WHERE (restored_at IS NULL);

CREATE INDEX medium_article_removals_publisher ON public.medium_article_removals USING btree (publisher_id, removed_at DESC);

CREATE INDEX medium_articles_batch ON public.medium_articles USING btree (COALESCE(batch_no, (0)::bigint), article_id);

CREATE INDEX medium_articles_created ON public.medium_articles USING btree (created_at, article_id);

CREATE INDEX medium_articles_own_id ON public.medium_articles USING btree (medium_article_id);

CREATE INDEX medium_articles_published ON public.medium_articles USING btree (published_at DESC, article_id DESC);

CREATE INDEX medium_articles_publisher ON public.medium_articles USING btree (publisher_id, published_at DESC);

CREATE INDEX medium_articles_updated ON public.medium_articles USING btree (updated_at, article_id);

CREATE INDEX medium_articles_url ON public.medium_articles USING hash (url);

CREATE INDEX month_close_log_month ON public.month_close_log USING btree (month, medium_id, id);

CREATE INDEX monthly_adjustments_month ON public.monthly_adjustments USING btree (medium_id, month);

CREATE INDEX monthly_adjustments_payment ON public.monthly_adjustments USING btree (monthly_publisher_payment_id);

CREATE INDEX monthly_agreement_snapshots_month ON public.monthly_agreement_snapshots USING btree (medium_id, month);

CREATE INDEX monthly_carried_buckets_month ON public.monthly_carried_buckets USING btree (medium_id, month);

CREATE INDEX monthly_estimates_month ON public.monthly_estimates USING btree (medium_id, month);

CREATE INDEX monthly_estimates_payment ON public.monthly_estimates USING btree (monthly_payment_id);

CREATE INDEX monthly_paid_buckets_month ON public.monthly_paid_buckets USING btree (medium_id, month);

CREATE INDEX monthly_payments_month ON public.monthly_payments USING btree (medium_id, month);

CREATE INDEX monthly_payments_organization ON public.monthly_payments USING btree (organization_id, month);

CREATE INDEX monthly_payments_returned ON public.monthly_payments USING btree (due_on) INCLUDE (id, organization_id, agreement_id, has_been_finalized) WHERE (has_been_finalized AND (payment_status = 'returned'::text));

CREATE INDEX monthly_payments_unpaid ON public.monthly_payments USING btree (due_on) INCLUDE (id, payment_status, organization_id, agreement_id, has_been_finalized) WHERE (has_been_finalized AND (payment_status = ANY (ARRAY['scheduled'::text, 'returned'::text])));

CREATE INDEX monthly_pools_month ON public.monthly_pools USING btree (medium_id, month);

CREATE INDEX monthly_publisher_payments_month ON public.monthly_publisher_payments USING btree (medium_id, month);

CREATE INDEX monthly_publisher_payments_organization ON public.monthly_publisher_payments USING btree (organization_id, month);

CREATE INDEX monthly_publisher_payments_publisher ON public.monthly_publisher_payments USING btree (publisher_id, month);

CREATE INDEX monthly_rule_snapshots_month ON public.monthly_rule_snapshots USING btree (medium_id, month);

CREATE INDEX monthly_snapshot_inputs_month ON public.monthly_snapshot_inputs USING btree (medium_id, month);

CREATE INDEX monthly_tax_lines_month ON public.monthly_tax_lines USING btree (medium_id, month);

CREATE INDEX organizations_name ON public.organizations USING btree (name, id);

CREATE INDEX page_views_viewed ON public.page_views USING btree (viewed_at);

CREATE INDEX publisher_api_keys_ending ON public.publisher_api_keys USING btree (expires_at) WHERE ((revoked_at IS NULL) AND (end_noticed_at IS NULL));

CREATE INDEX publisher_api_keys_organization ON public.publisher_api_keys USING btree (organization_id);

CREATE INDEX publishers_name ON public.publishers USING btree (name, id);

CREATE INDEX publishers_organization ON public.publishers USING btree (organization_id);

CREATE INDEX question_messages_question ON public.question_messages USING btree (question_id, id);

CREATE INDEX question_reads_uid ON public.question_reads USING btree (uid);

CREATE INDEX questions_agreement ON public.questions USING btree (agreement_id);

CREATE INDEX questions_asker ON public.questions USING btree (asker_uid);

CREATE INDEX questions_assignee ON public.questions USING btree (assignee_uid) WHERE (assignee_uid IS NOT NULL);

CREATE INDEX questions_latest ON public.questions USING btree (last_message_at DESC, id DESC);

CREATE INDEX questions_organization ON public.questions USING btree (organization_id, last_message_at DESC, id DESC);

CREATE INDEX questions_payment ON public.questions USING btree (monthly_payment_id) WHERE (monthly_payment_id IS NOT NULL);

CREATE INDEX questions_publisher_payment ON public.questions USING btree (monthly_publisher_payment_id) WHERE (monthly_publisher_payment_id IS NOT NULL);

CREATE UNIQUE INDEX questions_statement ON public.questions USING btree (statement_id) WHERE (statement_id IS NOT NULL);

CREATE INDEX questions_unsolved ON public.questions USING btree (state, last_message_at DESC, id DESC) WHERE (state <> 'resolved'::text);

CREATE INDEX report_mail_deliveries_last ON public.report_mail_deliveries USING btree (report_mail_id, due_at);

CREATE UNIQUE INDEX report_mail_deliveries_once ON public.report_mail_deliveries USING btree (report_mail_id, period_from, period_to) WHERE (NOT is_test);

CREATE INDEX report_mail_deliveries_waiting ON public.report_mail_deliveries USING btree (due_at) WHERE (state = 'waiting'::text);

CREATE INDEX report_mails_uid ON public.report_mails USING btree (uid) WHERE (deleted_at IS NULL);

CREATE INDEX retention_runs_kind ON public.retention_runs USING btree (kind, id DESC);

CREATE UNIQUE INDEX saved_views_name ON public.saved_views USING btree (uid, screen, name) WHERE (deleted_at IS NULL);

CREATE INDEX saved_views_shared ON public.saved_views USING btree (screen, shared_with_role) WHERE ((deleted_at IS NULL) AND (shared_with_role IS NOT NULL));

CREATE INDEX sent_mails_sender ON public.sent_mails USING btree (sender_uid, sent_at);

CREATE UNIQUE INDEX statement_events_answer ON public.statement_events USING btree (statement_id) WHERE (event = ANY (ARRAY['confirm'::text, 'deem'::text]));

CREATE UNIQUE INDEX statement_events_once ON public.statement_events USING btree (statement_id, event) WHERE (event <> ALL (ARRAY['object'::text, 'withdraw'::text]));

CREATE INDEX statement_events_statement ON public.statement_events USING btree (statement_id, id);

CREATE INDEX statements_agreement_issued ON public.statements USING btree (agreement_id, issued_on DESC);

CREATE INDEX statements_changed_order ON public.statements USING btree (state_changed_at, id) INCLUDE (state, organization_id, agreement_id, month, medium_id);

CREATE UNIQUE INDEX statements_current ON public.statements USING btree (monthly_payment_id) WHERE (state <> 'replaced'::text);

CREATE INDEX statements_deemed_order ON public.statements USING btree (deemed_on, id) INCLUDE (state, organization_id, agreement_id, month, medium_id);

CREATE INDEX statements_issued ON public.statements USING btree (issued_on DESC, id DESC) INCLUDE (state, total_yen, organization_id, agreement_id, month, medium_id);

CREATE INDEX statements_issued_at_order ON public.statements USING btree (issued_at, id) INCLUDE (state, organization_id, agreement_id, month, medium_id);

CREATE INDEX statements_month ON public.statements USING btree (medium_id, month);

CREATE INDEX statements_month_order ON public.statements USING btree (month, id) INCLUDE (state, total_yen, organization_id, agreement_id, medium_id);

CREATE INDEX statements_number ON public.statements USING btree (number COLLATE "C");

CREATE INDEX statements_objected ON public.statements USING btree (issued_on) WHERE (state = 'objected'::text);

CREATE INDEX statements_organization ON public.statements USING btree (organization_id, issued_on DESC);

CREATE INDEX statements_total_order ON public.statements USING btree (total_yen, id) INCLUDE (state, organization_id, agreement_id, month, medium_id);

CREATE INDEX statements_waiting ON public.statements USING btree (deemed_on) WHERE (state = 'issued'::text);

CREATE INDEX stats_versions_hidden ON public.stats_versions USING btree (table_name, month, version_no) WHERE (state <> 'published'::text);

CREATE INDEX stats_versions_of_month ON public.stats_versions USING btree (month) WHERE (state = 'published'::text);

CREATE UNIQUE INDEX transfer_payments_one_live ON public.transfer_payments USING btree (monthly_payment_id) WHERE is_live;

CREATE INDEX transfer_payments_payment ON public.transfer_payments USING btree (monthly_payment_id);

CREATE UNIQUE INDEX transfer_recalls_one ON public.transfer_recalls USING btree (transfer_id, purpose) WHERE (state <> 'rejected'::text);

CREATE INDEX transfer_recalls_pay ON public.transfer_recalls USING btree (transfer_id) WHERE ((purpose = 'pay'::text) AND (state = 'requested'::text));

CREATE INDEX transfer_records_batch ON public.transfer_records USING btree (batch_id);

CREATE INDEX transfer_records_paid_on ON public.transfer_records USING btree (paid_on);

CREATE UNIQUE INDEX transfer_records_replaced_once ON public.transfer_records USING btree (transfer_id, replaces) WHERE (state <> 'cancelled'::text);

CREATE INDEX transfer_records_returned_on ON public.transfer_records USING btree (returned_on);

CREATE INDEX transfer_return_fees_charged_on ON public.transfer_return_fees USING btree (charged_on);

CREATE INDEX transfers_account ON public.transfers USING btree (bank_account_id);

CREATE INDEX transfers_batch ON public.transfers USING btree (batch_id);

CREATE INDEX transfers_organization ON public.transfers USING btree (organization_id);

CREATE INDEX transfers_paid_on ON public.transfers USING btree (paid_on);

CREATE INDEX transfers_returned_on ON public.transfers USING btree (returned_on);

CREATE INDEX users_organization ON public.users USING btree (organization_id);

CREATE INDEX videos_batch ON public.videos USING btree (COALESCE(batch_no, (0)::bigint), video_id);

CREATE INDEX videos_publisher ON public.videos USING btree (publisher_id, published_at DESC);

CREATE UNIQUE INDEX view_as_sessions_open ON public.view_as_sessions USING btree (session_key) WHERE (ended_at IS NULL);

CREATE INDEX view_as_sessions_staff ON public.view_as_sessions USING btree (staff_uid);

CREATE INDEX view_as_sessions_target ON public.view_as_sessions USING btree (target_uid);

CREATE INDEX webhook_deliveries_event ON public.webhook_deliveries USING btree (event_id);

CREATE INDEX webhook_deliveries_waiting ON public.webhook_deliveries USING btree (id) WHERE (state = 'waiting'::text);

CREATE INDEX webhook_events_occurred_at ON public.webhook_events USING btree (occurred_at);

CREATE INDEX webhooks_organization ON public.webhooks USING btree (organization_id) WHERE (deleted_at IS NULL);

CREATE INDEX what_if_drafts_month ON public.what_if_drafts USING btree (medium_id, month);

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

CREATE TRIGGER same_organization AFTER INSERT OR UPDATE OF agreement_id, bank_account_id ON public.agreement_bank_accounts FOR EACH ROW EXECUTE FUNCTION app.refuse_foreign_account();

CREATE TRIGGER agreement_pieces_added AFTER INSERT ON app.agreement_pieces REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.count_pieces('agreement');

CREATE TRIGGER agreement_pieces_changed AFTER UPDATE ON app.agreement_pieces REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.count_pieces('agreement');

CREATE TRIGGER agreement_pieces_emptied AFTER TRUNCATE ON app.agreement_pieces FOR EACH STATEMENT EXECUTE FUNCTION app.count_pieces('agreement');

CREATE TRIGGER agreement_pieces_gone AFTER DELETE ON app.agreement_pieces REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION app.count_pieces('agreement');

CREATE TRIGGER same_organization AFTER INSERT OR UPDATE OF agreement_id, publisher_id, medium_id ON public.agreement_publisher_rules FOR EACH ROW EXECUTE FUNCTION app.refuse_foreign_rule();

CREATE TRIGGER agreements_keep_all BEFORE TRUNCATE ON public.agreements FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_truncate();

CREATE TRIGGER agreements_named AFTER DELETE ON public.agreements REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_referenced('dividend_weights', 'agreement_id', 'dividend_ledger_lines', 'agreement_id');

CREATE TRIGGER agreements_pieces_changed AFTER UPDATE ON public.agreements REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION app.keep_agreement_pieces();

CREATE TRIGGER agreements_pieces_new AFTER INSERT ON public.agreements REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION app.keep_agreement_pieces();

CREATE TRIGGER agreements_same_id BEFORE UPDATE OF id ON public.agreements FOR EACH ROW WHEN (old.id <> new.id) EXECUTE FUNCTION app.refuse_other_id();

CREATE TRIGGER organization_fixed BEFORE UPDATE OF organization_id, medium_id ON public.agreements FOR EACH ROW WHEN (old.organization_id IS DISTINCT FROM new.organization_id OR old.medium_id IS DISTINCT FROM new.medium_id) EXECUTE FUNCTION app.refuse_other_organization();

CREATE TRIGGER audit_head_keep BEFORE DELETE ON public.audit_head FOR EACH ROW EXECUTE FUNCTION app.refuse_audit_change();

CREATE TRIGGER audit_head_keep_all BEFORE TRUNCATE ON public.audit_head FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_audit_change();

CREATE TRIGGER audit_log_append BEFORE INSERT ON public.audit_log FOR EACH ROW EXECUTE FUNCTION app.append_to_audit_chain();

CREATE TRIGGER audit_log_keep BEFORE DELETE OR UPDATE ON public.audit_log FOR EACH ROW EXECUTE FUNCTION app.refuse_audit_change();

CREATE TRIGGER audit_log_keep_all BEFORE TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_audit_change();

CREATE TRIGGER audit_log_move_head AFTER INSERT ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION app.move_audit_head();

CREATE TRIGGER same_organization AFTER INSERT OR UPDATE OF agreement_id, bank_account_id ON public.bank_account_switches FOR EACH ROW EXECUTE FUNCTION app.refuse_foreign_account();

CREATE TRIGGER bank_accounts_keep BEFORE UPDATE ON public.bank_accounts FOR EACH ROW EXECUTE FUNCTION app.keep_bank_account();

CREATE TRIGGER note_change BEFORE UPDATE ON public.bank_branches FOR EACH ROW WHEN (old.name IS DISTINCT FROM new.name OR old.kana IS DISTINCT FROM new.kana OR old.hira IS DISTINCT FROM new.hira OR old.roma IS DISTINCT FROM new.roma OR old.is_gone IS DISTINCT FROM new.is_gone) EXECUTE FUNCTION app.note_change();

CREATE TRIGGER note_change BEFORE UPDATE ON public.banks FOR EACH ROW WHEN (old.name IS DISTINCT FROM new.name OR old.kana IS DISTINCT FROM new.kana OR old.hira IS DISTINCT FROM new.hira OR old.roma IS DISTINCT FROM new.roma OR old.is_gone IS DISTINCT FROM new.is_gone) EXECUTE FUNCTION app.note_change();

CREATE TRIGGER dividend_ledger_lines_append BEFORE DELETE OR UPDATE ON public.dividend_ledger_lines FOR EACH ROW EXECUTE FUNCTION app.refuse_ledger_change();

CREATE TRIGGER dividend_ledger_lines_keep_all BEFORE TRUNCATE ON public.dividend_ledger_lines FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_truncate();

CREATE TRIGGER dividend_ledger_lines_keep_delete AFTER DELETE ON public.dividend_ledger_lines REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_rows_of_closed_month();

CREATE TRIGGER dividend_ledger_lines_keep_insert AFTER INSERT ON public.dividend_ledger_lines REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_rows_of_closed_month();

CREATE TRIGGER dividend_ledger_lines_keep_update AFTER UPDATE ON public.dividend_ledger_lines REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_rows_of_closed_month();

CREATE TRIGGER dividend_ledger_lines_known AFTER INSERT ON public.dividend_ledger_lines REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_unknown('dividend_id', 'dividends', 'agreement_id', 'agreements', 'publisher_id', 'publishers', 'reverses_dividend_id', 'dividends');

CREATE TRIGGER dividend_ledger_lines_known_update AFTER UPDATE ON public.dividend_ledger_lines REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_unknown('dividend_id', 'dividends', 'agreement_id', 'agreements', 'publisher_id', 'publishers', 'reverses_dividend_id', 'dividends');

CREATE TRIGGER dividend_rows_append BEFORE DELETE OR UPDATE ON public.dividend_rows FOR EACH ROW EXECUTE FUNCTION app.refuse_ledger_change();

CREATE TRIGGER dividend_rows_keep_all BEFORE TRUNCATE ON public.dividend_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_truncate();

CREATE TRIGGER dividend_weights_append BEFORE DELETE OR UPDATE ON public.dividend_weights FOR EACH ROW EXECUTE FUNCTION app.refuse_ledger_change();

CREATE TRIGGER dividend_weights_keep_all BEFORE TRUNCATE ON public.dividend_weights FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_truncate();

CREATE TRIGGER dividend_weights_known AFTER INSERT ON public.dividend_weights REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_unknown('dividend_id', 'dividends', 'agreement_id', 'agreements', 'publisher_id', 'publishers');

CREATE TRIGGER dividend_weights_known_update AFTER UPDATE ON public.dividend_weights REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_unknown('dividend_id', 'dividends', 'agreement_id', 'agreements', 'publisher_id', 'publishers');

CREATE TRIGGER dividends_keep BEFORE INSERT OR DELETE OR UPDATE ON public.dividends FOR EACH ROW EXECUTE FUNCTION app.refuse_in_closed_month();

CREATE TRIGGER dividends_keep_all BEFORE TRUNCATE ON public.dividends FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_truncate();

CREATE TRIGGER dividends_named AFTER DELETE ON public.dividends REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_referenced('dividend_weights', 'dividend_id', 'dividend_ledger_lines', 'dividend_id', 'dividend_ledger_lines', 'reverses_dividend_id');

CREATE TRIGGER dividends_same_id BEFORE UPDATE OF id ON public.dividends FOR EACH ROW WHEN (old.id <> new.id) EXECUTE FUNCTION app.refuse_other_id();

CREATE TRIGGER feed_health_webhooks AFTER UPDATE OF state ON public.feed_health FOR EACH ROW WHEN (new.state = 'outage'::text AND old.state <> 'outage'::text OR old.state = 'outage'::text AND (new.state = ANY (ARRAY['ok'::text, 'quiet'::text]))) EXECUTE FUNCTION app.note_feed_outage();

CREATE TRIGGER feed_pieces_added AFTER INSERT ON app.feed_pieces REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.count_pieces('feed');

CREATE TRIGGER feed_pieces_changed AFTER UPDATE ON app.feed_pieces REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.count_pieces('feed');

CREATE TRIGGER feed_pieces_emptied AFTER TRUNCATE ON app.feed_pieces FOR EACH STATEMENT EXECUTE FUNCTION app.count_pieces('feed');

CREATE TRIGGER feed_pieces_gone AFTER DELETE ON app.feed_pieces REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION app.count_pieces('feed');

CREATE TRIGGER feeds_pieces_changed AFTER UPDATE ON public.feeds REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION app.keep_feed_pieces();

CREATE TRIGGER feeds_pieces_new AFTER INSERT ON public.feeds REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION app.keep_feed_pieces();

CREATE TRIGGER same_organization AFTER UPDATE OF publisher_id ON public.feeds FOR EACH ROW WHEN (old.publisher_id IS DISTINCT FROM new.publisher_id) EXECUTE FUNCTION app.refuse_foreign_publisher();

CREATE TRIGGER late_corrections_append BEFORE DELETE OR UPDATE ON public.late_corrections FOR EACH ROW EXECUTE FUNCTION app.refuse_ledger_change();

CREATE TRIGGER late_corrections_keep_all BEFORE TRUNCATE ON public.late_corrections FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_truncate();

CREATE TRIGGER legal_holds_keep BEFORE DELETE OR UPDATE ON public.legal_holds FOR EACH ROW EXECUTE FUNCTION app.keep_legal_hold();

CREATE TRIGGER keep_medium_number BEFORE INSERT OR UPDATE ON public.media FOR EACH ROW EXECUTE FUNCTION app.keep_medium_number();

CREATE TRIGGER medium_articles_counted_gone AFTER DELETE ON public.medium_articles REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION app.count_gone_medium_articles();

CREATE TRIGGER medium_articles_counted_moved AFTER UPDATE ON public.medium_articles REFERENCING OLD TABLE AS gone NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION app.count_moved_medium_articles();

CREATE TRIGGER medium_articles_counted_new AFTER INSERT ON public.medium_articles REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION app.count_new_medium_articles();

CREATE TRIGGER medium_articles_counted_none AFTER TRUNCATE ON public.medium_articles FOR EACH STATEMENT EXECUTE FUNCTION app.count_no_medium_articles();

CREATE TRIGGER medium_articles_labels_changed AFTER UPDATE ON public.medium_articles REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION app.name_article_labels();

CREATE TRIGGER medium_articles_labels_new AFTER INSERT ON public.medium_articles REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION app.name_article_labels();

CREATE TRIGGER medium_articles_pieces_changed AFTER UPDATE ON public.medium_articles REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION app.keep_medium_article_pieces();

CREATE TRIGGER medium_articles_pieces_new AFTER INSERT ON public.medium_articles REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION app.keep_medium_article_pieces();

CREATE TRIGGER medium_articles_touch BEFORE UPDATE ON public.medium_articles FOR EACH ROW WHEN (old.* IS DISTINCT FROM new.*) EXECUTE FUNCTION app.touch_content();

CREATE TRIGGER same_organization_changed AFTER UPDATE ON public.medium_articles REFERENCING OLD TABLE AS gone NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_foreign_feed();

CREATE TRIGGER same_organization_new AFTER INSERT ON public.medium_articles REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_foreign_feed();

CREATE TRIGGER month_close_log_append BEFORE DELETE OR UPDATE ON public.month_close_log FOR EACH ROW EXECUTE FUNCTION app.refuse_ledger_change();

CREATE TRIGGER month_closings_keep BEFORE DELETE OR UPDATE ON public.month_closings FOR EACH ROW EXECUTE FUNCTION app.keep_closing();

CREATE TRIGGER month_closings_keep_all BEFORE TRUNCATE ON public.month_closings FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_truncate();

CREATE TRIGGER month_closings_webhooks AFTER INSERT ON public.month_closings FOR EACH ROW EXECUTE FUNCTION app.note_month_finalized();

CREATE TRIGGER month_states_keep BEFORE INSERT OR DELETE OR UPDATE ON public.month_states FOR EACH ROW EXECUTE FUNCTION app.keep_month_state();

CREATE TRIGGER month_states_keep_all BEFORE TRUNCATE ON public.month_states FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_truncate();

CREATE TRIGGER monthly_adjustments_keep_all BEFORE TRUNCATE ON public.monthly_adjustments FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_truncate();

CREATE TRIGGER monthly_adjustments_keep_delete AFTER DELETE ON public.monthly_adjustments REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_rows_of_closed_month();

CREATE TRIGGER monthly_adjustments_keep_insert AFTER INSERT ON public.monthly_adjustments REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_rows_of_closed_month();

CREATE TRIGGER monthly_adjustments_keep_update AFTER UPDATE ON public.monthly_adjustments REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_rows_of_closed_month();

CREATE TRIGGER monthly_agreement_snapshots_freeze BEFORE UPDATE ON public.monthly_agreement_snapshots FOR EACH ROW WHEN (new.has_been_finalized AND NOT old.has_been_finalized) EXECUTE FUNCTION app.freeze_payee_kind();

CREATE TRIGGER monthly_agreement_snapshots_keep_all BEFORE TRUNCATE ON public.monthly_agreement_snapshots FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_truncate();

CREATE TRIGGER monthly_agreement_snapshots_keep_delete AFTER DELETE ON public.monthly_agreement_snapshots REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_rows_of_closed_month();

CREATE TRIGGER monthly_agreement_snapshots_keep_insert AFTER INSERT ON public.monthly_agreement_snapshots REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_rows_of_closed_month();

CREATE TRIGGER monthly_agreement_snapshots_keep_update AFTER UPDATE ON public.monthly_agreement_snapshots REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_rows_of_closed_month();

CREATE TRIGGER monthly_agreement_snapshots_same_id BEFORE UPDATE ON public.monthly_agreement_snapshots FOR EACH ROW WHEN (old.id <> new.id) EXECUTE FUNCTION app.refuse_other_id();

CREATE TRIGGER monthly_payments_go_with_owner AFTER DELETE ON public.monthly_agreement_snapshots REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.remove_parts('monthly_payments', 'monthly_agreement_snapshot_id');

CREATE TRIGGER monthly_snapshot_inputs_go_with_owner AFTER DELETE ON public.monthly_agreement_snapshots REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.remove_parts('monthly_snapshot_inputs', 'snapshot_id');

CREATE TRIGGER monthly_carried_buckets_keep_all BEFORE TRUNCATE ON public.monthly_carried_buckets FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_truncate();

CREATE TRIGGER monthly_carried_buckets_keep_delete AFTER DELETE ON public.monthly_carried_buckets REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_rows_of_closed_month();

CREATE TRIGGER monthly_carried_buckets_keep_insert AFTER INSERT ON public.monthly_carried_buckets REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_rows_of_closed_month();

CREATE TRIGGER monthly_carried_buckets_keep_update AFTER UPDATE ON public.monthly_carried_buckets REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_rows_of_closed_month();

CREATE TRIGGER monthly_carried_buckets_owned_insert AFTER INSERT ON public.monthly_carried_buckets REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_orphans('monthly_publisher_payments', 'p.id = n.monthly_publisher_payment_id
      and p.medium_id = n.medium_id and p.month = n.month');

CREATE TRIGGER monthly_carried_buckets_owned_update AFTER UPDATE ON public.monthly_carried_buckets REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_orphans('monthly_publisher_payments', 'p.id = n.monthly_publisher_payment_id
      and p.medium_id = n.medium_id and p.month = n.month');

CREATE TRIGGER monthly_estimates_append BEFORE DELETE OR UPDATE ON public.monthly_estimates FOR EACH ROW EXECUTE FUNCTION app.refuse_ledger_change();

CREATE TRIGGER monthly_estimates_keep_all BEFORE TRUNCATE ON public.monthly_estimates FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_truncate();

CREATE TRIGGER monthly_estimates_keep_insert AFTER INSERT ON public.monthly_estimates REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_rows_of_closed_month();

CREATE TRIGGER monthly_estimates_owned_insert AFTER INSERT ON public.monthly_estimates REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_orphans('monthly_publisher_payments', 'p.id = n.monthly_publisher_payment_id and p.monthly_payment_id = n.monthly_payment_id and p.medium_id = n.medium_id
      and p.agreement_id = n.agreement_id and p.organization_id = n.organization_id and p.month = n.month');

CREATE TRIGGER monthly_paid_buckets_keep_all BEFORE TRUNCATE ON public.monthly_paid_buckets FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_truncate();

CREATE TRIGGER monthly_paid_buckets_keep_delete AFTER DELETE ON public.monthly_paid_buckets REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_rows_of_closed_month();

CREATE TRIGGER monthly_paid_buckets_keep_insert AFTER INSERT ON public.monthly_paid_buckets REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_rows_of_closed_month();

CREATE TRIGGER monthly_paid_buckets_keep_update AFTER UPDATE ON public.monthly_paid_buckets REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_rows_of_closed_month();

CREATE TRIGGER monthly_paid_buckets_owned_insert AFTER INSERT ON public.monthly_paid_buckets REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_orphans('monthly_payments', 'p.id = n.monthly_payment_id
      and p.medium_id = n.medium_id and p.month = n.month');

CREATE TRIGGER monthly_paid_buckets_owned_update AFTER UPDATE ON public.monthly_paid_buckets REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_orphans('monthly_payments', 'p.id = n.monthly_payment_id
      and p.medium_id = n.medium_id and p.month = n.month');

CREATE TRIGGER monthly_paid_buckets_go_with_owner AFTER DELETE ON public.monthly_payments REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.remove_parts('monthly_paid_buckets', 'monthly_payment_id');

CREATE TRIGGER monthly_payments_keep BEFORE INSERT OR DELETE OR UPDATE ON public.monthly_payments FOR EACH ROW EXECUTE FUNCTION app.keep_finalized_payment();

CREATE TRIGGER monthly_payments_keep_all BEFORE TRUNCATE ON public.monthly_payments FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_truncate();

CREATE TRIGGER monthly_payments_owned_insert AFTER INSERT ON public.monthly_payments REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_orphans('monthly_agreement_snapshots', 'p.id = n.monthly_agreement_snapshot_id
      and p.medium_id = n.medium_id and p.agreement_id = n.agreement_id and p.organization_id = n.organization_id and p.month = n.month');

CREATE TRIGGER monthly_payments_owned_update AFTER UPDATE ON public.monthly_payments REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_orphans('monthly_agreement_snapshots', 'p.id = n.monthly_agreement_snapshot_id
      and p.medium_id = n.medium_id and p.agreement_id = n.agreement_id and p.organization_id = n.organization_id and p.month = n.month');

CREATE TRIGGER monthly_payments_same_id BEFORE UPDATE ON public.monthly_payments FOR EACH ROW WHEN (old.id <> new.id) EXECUTE FUNCTION app.refuse_other_id();

CREATE TRIGGER monthly_publisher_payments_go_with_owner AFTER DELETE ON public.monthly_payments REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.remove_parts('monthly_publisher_payments', 'monthly_payment_id');

CREATE TRIGGER monthly_tax_lines_go_with_owner AFTER DELETE ON public.monthly_payments REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.remove_parts('monthly_tax_lines', 'monthly_payment_id');

CREATE TRIGGER monthly_pools_keep BEFORE INSERT OR DELETE OR UPDATE ON public.monthly_pools FOR EACH ROW EXECUTE FUNCTION app.refuse_in_closed_month();

CREATE TRIGGER monthly_pools_keep_all BEFORE TRUNCATE ON public.monthly_pools FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_truncate();

CREATE TRIGGER monthly_carried_buckets_go_with_owner AFTER DELETE ON public.monthly_publisher_payments REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.remove_parts('monthly_carried_buckets', 'monthly_publisher_payment_id');

CREATE TRIGGER monthly_publisher_payments_keep_all BEFORE TRUNCATE ON public.monthly_publisher_payments FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_truncate();

CREATE TRIGGER monthly_publisher_payments_keep_delete AFTER DELETE ON public.monthly_publisher_payments REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_rows_of_closed_month();

CREATE TRIGGER monthly_publisher_payments_keep_insert AFTER INSERT ON public.monthly_publisher_payments REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_rows_of_closed_month();

CREATE TRIGGER monthly_publisher_payments_keep_update AFTER UPDATE ON public.monthly_publisher_payments REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_rows_of_closed_month();

CREATE TRIGGER monthly_publisher_payments_owned_insert AFTER INSERT ON public.monthly_publisher_payments REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_orphans('monthly_payments', 'p.id = n.monthly_payment_id and p.medium_id = n.medium_id
      and p.agreement_id = n.agreement_id and p.organization_id = n.organization_id and p.month = n.month');

CREATE TRIGGER monthly_publisher_payments_owned_update AFTER UPDATE ON public.monthly_publisher_payments REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_orphans('monthly_payments', 'p.id = n.monthly_payment_id and p.medium_id = n.medium_id
      and p.agreement_id = n.agreement_id and p.organization_id = n.organization_id and p.month = n.month');

CREATE TRIGGER monthly_publisher_payments_same_id BEFORE UPDATE ON public.monthly_publisher_payments FOR EACH ROW WHEN (old.id <> new.id) EXECUTE FUNCTION app.refuse_other_id();

CREATE TRIGGER monthly_rule_snapshots_go_with_owner AFTER DELETE ON public.monthly_publisher_payments REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.remove_parts('monthly_rule_snapshots', 'monthly_publisher_payment_id');

CREATE TRIGGER monthly_rule_snapshots_keep_all BEFORE TRUNCATE ON public.monthly_rule_snapshots FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_truncate();

CREATE TRIGGER monthly_rule_snapshots_keep_delete AFTER DELETE ON public.monthly_rule_snapshots REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_rows_of_closed_month();

CREATE TRIGGER monthly_rule_snapshots_keep_insert AFTER INSERT ON public.monthly_rule_snapshots REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_rows_of_closed_month();

CREATE TRIGGER monthly_rule_snapshots_keep_update AFTER UPDATE ON public.monthly_rule_snapshots REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_rows_of_closed_month();

CREATE TRIGGER monthly_rule_snapshots_owned_insert AFTER INSERT ON public.monthly_rule_snapshots REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_orphans('monthly_publisher_payments', 'p.id = n.monthly_publisher_payment_id
      and p.medium_id = n.medium_id and p.agreement_id = n.agreement_id and p.organization_id = n.organization_id and p.month = n.month');

CREATE TRIGGER monthly_rule_snapshots_owned_update AFTER UPDATE ON public.monthly_rule_snapshots REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_orphans('monthly_publisher_payments', 'p.id = n.monthly_publisher_payment_id
      and p.medium_id = n.medium_id and p.agreement_id = n.agreement_id and p.organization_id = n.organization_id and p.month = n.month');

CREATE TRIGGER monthly_snapshot_inputs_keep_all BEFORE TRUNCATE ON public.monthly_snapshot_inputs FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_truncate();

CREATE TRIGGER monthly_snapshot_inputs_keep_delete AFTER DELETE ON public.monthly_snapshot_inputs REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_rows_of_closed_month();

CREATE TRIGGER monthly_snapshot_inputs_keep_insert AFTER INSERT ON public.monthly_snapshot_inputs REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_rows_of_closed_month();

CREATE TRIGGER monthly_snapshot_inputs_keep_update AFTER UPDATE ON public.monthly_snapshot_inputs REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_rows_of_closed_month();

CREATE TRIGGER monthly_snapshot_inputs_owned_insert AFTER INSERT ON public.monthly_snapshot_inputs REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_orphans('monthly_agreement_snapshots', 'p.id = n.snapshot_id
      and p.medium_id = n.medium_id and p.month = n.month');

CREATE TRIGGER monthly_snapshot_inputs_owned_update AFTER UPDATE ON public.monthly_snapshot_inputs REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_orphans('monthly_agreement_snapshots', 'p.id = n.snapshot_id
      and p.medium_id = n.medium_id and p.month = n.month');

CREATE TRIGGER monthly_tax_lines_keep_all BEFORE TRUNCATE ON public.monthly_tax_lines FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_truncate();

CREATE TRIGGER monthly_tax_lines_keep_delete AFTER DELETE ON public.monthly_tax_lines REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_rows_of_closed_month();

CREATE TRIGGER monthly_tax_lines_keep_insert AFTER INSERT ON public.monthly_tax_lines REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_rows_of_closed_month();

CREATE TRIGGER monthly_tax_lines_keep_update AFTER UPDATE ON public.monthly_tax_lines REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_rows_of_closed_month();

CREATE TRIGGER monthly_tax_lines_owned_insert AFTER INSERT ON public.monthly_tax_lines REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_orphans('monthly_payments', 'p.id = n.monthly_payment_id
      and p.medium_id = n.medium_id and p.month = n.month');

CREATE TRIGGER monthly_tax_lines_owned_update AFTER UPDATE ON public.monthly_tax_lines REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_orphans('monthly_payments', 'p.id = n.monthly_payment_id
      and p.medium_id = n.medium_id and p.month = n.month');

CREATE TRIGGER opening_balances_keep_all BEFORE TRUNCATE ON public.opening_balances FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_truncate();

CREATE TRIGGER opening_balances_keep_delete AFTER DELETE ON public.opening_balances REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_settled_balances();

CREATE TRIGGER opening_balances_keep_insert AFTER INSERT ON public.opening_balances REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_settled_balances();

CREATE TRIGGER opening_balances_keep_update AFTER UPDATE ON public.opening_balances REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_settled_balances();

CREATE TRIGGER organizations_agreement_pieces AFTER UPDATE ON public.organizations REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION app.keep_agreement_pieces_of_organizations();

CREATE TRIGGER publisher_api_keys_stay BEFORE UPDATE ON public.publisher_api_keys FOR EACH ROW EXECUTE FUNCTION app.keep_api_key();

CREATE TRIGGER publisher_pieces_added AFTER INSERT ON app.publisher_pieces REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.count_pieces('publisher');

CREATE TRIGGER publisher_pieces_changed AFTER UPDATE ON app.publisher_pieces REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION app.count_pieces('publisher');

CREATE TRIGGER publisher_pieces_emptied AFTER TRUNCATE ON app.publisher_pieces FOR EACH STATEMENT EXECUTE FUNCTION app.count_pieces('publisher');

CREATE TRIGGER publisher_pieces_gone AFTER DELETE ON app.publisher_pieces REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION app.count_pieces('publisher');

CREATE TRIGGER publisher_revenue_estimates_append BEFORE DELETE OR UPDATE ON public.publisher_revenue_estimates FOR EACH ROW EXECUTE FUNCTION app.refuse_ledger_change();

CREATE TRIGGER publisher_revenue_estimates_keep_all BEFORE TRUNCATE ON public.publisher_revenue_estimates FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_truncate();

CREATE TRIGGER publisher_revenue_estimates_keep_insert AFTER INSERT ON public.publisher_revenue_estimates REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_rows_of_closed_month();

CREATE TRIGGER publisher_revenue_estimates_owned_insert AFTER INSERT ON public.publisher_revenue_estimates REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_orphans('revenue_estimates', 'p.medium_id = n.medium_id and p.month = n.month');

CREATE TRIGGER organization_fixed BEFORE UPDATE OF organization_id ON public.publishers FOR EACH ROW WHEN (old.organization_id IS DISTINCT FROM new.organization_id) EXECUTE FUNCTION app.refuse_other_organization();

CREATE TRIGGER publishers_keep_all BEFORE TRUNCATE ON public.publishers FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_truncate();

CREATE TRIGGER publishers_named AFTER DELETE ON public.publishers REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_referenced('dividend_weights', 'publisher_id', 'dividend_ledger_lines', 'publisher_id');

CREATE TRIGGER publishers_pieces_changed AFTER UPDATE ON public.publishers REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION app.keep_publisher_pieces();

CREATE TRIGGER publishers_pieces_new AFTER INSERT ON public.publishers REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION app.keep_publisher_pieces();

CREATE TRIGGER publishers_same_id BEFORE UPDATE OF id ON public.publishers FOR EACH ROW WHEN (old.id <> new.id) EXECUTE FUNCTION app.refuse_other_id();

CREATE TRIGGER question_messages_append BEFORE DELETE OR UPDATE ON public.question_messages FOR EACH ROW EXECUTE FUNCTION app.refuse_ledger_change();

CREATE TRIGGER question_messages_keep_all BEFORE TRUNCATE ON public.question_messages FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_truncate();

CREATE TRIGGER questions_keep BEFORE DELETE OR UPDATE ON public.questions FOR EACH ROW EXECUTE FUNCTION app.keep_question();

CREATE TRIGGER questions_keep_all BEFORE TRUNCATE ON public.questions FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_truncate();

CREATE TRIGGER same_organization AFTER INSERT ON public.questions FOR EACH ROW EXECUTE FUNCTION app.refuse_foreign_subject();

CREATE TRIGGER retention_runs_append BEFORE DELETE OR UPDATE ON public.retention_runs FOR EACH ROW EXECUTE FUNCTION app.refuse_ledger_change();

CREATE TRIGGER revenue_estimates_append BEFORE DELETE OR UPDATE ON public.revenue_estimates FOR EACH ROW EXECUTE FUNCTION app.refuse_ledger_change();

CREATE TRIGGER revenue_estimates_keep_all BEFORE TRUNCATE ON public.revenue_estimates FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_truncate();

CREATE TRIGGER revenue_estimates_keep_insert AFTER INSERT ON public.revenue_estimates REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_rows_of_closed_month();

CREATE TRIGGER statement_events_append BEFORE DELETE OR UPDATE ON public.statement_events FOR EACH ROW EXECUTE FUNCTION app.refuse_ledger_change();

CREATE TRIGGER statement_events_keep_all BEFORE TRUNCATE ON public.statement_events FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_truncate();

CREATE TRIGGER statements_counted_gone AFTER DELETE ON public.statements REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION app.count_statements();

CREATE TRIGGER statements_counted_moved AFTER UPDATE ON public.statements REFERENCING OLD TABLE AS gone NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION app.count_statements();

CREATE TRIGGER statements_counted_new AFTER INSERT ON public.statements REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION app.count_statements();

CREATE TRIGGER statements_keep BEFORE INSERT OR DELETE OR UPDATE ON public.statements FOR EACH ROW EXECUTE FUNCTION app.keep_statement();

CREATE TRIGGER statements_keep_all BEFORE TRUNCATE ON public.statements FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_truncate();

CREATE TRIGGER statements_payees AFTER INSERT ON public.statements REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION app.keep_statement_payees();

CREATE TRIGGER statements_webhooks AFTER INSERT ON public.statements REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION app.note_statement_issued();

CREATE TRIGGER name_ledger_change BEFORE UPDATE ON public.stats_ledger FOR EACH ROW EXECUTE FUNCTION app.name_ledger_change();

CREATE TRIGGER transfer_batches_keep BEFORE DELETE OR UPDATE ON public.transfer_batches FOR EACH ROW EXECUTE FUNCTION app.keep_transfer_batch();

CREATE TRIGGER transfer_batches_keep_all BEFORE TRUNCATE ON public.transfer_batches FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_truncate();

CREATE TRIGGER transfer_batches_practice BEFORE INSERT ON public.transfer_batches FOR EACH ROW EXECUTE FUNCTION app.spoil_practice_batch();

CREATE TRIGGER transfer_payments_keep BEFORE DELETE OR UPDATE ON public.transfer_payments FOR EACH ROW EXECUTE FUNCTION app.keep_transfer_payment();

CREATE TRIGGER transfer_payments_keep_all BEFORE TRUNCATE ON public.transfer_payments FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_truncate();

CREATE TRIGGER transfer_payments_recall BEFORE INSERT ON public.transfer_payments FOR EACH ROW EXECUTE FUNCTION app.check_recalled_payment();

CREATE TRIGGER transfer_recalls_keep BEFORE DELETE OR UPDATE ON public.transfer_recalls FOR EACH ROW EXECUTE FUNCTION app.keep_transfer_recall();

CREATE TRIGGER transfer_recalls_keep_all BEFORE TRUNCATE ON public.transfer_recalls FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_truncate();

CREATE TRIGGER transfer_records_add_return AFTER UPDATE OF state ON public.transfer_records FOR EACH ROW WHEN (new.state = 'returned'::text AND old.state <> 'returned'::text) EXECUTE FUNCTION app.add_return('transfer_id');

CREATE TRIGGER transfer_records_early_return BEFORE UPDATE ON public.transfer_records FOR EACH ROW WHEN (old.state = 'exported'::text AND new.state = 'returned'::text) EXECUTE FUNCTION app.check_early_return_of_record();

CREATE TRIGGER transfer_records_keep BEFORE INSERT OR DELETE OR UPDATE ON public.transfer_records FOR EACH ROW EXECUTE FUNCTION app.keep_transfer_record();

CREATE TRIGGER transfer_records_keep_all BEFORE TRUNCATE ON public.transfer_records FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_truncate();

CREATE CONSTRAINT TRIGGER transfer_records_sums AFTER INSERT OR UPDATE ON public.transfer_records DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION app.check_transfer_records('transfer_id');

CREATE TRIGGER transfer_result_imports_append BEFORE DELETE OR UPDATE ON public.transfer_result_imports FOR EACH ROW EXECUTE FUNCTION app.refuse_ledger_change();

CREATE TRIGGER transfer_result_imports_keep_all BEFORE TRUNCATE ON public.transfer_result_imports FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_truncate();

CREATE TRIGGER transfer_return_fees_keep BEFORE INSERT OR DELETE OR UPDATE ON public.transfer_return_fees FOR EACH ROW EXECUTE FUNCTION app.keep_return_fee();

CREATE TRIGGER transfer_return_fees_keep_all BEFORE TRUNCATE ON public.transfer_return_fees FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_truncate();

CREATE TRIGGER transfers_add_return AFTER UPDATE OF state ON public.transfers FOR EACH ROW WHEN (new.record_count = 1 AND new.state = 'returned'::text AND old.state <> 'returned'::text) EXECUTE FUNCTION app.add_return('id');

CREATE TRIGGER transfers_early_return BEFORE UPDATE ON public.transfers FOR EACH ROW WHEN (old.state = 'exported'::text AND new.state = 'returned'::text) EXECUTE FUNCTION app.check_early_return();

CREATE TRIGGER transfers_free AFTER UPDATE ON public.transfers FOR EACH ROW WHEN (new.state = ANY (ARRAY['returned'::text, 'cancelled'::text])) EXECUTE FUNCTION app.free_transfer_payments();

CREATE TRIGGER transfers_keep BEFORE INSERT OR DELETE ON public.transfers FOR EACH ROW EXECUTE FUNCTION app.keep_transfer();

CREATE TRIGGER transfers_keep_all BEFORE TRUNCATE ON public.transfers FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_truncate();

CREATE TRIGGER transfers_keep_split BEFORE UPDATE ON public.transfers FOR EACH ROW WHEN (old.record_count > 1) EXECUTE FUNCTION app.keep_split_transfer();

CREATE TRIGGER transfers_keep_whole BEFORE UPDATE ON public.transfers FOR EACH ROW WHEN (old.record_count = 1) EXECUTE FUNCTION app.keep_transfer();

CREATE TRIGGER transfers_move_records AFTER UPDATE OF state ON public.transfers FOR EACH ROW WHEN (new.record_count > 1 AND new.state <> old.state) EXECUTE FUNCTION app.move_transfer_records();

CREATE TRIGGER transfers_recalled_unsent BEFORE UPDATE ON public.transfers FOR EACH ROW WHEN (old.state = 'planned'::text AND new.state = 'exported'::text) EXECUTE FUNCTION app.keep_recalled_unsent();

CREATE CONSTRAINT TRIGGER transfers_record_sums AFTER INSERT OR UPDATE OF state ON public.transfers DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (new.record_count > 1) EXECUTE FUNCTION app.check_transfer_records('id');

CREATE CONSTRAINT TRIGGER transfers_sums AFTER INSERT ON public.transfers DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION app.check_transfer_parts();

CREATE TRIGGER transfers_take AFTER UPDATE ON public.transfers FOR EACH ROW WHEN (old.state = 'returned'::text AND new.state = 'paid'::text) EXECUTE FUNCTION app.take_transfer_payments();

CREATE TRIGGER transfers_webhooks AFTER UPDATE OF state ON public.transfers FOR EACH ROW WHEN (new.state = 'paid'::text AND old.state <> 'paid'::text) EXECUTE FUNCTION app.note_payment_paid();

CREATE TRIGGER transfers_webhooks_by_hand AFTER INSERT ON public.transfers FOR EACH ROW WHEN (new.state = 'paid'::text) EXECUTE FUNCTION app.note_payment_paid();

CREATE TRIGGER same_organization AFTER INSERT OR UPDATE ON public.user_agreements FOR EACH ROW EXECUTE FUNCTION app.refuse_foreign_agreement();

CREATE CONSTRAINT TRIGGER same_organization AFTER UPDATE OF organization_id ON public.users DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (old.organization_id IS DISTINCT FROM new.organization_id) EXECUTE FUNCTION app.refuse_leaving_agreements();

CREATE TRIGGER users_reserved_email BEFORE INSERT OR UPDATE OF email ON public.users FOR EACH ROW EXECUTE FUNCTION app.refuse_reserved_email();

CREATE TRIGGER videos_touch BEFORE UPDATE ON public.videos FOR EACH ROW WHEN (old.* IS DISTINCT FROM new.*) EXECUTE FUNCTION app.touch_content();

alter table app.agreement_pieces disable row level security;
alter table app.agreement_pieces no force row level security;

alter table app.feed_pieces disable row level security;
alter table app.feed_pieces no force row level security;

alter table app.medium_article_counts disable row level security;
alter table app.medium_article_counts no force row level security;

alter table app.medium_article_pieces disable row level security;
alter table app.medium_article_pieces no force row level security;

alter table app.piece_counts disable row level security;
alter table app.piece_counts no force row level security;

alter table app.publisher_pieces disable row level security;
alter table app.publisher_pieces no force row level security;

alter table app.statement_counts enable row level security;
alter table app.statement_counts no force row level security;

alter table app.statement_payees disable row level security;
alter table app.statement_payees no force row level security;

alter table public.account_changes enable row level security;
alter table public.account_changes force row level security;

alter table public.account_undos enable row level security;
alter table public.account_undos force row level security;

alter table public.agreement_bank_accounts enable row level security;
alter table public.agreement_bank_accounts force row level security;

alter table public.agreement_documents enable row level security;
alter table public.agreement_documents force row level security;

alter table public.agreement_law_notices enable row level security;
alter table public.agreement_law_notices force row level security;

alter table public.agreement_publisher_rule_versions enable row level security;
alter table public.agreement_publisher_rule_versions force row level security;

alter table public.agreement_publisher_rules enable row level security;
alter table public.agreement_publisher_rules force row level security;

alter table public.agreement_renewal_notices enable row level security;
alter table public.agreement_renewal_notices force row level security;

alter table public.agreement_terms_versions enable row level security;
alter table public.agreement_terms_versions force row level security;

alter table public.agreements enable row level security;
alter table public.agreements force row level security;

alter table public.annotations enable row level security;
alter table public.annotations force row level security;

alter table public.announcement_reads enable row level security;
alter table public.announcement_reads force row level security;

alter table public.announcement_targets enable row level security;
alter table public.announcement_targets force row level security;

alter table public.announcements enable row level security;
alter table public.announcements force row level security;

alter table public.answer_templates enable row level security;
alter table public.answer_templates force row level security;

alter table public.api_keys enable row level security;
alter table public.api_keys force row level security;

alter table public.article_labels enable row level security;
alter table public.article_labels force row level security;

alter table public.audit_head enable row level security;
alter table public.audit_head force row level security;

alter table public.audit_log enable row level security;
alter table public.audit_log force row level security;

alter table public.bank_account_switches enable row level security;
alter table public.bank_account_switches force row level security;

alter table public.bank_accounts enable row level security;
alter table public.bank_accounts force row level security;

alter table public.bank_branches enable row level security;
alter table public.bank_branches force row level security;

alter table public.bank_master_imports enable row level security;
alter table public.bank_master_imports force row level security;

alter table public.banks enable row level security;
alter table public.banks force row level security;

alter table public.boards enable row level security;
alter table public.boards force row level security;

alter table public.close_acknowledgements enable row level security;
alter table public.close_acknowledgements force row level security;

alter table public.consumption_tax_rates enable row level security;
alter table public.consumption_tax_rates force row level security;

alter table public.demonstration enable row level security;
alter table public.demonstration force row level security;

alter table public.dividend_ledger_lines enable row level security;
alter table public.dividend_ledger_lines force row level security;

alter table public.dividend_operations enable row level security;
alter table public.dividend_operations force row level security;

alter table public.dividend_rows enable row level security;
alter table public.dividend_rows force row level security;

alter table public.dividend_weights enable row level security;
alter table public.dividend_weights force row level security;

alter table public.dividends enable row level security;
alter table public.dividends force row level security;

alter table public.event_hours enable row level security;
alter table public.event_hours force row level security;

alter table public.feed_health enable row level security;
alter table public.feed_health force row level security;

alter table public.feed_seen_items enable row level security;
alter table public.feed_seen_items force row level security;

alter table public.feeds enable row level security;
alter table public.feeds force row level security;

alter table public.figure_alert_checks enable row level security;
alter table public.figure_alert_checks force row level security;

alter table public.figure_alerts enable row level security;
alter table public.figure_alerts force row level security;

alter table public.holiday_imports enable row level security;
alter table public.holiday_imports force row level security;

alter table public.holidays enable row level security;
alter table public.holidays force row level security;

alter table public.idempotency_keys enable row level security;
alter table public.idempotency_keys force row level security;

alter table public.idp_accounts enable row level security;
alter table public.idp_accounts force row level security;

alter table public.idp_attempts enable row level security;
alter table public.idp_attempts force row level security;

alter table public.idp_authenticators enable row level security;
alter table public.idp_authenticators force row level security;

alter table public.idp_payloads enable row level security;
alter table public.idp_payloads force row level security;

alter table public.idp_recovery_codes enable row level security;
alter table public.idp_recovery_codes force row level security;

alter table public.idp_session_uses enable row level security;
alter table public.idp_session_uses force row level security;

alter table public.idp_settings enable row level security;
alter table public.idp_settings force row level security;

alter table public.import_rows enable row level security;
alter table public.import_rows force row level security;

alter table public.imports enable row level security;
alter table public.imports force row level security;

alter table public.ingest_batches enable row level security;
alter table public.ingest_batches force row level security;

alter table public.ingest_quarantined_rows enable row level security;
alter table public.ingest_quarantined_rows force row level security;

alter table public.input_tax_deductions enable row level security;
alter table public.input_tax_deductions force row level security;

alter table public.invariant_runs enable row level security;
alter table public.invariant_runs force row level security;

alter table public.invariant_violations enable row level security;
alter table public.invariant_violations force row level security;

alter table public.invitations enable row level security;
alter table public.invitations force row level security;

alter table public.invoice_register_results enable row level security;
alter table public.invoice_register_results force row level security;

alter table public.journal_accounts enable row level security;
alter table public.journal_accounts force row level security;

alter table public.late_corrections enable row level security;
alter table public.late_corrections force row level security;

alter table public.legal_holds enable row level security;
alter table public.legal_holds force row level security;

alter table public.media enable row level security;
alter table public.media force row level security;

alter table public.medium_article_removals enable row level security;
alter table public.medium_article_removals force row level security;

alter table public.medium_articles enable row level security;
alter table public.medium_articles force row level security;

alter table public.month_close_log enable row level security;
alter table public.month_close_log force row level security;

alter table public.month_closings enable row level security;
alter table public.month_closings force row level security;

alter table public.month_states enable row level security;
alter table public.month_states force row level security;

alter table public.monthly_adjustments enable row level security;
alter table public.monthly_adjustments force row level security;

alter table public.monthly_agreement_snapshots enable row level security;
alter table public.monthly_agreement_snapshots force row level security;

alter table public.monthly_carried_buckets enable row level security;
alter table public.monthly_carried_buckets force row level security;

alter table public.monthly_estimates enable row level security;
alter table public.monthly_estimates force row level security;

alter table public.monthly_paid_buckets enable row level security;
alter table public.monthly_paid_buckets force row level security;

alter table public.monthly_payments enable row level security;
alter table public.monthly_payments force row level security;

alter table public.monthly_pools enable row level security;
alter table public.monthly_pools force row level security;

alter table public.monthly_publisher_payments enable row level security;
alter table public.monthly_publisher_payments force row level security;

alter table public.monthly_rule_snapshots enable row level security;
alter table public.monthly_rule_snapshots force row level security;

alter table public.monthly_snapshot_inputs enable row level security;
alter table public.monthly_snapshot_inputs force row level security;

alter table public.monthly_tax_lines enable row level security;
alter table public.monthly_tax_lines force row level security;

alter table public.opening_balances enable row level security;
alter table public.opening_balances force row level security;

alter table public.organizations enable row level security;
alter table public.organizations force row level security;

alter table public.page_views enable row level security;
alter table public.page_views force row level security;

alter table public.payment_setting_revisions enable row level security;
alter table public.payment_setting_revisions force row level security;

alter table public.payment_settings enable row level security;
alter table public.payment_settings force row level security;

alter table public.policies enable row level security;
alter table public.policies force row level security;

alter table public.practice_entries enable row level security;
alter table public.practice_entries force row level security;

alter table public.practice_payments enable row level security;
alter table public.practice_payments force row level security;

alter table public.practice_publisher_payments enable row level security;
alter table public.practice_publisher_payments force row level security;

alter table public.practice_system enable row level security;
alter table public.practice_system force row level security;

alter table public.preferences enable row level security;
alter table public.preferences force row level security;

alter table public.publisher_api_key_paces enable row level security;
alter table public.publisher_api_key_paces force row level security;

alter table public.publisher_api_keys enable row level security;
alter table public.publisher_api_keys force row level security;

alter table public.publisher_revenue_estimates enable row level security;
alter table public.publisher_revenue_estimates force row level security;

alter table public.publishers enable row level security;
alter table public.publishers force row level security;

alter table public.question_messages enable row level security;
alter table public.question_messages force row level security;

alter table public.question_reads enable row level security;
alter table public.question_reads force row level security;

alter table public.questions enable row level security;
alter table public.questions force row level security;

alter table public.report_mail_deliveries enable row level security;
alter table public.report_mail_deliveries force row level security;

alter table public.report_mails enable row level security;
alter table public.report_mails force row level security;

alter table public.retention_runs enable row level security;
alter table public.retention_runs force row level security;

alter table public.revenue_estimates enable row level security;
alter table public.revenue_estimates force row level security;

alter table public.roles enable row level security;
alter table public.roles force row level security;

alter table public.saved_views enable row level security;
alter table public.saved_views force row level security;

alter table public.second_factor_rule enable row level security;
alter table public.second_factor_rule force row level security;

alter table public.sent_mails enable row level security;
alter table public.sent_mails force row level security;

alter table public.settlement_rules enable row level security;
alter table public.settlement_rules force row level security;

alter table public.statement_event_notices enable row level security;
alter table public.statement_event_notices force row level security;

alter table public.statement_events enable row level security;
alter table public.statement_events force row level security;

alter table public.statement_notices enable row level security;
alter table public.statement_notices force row level security;

alter table public.statement_settings enable row level security;
alter table public.statement_settings force row level security;

alter table public.statements enable row level security;
alter table public.statements force row level security;

alter table public.stats_ledger enable row level security;
alter table public.stats_ledger force row level security;

alter table public.stats_versions enable row level security;
alter table public.stats_versions force row level security;

alter table public.transfer_batches enable row level security;
alter table public.transfer_batches force row level security;

alter table public.transfer_fees enable row level security;
alter table public.transfer_fees force row level security;

alter table public.transfer_payments enable row level security;
alter table public.transfer_payments force row level security;

alter table public.transfer_recalls enable row level security;
alter table public.transfer_recalls force row level security;

alter table public.transfer_records enable row level security;
alter table public.transfer_records force row level security;

alter table public.transfer_result_imports enable row level security;
alter table public.transfer_result_imports force row level security;

alter table public.transfer_return_fees enable row level security;
alter table public.transfer_return_fees force row level security;

alter table public.transfer_sources enable row level security;
alter table public.transfer_sources force row level security;

alter table public.transfers enable row level security;
alter table public.transfers force row level security;

alter table public.user_agreements enable row level security;
alter table public.user_agreements force row level security;

alter table public.user_roles enable row level security;
alter table public.user_roles force row level security;

alter table public.users enable row level security;
alter table public.users force row level security;

alter table public.videos enable row level security;
alter table public.videos force row level security;

alter table public.view_as_sessions enable row level security;
alter table public.view_as_sessions force row level security;

alter table public.webhook_deliveries enable row level security;
alter table public.webhook_deliveries force row level security;

alter table public.webhook_events enable row level security;
alter table public.webhook_events force row level security;

alter table public.webhooks enable row level security;
alter table public.webhooks force row level security;

alter table public.what_if_drafts enable row level security;
alter table public.what_if_drafts force row level security;

alter table public.withholding_rates enable row level security;
alter table public.withholding_rates force row level security;

create policy all_rows on app.statement_counts as permissive for all to public
  using (( SELECT app.scope() = 'all'::text));

create policy all_rows on public.account_changes as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy own_organization on public.account_changes as permissive for select to public
  using ((( SELECT app.scope() AS scope)) = 'organization'::text AND (uid IN ( SELECT u.uid
   FROM public.users u)));

create policy own_organization_insert on public.account_changes as permissive for insert to public
  with check ((( SELECT app.scope() AS scope)) = 'organization'::text AND requested_by_uid = (( SELECT app.uid() AS uid)) AND uid <> (( SELECT app.uid() AS uid)) AND (uid IN ( SELECT u.uid
   FROM public.users u
  WHERE u.organization_id = (( SELECT app.organization_id() AS organization_id)))));

create policy own_organization_update on public.account_changes as permissive for update to public
  using ((( SELECT app.scope() AS scope)) = 'organization'::text AND (uid IN ( SELECT u.uid
   FROM public.users u
  WHERE u.organization_id = (( SELECT app.organization_id() AS organization_id)))));

create policy all_rows on public.account_undos as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.agreement_bank_accounts as permissive for all to public
  using (( SELECT app.scope() = 'all'::text));

create policy own_organization on public.agreement_bank_accounts as permissive for select to public
  using ((( SELECT app.scope() AS scope)) = 'organization'::text AND (agreement_id IN ( SELECT a.id
   FROM public.agreements a)));

create policy all_rows on public.agreement_documents as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy visible_agreements on public.agreement_documents as permissive for select to public
  using (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text])) AND removed_at IS NULL AND (agreement_id IN ( SELECT a.id
   FROM public.agreements a)));

create policy all_rows on public.agreement_law_notices as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

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

create policy all_rows on public.agreement_renewal_notices as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.agreement_terms_versions as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy visible_agreements on public.agreement_terms_versions as permissive for select to public
  using (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text])) AND (agreement_id IN ( SELECT a.id
   FROM public.agreements a)));

create policy all_rows on public.agreements as permissive for all to public
  using (( SELECT app.scope() = 'all'::text));

create policy own_agreements on public.agreements as permissive for select to public
  using ((( SELECT app.scope() AS scope)) = 'agreements'::text AND (id = ANY ((( SELECT app.own_agreement_ids() AS own_agreement_ids))::bigint[])));

create policy own_organization on public.agreements as permissive for select to public
  using ((( SELECT app.scope() AS scope)) = 'organization'::text AND organization_id = (( SELECT app.organization_id() AS organization_id)));

create policy own_annotations on public.annotations as permissive for all to public
  using (((( SELECT app.scope() AS scope)) = ANY (ARRAY['all'::text, 'organization'::text, 'agreements'::text])) AND owner_uid = (( SELECT app.uid() AS uid)))
  with check (((( SELECT app.scope() AS scope)) = ANY (ARRAY['all'::text, 'organization'::text, 'agreements'::text])) AND owner_uid = (( SELECT app.uid() AS uid)) AND is_by_staff = ((( SELECT app.scope() AS scope)) = 'all'::text) AND (deleted_at IS NOT NULL OR (publisher_id IS NULL OR (publisher_id IN ( SELECT p.id
   FROM public.publishers p))) AND (visibility <> 'publisher'::text OR (( SELECT app.scope() AS scope)) <> 'agreements'::text OR medium_ids <@ (ARRAY( SELECT o.medium_id
   FROM app.own_publisher_media() o(publisher_id, medium_id)
  WHERE o.publisher_id = annotations.publisher_id)))));

create policy shared_with_publisher on public.annotations as permissive for select to public
  using (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text])) AND deleted_at IS NULL AND visibility = 'publisher'::text AND (publisher_id IN ( SELECT p.id
   FROM public.publishers p)) AND ((( SELECT app.scope() AS scope)) = 'organization'::text OR medium_ids <@ (ARRAY( SELECT o.medium_id
   FROM app.own_publisher_media() o(publisher_id, medium_id)
  WHERE o.publisher_id = annotations.publisher_id))));

create policy shared_with_staff on public.annotations as permissive for select to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text AND deleted_at IS NULL AND (visibility = ANY (ARRAY['staff'::text, 'publisher'::text])));

create policy the_system on public.annotations as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text AND (( SELECT app.uid() AS uid)) IS NULL);

create policy all_rows on public.announcement_reads as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy own_marks on public.announcement_reads as permissive for select to public
  using (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text])) AND uid = (( SELECT app.uid() AS uid)));

create policy own_marks_insert on public.announcement_reads as permissive for insert to public
  with check (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text])) AND uid = (( SELECT app.uid() AS uid)) AND (announcement_id IN ( SELECT a.id
   FROM public.announcements a)));

create policy all_rows on public.announcement_targets as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy own_targets on public.announcement_targets as permissive for select to public
  using (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text])) AND (kind = 'all'::text OR organization_id = (( SELECT app.organization_id() AS organization_id)) OR (role_name IN ( SELECT ur.role_name
   FROM public.user_roles ur
  WHERE ur.uid = (( SELECT app.uid() AS uid)))) OR (medium_id IN ( SELECT a.medium_id
   FROM public.agreements a))));

create policy addressed on public.announcements as permissive for select to public
  using (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text])) AND enabled AND (id IN ( SELECT t.announcement_id
   FROM public.announcement_targets t)));

create policy all_rows on public.announcements as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.answer_templates as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.api_keys as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.article_labels as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy visible_publishers on public.article_labels as permissive for select to public
  using ((publisher_id = ANY ((( SELECT app.own_publisher_ids() AS own_publisher_ids))::bigint[])) AND ((( SELECT app.scope() AS scope)) = 'organization'::text OR (EXISTS ( SELECT
   FROM app.own_publisher_media() o(publisher_id, medium_id)
  WHERE o.publisher_id = article_labels.publisher_id AND (o.medium_id = ANY (article_labels.medium_ids))))));

create policy all_rows on public.audit_head as permissive for select to pc_app
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy chain on public.audit_head as permissive for all to pc_owner
  using ((( SELECT app.scope() AS scope)) <> ''::text);

create policy all_rows_append on public.audit_log as permissive for insert to public
  with check ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows_read on public.audit_log as permissive for select to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy chain on public.audit_log as permissive for select to pc_owner
  using ((( SELECT app.scope() AS scope)) <> ''::text);

create policy own_rows_append on public.audit_log as permissive for insert to public
  with check (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text, 'self'::text])) AND actor_uid = (( SELECT app.uid() AS uid)));

create policy requested_changes_append on public.audit_log as permissive for insert to public
  with check ((( SELECT app.scope() AS scope)) = 'organization'::text AND resource_name = 'iam:user.'::text AND (EXISTS ( SELECT
   FROM public.account_changes c
  WHERE c.uid::text = audit_log.row_id AND c.requested_by_uid = audit_log.actor_uid AND c.confirmed_by_uid = (( SELECT app.uid() AS uid)))));

create policy viewed_rows_append on public.audit_log as permissive for insert to public
  with check (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text, 'self'::text])) AND acting_as_uid = (( SELECT app.uid() AS uid)));

create policy all_rows on public.bank_account_switches as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy own_organization on public.bank_account_switches as permissive for select to public
  using ((( SELECT app.scope() AS scope)) = 'organization'::text AND (bank_account_id IN ( SELECT b.id
   FROM public.bank_accounts b)));

create policy own_organization_request on public.bank_account_switches as permissive for insert to public
  with check ((( SELECT app.scope() AS scope)) = 'organization'::text AND state = 'planned'::text AND (bank_account_id IN ( SELECT b.id
   FROM public.bank_accounts b
  WHERE b.state = 'requested'::text AND b.requested_by = (( SELECT app.uid() AS uid)))) AND (agreement_id IN ( SELECT a.id
   FROM public.agreements a)));

create policy all_rows on public.bank_accounts as permissive for all to public
  using (( SELECT app.scope() = 'all'::text));

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

create policy own_boards on public.boards as permissive for all to public
  using (((( SELECT app.scope() AS scope)) = ANY (ARRAY['all'::text, 'organization'::text, 'agreements'::text])) AND owner_uid = (( SELECT app.uid() AS uid)))
  with check (((( SELECT app.scope() AS scope)) = ANY (ARRAY['all'::text, 'organization'::text, 'agreements'::text])) AND owner_uid = (( SELECT app.uid() AS uid)) AND is_by_staff = ((( SELECT app.scope() AS scope)) = 'all'::text) AND (is_by_staff OR NOT organization_id IS DISTINCT FROM (( SELECT app.organization_id() AS organization_id))));

create policy shared_boards on public.boards as permissive for select to public
  using (((( SELECT app.scope() AS scope)) = ANY (ARRAY['all'::text, 'organization'::text, 'agreements'::text])) AND deleted_at IS NULL AND shared_roles && (( SELECT COALESCE(array_agg(ur.role_name), '{}'::text[]) AS "coalesce"
   FROM public.user_roles ur
  WHERE ur.uid = (( SELECT app.uid() AS uid)))) AND (is_by_staff OR organization_id = (( SELECT app.organization_id() AS organization_id))));

create policy the_system on public.boards as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text AND (( SELECT app.uid() AS uid)) IS NULL);

create policy all_rows on public.close_acknowledgements as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.consumption_tax_rates as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.demonstration as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.dividend_ledger_lines as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.dividend_operations as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.dividend_rows as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.dividend_weights as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.dividends as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.event_hours as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy visible_publishers on public.event_hours as permissive for select to public
  using (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text])) AND (publisher_id IN ( SELECT p.id
   FROM public.publishers p)) AND ((( SELECT app.scope() AS scope)) = 'organization'::text OR ((publisher_id, medium_id) IN ( SELECT o.publisher_id,
    o.medium_id
   FROM app.own_publisher_media() o(publisher_id, medium_id)))));

create policy all_rows on public.feed_health as permissive for all to public
  using (( SELECT app.scope() = 'all'::text));

create policy visible_feeds on public.feed_health as permissive for select to public
  using (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text])) AND (EXISTS ( SELECT
   FROM public.feeds f
  WHERE f.id = feed_health.feed_id)));

create policy all_rows on public.feed_seen_items as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy visible_feeds on public.feed_seen_items as permissive for select to public
  using (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text])) AND (feed_id IN ( SELECT f.id
   FROM public.feeds f)));

create policy all_rows on public.feeds as permissive for all to public
  using (( SELECT app.scope() = 'all'::text));

create policy visible_publishers on public.feeds as permissive for select to public
  using ((publisher_id = ANY ((( SELECT app.own_publisher_ids() AS own_publisher_ids))::bigint[])) AND ((( SELECT app.scope() AS scope)) = 'organization'::text OR ((publisher_id, medium_id) IN ( SELECT o.publisher_id,
    o.medium_id
   FROM app.own_publisher_media() o(publisher_id, medium_id)))));

create policy all_rows on public.figure_alert_checks as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.figure_alerts as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy visible_publishers on public.figure_alerts as permissive for select to public
  using ((( SELECT app.scope() AS scope)) = 'organization'::text AND (publisher_id IN ( SELECT p.id
   FROM public.publishers p)) OR (( SELECT app.scope() AS scope)) = 'agreements'::text AND (EXISTS ( SELECT
   FROM public.agreement_publisher_rules r
  WHERE r.publisher_id = figure_alerts.publisher_id AND r.medium_id = figure_alerts.medium_id)));

create policy all_rows on public.holiday_imports as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.holidays as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

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

create policy all_rows on public.idp_authenticators as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.idp_payloads as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.idp_recovery_codes as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.idp_session_uses as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.idp_settings as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.import_rows as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.imports as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.ingest_batches as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.ingest_quarantined_rows as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.input_tax_deductions as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.invariant_runs as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.invariant_violations as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.invitations as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy own_organization_insert on public.invitations as permissive for insert to public
  with check ((( SELECT app.scope() AS scope)) = 'organization'::text AND (uid IN ( SELECT u.uid
   FROM public.users u
  WHERE u.organization_id = (( SELECT app.organization_id() AS organization_id)))));

create policy own_organization_update on public.invitations as permissive for update to public
  using ((( SELECT app.scope() AS scope)) = 'organization'::text AND (uid IN ( SELECT u.uid
   FROM public.users u
  WHERE u.organization_id = (( SELECT app.organization_id() AS organization_id)))));

create policy visible_users on public.invitations as permissive for select to public
  using ((( SELECT app.scope() AS scope)) = 'organization'::text AND (uid IN ( SELECT u.uid
   FROM public.users u)));

create policy all_rows on public.invoice_register_results as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.journal_accounts as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.late_corrections as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.legal_holds as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.media as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy own_agreements on public.media as permissive for select to public
  using (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text])) AND (id IN ( SELECT a.medium_id
   FROM public.agreements a)));

create policy all_rows on public.medium_article_removals as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy own_removals on public.medium_article_removals as permissive for insert to public
  with check (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text])) AND removed_by = (( SELECT app.uid() AS uid)) AND restored_at IS NULL AND (article_id IN ( SELECT a.article_id
   FROM public.medium_articles a)) AND (publisher_id IN ( SELECT p.id
   FROM public.publishers p)));

create policy own_restorations on public.medium_article_removals as permissive for update to public
  using (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text])) AND restored_at IS NULL AND (publisher_id IN ( SELECT p.id
   FROM public.publishers p)) AND ((( SELECT app.scope() AS scope)) = 'organization'::text OR (EXISTS ( SELECT
   FROM public.medium_articles a
  WHERE a.article_id = medium_article_removals.article_id))))
  with check (restored_by = (( SELECT app.uid() AS uid)));

create policy visible_publishers on public.medium_article_removals as permissive for select to public
  using (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text])) AND (publisher_id IN ( SELECT p.id
   FROM public.publishers p)) AND ((( SELECT app.scope() AS scope)) = 'organization'::text OR (EXISTS ( SELECT
   FROM public.medium_articles a
  WHERE a.article_id = medium_article_removals.article_id))));

create policy all_rows on public.medium_articles as permissive for all to public
  using (( SELECT app.scope() = 'all'::text));

create policy visible_publishers on public.medium_articles as permissive for select to public
  using ((publisher_id = ANY ((( SELECT app.own_publisher_ids() AS own_publisher_ids))::bigint[])) AND ((( SELECT app.scope() AS scope)) = 'organization'::text OR ((publisher_id, medium_id) IN ( SELECT o.publisher_id,
    o.medium_id
   FROM app.own_publisher_media() o(publisher_id, medium_id)))));

create policy all_rows on public.month_close_log as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.month_closings as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy reference_data on public.month_closings as permissive for select to public
  using ((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text]));

create policy all_rows on public.month_states as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.monthly_adjustments as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.monthly_agreement_snapshots as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy own_agreements on public.monthly_agreement_snapshots as permissive for select to public
  using ((( SELECT app.scope() AS scope)) = 'agreements'::text AND has_been_finalized AND (agreement_id = ANY ((( SELECT app.own_agreement_ids() AS own_agreement_ids))::bigint[])));

create policy own_organization on public.monthly_agreement_snapshots as permissive for select to public
  using ((( SELECT app.scope() AS scope)) = 'organization'::text AND has_been_finalized AND organization_id = (( SELECT app.organization_id() AS organization_id)));

create policy all_rows on public.monthly_carried_buckets as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.monthly_estimates as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy own_agreements on public.monthly_estimates as permissive for select to public
  using ((( SELECT app.scope() AS scope)) = 'agreements'::text AND (agreement_id = ANY ((( SELECT app.own_agreement_ids() AS own_agreement_ids))::bigint[])));

create policy own_organization on public.monthly_estimates as permissive for select to public
  using ((( SELECT app.scope() AS scope)) = 'organization'::text AND organization_id = (( SELECT app.organization_id() AS organization_id)));

create policy all_rows on public.monthly_paid_buckets as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.monthly_payments as permissive for all to public
  using (( SELECT app.scope() = 'all'::text));

create policy own_agreements on public.monthly_payments as permissive for select to public
  using ((( SELECT app.scope() AS scope)) = 'agreements'::text AND has_been_finalized AND (agreement_id = ANY ((( SELECT app.own_agreement_ids() AS own_agreement_ids))::bigint[])));

create policy own_organization on public.monthly_payments as permissive for select to public
  using ((( SELECT app.scope() AS scope)) = 'organization'::text AND has_been_finalized AND organization_id = (( SELECT app.organization_id() AS organization_id)));

create policy all_rows on public.monthly_pools as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.monthly_publisher_payments as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy own_agreements on public.monthly_publisher_payments as permissive for select to public
  using ((( SELECT app.scope() AS scope)) = 'agreements'::text AND has_been_finalized AND (agreement_id = ANY ((( SELECT app.own_agreement_ids() AS own_agreement_ids))::bigint[])));

create policy own_organization on public.monthly_publisher_payments as permissive for select to public
  using ((( SELECT app.scope() AS scope)) = 'organization'::text AND has_been_finalized AND organization_id = (( SELECT app.organization_id() AS organization_id)));

create policy all_rows on public.monthly_rule_snapshots as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy own_organization on public.monthly_rule_snapshots as permissive for select to public
  using ((( SELECT app.scope() AS scope)) = 'organization'::text AND has_been_finalized AND organization_id = (( SELECT app.organization_id() AS organization_id)));

create policy all_rows on public.monthly_snapshot_inputs as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.monthly_tax_lines as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.opening_balances as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.organizations as permissive for all to public
  using (( SELECT app.scope() = 'all'::text));

create policy own_organization on public.organizations as permissive for select to public
  using (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text])) AND id = (( SELECT app.organization_id() AS organization_id)));

create policy all_rows on public.page_views as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy own_views on public.page_views as permissive for insert to public
  with check (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text, 'self'::text])) AND uid = (( SELECT app.uid() AS uid)));

create policy all_rows on public.payment_setting_revisions as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.payment_settings as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.policies as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy own_roles on public.policies as permissive for select to public
  using (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text, 'self'::text])) AND (role_name IN ( SELECT ur.role_name
   FROM public.user_roles ur
  WHERE ur.uid = (( SELECT app.uid() AS uid)))));

create policy all_rows on public.practice_entries as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.practice_payments as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.practice_publisher_payments as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.practice_system as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.preferences as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy own_rows on public.preferences as permissive for all to public
  using (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text, 'self'::text])) AND uid = (( SELECT app.uid() AS uid)))
  with check (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text, 'self'::text])) AND uid = (( SELECT app.uid() AS uid)));

create policy all_rows on public.publisher_api_key_paces as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.publisher_api_keys as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy own_rows on public.publisher_api_keys as permissive for select to public
  using ((( SELECT app.scope() AS scope)) = 'organization'::text AND organization_id = (( SELECT app.organization_id() AS organization_id)));

create policy own_rows_insert on public.publisher_api_keys as permissive for insert to public
  with check ((( SELECT app.scope() AS scope)) = 'organization'::text AND organization_id = (( SELECT app.organization_id() AS organization_id)) AND created_by_uid = (( SELECT app.uid() AS uid)));

create policy own_rows_update on public.publisher_api_keys as permissive for update to public
  using ((( SELECT app.scope() AS scope)) = 'organization'::text AND organization_id = (( SELECT app.organization_id() AS organization_id)))
  with check (organization_id = (( SELECT app.organization_id() AS organization_id)));

create policy all_rows on public.publisher_revenue_estimates as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.publishers as permissive for all to public
  using (( SELECT app.scope() = 'all'::text));

create policy own_agreements on public.publishers as permissive for select to public
  using ((( SELECT app.scope() AS scope)) = 'agreements'::text AND (id IN ( SELECT r.publisher_id
   FROM public.agreement_publisher_rules r)));

create policy own_organization on public.publishers as permissive for select to public
  using ((( SELECT app.scope() AS scope)) = 'organization'::text AND organization_id = (( SELECT app.organization_id() AS organization_id)));

create policy all_rows on public.question_messages as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy of_own_questions on public.question_messages as permissive for select to public
  using (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text])) AND NOT is_internal AND (question_id IN ( SELECT q.id
   FROM public.questions q)));

create policy writing on public.question_messages as permissive for insert to public
  with check (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text])) AND NOT is_internal AND NOT is_by_staff AND writer_uid = (( SELECT app.uid() AS uid)) AND (question_id IN ( SELECT q.id
   FROM public.questions q)));

create policy all_rows on public.question_reads as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy own_reads on public.question_reads as permissive for all to public
  using (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text])) AND uid = (( SELECT app.uid() AS uid)) AND (question_id IN ( SELECT q.id
   FROM public.questions q)));

create policy all_rows on public.questions as permissive for all to public
  using (( SELECT app.scope() = 'all'::text));

create policy asking on public.questions as permissive for insert to public
  with check (asker_uid = (( SELECT app.uid() AS uid)) AND asker_scope = (( SELECT app.scope() AS scope)) AND state = 'open'::text AND assignee_uid IS NULL AND ((( SELECT app.scope() AS scope)) = 'organization'::text AND organization_id = (( SELECT app.organization_id() AS organization_id)) AND (agreement_id IS NULL OR (agreement_id IN ( SELECT a.id
   FROM public.agreements a))) OR (( SELECT app.scope() AS scope)) = 'agreements'::text AND kind <> 'statement'::text AND
CASE
    WHEN agreement_id IS NULL THEN organization_id = (( SELECT app.organization_id() AS organization_id))
    ELSE (agreement_id IN ( SELECT a.id
       FROM public.agreements a))
END));

create policy going_on_in_agreements on public.questions as permissive for update to public
  using ((( SELECT app.scope() AS scope)) = 'agreements'::text AND kind <> 'statement'::text AND
CASE
    WHEN agreement_id IS NULL THEN asker_uid = (( SELECT app.uid() AS uid))
    ELSE (agreement_id IN ( SELECT a.id
       FROM public.agreements a))
END)
  with check (state = ANY (ARRAY['open'::text, 'resolved'::text]));

create policy going_on_in_organization on public.questions as permissive for update to public
  using ((( SELECT app.scope() AS scope)) = 'organization'::text AND organization_id = (( SELECT app.organization_id() AS organization_id)))
  with check (organization_id = (( SELECT app.organization_id() AS organization_id)) AND (state = ANY (ARRAY['open'::text, 'resolved'::text])));

create policy own_agreements on public.questions as permissive for select to public
  using ((( SELECT app.scope() AS scope)) = 'agreements'::text AND kind <> 'statement'::text AND
CASE
    WHEN agreement_id IS NULL THEN asker_uid = (( SELECT app.uid() AS uid))
    ELSE (agreement_id IN ( SELECT a.id
       FROM public.agreements a))
END);

create policy own_organization on public.questions as permissive for select to public
  using ((( SELECT app.scope() AS scope)) = 'organization'::text AND organization_id = (( SELECT app.organization_id() AS organization_id)));

create policy all_rows on public.report_mail_deliveries as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy own_rows on public.report_mail_deliveries as permissive for select to public
  using (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text, 'self'::text])) AND (report_mail_id IN ( SELECT m.id
   FROM public.report_mails m)));

create policy own_tests on public.report_mail_deliveries as permissive for insert to public
  with check (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text, 'self'::text])) AND is_test AND (report_mail_id IN ( SELECT m.id
   FROM public.report_mails m)));

create policy all_rows on public.report_mails as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy own_rows on public.report_mails as permissive for select to public
  using (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text, 'self'::text])) AND uid = (( SELECT app.uid() AS uid)));

create policy own_rows_insert on public.report_mails as permissive for insert to public
  with check (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text, 'self'::text])) AND uid = (( SELECT app.uid() AS uid)));

create policy own_rows_update on public.report_mails as permissive for update to public
  using (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text, 'self'::text])) AND uid = (( SELECT app.uid() AS uid)))
  with check (uid = (( SELECT app.uid() AS uid)));

create policy all_rows on public.retention_runs as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.revenue_estimates as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.roles as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy names on public.roles as permissive for select to public
  using ((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text, 'self'::text]));

create policy all_rows on public.saved_views as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy own_rows on public.saved_views as permissive for select to public
  using (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text, 'self'::text])) AND uid = (( SELECT app.uid() AS uid)));

create policy own_rows_insert on public.saved_views as permissive for insert to public
  with check (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text, 'self'::text])) AND uid = (( SELECT app.uid() AS uid)) AND (shared_with_role IS NULL OR (EXISTS ( SELECT
   FROM public.user_roles ur
     JOIN public.roles r ON r.name = ur.role_name
  WHERE ur.uid = (( SELECT app.uid() AS uid)) AND r.side = 'staff'::text))));

create policy own_rows_update on public.saved_views as permissive for update to public
  using (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text, 'self'::text])) AND uid = (( SELECT app.uid() AS uid)))
  with check (uid = (( SELECT app.uid() AS uid)) AND (shared_with_role IS NULL OR (EXISTS ( SELECT
   FROM public.user_roles ur
     JOIN public.roles r ON r.name = ur.role_name
  WHERE ur.uid = (( SELECT app.uid() AS uid)) AND r.side = 'staff'::text))));

create policy shared_rows on public.saved_views as permissive for select to public
  using (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text, 'self'::text])) AND deleted_at IS NULL AND (shared_with_role IN ( SELECT ur.role_name
   FROM public.user_roles ur
  WHERE ur.uid = (( SELECT app.uid() AS uid)))));

create policy all_rows on public.second_factor_rule as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.sent_mails as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy own_rows on public.sent_mails as permissive for select to public
  using ((( SELECT app.scope() AS scope)) = 'organization'::text AND sender_uid = (( SELECT app.uid() AS uid)));

create policy own_rows_insert on public.sent_mails as permissive for insert to public
  with check ((( SELECT app.scope() AS scope)) = 'organization'::text AND sender_uid = (( SELECT app.uid() AS uid)));

create policy all_rows on public.settlement_rules as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.statement_event_notices as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.statement_events as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy own_organization on public.statement_events as permissive for select to public
  using ((( SELECT app.scope() AS scope)) = 'organization'::text AND (statement_id IN ( SELECT s.id
   FROM public.statements s)));

create policy own_organization_answer on public.statement_events as permissive for insert to public
  with check ((( SELECT app.scope() AS scope)) = 'organization'::text AND actor_uid = (( SELECT app.uid() AS uid)) AND (event = ANY (ARRAY['confirm'::text, 'object'::text, 'withdraw'::text])) AND (statement_id IN ( SELECT s.id
   FROM public.statements s)));

create policy all_rows on public.statement_notices as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy own_organization on public.statement_notices as permissive for select to public
  using ((( SELECT app.scope() AS scope)) = 'organization'::text AND (statement_id IN ( SELECT s.id
   FROM public.statements s)));

create policy all_rows on public.statement_settings as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.statements as permissive for all to public
  using (( SELECT app.scope() = 'all'::text));

create policy own_organization on public.statements as permissive for select to public
  using ((( SELECT app.scope() AS scope)) = 'organization'::text AND organization_id = (( SELECT app.organization_id() AS organization_id)));

create policy own_organization_answer on public.statements as permissive for update to public
  using ((( SELECT app.scope() AS scope)) = 'organization'::text AND organization_id = (( SELECT app.organization_id() AS organization_id)))
  with check (organization_id = (( SELECT app.organization_id() AS organization_id)) AND (state = ANY (ARRAY['issued'::text, 'confirmed'::text, 'objected'::text])));

create policy all_rows on public.stats_ledger as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.stats_versions as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.transfer_batches as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.transfer_fees as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.transfer_payments as permissive for all to public
  using (( SELECT app.scope() = 'all'::text));

create policy own_organization on public.transfer_payments as permissive for select to public
  using ((( SELECT app.scope() AS scope)) = 'organization'::text AND (transfer_id IN ( SELECT t.id
   FROM public.transfers t)));

create policy all_rows on public.transfer_recalls as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.transfer_records as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy own_organization on public.transfer_records as permissive for select to public
  using ((( SELECT app.scope() AS scope)) = 'organization'::text AND (transfer_id IN ( SELECT t.id
   FROM public.transfers t)));

create policy all_rows on public.transfer_result_imports as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.transfer_return_fees as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.transfer_sources as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.transfers as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy own_organization on public.transfers as permissive for select to public
  using ((( SELECT app.scope() AS scope)) = 'organization'::text AND organization_id = (( SELECT app.organization_id() AS organization_id)) AND (state = ANY (ARRAY['exported'::text, 'paid'::text, 'returned'::text])));

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
  using ((( SELECT app.scope() AS scope)) = 'organization'::text AND (role_name IN ( SELECT r.name
   FROM public.roles r
  WHERE r.side = 'publisher'::text)) AND (uid IN ( SELECT u.uid
   FROM public.users u
  WHERE u.organization_id = (( SELECT app.organization_id() AS organization_id)))));

create policy publisher_roles_insert on public.user_roles as permissive for insert to public
  with check ((( SELECT app.scope() AS scope)) = 'organization'::text AND (role_name IN ( SELECT r.name
   FROM public.roles r
  WHERE r.side = 'publisher'::text)) AND (uid IN ( SELECT u.uid
   FROM public.users u
  WHERE u.organization_id = (( SELECT app.organization_id() AS organization_id)))));

create policy visible_users on public.user_roles as permissive for select to public
  using (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text, 'self'::text])) AND (uid IN ( SELECT u.uid
   FROM public.users u)));

create policy all_rows on public.users as permissive for all to public
  using (( SELECT app.scope() = 'all'::text));

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
  using ((publisher_id = ANY ((( SELECT app.own_publisher_ids() AS own_publisher_ids))::bigint[])) AND ((( SELECT app.scope() AS scope)) = 'organization'::text OR ((publisher_id, medium_id) IN ( SELECT o.publisher_id,
    o.medium_id
   FROM app.own_publisher_media() o(publisher_id, medium_id)))));

create policy all_rows on public.view_as_sessions as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy own_view on public.view_as_sessions as permissive for select to public
  using (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text, 'self'::text])) AND target_uid = (( SELECT app.uid() AS uid)));

create policy own_view_end on public.view_as_sessions as permissive for update to public
  using (((( SELECT app.scope() AS scope)) = ANY (ARRAY['organization'::text, 'agreements'::text, 'self'::text])) AND target_uid = (( SELECT app.uid() AS uid)));

create policy all_rows on public.webhook_deliveries as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy own_rows on public.webhook_deliveries as permissive for select to public
  using ((( SELECT app.scope() AS scope)) = 'organization'::text AND (webhook_id IN ( SELECT w.id
   FROM public.webhooks w)));

create policy own_rows_insert on public.webhook_deliveries as permissive for insert to public
  with check ((( SELECT app.scope() AS scope)) = 'organization'::text AND (webhook_id IN ( SELECT w.id
   FROM public.webhooks w)) AND (event_id IN ( SELECT e.id
   FROM public.webhook_events e)));

create policy own_rows_update on public.webhook_deliveries as permissive for update to public
  using ((( SELECT app.scope() AS scope)) = 'organization'::text AND (webhook_id IN ( SELECT w.id
   FROM public.webhooks w)))
  with check ((webhook_id IN ( SELECT w.id
   FROM public.webhooks w)) AND (event_id IN ( SELECT e.id
   FROM public.webhook_events e)));

create policy all_rows on public.webhook_events as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy own_rows on public.webhook_events as permissive for select to public
  using ((( SELECT app.scope() AS scope)) = 'organization'::text AND organization_id = (( SELECT app.organization_id() AS organization_id)));

create policy own_tests on public.webhook_events as permissive for insert to public
  with check ((( SELECT app.scope() AS scope)) = 'organization'::text AND kind = 'ping'::text AND organization_id = (( SELECT app.organization_id() AS organization_id)));

create policy all_rows on public.webhooks as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy own_rows on public.webhooks as permissive for select to public
  using ((( SELECT app.scope() AS scope)) = 'organization'::text AND organization_id = (( SELECT app.organization_id() AS organization_id)));

create policy own_rows_insert on public.webhooks as permissive for insert to public
  with check ((( SELECT app.scope() AS scope)) = 'organization'::text AND organization_id = (( SELECT app.organization_id() AS organization_id)));

create policy own_rows_update on public.webhooks as permissive for update to public
  using ((( SELECT app.scope() AS scope)) = 'organization'::text AND organization_id = (( SELECT app.organization_id() AS organization_id)))
  with check (organization_id = (( SELECT app.organization_id() AS organization_id)));

create policy all_rows on public.what_if_drafts as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

create policy all_rows on public.withholding_rates as permissive for all to public
  using ((( SELECT app.scope() AS scope)) = 'all'::text);

grant usage on schema app to pc_app;

grant usage on schema public to pc_app;

grant select on app.statement_counts to pc_app;

grant insert, select, update on public.account_changes to pc_app;

grant delete, insert, select, update on public.account_undos to pc_app;

grant delete, insert, select, update on public.agreement_bank_accounts to pc_app;

grant delete, insert, select, update on public.agreement_documents to pc_app;

grant delete, insert, select, update on public.agreement_law_notices to pc_app;

grant delete, insert, select, update on public.agreement_publisher_rule_history to pc_app;

grant delete, insert, select, update on public.agreement_publisher_rule_versions to pc_app;

grant delete, insert, select, update on public.agreement_publisher_rules to pc_app;

grant delete, insert, select, update on public.agreement_renewal_notices to pc_app;

grant delete, insert, select, update on public.agreement_terms_history to pc_app;

grant delete, insert, select, update on public.agreement_terms_versions to pc_app;

grant delete, insert, select, update on public.agreements to pc_app;

grant delete, insert, select, update on public.annotations to pc_app;

grant delete, insert, select, update on public.announcement_reads to pc_app;

grant delete, insert, select, update on public.announcement_targets to pc_app;

grant delete, insert, select, update on public.announcements to pc_app;

grant delete, insert, select, update on public.answer_templates to pc_app;

grant delete, insert, select, update on public.api_keys to pc_app;

grant delete, insert, select, update on public.article_labels to pc_app;

grant select on public.audit_head to pc_app;

grant select on public.audit_log to pc_app;

grant delete, insert, select, update on public.bank_account_switches to pc_app;

grant delete, insert, select, update on public.bank_accounts to pc_app;

grant delete, insert, select, update on public.bank_branches to pc_app;

grant delete, insert, select, update on public.bank_master_imports to pc_app;

grant delete, insert, select, update on public.banks to pc_app;

grant delete, insert, select, update on public.boards to pc_app;

grant delete, insert, select, update on public.close_acknowledgements to pc_app;

grant delete, insert, select, update on public.consumption_tax_rates to pc_app;

grant insert, select, update on public.demonstration to pc_app;

grant delete, insert, select, update on public.dividend_ledger_lines to pc_app;

grant delete, insert, select, update on public.dividend_operations to pc_app;

grant delete, insert, select, update on public.dividend_rows to pc_app;

grant delete, insert, select, update on public.dividend_weights to pc_app;

grant delete, insert, select, update on public.dividends to pc_app;

grant delete, insert, select, update on public.event_hours to pc_app;

grant delete, insert, select, update on public.feed_health to pc_app;

grant delete, insert, select, update on public.feed_seen_items to pc_app;

grant delete, insert, select, update on public.feeds to pc_app;

grant delete, insert, select, update on public.figure_alert_checks to pc_app;

grant delete, insert, select, update on public.figure_alerts to pc_app;

grant delete, insert, select, update on public.holiday_imports to pc_app;

grant delete, insert, select, update on public.holidays to pc_app;

grant delete, insert, select, update on public.idempotency_keys to pc_app;

grant delete, insert, select, update on public.idp_accounts to pc_app;

grant delete, insert, select, update on public.idp_attempts to pc_app;

grant delete, insert, select, update on public.idp_authenticators to pc_app;

grant delete, insert, select, update on public.idp_payloads to pc_app;

grant delete, insert, select, update on public.idp_recovery_codes to pc_app;

grant delete, insert, select, update on public.idp_session_uses to pc_app;

grant delete, insert, select, update on public.idp_settings to pc_app;

grant delete, insert, select, update on public.import_rows to pc_app;

grant delete, insert, select, update on public.imports to pc_app;

grant delete, insert, select, update on public.ingest_batches to pc_app;

grant delete, insert, select, update on public.ingest_quarantined_rows to pc_app;

grant delete, insert, select, update on public.input_tax_deductions to pc_app;

grant delete, insert, select, update on public.invariant_runs to pc_app;

grant delete, insert, select, update on public.invariant_violations to pc_app;

grant delete, insert, select, update on public.invitations to pc_app;

grant delete, insert, select, update on public.invoice_register_results to pc_app;

grant delete, insert, select, update on public.journal_accounts to pc_app;

grant delete, insert, select, update on public.late_corrections to pc_app;

grant delete, insert, select, update on public.legal_holds to pc_app;

grant delete, insert, select, update on public.media to pc_app;

grant insert, select on public.medium_article_removals to pc_app;

grant delete, insert, select, update on public.medium_articles to pc_app;

grant delete, insert, select, update on public.month_close_log to pc_app;

grant delete, insert, select, update on public.month_closings to pc_app;

grant delete, insert, select, update on public.month_states to pc_app;

grant delete, insert, select, update on public.monthly_adjustments to pc_app;

grant delete, insert, select, update on public.monthly_agreement_snapshots to pc_app;

grant delete, insert, select, update on public.monthly_carried_buckets to pc_app;

grant delete, insert, select, update on public.monthly_estimates to pc_app;

grant delete, insert, select, update on public.monthly_paid_buckets to pc_app;

grant delete, insert, select, update on public.monthly_payments to pc_app;

grant delete, insert, select, update on public.monthly_pools to pc_app;

grant delete, insert, select, update on public.monthly_publisher_payments to pc_app;

grant delete, insert, select, update on public.monthly_rule_snapshots to pc_app;

grant delete, insert, select, update on public.monthly_snapshot_inputs to pc_app;

grant delete, insert, select, update on public.monthly_tax_lines to pc_app;

grant delete, insert, select, update on public.opening_balances to pc_app;

grant delete, insert, select, update on public.organizations to pc_app;

grant delete, insert, select, update on public.page_views to pc_app;

grant delete, insert, select, update on public.payment_setting_revisions to pc_app;

grant delete, insert, select, update on public.payment_settings to pc_app;

grant delete, insert, select, update on public.policies to pc_app;

grant select on public.practice_entries to pc_app;

grant select on public.practice_payments to pc_app;

grant select on public.practice_publisher_payments to pc_app;

grant select on public.practice_system to pc_app;

grant delete, insert, select, update on public.preferences to pc_app;

grant delete, insert, select, update on public.publisher_api_key_paces to pc_app;

grant delete, insert, select, update on public.publisher_api_keys to pc_app;

grant delete, insert, select, update on public.publisher_revenue_estimates to pc_app;

grant delete, insert, select, update on public.publishers to pc_app;

grant delete, insert, select, update on public.question_messages to pc_app;

grant delete, insert, select, update on public.question_reads to pc_app;

grant delete, insert, select, update on public.questions to pc_app;

grant delete, insert, select, update on public.report_mail_deliveries to pc_app;

grant delete, insert, select, update on public.report_mails to pc_app;

grant delete, insert, select, update on public.retention_runs to pc_app;

grant delete, insert, select, update on public.revenue_estimates to pc_app;

grant delete, insert, select, update on public.roles to pc_app;

grant delete, insert, select, update on public.saved_views to pc_app;

grant insert, select, update on public.second_factor_rule to pc_app;

grant delete, insert, select, update on public.sent_mails to pc_app;

grant delete, insert, select, update on public.settlement_rules to pc_app;

grant delete, insert, select, update on public.statement_event_notices to pc_app;

grant delete, insert, select, update on public.statement_events to pc_app;

grant delete, insert, select, update on public.statement_notices to pc_app;

grant delete, insert, select, update on public.statement_settings to pc_app;

grant delete, insert, select, update on public.statements to pc_app;

grant delete, insert, select, update on public.stats_ledger to pc_app;

grant delete, insert, select, update on public.stats_versions to pc_app;

grant delete, insert, select, update on public.transfer_batches to pc_app;

grant delete, insert, select, update on public.transfer_fees to pc_app;

grant delete, insert, select, update on public.transfer_payments to pc_app;

grant delete, insert, select, update on public.transfer_recalls to pc_app;

grant delete, insert, select, update on public.transfer_records to pc_app;

grant delete, insert, select, update on public.transfer_result_imports to pc_app;

grant delete, insert, select, update on public.transfer_return_fees to pc_app;

grant delete, insert, select, update on public.transfer_sources to pc_app;

grant delete, insert, select, update on public.transfers to pc_app;

grant delete, insert, select, update on public.user_agreements to pc_app;

grant delete, insert, select, update on public.user_roles to pc_app;

grant delete, insert, select, update on public.users to pc_app;

grant delete, insert, select, update on public.videos to pc_app;

grant delete, insert, select, update on public.view_as_sessions to pc_app;

grant delete, insert, select, update on public.webhook_deliveries to pc_app;

grant delete, insert, select, update on public.webhook_events to pc_app;

grant delete, insert, select, update on public.webhooks to pc_app;

grant delete, insert, select, update on public.what_if_drafts to pc_app;

grant delete, insert, select, update on public.withholding_rates to pc_app;

grant insert (acting_as_uid) on public.audit_log to pc_app;

grant insert (action) on public.audit_log to pc_app;

grant insert (actor_uid) on public.audit_log to pc_app;

grant insert (after) on public.audit_log to pc_app;

grant insert (before) on public.audit_log to pc_app;

grant insert (request_id) on public.audit_log to pc_app;

grant insert (resource_name) on public.audit_log to pc_app;

grant insert (row_id) on public.audit_log to pc_app;

grant insert (source_address) on public.audit_log to pc_app;

grant update (restored_at) on public.medium_article_removals to pc_app;

grant update (restored_by) on public.medium_article_removals to pc_app;

alter default privileges in schema public grant delete, insert, select, update on tables to pc_app;
