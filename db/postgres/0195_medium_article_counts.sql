-- How many articles a publisher has on a medium, exact at every moment: sums over rows that are only ever added, so that
-- nobody waits for a count that another transaction is changing. `app.merge_medium_article_counts` adds them up at night.
create table app.medium_article_counts (
  publisher_id bigint not null,
  medium_id bigint not null,
  articles bigint not null
);
create index medium_article_counts_publisher on app.medium_article_counts (publisher_id);

create function app.count_new_medium_articles() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  insert into app.medium_article_counts (publisher_id, medium_id, articles)
  select publisher_id, medium_id, count(*) from written group by publisher_id, medium_id;
  return null;
end $$;
create function app.count_gone_medium_articles() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  insert into app.medium_article_counts (publisher_id, medium_id, articles)
  select publisher_id, medium_id, -count(*) from gone group by publisher_id, medium_id;
  return null;
end $$;
create function app.count_moved_medium_articles() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  insert into app.medium_article_counts (publisher_id, medium_id, articles)
  select publisher_id, medium_id, sum(change)
  from (select publisher_id, medium_id, 1 as change from written
    union all select publisher_id, medium_id, -1 from gone) moved
  group by publisher_id, medium_id having sum(change) <> 0;
  return null;
end $$;
create function app.count_no_medium_articles() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  delete from app.medium_article_counts;
  return null;
end $$;
create trigger medium_articles_counted_new after insert on medium_articles
  referencing new table as written for each statement execute function app.count_new_medium_articles();
create trigger medium_articles_counted_gone after delete on medium_articles
  referencing old table as gone for each statement execute function app.count_gone_medium_articles();
create trigger medium_articles_counted_moved after update on medium_articles
  referencing old table as gone new table as written for each statement execute function app.count_moved_medium_articles();
create trigger medium_articles_counted_none after truncate on medium_articles
  for each statement execute function app.count_no_medium_articles();

-- Under the lock of the triggers nobody writes articles until this is committed.
insert into app.medium_article_counts (publisher_id, medium_id, articles)
  select publisher_id, medium_id, count(*) from medium_articles group by publisher_id, medium_id;

-- One row of each publisher and medium instead of many. A row that two mergings want goes to one of them; rows that are
-- added meanwhile stay. @returns the rows that went
create function app.merge_medium_article_counts() returns bigint language plpgsql security definer set search_path = pg_catalog as $$
declare
  merged bigint;
begin
  if app.scope() is distinct from 'all' then return 0; end if;
  with gone as (delete from app.medium_article_counts returning publisher_id, medium_id, articles),
    kept as (
      insert into app.medium_article_counts (publisher_id, medium_id, articles)
      select publisher_id, medium_id, sum(articles) from gone group by publisher_id, medium_id having sum(articles) <> 0)
  select count(*) from gone into merged;
  return merged;
end $$;

-- Articles that are not removed, of the publishers that the scope shows; null: of every medium, of every publisher.
create function app.count_medium_articles(of_medium bigint, of_publisher bigint) returns bigint language plpgsql stable
  security definer set search_path = pg_catalog set plan_cache_mode = force_custom_plan as $$
declare
  publishers bigint[] := case when of_publisher is not null then array[of_publisher] end;
  articles bigint;
  removed bigint;
begin
  if app.scope() is distinct from 'all' then
    publishers := array(select own from unnest(app.own_publisher_ids()) own where own = of_publisher or of_publisher is null);
  end if;
  select coalesce(sum(c.articles), 0) from app.medium_article_counts c
    where (publishers is null or c.publisher_id = any (publishers)) and (of_medium is null or c.medium_id = of_medium)
    into articles;
  select count(*) from public.medium_article_removals r join public.medium_articles a on a.article_id = r.article_id
    where r.restored_at is null
      and (publishers is null or a.publisher_id = any (publishers)) and (of_medium is null or a.medium_id = of_medium)
    into removed;
  return articles - removed;
end $$;

revoke execute on function app.merge_medium_article_counts(), app.count_medium_articles(bigint, bigint) from public;
grant execute on function app.merge_medium_article_counts(), app.count_medium_articles(bigint, bigint) to pc_app;
