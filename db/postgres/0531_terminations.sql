-- An agreement is terminated from its day of termination on; until then its termination is scheduled. The same rule as
-- isTerminatedOn in domain/agreement/agreement-terms.ts; a test compares them.
create function app.is_terminated(terminated_at timestamptz, day date) returns boolean language sql immutable parallel safe
return coalesce(terminated_at < (day + 1)::timestamp at time zone 'Asia/Tokyo', false);

drop index agreements_paid;
create index agreements_paid on agreements (id) include (organization_id, terminated_at) where not is_payment_disabled;

-- The narrow copy knows the day as well; `is_live` of an agreement still says that it has none.
alter table app.agreement_pieces add column terminated_at timestamptz;
update app.agreement_pieces c set terminated_at = a.terminated_at from agreements a
where a.id = c.id and a.terminated_at is not null;
create index agreement_pieces_terminated on app.agreement_pieces (terminated_at) where terminated_at is not null;

create or replace function app.keep_agreement_pieces() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
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
end $$;

-- As before, and with `live_on`: a day, on which `is_live` then says whether an agreement is not terminated. The counts
-- know agreements without a day; the few whose day is still to come are counted among them, or taken off the terminated ones.
create or replace function app.find_rows(kind text, words text[], filters jsonb, out ids bigint[], out total bigint)
language plpgsql stable security definer set search_path = pg_catalog set max_parallel_workers_per_gather = 0
set jit = off set enable_seqscan = on set enable_bitmapscan = on as $$
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
end $$;
