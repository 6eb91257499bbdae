-- Revenue that an operator carries over from the system before: of a rule, by the month in which it arose. It counts like a
-- balance of the month before in the first month with rows from booked_month on, and is frozen with that month.
create table opening_balances (
  id bigint generated always as identity primary key,
  agreement_id bigint not null,
  publisher_id bigint not null,
  origin_month integer not null check (origin_month between 198904 and 999912 and origin_month % 100 between 1 and 12),
  booked_month integer not null check (booked_month between 202012 and 999912 and booked_month % 100 between 1 and 12),
  -- Without tax; negative where the payee owes.
  amount_yen bigint not null check (amount_yen <> 0),
  -- Whether the payee was a qualified invoice issuer on the last day of the origin month. Not known: it was not.
  is_qualified boolean not null default false,
  revision integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (agreement_id, publisher_id, origin_month),
  foreign key (agreement_id, publisher_id) references agreement_publisher_rules (agreement_id, publisher_id),
  check (origin_month < booked_month)
);

-- What a final month counts stays as it is. Months that the books themselves settled take no balance from before them.
create function app.refuse_settled_balances() returns trigger language plpgsql as $$
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
end $$;
create trigger opening_balances_keep_insert after insert on opening_balances referencing new table as new_rows
  for each statement execute function app.refuse_settled_balances();
create trigger opening_balances_keep_update after update on opening_balances referencing old table as old_rows new table as new_rows
  for each statement execute function app.refuse_settled_balances();
create trigger opening_balances_keep_delete after delete on opening_balances referencing old table as old_rows
  for each statement execute function app.refuse_settled_balances();
create trigger opening_balances_keep_all before truncate on opening_balances
  for each statement execute function app.refuse_truncate();

-- Staff and the system: publishers see the balance in their payments.
alter table opening_balances enable row level security;
alter table opening_balances force row level security;
create policy all_rows on opening_balances using ((select app.scope()) = 'all');

-- A month closes only when it carries what the month before left over and the opening balances that count in it.
create or replace function app.check_month_sums(of_medium_id bigint, of_month integer) returns void language plpgsql
  set enable_nestloop to off as $$
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
end $$;
