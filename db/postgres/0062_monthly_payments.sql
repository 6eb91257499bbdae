-- The month of a medium and what it came to: drafts until it is finalised, then frozen for ever. Corrections are new rows
-- of a later month. Publishers see finalised rows of their own only.

-- open: not computed, or computed from what has changed since. computed: a draft that fits its input.
create table month_states (
  medium_id bigint not null references media,
  month integer not null check (month between 202012 and 999912 and month % 100 between 1 and 12),
  state text not null default 'open' check (state in ('open', 'computed', 'finalized', 'paid')),
  -- Counts jobs and resets: a draft computed meanwhile is not saved.
  input_seq bigint not null default 0,
  -- Which statistics the draft was computed from.
  data_version text,
  input_hash text,
  -- Settings, tables, pools: what the month was computed from and belongs to no single agreement.
  head text,
  computed_at timestamptz,
  computed_by_uid uuid,
  finalized_at timestamptz,
  finalized_by_uid uuid,
  paid_at timestamptz,
  -- The chain over finalised months: hash covers previous_hash, head_hash and the hash of every agreement.
  previous_hash text,
  head_hash text,
  hash text,
  primary key (medium_id, month),
  check (state = 'open' or (head is not null and input_hash is not null and computed_at is not null)),
  check ((state in ('finalized', 'paid')) = (finalized_at is not null)),
  check ((state in ('finalized', 'paid')) = (hash is not null)),
  check ((state = 'paid') = (paid_at is not null))
);

create table monthly_agreement_snapshots (
  id bigint generated always as identity primary key,
  medium_id bigint not null references media,
  agreement_id bigint not null references agreements,
  organization_id bigint not null references organizations,
  month integer not null check (month between 202012 and 999912 and month % 100 between 1 and 12),
  has_been_finalized boolean not null default false,
  agreement_name text not null,
  agreement_code text not null,
  partner_name text not null,
  qualified_invoice_issuer boolean not null,
  invoice_registration_number text,
  unique (agreement_id, month)
);
create index monthly_agreement_snapshots_month on monthly_agreement_snapshots (medium_id, month);

-- The frozen input of an agreement, canonical text; shows rates, pools and margins: for staff and the system.
create table monthly_snapshot_inputs (
  snapshot_id bigint primary key references monthly_agreement_snapshots on delete cascade,
  medium_id bigint not null,
  month integer not null,
  input text not null,
  -- SHA-256 over the input and the result; null until the month is finalised.
  hash text
);
create index monthly_snapshot_inputs_month on monthly_snapshot_inputs (medium_id, month);

