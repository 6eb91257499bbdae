-- A search within some publishers' own articles reads those by their index, once: the page is cut out of what was found. The
-- planner takes a third of all titles to hold a word, and walked the whole table in order for a word that hardly any
-- of them held: 100 to 450 ms among 600,000 articles, where 6,000 are one's own. Staff's search counts by the index of pieces
-- whatever their number: 33,000 of 600,000 titles take 15 ms, where reading them took 200.
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
