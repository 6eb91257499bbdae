-- Names of authors, sections and tags repeat: each is brought into its normal form once for all articles of a statement.
create or replace function app.name_article_labels() returns trigger language plpgsql set search_path to pg_catalog
set enable_hashjoin to on set enable_seqscan to on set enable_nestloop to off as $$
begin
  insert into public.article_labels as kept (publisher_id, kind, key, name, medium_ids)
  select given.publisher_id, given.kind, given.key, (array_agg(given.name order by given.first_place))[1],
    array_agg(distinct given.medium_id)
  from (
    select named.publisher_id, named.medium_id, named.kind, named.name, named.first_place, app.label_key(named.name) as key
    from (
      select w.publisher_id, w.medium_id, one.kind, one.name, min(array[w.article_id, one.place]) as first_place
      from written w cross join lateral (
        select 'section' as kind, w.section as name, 1::bigint as place where w.section <> ''
        union all select 'author', n.name, n.place from jsonb_array_elements_text(w.authors) with ordinality n (name, place)
        union all select 'tag', n.name, n.place from jsonb_array_elements_text(w.tags) with ordinality n (name, place)) one
      where w.section <> '' or w.authors <> '[]' or w.tags <> '[]'
      group by w.publisher_id, w.medium_id, one.kind, one.name) named) given
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

-- A copy is of an article, whose own key says that the publisher is there.
alter table app.medium_article_pieces drop constraint medium_article_pieces_publisher_id_fkey;
