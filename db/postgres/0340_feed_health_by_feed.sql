-- The health of a page's feeds is asked feed by feed. As a set, all feeds were read to know the own ones, for each page of a
-- publisher with many (0.3 to 0.7 s at 100,000 feeds).
alter policy visible_feeds on feed_health using (
  (select app.scope()) in ('organization', 'agreements') and exists (select from feeds f where f.id = feed_health.feed_id));