create table monthly_payments (
  id bigint generated always as identity primary key,
  monthly_agreement_snapshot_id bigint not null unique references monthly_agreement_snapshots on delete cascade,
  medium_id bigint not null references media,
  agreement_id bigint not null references agreements,
  organization_id bigint not null references organizations,
  month integer not null check (month between 202012 and 999912 and month % 100 between 1 and 12),
  has_been_finalized boolean not null default false,
  payment_status text not null default 'computed' check (payment_status in
    ('accruing', 'computed', 'scheduled', 'carried_over', 'held', 'exported', 'paid', 'returned')),
  outcome text not null check (outcome in ('scheduled', 'carried_over', 'held')),
  reason_code text check (reason_code in ('NON_POSITIVE_BALANCE', 'PAYMENT_DISABLED', 'NO_BANK_ACCOUNT', 'BELOW_THRESHOLD')),
  reason_threshold_yen bigint,
  ads_revenue_yen bigint not null check (ads_revenue_yen >= 0),
  ssp_revenue_yen bigint not null check (ssp_revenue_yen >= 0),
  video_ssp_revenue_yen bigint not null check (video_ssp_revenue_yen >= 0),
  live_ssp_revenue_yen bigint not null check (live_ssp_revenue_yen >= 0),
  fixed_revenue_applied_yen bigint not null check (fixed_revenue_applied_yen >= 0),
  minimum_top_up_revenue_yen bigint not null check (minimum_top_up_revenue_yen >= 0),
  revenue_yen bigint not null,
  manual_adjustment_revenue_yen bigint not null,
  carried_over_revenue_yen bigint not null,
  cumulative_revenue_yen bigint not null,
  payment_yen bigint not null,
  carried_over_to_next_yen bigint not null,
  agreement_fixed_yen bigint not null check (agreement_fixed_yen >= 0),
  agreement_top_up_yen bigint not null check (agreement_top_up_yen >= 0),
  tax_rate_percent integer not null check (tax_rate_percent between 0 and 100),
  -- Tax of the revenue, for the totals of lists.
  revenue_tax_yen bigint not null,
  payment_tax_yen bigint not null check (payment_tax_yen >= 0),
  payment_including_tax_yen bigint not null,
  fee_paid_by text not null check (fee_paid_by in ('product', 'publisher')),
  is_active boolean not null,
  is_terminated boolean not null,
  payout_threshold_yen bigint not null,
  due_on_nominal date not null,
  due_on date not null,
  -- The month it is to be paid in; null when nothing is paid.
  scheduled_month integer,
  bank_account_id bigint,
  -- Whether the month's entries of the method `discard` touch the row: by csv rows, by pools.
  has_discarded_rows boolean not null,
  has_discarded_pools boolean not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  finalized_at timestamptz,
  finalized_at_month integer,
  paid_at_month integer,
  paid_on date,
  returned_reason text,
  unique (agreement_id, month),
  check (revenue_yen = ads_revenue_yen + ssp_revenue_yen + video_ssp_revenue_yen + live_ssp_revenue_yen + fixed_revenue_applied_yen + minimum_top_up_revenue_yen),
  check (cumulative_revenue_yen = carried_over_revenue_yen + revenue_yen + manual_adjustment_revenue_yen),
  check (carried_over_to_next_yen = cumulative_revenue_yen - payment_yen),
  check (payment_yen >= 0),
  check (payment_including_tax_yen = payment_yen + payment_tax_yen),
  check ((outcome = 'scheduled') = (payment_yen > 0)),
  check ((outcome = 'scheduled') = (reason_code is null)),
  check ((outcome = 'scheduled') = (bank_account_id is not null)),
  check ((outcome = 'scheduled') = (scheduled_month is not null)),
  check ((payment_status = 'paid') = (paid_on is not null)),
  check ((paid_on is null) = (paid_at_month is null)),
  check (has_been_finalized = (payment_status not in ('accruing', 'computed'))),
  check (has_been_finalized = (finalized_at is not null)),
  check (payment_yen > 0 or payment_status in ('accruing', 'computed', 'carried_over', 'held'))
);
create index monthly_payments_month on monthly_payments (medium_id, month);
create index monthly_payments_organization on monthly_payments (organization_id, month);

