-- Searches of articles read less. Whether a word is frequent is first asked of the last thousand titles: the index, asked
-- how many it knows, hands over every hit before it can stop at some. And hits that are few are found once, counted and put
-- in order, instead of once to count and once more for the page, which walked through all titles for the last of few.
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
  reads_titles boolean := app.scope() is distinct from 'all' or of_publisher is not null;
  -- Whether the first page is found by walking through the titles in their order.
  is_dense boolean := false;
  hits bigint;
begin
  if app.scope() is distinct from 'all' then
    filters := filters || format(' and p.publisher_id = any (%L::bigint[])', app.own_publisher_ids());
  end if;
  if of_medium is not null then filters := filters || format(' and p.medium_id = %s', of_medium); end if;
  if of_publisher is not null then filters := filters || format(' and p.publisher_id = %s', of_publisher); end if;
  if of_feed is not null then filters := filters || format(' and p.feed_id = %s', of_feed); end if;
  if published_from is not null then filters := filters || format(' and p.published_at >= %L', published_from); end if;
  if published_to is not null then filters := filters || format(' and p.published_at < %L', published_to); end if;

  if not reads_titles and cardinality(words) > 0 then
    execute format('select count(*) >= 100 from (
      select search_text from app.medium_article_pieces order by published_at desc, article_id desc limit 1000) last where %s',
      in_titles) into is_dense;
    reads_titles := is_dense;
  end if;
  if not reads_titles and cardinality(words) > 0 then
    found := format('app.medium_article_pieces where %s', app.holds_words(words, 'app.search_pieces', true));
    perform set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'off', true);
    execute format('select count(*) from (select from %s limit %s) s', found, frequent + 1) into hits;
    is_dense := hits > frequent;
    reads_titles := is_dense;
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
  if is_dense then
    execute format('%s select count(*) from %s and %s', source, found, filters) into hits;
    return query execute format(
      '%s select p.article_id, %s::bigint from %s and %s order by %s %s, p.article_id %s limit %s offset %s',
      source, hits, found, filters, place, way, way, most, skipped);
  else
    return query execute format(
      '%s chosen as materialized (select p.article_id, %s as place from %s and %s)
      select c.article_id, (select count(*) from chosen) from chosen c order by c.place %s, c.article_id %s limit %s offset %s',
      case when source = '' then 'with' else source || ',' end, place, found, filters, way, way, most, skipped);
  end if;
end $$;
