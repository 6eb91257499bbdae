-- A search within some publishers' own articles reads those by their index, once: the page is cut out of what was found. The
-- planner takes a third of all titles to hold a word, and walked the whole table in order for a word that hardly any
-- of them held: 100 to 450 ms among 600,000 articles, where 6,000 are one's own.
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
  reads_titles boolean := is_own or of_publisher is not null;
  hits bigint;
begin
  if is_own then
    filters := filters || format(' and p.publisher_id = any (%L::bigint[])', app.own_publisher_ids());
  end if;
  if of_medium is not null then filters := filters || format(' and p.medium_id = %s', of_medium); end if;
  if of_publisher is not null then filters := filters || format(' and p.publisher_id = %s', of_publisher); end if;
  if of_feed is not null then filters := filters || format(' and p.feed_id = %s', of_feed); end if;
  if published_from is not null then filters := filters || format(' and p.published_at >= %L', published_from); end if;
  if published_to is not null then filters := filters || format(' and p.published_at < %L', published_to); end if;

  if reads_titles then
    found := format('app.medium_article_pieces p where (%s or p.article_id = any (%L::bigint[]))', in_titles, exact_ids);
    if cardinality(exact_ids) = 0 then found := format('app.medium_article_pieces p where %s', in_titles); end if;
    return query execute format(
      'with hit as materialized (select p.article_id, p.created_at, p.updated_at, p.published_at from %s and %s)
      select p.article_id, (select count(*) from hit) from hit p order by %s %s, p.article_id %s limit %s offset %s',
      found, filters, place, way, way, most, skipped);
    return;
  end if;

  if cardinality(words) > 0 then
    found := format('app.medium_article_pieces where %s', app.holds_words(words, 'app.search_pieces', true));
    perform set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'off', true);
    execute format('select count(*) from (select from %s limit %s) s', found, frequent + 1) into hits;
    reads_titles := hits > frequent;
    if reads_titles then
      perform set_config('enable_seqscan', 'on', true), set_config('enable_indexscan', 'on', true);
    end if;
  end if;
  if reads_titles then
    found := format('app.medium_article_pieces p where (%s or p.article_id = any (%L::bigint[]))', in_titles, exact_ids);
    if cardinality(exact_ids) = 0 then found := format('app.medium_article_pieces p where %s', in_titles); end if;
  else
    source := format('with by_title as materialized (select * from %s),
      hit as (select * from by_title union all
        select * from app.medium_article_pieces where article_id = any (%L::bigint[]) and not (%s))',
      coalesce(found, 'app.medium_article_pieces where false'), exact_ids, in_titles);
    found := 'hit p where true';
  end if;
  execute format('%s select count(*) from %s and %s', source, found, filters) into hits;
  return query execute format(
    '%s select p.article_id, %s::bigint from %s and %s order by %s %s, p.article_id %s limit %s offset %s',
    source, hits, found, filters, place, way, way, most, skipped);
end $$;