create table monthly_publisher_payments (
  id bigint generated always as identity primary key,
  monthly_payment_id bigint not null references monthly_payments on delete cascade,
  medium_id bigint not null references media,
  agreement_id bigint not null references agreements,
  organization_id bigint not null references organizations,
  publisher_id bigint not null references publishers,
  rule_id bigint not null,
  month integer not null,
  has_been_finalized boolean not null default false,
  ads_revenue_yen bigint not null check (ads_revenue_yen >= 0),
  ssp_revenue_yen bigint not null check (ssp_revenue_yen >= 0),
  video_ssp_revenue_yen bigint not null check (video_ssp_revenue_yen >= 0),
  live_ssp_revenue_yen bigint not null check (live_ssp_revenue_yen >= 0),
  fixed_revenue_applied_yen bigint not null check (fixed_revenue_applied_yen >= 0),
  minimum_top_up_revenue_yen bigint not null check (minimum_top_up_revenue_yen >= 0),
  revenue_yen bigint not null,
  manual_adjustment_revenue_yen bigint not null,
  carried_over_revenue_yen bigint not null,
  cumulative_revenue_yen bigint not null,
  payment_yen bigint not null,
  carried_over_to_next_yen bigint not null,
  fixed_of_rule_yen bigint not null check (fixed_of_rule_yen >= 0),
  fixed_of_agreement_yen bigint not null check (fixed_of_agreement_yen >= 0),
  top_up_of_rule_yen bigint not null check (top_up_of_rule_yen >= 0),
  top_up_of_agreement_yen bigint not null check (top_up_of_agreement_yen >= 0),
  reference_tax_yen bigint not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (monthly_payment_id, publisher_id),
  check (revenue_yen = ads_revenue_yen + ssp_revenue_yen + video_ssp_revenue_yen + live_ssp_revenue_yen + fixed_revenue_applied_yen + minimum_top_up_revenue_yen),
  check (cumulative_revenue_yen = carried_over_revenue_yen + revenue_yen + manual_adjustment_revenue_yen),
  check (carried_over_to_next_yen = cumulative_revenue_yen - payment_yen),
  check (fixed_revenue_applied_yen = fixed_of_rule_yen + fixed_of_agreement_yen),
  check (minimum_top_up_revenue_yen = top_up_of_rule_yen + top_up_of_agreement_yen),
  check (payment_yen = 0 or payment_yen = cumulative_revenue_yen)
);
create index monthly_publisher_payments_month on monthly_publisher_payments (medium_id, month);
create index monthly_publisher_payments_publisher on monthly_publisher_payments (publisher_id, month);
create index monthly_publisher_payments_organization on monthly_publisher_payments (organization_id, month);

-- The terms of a publisher in the month.
create table monthly_rule_snapshots (
  monthly_publisher_payment_id bigint primary key references monthly_publisher_payments on delete cascade,
  medium_id bigint not null,
  month integer not null,
  agreement_id bigint not null,
  organization_id bigint not null,
  has_been_finalized boolean not null default false,
  own_ads_rate_units integer not null,
  ssp_rate_units integer not null,
  video_ssp_rate_units integer not null,
  live_ssp_rate_units integer not null,
  is_target_for_ssp_allocation boolean not null,
  is_target_for_video_ssp_allocation boolean not null,
  is_target_for_live_ssp_allocation boolean not null
);
create index monthly_rule_snapshots_month on monthly_rule_snapshots (medium_id, month);

-- The balance of a rule by the month in which its revenue was generated: before the payment, and what is carried on.
create table monthly_carried_buckets (
  monthly_publisher_payment_id bigint not null references monthly_publisher_payments on delete cascade,
  medium_id bigint not null,
  month integer not null,
  generated_month integer not null check (generated_month <= month),
  open_yen bigint not null,
  next_yen bigint not null check (next_yen in (0, open_yen)),
  primary key (monthly_publisher_payment_id, generated_month)
);
create index monthly_carried_buckets_month on monthly_carried_buckets (medium_id, month);

-- What each csv row did to a rule's balance; a discard stops at 0.
create table monthly_adjustments (
  monthly_publisher_payment_id bigint not null references monthly_publisher_payments on delete cascade,
  medium_id bigint not null,
  month integer not null,
  dividend_id bigint not null,
  line integer not null,
  applied_yen bigint not null,
  primary key (dividend_id, line),
  foreign key (dividend_id, line) references dividend_rows
);
create index monthly_adjustments_payment on monthly_adjustments (monthly_publisher_payment_id);
create index monthly_adjustments_month on monthly_adjustments (medium_id, month);

-- Tax is rounded once for each statement and rate.
create table monthly_tax_lines (
  monthly_payment_id bigint not null references monthly_payments on delete cascade,
  medium_id bigint not null,
  month integer not null,
  rate_percent integer not null,
  amount_yen bigint not null check (amount_yen > 0),
  tax_yen bigint not null check (tax_yen = amount_yen * rate_percent / 100),
  primary key (monthly_payment_id, rate_percent)
);
create index monthly_tax_lines_month on monthly_tax_lines (medium_id, month);

