-- Versions of the payment rules by the booking month from which they hold; before the first line, those of the first version.
-- A finalised month names its version in its frozen settings.
create table settlement_rules (
  version text primary key check (version in ('returns_per_rate')),
  valid_from_month integer not null check (valid_from_month between 202012 and 999912 and valid_from_month % 100 between 1 and 12),
  -- Set by an upgrade; nobody has confirmed the month yet.
  is_proposed boolean not null default false,
  updated_at timestamptz not null default now()
);
alter table settlement_rules enable row level security;
alter table settlement_rules force row level security;
create policy all_rows on settlement_rules using ((select app.scope()) = 'all');

create function app.rule_version(of_month integer) returns text language sql stable as $$
  select coalesce((select r.version from public.settlement_rules r where r.valid_from_month <= of_month
    order by r.valid_from_month desc limit 1), 'offset_across_rates')
$$;

-- A new installation settles by today's rules from its start; books that have closed months do so from the first open one.
select set_config('app.scope', 'all', true);
insert into settlement_rules (version, valid_from_month, is_proposed)
select 'returns_per_rate', coalesce(max(case when month % 100 = 12 then month + 89 else month + 1 end), 202012), count(*) > 0
from month_states where state in ('finalized', 'paid');

alter table payment_setting_revisions drop constraint payment_setting_revisions_section_check;
alter table payment_setting_revisions add constraint payment_setting_revisions_section_check check (section in (
  'payout', 'consumption_tax', 'input_tax_deduction', 'transfer_fee', 'transfer_source', 'withholding', 'journal_account',
  'settlement_rule'));
insert into payment_setting_revisions (section) values ('settlement_rule');

-- Returns are lines of their own, negative with their tax; what is paid is positive as a whole.
alter table monthly_payments drop constraint monthly_payments_payment_tax_yen_check;
alter table monthly_payments add constraint monthly_payments_positive_total
  check (outcome <> 'scheduled' or payment_including_tax_yen > 0);
alter table monthly_payments drop constraint monthly_payments_reason_code_check;
alter table monthly_payments add constraint monthly_payments_reason_code_check check (reason_code in
  ('NON_POSITIVE_BALANCE', 'PAYMENT_DISABLED', 'NO_BANK_ACCOUNT', 'BELOW_THRESHOLD', 'NON_POSITIVE_TOTAL'));
alter table monthly_tax_lines drop constraint monthly_tax_lines_amount_yen_check;
alter table monthly_tax_lines add constraint monthly_tax_lines_amount_yen_check check (amount_yen <> 0);
alter table monthly_paid_buckets
  drop constraint monthly_paid_buckets_amount_yen_check,
  drop constraint monthly_paid_buckets_tax_yen_check,
  drop constraint monthly_paid_buckets_deductible_tax_yen_check,
  drop constraint monthly_paid_buckets_non_deductible_tax_yen_check,
  add constraint monthly_paid_buckets_amount_yen_check check (amount_yen <> 0),
  -- Each part has the sign of its amount, or is 0.
  add constraint monthly_paid_buckets_signs check (
    sign(tax_yen) in (0, sign(amount_yen)) and sign(deductible_tax_yen) in (0, sign(amount_yen))
    and sign(non_deductible_tax_yen) in (0, sign(amount_yen)));

-- Tax that is returned at a higher rate than tax that is paid makes the total smaller than the amount without tax. Of a
-- transfer that pays several, withholding and fee may take the whole of a small one.
alter table statements
  drop constraint statements_check1,
  drop constraint statements_check2,
  add constraint statements_total_yen_check check (total_yen > 0),
  add constraint statements_transfer_amount check (transfer_amount_yen between 0 and total_yen);
alter table transfers drop constraint transfers_check;
alter table transfers add constraint transfers_payment_including_tax_yen_check check (payment_including_tax_yen > 0);
