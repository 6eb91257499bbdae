-- Authors, section and tags of articles, as they were delivered: lists of texts, and a text.
alter table medium_articles
  add column authors jsonb not null default '[]',
  add column section text not null default '',
  add column tags jsonb not null default '[]';

-- What names are grouped by: full and half width, and white space, make no difference.
create function app.label_key(value text) returns text language sql immutable parallel safe
  return btrim(regexp_replace(normalize(value, nfkc), '\s+', ' ', 'g'));

-- One row for each author, section and tag of a publisher; the name is the spelling that was delivered first. Equal names
-- of two publishers are two rows: nobody learns names from another publisher, and two authors may have one name.
create table article_labels (
  id bigint generated always as identity primary key,
  publisher_id bigint not null references publishers (id),
  kind text not null check (kind in ('author', 'section', 'tag')),
  key text not null check (key <> ''),
  name text not null,
  unique (publisher_id, kind, key)
);
alter table article_labels enable row level security;
alter table article_labels force row level security;
create policy all_rows on article_labels using ((select app.scope()) = 'all');
create policy visible_publishers on article_labels for select
  using (publisher_id = any ((select app.own_publisher_ids())::bigint[]));

-- Whoever writes articles (always with the scope `all`) names their labels in the same statement.
create function app.name_article_labels() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  insert into public.article_labels (publisher_id, kind, key, name)
  select distinct on (given.publisher_id, given.kind, given.key) given.publisher_id, given.kind, given.key, given.name
  from (
    select w.article_id, w.publisher_id, one.kind, app.label_key(one.name) as key, one.name
    from written w cross join lateral (
      select 'section' as kind, w.section as name where w.section <> ''
      union all select 'author', n.name from jsonb_array_elements_text(w.authors) n (name)
      union all select 'tag', n.name from jsonb_array_elements_text(w.tags) n (name)) one
    where w.section <> '' or w.authors <> '[]' or w.tags <> '[]') given
  where given.key <> '' and not exists (select from public.article_labels l
    where l.publisher_id = given.publisher_id and l.kind = given.kind and l.key = given.key)
  order by given.publisher_id, given.kind, given.key, given.article_id
  on conflict (publisher_id, kind, key) do nothing;
  return null;
end $$;
create trigger medium_articles_labels_new after insert on medium_articles
  referencing new table as written for each statement execute function app.name_article_labels();
create trigger medium_articles_labels_changed after update on medium_articles
  referencing new table as written for each statement execute function app.name_article_labels();

-- The statistics store learns of labels batch by batch: what it does not know yet stands at the end of this index.
create index medium_articles_batch on medium_articles (coalesce(batch_no, 0), article_id);

-- The labels of one article. A name that the delivery repeats is one label.
create function app.article_label_ids(of_publisher bigint, of_kind text, names jsonb) returns bigint[]
  language sql stable parallel safe
  return array(select distinct l.id from jsonb_array_elements_text(names) n (name)
    join public.article_labels l on l.publisher_id = of_publisher and l.kind = of_kind and l.key = app.label_key(n.name)
    order by l.id);