-- A payment by generated month, with the platform's own input tax: for staff.
create table monthly_paid_buckets (
  monthly_payment_id bigint not null references monthly_payments on delete cascade,
  medium_id bigint not null,
  month integer not null,
  generated_month integer not null check (generated_month <= month),
  amount_yen bigint not null check (amount_yen > 0),
  rate_percent integer not null,
  tax_yen bigint not null check (tax_yen >= 0),
  is_qualified boolean not null,
  deductible_percent integer not null check (deductible_percent between 0 and 100),
  deductible_tax_yen bigint not null check (deductible_tax_yen >= 0),
  non_deductible_tax_yen bigint not null check (non_deductible_tax_yen >= 0),
  primary key (monthly_payment_id, generated_month),
  check (tax_yen = deductible_tax_yen + non_deductible_tax_yen),
  check (deductible_tax_yen = tax_yen * deductible_percent / 100),
  check (not is_qualified or deductible_percent = 100)
);
create index monthly_paid_buckets_month on monthly_paid_buckets (medium_id, month);

-- Where each pool of the month went.
create table monthly_pools (
  dividend_id bigint primary key references dividends,
  medium_id bigint not null,
  month integer not null,
  pool_yen bigint not null check (pool_yen >= 0),
  allocated_yen bigint not null check (allocated_yen = pool_yen),
  shared_yen bigint not null check (shared_yen between 0 and pool_yen),
  booked_yen bigint not null check (booked_yen in (0, shared_yen)),
  retained_yen bigint not null check (retained_yen = pool_yen - booked_yen)
);
create index monthly_pools_month on monthly_pools (medium_id, month);

-- Row-level security.
do $$
declare
  name text;
begin
  foreach name in array array[
    'month_states', 'monthly_agreement_snapshots', 'monthly_snapshot_inputs', 'monthly_payments',
    'monthly_publisher_payments', 'monthly_rule_snapshots', 'monthly_carried_buckets', 'monthly_adjustments',
    'monthly_tax_lines', 'monthly_paid_buckets', 'monthly_pools']
  loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format($policy$create policy all_rows on %I using ((select app.scope()) = 'all')$policy$, name);
  end loop;
  -- Finalised rows of the own organisation; of the own agreements.
  foreach name in array array[
    'monthly_agreement_snapshots', 'monthly_payments', 'monthly_publisher_payments', 'monthly_rule_snapshots']
  loop
    execute format($policy$create policy own_organization on %I for select using (
      (select app.scope()) = 'organization' and has_been_finalized
      and organization_id = (select app.organization_id()))$policy$, name);
  end loop;
  foreach name in array array['monthly_agreement_snapshots', 'monthly_payments', 'monthly_publisher_payments']
  loop
    execute format($policy$create policy own_agreements on %I for select using (
      (select app.scope()) = 'agreements' and has_been_finalized
      and agreement_id = any ((select app.own_agreement_ids())::bigint[]))$policy$, name);
  end loop;
end $$;

-- The wall around finalised months: nobody, whatever the role, adds, changes or removes their rows.
create function app.is_closed(of_medium_id bigint, of_month integer) returns boolean language sql stable
  return exists (select from public.month_states s
    where s.medium_id = of_medium_id and s.month = of_month and s.state in ('finalized', 'paid'));

create function app.refuse_in_closed_month() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and app.is_closed(old.medium_id, old.month)
    or tg_op <> 'DELETE' and app.is_closed(new.medium_id, new.month) then
    raise exception 'the month is finalised: % of % is refused', tg_op, tg_table_name
      using errcode = 'check_violation', constraint = 'closed_month';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;

create function app.refuse_truncate() returns trigger language plpgsql as $$
begin
  raise exception 'the books are not truncated: %', tg_table_name
    using errcode = 'check_violation', constraint = 'closed_month';
end $$;

