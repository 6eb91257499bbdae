-- A publisher's editor works for agreements, each of one medium: what has a publisher and a medium is the editor's where
-- an own agreement has rules for that publisher on that medium, as it is for figures and payments (ADR 0030).

-- The pairs of the scope `agreements`; none in every other scope, where `app.own_publisher_ids` says it all.
create function app.own_publisher_media() returns table (publisher_id bigint, medium_id bigint)
  language plpgsql stable rows 20 as $$
begin
  if app.scope() = 'agreements' then
    return query select distinct r.publisher_id, r.medium_id from public.agreement_publisher_rules r
      where r.agreement_id = any (app.own_agreement_ids());
  end if;
end $$;

-- The publishers stay a condition of their own: it is what the indexes know. The pairs are hashed once a statement.
alter policy visible_publishers on medium_articles using (
  publisher_id = any ((select app.own_publisher_ids())::bigint[])
  and ((select app.scope()) = 'organization'
    or (publisher_id, medium_id) in (select o.publisher_id, o.medium_id from app.own_publisher_media() o)));
alter policy visible_publishers on feeds using (
  publisher_id = any ((select app.own_publisher_ids())::bigint[])
  and ((select app.scope()) = 'organization'
    or (publisher_id, medium_id) in (select o.publisher_id, o.medium_id from app.own_publisher_media() o)));
alter policy visible_publishers on videos using (
  publisher_id = any ((select app.own_publisher_ids())::bigint[])
  and ((select app.scope()) = 'organization'
    or (publisher_id, medium_id) in (select o.publisher_id, o.medium_id from app.own_publisher_media() o)));
alter policy visible_publishers on event_hours using (
  (select app.scope()) in ('organization', 'agreements') and publisher_id in (select p.id from publishers p)
  and ((select app.scope()) = 'organization'
    or (publisher_id, medium_id) in (select o.publisher_id, o.medium_id from app.own_publisher_media() o)));

-- A removal is its article's, which says on which medium.
alter policy visible_publishers on medium_article_removals using (
  (select app.scope()) in ('organization', 'agreements') and publisher_id in (select p.id from publishers p)
  and ((select app.scope()) = 'organization'
    or exists (select from medium_articles a where a.article_id = medium_article_removals.article_id)));
alter policy own_restorations on medium_article_removals using (
  (select app.scope()) in ('organization', 'agreements') and restored_at is null
  and publisher_id in (select p.id from publishers p)
  and ((select app.scope()) = 'organization'
    or exists (select from medium_articles a where a.article_id = medium_article_removals.article_id)));

-- A label is a publisher's; these are the media on which articles have carried it.
alter table article_labels add column medium_ids bigint[] not null default '{}';
update article_labels l set medium_ids = carried.medium_ids
from (
  select a.publisher_id, one.kind, app.label_key(one.name) as key, array_agg(distinct a.medium_id) as medium_ids
  from medium_articles a cross join lateral (
    select 'section' as kind, a.section as name where a.section <> ''
    union all select 'author', n.name from jsonb_array_elements_text(a.authors) n (name)
    union all select 'tag', n.name from jsonb_array_elements_text(a.tags) n (name)) one
  group by 1, 2, 3) carried
where carried.publisher_id = l.publisher_id and carried.kind = l.kind and carried.key = l.key;
alter policy visible_publishers on article_labels using (
  publisher_id = any ((select app.own_publisher_ids())::bigint[])
  and ((select app.scope()) = 'organization'
    or exists (select from app.own_publisher_media() o
      where o.publisher_id = article_labels.publisher_id and o.medium_id = any (article_labels.medium_ids))));

create or replace function app.name_article_labels() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  insert into public.article_labels as kept (publisher_id, kind, key, name, medium_ids)
  select given.publisher_id, given.kind, given.key, (array_agg(given.name order by given.article_id))[1],
    array_agg(distinct given.medium_id)
  from (
    select w.article_id, w.publisher_id, w.medium_id, one.kind, app.label_key(one.name) as key, one.name
    from written w cross join lateral (
      select 'section' as kind, w.section as name where w.section <> ''
      union all select 'author', n.name from jsonb_array_elements_text(w.authors) n (name)
      union all select 'tag', n.name from jsonb_array_elements_text(w.tags) n (name)) one
    where w.section <> '' or w.authors <> '[]' or w.tags <> '[]') given
  where given.key <> '' and not exists (select from public.article_labels l
    where l.publisher_id = given.publisher_id and l.kind = given.kind and l.key = given.key
      and given.medium_id = any (l.medium_ids))
  group by given.publisher_id, given.kind, given.key
  order by given.publisher_id, given.kind, given.key
  on conflict (publisher_id, kind, key) do update
    set medium_ids = array(select distinct unnest(kept.medium_ids || excluded.medium_ids) order by 1)
    where not kept.medium_ids @> excluded.medium_ids;
  return null;
end $$;

create or replace function app.count_medium_articles(of_medium bigint, of_publisher bigint) returns bigint language plpgsql stable
  security definer set search_path = pg_catalog set plan_cache_mode = force_custom_plan as $$
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
end $$;

create or replace function app.find_medium_articles(
  typed text[], exact text, of_medium bigint, of_publisher bigint, of_feed bigint, published_from timestamptz,
  published_to timestamptz, removed boolean, ordering text, most integer, skipped integer
) returns table (article_id bigint, total bigint) language plpgsql stable security definer set search_path = pg_catalog
  set enable_seqscan = on set enable_indexscan = on set max_parallel_workers_per_gather = 0 set work_mem = '64MB' as $$
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
end $$;
