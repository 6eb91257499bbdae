-- Searches of staff in lists of 100,000 rows answer their exact total without reading the texts twice (decision 43).

-- The narrow copies hold what the lists filter by as well, so that one reading of them counts what the list shows.
alter table app.publisher_pieces add column organization_id bigint, add column is_live boolean;
alter table app.agreement_pieces
  add column organization_id bigint, add column medium_id bigint, add column is_live boolean,
  add column is_payment_disabled boolean;
alter table app.feed_pieces
  add column publisher_id bigint, add column medium_id bigint, add column type text, add column is_live boolean;
update app.publisher_pieces c set organization_id = p.organization_id, is_live = p.enabled
  from publishers p where p.id = c.id;
update app.agreement_pieces c
  set organization_id = a.organization_id, medium_id = a.medium_id, is_live = a.terminated_at is null,
    is_payment_disabled = a.is_payment_disabled
  from agreements a where a.id = c.id;
update app.feed_pieces c set publisher_id = f.publisher_id, medium_id = f.medium_id, type = f.type, is_live = f.enabled
  from feeds f where f.id = c.id;
alter table app.publisher_pieces alter column organization_id set not null, alter column is_live set not null;
alter table app.agreement_pieces
  alter column organization_id set not null, alter column medium_id set not null, alter column is_live set not null,
  alter column is_payment_disabled set not null;
alter table app.feed_pieces
  alter column publisher_id set not null, alter column medium_id set not null, alter column type set not null,
  alter column is_live set not null;
create index publisher_pieces_organization on app.publisher_pieces (organization_id);
create index agreement_pieces_organization on app.agreement_pieces (organization_id);
create index feed_pieces_publisher on app.feed_pieces (publisher_id);

create or replace function app.keep_publisher_pieces() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  insert into app.publisher_pieces as kept (id, search_text, organization_id, is_live)
  select id, search_text, organization_id, enabled from written
  on conflict (id) do update
    set (search_text, organization_id, is_live) = (excluded.search_text, excluded.organization_id, excluded.is_live)
    where (kept.search_text, kept.organization_id, kept.is_live)
      is distinct from (excluded.search_text, excluded.organization_id, excluded.is_live);
  return null;
end $$;

create or replace function app.keep_feed_pieces() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  insert into app.feed_pieces as kept (id, search_text, publisher_id, medium_id, type, is_live)
  select id, search_text, publisher_id, medium_id, type, enabled from written
  on conflict (id) do update
    set (search_text, publisher_id, medium_id, type, is_live)
      = (excluded.search_text, excluded.publisher_id, excluded.medium_id, excluded.type, excluded.is_live)
    where (kept.search_text, kept.publisher_id, kept.medium_id, kept.type, kept.is_live)
      is distinct from (excluded.search_text, excluded.publisher_id, excluded.medium_id, excluded.type, excluded.is_live);
  return null;
end $$;

create or replace function app.keep_agreement_pieces() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  insert into app.agreement_pieces as kept (id, search_text, organization_id, medium_id, is_live, is_payment_disabled)
  select a.id, a.search_text || ' ' || o.search_text, a.organization_id, a.medium_id, a.terminated_at is null,
    a.is_payment_disabled
  from written a join public.organizations o on o.id = a.organization_id
  on conflict (id) do update
    set (search_text, organization_id, medium_id, is_live, is_payment_disabled)
      = (excluded.search_text, excluded.organization_id, excluded.medium_id, excluded.is_live, excluded.is_payment_disabled)
    where (kept.search_text, kept.organization_id, kept.medium_id, kept.is_live, kept.is_payment_disabled)
      is distinct from (excluded.search_text, excluded.organization_id, excluded.medium_id, excluded.is_live,
        excluded.is_payment_disabled);
  return null;
end $$;

-- Single characters are in the index too, as they are for articles: a rare one is found by it, a frequent one is counted
-- below, and neither reads the texts.
drop index app.publisher_pieces_bigrams, app.agreement_pieces_bigrams, app.feed_pieces_bigrams;
drop function app.bigrams(text);
create index publisher_pieces_pieces on app.publisher_pieces using gin (app.search_pieces(search_text));
create index agreement_pieces_pieces on app.agreement_pieces using gin (app.search_pieces(search_text));
create index feed_pieces_pieces on app.feed_pieces using gin (app.search_pieces(search_text));

-- In how many rows each piece of one or two characters stands, by kind of list and whether the rows are live (enabled, not
-- terminated). Rows of this table are only added, so that no two writers wait for each other; their sum in a snapshot is
-- the number of rows in that snapshot. The nightly job adds up what has come together.
create table app.piece_counts (
  kind text not null,
  piece text not null,
  is_live boolean not null,
  row_count bigint not null
);
create index piece_counts_piece on app.piece_counts (kind, piece) include (is_live, row_count);