-- Of a finalised payment only its way through the bank may still change, along the allowed transitions.
create function app.keep_finalized_payment() returns trigger language plpgsql as $$
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
    if kept is not distinct from old and (old.payment_status, new.payment_status) in (
      ('scheduled', 'exported'), ('scheduled', 'paid'), ('exported', 'paid'), ('exported', 'returned'),
      ('paid', 'returned'), ('returned', 'scheduled')) then
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
end $$;

create function app.refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only' using errcode = 'check_violation', constraint = 'ledger_append_only';
end $$;

-- The state of a month: only the allowed transitions, and a last check of the sums before it is closed.
create function app.keep_month_state() returns trigger language plpgsql as $$
declare
  kept public.month_states;
begin
  if tg_op = 'DELETE' then
    if old.state in ('finalized', 'paid') then
      raise exception 'a finalised month is not removed' using errcode = 'check_violation', constraint = 'closed_month';
    end if;
    return old;
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
end $$;

create function app.previous_month(of_month integer) returns integer language sql immutable
  return case of_month % 100 when 1 then of_month - 89 else of_month - 1 end;

-- What must hold in the database itself before a month is closed, whatever the program computed.
create function app.check_month_sums(of_medium_id bigint, of_month integer) returns void language plpgsql as $$
declare
  wrong text;
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
    select 'carry of agreement ' || q.agreement_id from public.monthly_payments q
      left join public.monthly_payments p on p.agreement_id = q.agreement_id and p.medium_id = of_medium_id and p.month = of_month
      where q.medium_id = of_medium_id and q.month = app.previous_month(of_month)
        and q.carried_over_to_next_yen <> coalesce(p.carried_over_revenue_yen, 0)
    limit 5) x;
  if wrong is not null then
    raise exception 'month % of medium % cannot be finalised: %', of_month, of_medium_id, wrong
      using errcode = 'check_violation', constraint = 'month_sums';
  end if;
end $$;

create trigger month_states_keep before insert or update or delete on month_states
  for each row execute function app.keep_month_state();
create trigger monthly_payments_keep before insert or update or delete on monthly_payments
  for each row execute function app.keep_finalized_payment();
create trigger dividend_ledger_lines_append before update or delete on dividend_ledger_lines
  for each row execute function app.refuse_ledger_change();
do $$
declare
  name text;
begin
  foreach name in array array[
    'monthly_agreement_snapshots', 'monthly_snapshot_inputs', 'monthly_publisher_payments', 'monthly_rule_snapshots',
    'monthly_carried_buckets', 'monthly_adjustments', 'monthly_tax_lines', 'monthly_paid_buckets', 'monthly_pools',
    'dividends', 'dividend_ledger_lines']
  loop
    execute format('create trigger %I before insert or update or delete on %I for each row execute function app.refuse_in_closed_month()', name || '_keep', name);
  end loop;
  foreach name in array array[
    'month_states', 'month_closings', 'monthly_payments', 'monthly_agreement_snapshots', 'monthly_snapshot_inputs', 'monthly_publisher_payments',
    'monthly_rule_snapshots', 'monthly_carried_buckets', 'monthly_adjustments', 'monthly_tax_lines', 'monthly_paid_buckets',
    'monthly_pools', 'dividends', 'dividend_rows', 'dividend_weights', 'dividend_ledger_lines']
  loop
    execute format('create trigger %I before truncate on %I for each statement execute function app.refuse_truncate()', name || '_keep_all', name);
  end loop;
end $$;

-- A closing that the books know is not taken back.
create function app.keep_closing() returns trigger language plpgsql as $$
begin
  if app.is_closed(old.medium_id, old.month) then
    raise exception 'a finalised month stays closed' using errcode = 'check_violation', constraint = 'closed_month';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
create trigger month_closings_keep before update or delete on month_closings
  for each row execute function app.keep_closing();

-- Raw data and weights of a job never change once they are written.
create trigger dividend_rows_append before update or delete on dividend_rows
  for each row execute function app.refuse_ledger_change();
create trigger dividend_weights_append before update or delete on dividend_weights
  for each row execute function app.refuse_ledger_change();
