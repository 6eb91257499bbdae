-- Feeds with every field of the specification (section 3), where they came from, and how they are doing.

alter table feeds
  add column legacy_feed_id text,
  add column wide_logo_url text not null default '',
  add column banner_url text not null default '',
  add column is_delete_feed boolean not null default false,
  add column is_safe_for_firstview boolean not null default false,
  add column related_link_num integer not null default 0 check (related_link_num between 0 and 20),
  add column article_expiration_days integer not null default 30 check (article_expiration_days between 1 and 3650),
  add column availability_for_promo boolean not null default false,
  add column allow_video boolean not null default false,
  add column allow_content_body boolean not null default true,
  add column ttl_minutes integer not null default 15 check (ttl_minutes between 5 and 1440),
  add column manually_feed_score integer not null default 0 check (manually_feed_score between -100 and 100),
  add column notes text,
  add column revision integer not null default 1,
  -- The feed of the staging system that this one was copied from, once.
  add column staging_feed_id text unique,
  add constraint feeds_type check (type in (
    'gnf1', 'gnf1atom', 'gnf1_no_enclosure', 'gnf2', 'ldnrss', 'legacy', 'legacy_direct_link', 'matome1', 'matome2',
    'matome_scraping', 'pulit', 'rss_fulltext', 'scraping_rule_only', 'snf2', 'video_scraper')),
  -- One address is read once per medium.
  add constraint feeds_url unique (medium_id, url);

alter table feeds
  add column search_text text generated always as (
    app.search_text(name) || ' ' || app.search_text(short_name) || ' ' || app.search_text(url)) stored;

-- Articles are many: their pieces lie beside the table, as those of publishers do (0015), because PostgreSQL uses no
-- index for such operators under row-level security. The function gives away ids of the scope only.
create table app.medium_article_pieces (
  article_id bigint primary key references medium_articles (article_id) on delete cascade,
  publisher_id bigint not null references publishers,
  search_text text not null,
  pieces text[] not null generated always as (app.search_pieces(search_text)) stored
);
create index medium_article_pieces_pieces on app.medium_article_pieces using gin (pieces);

create function app.keep_medium_article_pieces() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  insert into app.medium_article_pieces (article_id, publisher_id, search_text)
  values (new.article_id, new.publisher_id, app.search_text(new.title))
  on conflict (article_id) do update
    set publisher_id = excluded.publisher_id, search_text = excluded.search_text;
  return null;
end $$;
create trigger medium_articles_pieces after insert or update of title, publisher_id on medium_articles
  for each row execute function app.keep_medium_article_pieces();
insert into app.medium_article_pieces (article_id, publisher_id, search_text)
  select article_id, publisher_id, app.search_text(title) from medium_articles;

-- Ids of articles whose title holds every word, as it was typed.
create function app.find_medium_articles(typed text[]) returns setof bigint language plpgsql stable security definer
  set search_path = pg_catalog rows 500 as $$
declare
  words text[] := array(select app.search_text(one) from unnest(typed) one where app.search_text(one) <> '');
  wanted text[] := '{}';
  word text;
begin
  if cardinality(words) = 0 then return; end if;
  foreach word in array words loop
    wanted := wanted || case when length(word) < 2 then array[word]
      else array(select substr(word, place, 2) from generate_series(1, length(word) - 1) place) end;
  end loop;
  return query select p.article_id from app.medium_article_pieces p
    where p.pieces @> wanted
      and (select bool_and(strpos(p.search_text, one) > 0) from unnest(words) one)
      -- Row-level security binds the owner of this function too: these are the publishers of the scope.
      and (app.scope() = 'all' or p.publisher_id in (select q.id from public.publishers q));
end $$;
create index medium_articles_published on medium_articles (published_at desc, article_id desc);

-- What the reader of feeds knows of one (domain/feed/feed-health.ts decides, this table remembers).
create table feed_health (
  feed_id bigint primary key references feeds on delete cascade,
  state text not null check (state in ('unchecked', 'ok', 'quiet', 'failing', 'outage')),
  checked_at timestamptz,
  last_success_at timestamptz,
  error_class text check (error_class in ('address', 'connection', 'timeout', 'http', 'too-large', 'format')),
  failing_since timestamptz,
  failures integer not null default 0,
  alerted_at timestamptz,
  next_check_at timestamptz not null,
  -- The first day that was watched whole; articles of earlier days are only those that were still in the feed.
  watched_since date,
  -- Validators of the version that was read last.
  etag text,
  last_modified text,
  -- Articles of the last whole day, and what is usual for its weekday, in hundredths.
  volume_day date,
  volume_items integer,
  usual_hundredths integer
);
create index feed_health_due on feed_health (next_check_at);
create index feed_health_state on feed_health (state) where state in ('quiet', 'failing', 'outage');

-- Articles seen in a feed, each counted once on its day; kept for five weeks.
create table feed_seen_items (
  feed_id bigint not null references feeds on delete cascade,
  -- The first half of the SHA-256 of the item's identity.
  item_key bytea not null,
  day date not null,
  primary key (feed_id, item_key)
);
create index feed_seen_items_day on feed_seen_items (feed_id, day);

alter table feed_health enable row level security;
alter table feed_health force row level security;
create policy all_rows on feed_health using ((select app.scope()) = 'all');
create policy visible_feeds on feed_health for select using (
  (select app.scope()) in ('organization', 'agreements') and feed_id in (select f.id from feeds f));
alter table feed_seen_items enable row level security;
alter table feed_seen_items force row level security;
create policy all_rows on feed_seen_items using ((select app.scope()) = 'all');
create policy visible_feeds on feed_seen_items for select using (
  (select app.scope()) in ('organization', 'agreements') and feed_id in (select f.id from feeds f));
