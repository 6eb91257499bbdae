-- Taking a title apart was a third of what loading titles costs: every place of every length was asked for by its number,
-- which counts characters from the beginning each time, and doubles were sorted out. An index takes doubles out itself,
-- and so does whoever counts. The same pieces as before, so that the indexes stay as they are.
create or replace function app.search_pieces(value text) returns text[] language sql immutable parallel safe cost 10000
return string_to_array(value, null) || array(
  select first || second
  from unnest(string_to_array(value, null), (string_to_array(value, null))[2:]) pair(first, second)
  where second is not null
);

create or replace function app.count_pieces() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  if tg_op = 'TRUNCATE' then
    delete from app.piece_counts where kind = tg_argv[0];
  elsif tg_op = 'INSERT' then
    insert into app.piece_counts
    select tg_argv[0], p.piece, a.is_live, count(*)
    from added a cross join lateral (select distinct unnest(app.search_pieces(a.search_text)) as piece) p
    group by p.piece, a.is_live;
  elsif tg_op = 'DELETE' then
    insert into app.piece_counts
    select tg_argv[0], p.piece, g.is_live, -count(*)
    from gone g cross join lateral (select distinct unnest(app.search_pieces(g.search_text)) as piece) p
    group by p.piece, g.is_live;
  else
    insert into app.piece_counts
    select tg_argv[0], piece, is_live, sum(difference)
    from (
      select a.is_live, p.piece, 1 as difference
      from added a join gone g using (id) cross join lateral (select distinct unnest(app.search_pieces(a.search_text)) as piece) p
      where (a.search_text, a.is_live) is distinct from (g.search_text, g.is_live)
      union all
      select g.is_live, p.piece, -1
      from added a join gone g using (id) cross join lateral (select distinct unnest(app.search_pieces(g.search_text)) as piece) p
      where (a.search_text, a.is_live) is distinct from (g.search_text, g.is_live)
    ) p
    group by piece, is_live having sum(difference) <> 0;
  end if;
  return null;
end $$;
