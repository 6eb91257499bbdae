-- Processes of the version before ask without filters while a new one is rolled out (production guide).
create function app.find_rows(kind text, words text[], out ids bigint[], out total bigint) language sql stable
  set search_path = pg_catalog
begin atomic
  select f.ids, f.total from app.find_rows(kind, words, '{}'::jsonb) f;
end;
