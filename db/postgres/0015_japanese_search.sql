-- Search in Japanese names: one normal form of text (the same as domain/text/search-text.ts; a test compares them), and
-- an index of its one- and two-character pieces, because most Japanese search words have two characters.

create function app.search_text(value text) returns text language sql immutable parallel safe
  return regexp_replace(
    translate(lower(normalize(value, nfkc)),
      'ぁあぃいぅうぇえぉおかがきぎくぐけげこごさざしじすずせぜそぞただちぢっつづてでとどなにぬねのはばぱひびぴふぶぷへべぺほぼぽまみむめもゃやゅゆょよらりるれろゎわゐゑをんゔゕゖァィゥェォッャュョヮヵヶ',
      'アアイイウウエエオオカガキギクグケゲコゴサザシジスズセゼソゾタダチヂツツヅテデトドナニヌネノハバパヒビピフブプヘベペホボポマミムメモヤヤユユヨヨラリルレロワワヰヱヲンヴカケアイウエオツヤユヨワカケ'),
    '[\s\-‐‑‒–—―−ー〜~・･。、.,''"‘’“”()（）「」『』\[\]【】<>〈〉《》/\\&!?:;_*#+=@|]', '', 'g');

create function app.search_pieces(value text) returns text[] language sql immutable parallel safe
  return array(
    select distinct substr(value, place, size)
    from generate_series(1, length(value)) place, generate_series(1, 2) size
    where place + size - 1 <= length(value));

alter table agreements
  add column search_text text generated always as (app.search_text(name) || ' ' || app.search_text(code)) stored;
alter table organizations
  add column kana text not null default '';
alter table organizations
  add column search_text text generated always as (app.search_text(name) || ' ' || app.search_text(kana)) stored;
alter table publishers
  add column search_text text generated always as (app.search_text(name) || ' ' || app.search_text(kana)) stored;
alter table banks
  add column search_text text generated always as (
    code || ' ' || app.search_text(name) || ' ' || app.search_text(kana) || ' ' || app.search_text(roma)) stored;
alter table bank_branches
  add column search_text text generated always as (
    code || ' ' || app.search_text(name) || ' ' || app.search_text(kana) || ' ' || app.search_text(roma)) stored;

-- Under row-level security PostgreSQL uses no index for LIKE or array operators: they could leak values in errors. So the
-- pieces lie beside the table, where the application has no right, behind a function that gives away ids of the scope.
create table app.publisher_pieces (
  publisher_id bigint primary key references publishers on delete cascade,
  organization_id bigint not null,
  search_text text not null,
  pieces text[] not null generated always as (app.search_pieces(search_text)) stored
);
create index publisher_pieces_pieces on app.publisher_pieces using gin (pieces);

create function app.keep_publisher_pieces() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  insert into app.publisher_pieces (publisher_id, organization_id, search_text)
  values (new.id, new.organization_id, new.search_text)
  on conflict (publisher_id) do update
    set organization_id = excluded.organization_id, search_text = excluded.search_text;
  return null;
end $$;
create trigger publishers_pieces after insert or update of name, kana, organization_id on publishers
  for each row execute function app.keep_publisher_pieces();
insert into app.publisher_pieces (publisher_id, organization_id, search_text)
  select id, organization_id, search_text from publishers;

-- Ids of publishers that hold every word, each already in its normal form.
create function app.find_publishers(words text[]) returns setof bigint language plpgsql stable security definer
  set search_path = pg_catalog rows 500 as $$
declare
  pieces text[] := '{}';
  word text;
begin
  foreach word in array words loop
    pieces := pieces || case when length(word) < 2 then array[word]
      else array(select substr(word, place, 2) from generate_series(1, length(word) - 1) place) end;
  end loop;
  return query select p.publisher_id from app.publisher_pieces p
    where p.pieces @> find_publishers.pieces
      and (select bool_and(strpos(p.search_text, one) > 0) from unnest(words) one)
      and (app.scope() = 'all' or (app.scope() in ('organization', 'agreements') and p.organization_id = app.organization_id()));
end $$;
