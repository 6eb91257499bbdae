-- Searching articles: one comparison per row instead of a subquery, exact matches by indexes of their own, and the pieces
-- of many new articles in one statement instead of one each.
create or replace function app.find_medium_articles(typed text[]) returns setof bigint language plpgsql stable security definer
  set search_path = pg_catalog rows 500 as $$
declare
  words text[] := array(select app.search_text(one) from unnest(typed) one where app.search_text(one) <> '');
  wanted text[] := '{}';
  patterns text[] := '{}';
  word text;
begin
  if cardinality(words) = 0 then return; end if;
  foreach word in array words loop
    wanted := wanted || case when length(word) < 2 then array[word]
      else array(select substr(word, place, 2) from generate_series(1, length(word) - 1) place) end;
    -- Up to two characters, the piece itself is the whole proof.
    if length(word) > 2 then patterns := patterns || ('%' || replace(word, '%', '\%') || '%'); end if;
  end loop;
  if app.scope() = 'all' then
    return query select p.article_id from app.medium_article_pieces p
      where p.pieces @> wanted and p.search_text like all (patterns);
  else
    -- Row-level security binds the owner of this function too: these are the publishers of the scope.
    return query select p.article_id from app.medium_article_pieces p
      where p.pieces @> wanted and p.search_text like all (patterns)
        and p.publisher_id = any (array(select q.id from public.publishers q));
  end if;
end $$;

create index medium_articles_own_id on medium_articles (medium_article_id);
create index medium_articles_url on medium_articles using hash (url);

create or replace function app.keep_medium_article_pieces() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  insert into app.medium_article_pieces (article_id, publisher_id, search_text)
  select article_id, publisher_id, app.search_text(title) from written
  on conflict (article_id) do update
    set publisher_id = excluded.publisher_id, search_text = excluded.search_text
    where (medium_article_pieces.publisher_id, medium_article_pieces.search_text)
      is distinct from (excluded.publisher_id, excluded.search_text);
  return null;
end $$;
drop trigger medium_articles_pieces on medium_articles;
create trigger medium_articles_pieces_new after insert on medium_articles
  referencing new table as written for each statement execute function app.keep_medium_article_pieces();
create trigger medium_articles_pieces_changed after update on medium_articles
  referencing new table as written for each statement execute function app.keep_medium_article_pieces();
