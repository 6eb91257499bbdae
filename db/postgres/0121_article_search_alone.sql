-- Searching articles is answered by one narrow table alone: it holds what the list filters and orders by, and the pieces
-- stand in the index only. What people of publishers may see is asked by an index, not by reading every publisher.
alter table app.medium_article_pieces
  drop column pieces,
  add column medium_id bigint,
  add column feed_id bigint,
  add column published_at timestamptz,
  add column created_at timestamptz;
update app.medium_article_pieces p
  set medium_id = a.medium_id, feed_id = a.feed_id, published_at = a.published_at, created_at = a.created_at
  from medium_articles a where a.article_id = p.article_id;
alter table app.medium_article_pieces
  alter column medium_id set not null,
  alter column published_at set not null,
  alter column created_at set not null;
-- Taking a title apart is dear: the index has done it, and a plan that would do it again for each row is a bad one.
alter function app.search_pieces(text) cost 10000;
create index medium_article_pieces_pieces on app.medium_article_pieces using gin (app.search_pieces(search_text));
create index medium_article_pieces_publisher on app.medium_article_pieces (publisher_id);

create or replace function app.keep_medium_article_pieces() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  insert into app.medium_article_pieces
    (article_id, publisher_id, medium_id, feed_id, published_at, created_at, search_text)
  select article_id, publisher_id, medium_id, feed_id, published_at, created_at, app.search_text(title) from written
  on conflict (article_id) do update
    set (publisher_id, medium_id, feed_id, published_at, created_at, search_text)
      = (excluded.publisher_id, excluded.medium_id, excluded.feed_id, excluded.published_at, excluded.created_at, excluded.search_text)
    where (medium_article_pieces.publisher_id, medium_article_pieces.medium_id, medium_article_pieces.feed_id,
        medium_article_pieces.published_at, medium_article_pieces.created_at, medium_article_pieces.search_text)
      is distinct from (excluded.publisher_id, excluded.medium_id, excluded.feed_id, excluded.published_at,
        excluded.created_at, excluded.search_text);
  return null;
end $$;

-- The publishers of the scope: the same as the policies of publishers show, found by an index.
create function app.own_publisher_ids() returns bigint[] language plpgsql stable as $$
begin
  case app.scope()
    when 'organization' then
      return array(select p.id from public.publishers p where p.organization_id = app.organization_id());
    when 'agreements' then
      return array(select distinct r.publisher_id from public.agreement_publisher_rules r
        where r.agreement_id = any (app.own_agreement_ids()));
    else
      return '{}';
  end case;
end $$;

alter policy visible_publishers on feeds using (publisher_id = any ((select app.own_publisher_ids())::bigint[]));
alter policy visible_publishers on medium_articles using (publisher_id = any ((select app.own_publisher_ids())::bigint[]));
alter policy visible_publishers on videos using (publisher_id = any ((select app.own_publisher_ids())::bigint[]));

-- One page of the articles that are searched for, with how many there are in all. `typed`: words of titles in the normal
-- form of searching; `exact`: an id or an address as it was typed. `ordering`: ID, CREATEDAT or PUBLISHEDAT, _ASC or _DESC.
drop function app.find_medium_articles(text[]);
create function app.find_medium_articles(
  typed text[], exact text, of_medium bigint, of_publisher bigint, of_feed bigint, published_from timestamptz,
  published_to timestamptz, removed boolean, ordering text, most integer, skipped integer
) returns table (article_id bigint, total bigint) language plpgsql stable security definer
  set search_path = pg_catalog set plan_cache_mode = force_custom_plan rows 100 as $$
declare
  words text[] := array(select app.search_text(one) from unnest(typed) one where app.search_text(one) <> '');
  wanted text[] := '{}';
  patterns text[] := '{}';
  word text;
  is_all boolean := app.scope() = 'all';
  own bigint[] := case when app.scope() = 'all' then '{}'::bigint[] else app.own_publisher_ids() end;
  exact_ids bigint[] := array(
    select e.article_id from public.medium_articles e
    where e.article_id = case when exact ~ '^\d{1,18}$' then exact::bigint end
      or e.medium_article_id = exact or e.url = exact);
begin
  foreach word in array words loop
    wanted := wanted || case when length(word) < 2 then array[word]
      else array(select substr(word, place, 2) from generate_series(1, length(word) - 1) place) end;
    -- Up to two characters, the piece itself is the whole proof.
    if length(word) > 2 then patterns := patterns || ('%' || replace(word, '%', '\%') || '%'); end if;
  end loop;
  return query
    -- Two branches, because an index answers each of them alone: over both, every title would be taken apart once more.
    with matched as (
      select p.* from app.medium_article_pieces p
      where cardinality(words) > 0 and app.search_pieces(p.search_text) @> wanted and p.search_text like all (patterns)
      union all
      select p.* from app.medium_article_pieces p
      where p.article_id = any (exact_ids)
        and not (cardinality(words) > 0 and app.search_pieces(p.search_text) @> wanted and p.search_text like all (patterns))
    ), hits as materialized (
      select p.article_id as id,
        case ordering when 'ID_ASC' then p.article_id when 'ID_DESC' then -p.article_id
          when 'CREATEDAT_ASC' then (extract(epoch from p.created_at) * 1000000)::bigint
          when 'CREATEDAT_DESC' then -(extract(epoch from p.created_at) * 1000000)::bigint
          when 'PUBLISHEDAT_ASC' then (extract(epoch from p.published_at) * 1000000)::bigint
          else -(extract(epoch from p.published_at) * 1000000)::bigint end as place
      from matched p
      where (is_all or p.publisher_id = any (own))
        and (of_medium is null or p.medium_id = of_medium)
        and (of_publisher is null or p.publisher_id = of_publisher)
        and (of_feed is null or p.feed_id = of_feed)
        and (published_from is null or p.published_at >= published_from)
        and (published_to is null or p.published_at < published_to)
        and removed = exists (
          select from public.medium_article_removals r where r.article_id = p.article_id and r.restored_at is null))
    select h.id, (select count(*) from hits) from hits h
    order by h.place, case when ordering like '%\_DESC' then -h.id else h.id end
    limit most offset skipped;
end $$;
