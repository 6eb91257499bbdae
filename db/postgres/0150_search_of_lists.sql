-- Searching lists of 100,000 rows. Staff sees every row, so what a search finds is read beside the table, where no
-- row-level security keeps an index from being used: ids where they are few, otherwise their number alone.

-- The pieces of two characters stand in the index only, so a row is as narrow as its text. A single character is in no
-- index: most of them are in a great part of all names, where reading the texts is as fast.
create function app.bigrams(value text) returns text[] language sql immutable parallel safe cost 10000
  return array(select distinct substr(value, place, 2) from generate_series(1, length(value) - 1) place);

alter table app.publisher_pieces drop column pieces, drop column organization_id;
alter table app.publisher_pieces rename column publisher_id to id;
create table app.feed_pieces (
  id bigint primary key references feeds on delete cascade,
  search_text text not null
);
-- With the name of its organisation, by which agreements are searched too.
create table app.agreement_pieces (
  id bigint primary key references agreements on delete cascade,
  search_text text not null
);
create index publisher_pieces_bigrams on app.publisher_pieces using gin (app.bigrams(search_text));
create index feed_pieces_bigrams on app.feed_pieces using gin (app.bigrams(search_text));
create index agreement_pieces_bigrams on app.agreement_pieces using gin (app.bigrams(search_text));

drop trigger publishers_pieces on publishers;
create or replace function app.keep_publisher_pieces() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  insert into app.publisher_pieces (id, search_text) select id, search_text from written
  on conflict (id) do update set search_text = excluded.search_text
    where publisher_pieces.search_text is distinct from excluded.search_text;
  return null;
end $$;
create trigger publishers_pieces_new after insert on publishers
  referencing new table as written for each statement execute function app.keep_publisher_pieces();
create trigger publishers_pieces_changed after update on publishers
  referencing new table as written for each statement execute function app.keep_publisher_pieces();

create function app.keep_feed_pieces() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  insert into app.feed_pieces (id, search_text) select id, search_text from written
  on conflict (id) do update set search_text = excluded.search_text
    where feed_pieces.search_text is distinct from excluded.search_text;
  return null;
end $$;
create trigger feeds_pieces_new after insert on feeds
  referencing new table as written for each statement execute function app.keep_feed_pieces();
create trigger feeds_pieces_changed after update on feeds
  referencing new table as written for each statement execute function app.keep_feed_pieces();
insert into app.feed_pieces (id, search_text) select id, search_text from feeds;

create function app.keep_agreement_pieces() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  insert into app.agreement_pieces (id, search_text)
  select a.id, a.search_text || ' ' || o.search_text
  from written a join public.organizations o on o.id = a.organization_id
  on conflict (id) do update set search_text = excluded.search_text
    where agreement_pieces.search_text is distinct from excluded.search_text;
  return null;
end $$;
create trigger agreements_pieces_new after insert on agreements
  referencing new table as written for each statement execute function app.keep_agreement_pieces();
create trigger agreements_pieces_changed after update on agreements
  referencing new table as written for each statement execute function app.keep_agreement_pieces();
create function app.keep_agreement_pieces_of_organizations() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  update app.agreement_pieces p set search_text = a.search_text || ' ' || o.search_text
  from written o join public.agreements a on a.organization_id = o.id
  where p.id = a.id and p.search_text is distinct from a.search_text || ' ' || o.search_text;
  return null;
end $$;
create trigger organizations_agreement_pieces after update on organizations
  referencing new table as written for each statement execute function app.keep_agreement_pieces_of_organizations();
insert into app.agreement_pieces (id, search_text)
  select a.id, a.search_text || ' ' || o.search_text from agreements a join organizations o on o.id = a.organization_id;

-- A condition on `search_text`: it holds every word, each in its normal form. `pieces` is the function of an index that
-- takes texts apart into pieces of up to two characters; null: the texts are read.
create function app.holds_words(words text[], pieces text, has_single boolean) returns text language plpgsql immutable
  set search_path = pg_catalog as $$
declare
  wanted text[] := '{}';
  read text[] := '{}';
  word text;
begin
  foreach word in array words loop
    if pieces is not null and length(word) > 1 then
      wanted := wanted || array(select substr(word, place, 2) from generate_series(1, length(word) - 1) place);
    elsif pieces is not null and has_single then
      wanted := wanted || word;
    end if;
    -- A piece itself is the whole proof; of a longer word, its pieces may stand apart.
    if length(word) > 2 or pieces is null or (length(word) = 1 and not has_single) then
      read := read || format('strpos(search_text, %L) > 0', word);
    end if;
  end loop;
  if cardinality(wanted) > 0 then
    read := array[format('%s(search_text) @> %L::text[]', pieces, wanted)] || read;
  end if;
  return case when cardinality(read) = 0 then 'true' else array_to_string(read, ' and ') end;
end $$;

-- What a search finds in the lists that only grow with the business: its number, and the ids where they are no more than
-- 2,000. Nothing in any scope but that of staff, who may see every row. The planner expects texts to be taken apart once
-- more behind the index and would rather read the table, where they really are: seven seconds instead of ten milliseconds.
drop function app.find_publishers(text[]);
create function app.find_rows(kind text, words text[], out ids bigint[], out total bigint) language plpgsql stable
  security definer set search_path = pg_catalog set enable_seqscan = off set max_parallel_workers_per_gather = 0 as $$