create function app.count_pieces() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  if tg_op = 'TRUNCATE' then
    delete from app.piece_counts where kind = tg_argv[0];
  elsif tg_op = 'INSERT' then
    insert into app.piece_counts
    select tg_argv[0], piece, is_live, count(*)
    from (select is_live, unnest(app.search_pieces(search_text)) as piece from added) p group by piece, is_live;
  elsif tg_op = 'DELETE' then
    insert into app.piece_counts
    select tg_argv[0], piece, is_live, -count(*)
    from (select is_live, unnest(app.search_pieces(search_text)) as piece from gone) p group by piece, is_live;
  else
    insert into app.piece_counts
    select tg_argv[0], piece, is_live, sum(difference)
    from (
      select a.is_live, unnest(app.search_pieces(a.search_text)) as piece, 1 as difference
      from added a join gone g using (id) where (a.search_text, a.is_live) is distinct from (g.search_text, g.is_live)
      union all
      select g.is_live, unnest(app.search_pieces(g.search_text)), -1
      from added a join gone g using (id) where (a.search_text, a.is_live) is distinct from (g.search_text, g.is_live)
    ) p
    group by piece, is_live having sum(difference) <> 0;
  end if;
  return null;
end $$;

do $$
declare
  kind text;
begin
  foreach kind in array array['publisher', 'agreement', 'feed'] loop
    execute format('insert into app.piece_counts
      select %1$L, piece, is_live, count(*)
      from (select is_live, unnest(app.search_pieces(search_text)) as piece from app.%2$I) p group by piece, is_live',
      kind, kind || '_pieces');
    execute format('create trigger %2$s_added after insert on app.%2$I referencing new table as added
      for each statement execute function app.count_pieces(%1$L)', kind, kind || '_pieces');
    execute format('create trigger %2$s_changed after update on app.%2$I referencing new table as added old table as gone
      for each statement execute function app.count_pieces(%1$L)', kind, kind || '_pieces');
    execute format('create trigger %2$s_gone after delete on app.%2$I referencing old table as gone
      for each statement execute function app.count_pieces(%1$L)', kind, kind || '_pieces');
    execute format('create trigger %2$s_emptied after truncate on app.%2$I
      for each statement execute function app.count_pieces(%1$L)', kind, kind || '_pieces');
  end loop;
end $$;

-- Adds up the rows of a piece that has several. What another transaction adds meanwhile stays a row of its own, and what
-- another call takes out is not taken out twice.
create function app.merge_piece_counts() returns void language sql security definer set search_path = pg_catalog
begin atomic
  with several as (
    select c.kind, c.piece, c.is_live from app.piece_counts c group by c.kind, c.piece, c.is_live having count(*) > 1
  ), gone as (
    delete from app.piece_counts c using several s
    where c.kind = s.kind and c.piece = s.piece and c.is_live = s.is_live
    returning c.kind, c.piece, c.is_live, c.row_count
  )
  insert into app.piece_counts
  select g.kind, g.piece, g.is_live, sum(g.row_count) from gone g group by g.kind, g.piece, g.is_live
  having sum(g.row_count) <> 0;
end;
revoke execute on function app.merge_piece_counts() from public;
grant execute on function app.merge_piece_counts() to pc_app;

-- What a search of staff finds, under the filters of the list that the narrow copy knows: its number, and the ids where
-- they are no more than 2,000. Nothing in any scope but that of staff, who may see every row.
-- How: the pieces of the words say how many rows there can be at most. One piece alone is the answer. Few: the index names
-- them. Many: the index would hand over almost every row, and the texts are read once instead.
drop function app.find_rows(text, text[]);
create function app.find_rows(kind text, words text[], filters jsonb, out ids bigint[], out total bigint)
language plpgsql stable security definer set search_path = pg_catalog set max_parallel_workers_per_gather = 0
set jit = off set enable_seqscan = on set enable_bitmapscan = on as $$
declare
  live boolean := (filters ->> 'is_live')::boolean;
  narrowed text := '';
  name text;
  wanted text;
  wanted_pieces text[];
  most bigint;
  found text;
begin
  if app.scope() is distinct from 'all' then return; end if;
  if kind not in ('publisher', 'agreement', 'feed') then raise exception 'not searched: %', kind; end if;
  for name, wanted in select * from jsonb_each_text(filters) loop
    narrowed := narrowed || format(' and %I = %L', name, wanted);
  end loop;
  wanted_pieces := array(
    select distinct piece from unnest(words) word, generate_series(1, greatest(length(word) - 1, 1)) place,
      substr(word, place, 2) piece);
  -- Zero for a piece that stands nowhere, which is then the smallest.
  select min(coalesce(counted.n, 0)) into most
  from unnest(wanted_pieces) w(piece)
  left join lateral (
    select sum(c.row_count)::bigint as n from app.piece_counts c
    where c.kind = find_rows.kind and c.piece = w.piece and (live is null or c.is_live = live)
  ) counted on true;
  if most = 0 then
    ids := '{}';
    total := 0;
    return;
  end if;
  if most > 2000 and cardinality(wanted_pieces) = 1 and (filters - 'is_live') = '{}' then
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
