-- Processes of the version before ask without filters while a new one is rolled out (production guide). Its body is read when
-- it is called, so that a dump may name it before the function that it calls.
create function app.find_rows(kind text, words text[], out ids bigint[], out total bigint) language plpgsql stable
  set search_path = pg_catalog as $$
begin
  select f.ids, f.total into ids, total from app.find_rows(kind, words, '{}'::jsonb) f;
end $$;
