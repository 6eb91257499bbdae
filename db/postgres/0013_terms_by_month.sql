-- Terms and rates hold from a month on, with their history. The columns of `agreements` and `agreement_publisher_rules`
-- are the first version, which holds from `valid_from_month`; later versions are rows of their own and replace every
-- value of the version before. The two views show all versions alike.

alter table agreements
  add column revision integer not null default 1,
  add column valid_from_month integer not null default 202012
    check (valid_from_month between 202012 and 999912 and valid_from_month % 100 between 1 and 12),
  add column payout_threshold_yen bigint check (payout_threshold_yen >= 0),
  -- What the laws on payments look at (domain/agreement/law-guard.ts).
  add column payee_kind text not null default 'company' check (payee_kind in ('company', 'individual')),
  add column small_supplier_coverage text not null default 'unknown'
    check (small_supplier_coverage in ('covered', 'not_covered', 'unknown')),
  add column freelance_coverage text not null default 'unknown'
    check (freelance_coverage in ('covered', 'not_covered', 'unknown')),
  add column is_shift_agreed_in_writing boolean not null default false,
  add column is_qualified_invoice_issuer boolean not null default false,
  add column invoice_registration_number text check (invoice_registration_number ~ '^T[1-9][0-9]{12}$'),
  add column acknowledged_law_rule_ids text[] not null default '{}';

create table agreement_terms_versions (
  agreement_id bigint not null references agreements on delete cascade,
  valid_from_month integer not null
    check (valid_from_month between 202012 and 999912 and valid_from_month % 100 between 1 and 12),
  fee_paid_by text not null check (fee_paid_by in ('product', 'publisher')),
  payment_timing text not null check (payment_timing in ('a_month_later', 'two_months_later')),
  minimum_revenue_type text not null check (minimum_revenue_type in ('by_agreement', 'by_publisher', 'none')),
  fixed_revenue_yen bigint not null check (fixed_revenue_yen >= 0),
  minimum_revenue_yen bigint not null check (minimum_revenue_yen >= 0),
  payout_threshold_yen bigint check (payout_threshold_yen >= 0),
  created_at timestamptz not null default now(),
  primary key (agreement_id, valid_from_month)
);

alter table publishers
  add column revision integer not null default 1,
  add column kana text not null default '';

alter table agreement_publisher_rules
  add column revision integer not null default 1,
  add column valid_from_month integer not null default 202012
    check (valid_from_month between 202012 and 999912 and valid_from_month % 100 between 1 and 12);

create table agreement_publisher_rule_versions (
  rule_id bigint not null references agreement_publisher_rules on delete cascade,
  valid_from_month integer not null
    check (valid_from_month between 202012 and 999912 and valid_from_month % 100 between 1 and 12),
  fixed_revenue_yen bigint not null check (fixed_revenue_yen >= 0),
  minimum_revenue_yen bigint not null check (minimum_revenue_yen >= 0),
  payment_rate integer not null check (payment_rate between 0 and 10000),
  ssp_payment_rate integer not null check (ssp_payment_rate between 0 and 10000),
  video_ssp_payment_rate integer not null check (video_ssp_payment_rate between 0 and 10000),
  live_ssp_payment_rate integer not null check (live_ssp_payment_rate between 0 and 10000),
  is_target_for_ssp_allocation boolean not null,
  is_target_for_video_ssp_allocation boolean not null,
  is_target_for_live_ssp_allocation boolean not null,
  created_at timestamptz not null default now(),
  primary key (rule_id, valid_from_month)
);

-- Every version, the first one included. In force in a month: the latest one whose month has come; before the first one
-- the agreement, or the rule, does not exist.
create view agreement_terms_history with (security_invoker = true) as
  select id as agreement_id, valid_from_month, fee_paid_by, payment_timing, minimum_revenue_type, fixed_revenue_yen,
    minimum_revenue_yen, payout_threshold_yen, created_at
  from agreements
  union all
  select agreement_id, valid_from_month, fee_paid_by, payment_timing, minimum_revenue_type, fixed_revenue_yen,
    minimum_revenue_yen, payout_threshold_yen, created_at
  from agreement_terms_versions;

create view agreement_publisher_rule_history with (security_invoker = true) as
  select id as rule_id, valid_from_month, fixed_revenue_yen, minimum_revenue_yen, payment_rate, ssp_payment_rate,
    video_ssp_payment_rate, live_ssp_payment_rate, is_target_for_ssp_allocation, is_target_for_video_ssp_allocation,
    is_target_for_live_ssp_allocation, created_at
  from agreement_publisher_rules
  union all
  select rule_id, valid_from_month, fixed_revenue_yen, minimum_revenue_yen, payment_rate, ssp_payment_rate,
    video_ssp_payment_rate, live_ssp_payment_rate, is_target_for_ssp_allocation, is_target_for_video_ssp_allocation,
    is_target_for_live_ssp_allocation, created_at
  from agreement_publisher_rule_versions;

alter table agreement_terms_versions enable row level security;
alter table agreement_terms_versions force row level security;
create policy all_rows on agreement_terms_versions using ((select app.scope()) = 'all');
create policy visible_agreements on agreement_terms_versions for select using (
  (select app.scope()) in ('organization', 'agreements') and agreement_id in (select a.id from agreements a));

alter table agreement_publisher_rule_versions enable row level security;
alter table agreement_publisher_rule_versions force row level security;
create policy all_rows on agreement_publisher_rule_versions using ((select app.scope()) = 'all');
create policy visible_rules on agreement_publisher_rule_versions for select using (
  (select app.scope()) in ('organization', 'agreements') and rule_id in (select r.id from agreement_publisher_rules r));

grant select on agreement_terms_history, agreement_publisher_rule_history to pc_app;
