-- In 0015 the function could not run: a variable had the name of a column.

-- Ids of publishers that hold every word, each already in its normal form.
create or replace function app.find_publishers(words text[]) returns setof bigint language plpgsql stable security definer
  set search_path = pg_catalog rows 500 as $$
declare
  wanted text[] := '{}';
  word text;
begin
  foreach word in array words loop
    wanted := wanted || case when length(word) < 2 then array[word]
      else array(select substr(word, place, 2) from generate_series(1, length(word) - 1) place) end;
  end loop;
  return query select p.publisher_id from app.publisher_pieces p
    where p.pieces @> wanted
      and (select bool_and(strpos(p.search_text, one) > 0) from unnest(words) one)
      and (app.scope() = 'all' or (app.scope() in ('organization', 'agreements') and p.organization_id = app.organization_id()));
end $$;