declare
  found text;
begin
  if app.scope() is distinct from 'all' then return; end if;
  if kind not in ('publisher', 'agreement', 'feed') then raise exception 'not searched: %', kind; end if;
  found := format('from app.%I where %s', kind || '_pieces', app.holds_words(words, 'app.bigrams', false));
  execute 'select count(*) ' || found into total;
  if total <= 2000 then execute 'select array(select id ' || found || ')' into ids; end if;
end $$;

create index organizations_name on organizations (name, id);
create index publishers_name on publishers (name, id);
create index agreements_name on agreements (name, id);
create index feeds_name on feeds (name, id);

-- One column instead of taking every holder apart at each search.
alter table bank_accounts add column search_text text generated always as (app.search_text(holder)) stored;

-- Articles keep the moment of their last change, to be listed by it.
alter table medium_articles add column updated_at timestamptz not null default now();
create function app.touch_medium_article() returns trigger language plpgsql as $$
begin
  new.updated_at := now();
  return new;
end $$;
create trigger medium_articles_touch before update on medium_articles for each row
  when (old.* is distinct from new.*) execute function app.touch_medium_article();
alter table app.medium_article_pieces add column updated_at timestamptz not null default now();
create index medium_article_pieces_published on app.medium_article_pieces (published_at, article_id);

create or replace function app.keep_medium_article_pieces() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  insert into app.medium_article_pieces
    (article_id, publisher_id, medium_id, feed_id, published_at, created_at, updated_at, search_text)
  select article_id, publisher_id, medium_id, feed_id, published_at, created_at, updated_at, app.search_text(title) from written
  on conflict (article_id) do update
    set (publisher_id, medium_id, feed_id, published_at, created_at, updated_at, search_text)
      = (excluded.publisher_id, excluded.medium_id, excluded.feed_id, excluded.published_at, excluded.created_at,
         excluded.updated_at, excluded.search_text)
    where (medium_article_pieces.publisher_id, medium_article_pieces.medium_id, medium_article_pieces.feed_id,
        medium_article_pieces.published_at, medium_article_pieces.created_at, medium_article_pieces.updated_at,
        medium_article_pieces.search_text)
      is distinct from (excluded.publisher_id, excluded.medium_id, excluded.feed_id, excluded.published_at,
        excluded.created_at, excluded.updated_at, excluded.search_text);
  return null;
end $$;

-- One page of the articles that are searched for, with how many there are in all. `typed`: words of titles in the normal
-- form of searching; `exact`: an id or an address as it was typed. `ordering`: ID, CREATEDAT, UPDATEDAT or PUBLISHEDAT,
-- _ASC or _DESC. Few hits are sorted; of many, the order is walked until the page is full.
create or replace function app.find_medium_articles(
  typed text[], exact text, of_medium bigint, of_publisher bigint, of_feed bigint, published_from timestamptz,
  published_to timestamptz, removed boolean, ordering text, most integer, skipped integer
) returns table (article_id bigint, total bigint) language plpgsql stable security definer set search_path = pg_catalog
  set enable_seqscan = off set max_parallel_workers_per_gather = 0 as $$
declare
  words text[] := array(select app.search_text(one) from unnest(typed) one where app.search_text(one) <> '');
  exact_ids bigint[] := array(
    select e.article_id from public.medium_articles e
    where e.article_id = case when exact ~ '^\d{1,18}$' then exact::bigint end
      or e.medium_article_id = exact or e.url = exact);
  found text;
  read text;
  filters text := format(
    '%s exists (select from public.medium_article_removals r where r.article_id = p.article_id and r.restored_at is null)',
    case when removed then '' else 'not' end);
  place text := case split_part(ordering, '_', 1)
    when 'ID' then 'p.article_id' when 'CREATEDAT' then 'p.created_at' when 'UPDATEDAT' then 'p.updated_at'
    else 'p.published_at' end;
  way text := case when ordering like '%\_ASC' then 'asc' else 'desc' end;
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
  found := case when cardinality(words) = 0 then 'false' else app.holds_words(words, 'app.search_pieces', true) end;
  read := case when cardinality(words) = 0 then 'false' else app.holds_words(words, null, true) end;
  found := format('app.medium_article_pieces p where %s', found);
  if cardinality(exact_ids) > 0 then
    read := format('(%s or p.article_id = any (%L::bigint[]))', read, exact_ids);
    -- Two branches, because an index answers each of them alone.
    found := format('(select p.* from %1$s union all
      select p.* from app.medium_article_pieces p where p.article_id = any (%2$L::bigint[]) and not (%3$s)) p where true',
      found, exact_ids, case when cardinality(words) = 0 then 'false' else app.holds_words(words, null, true) end);
  end if;
  execute format('select count(*) from %s and %s', found, filters) into hits;
  if hits > 2000 then found := format('app.medium_article_pieces p where %s', read); end if;
  return query execute format(
    'select p.article_id, %s::bigint from %s and %s order by %s %s, p.article_id %s limit %s offset %s',
    hits, found, filters, place, way, way, most, skipped);
end $$;
