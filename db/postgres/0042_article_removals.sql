-- Articles that somebody took out of a medium. The article itself stays: reports of the past go on showing its title.
-- For a while the removal can be taken back; the rows are the log of removals.
create table medium_article_removals (
  id bigint generated always as identity primary key,
  article_id bigint not null references medium_articles (article_id),
  publisher_id bigint not null references publishers,
  reason text not null check (reason <> ''),
  removed_by uuid not null references users,
  removed_at timestamptz not null,
  -- Until then the removal can be taken back.
  undo_until timestamptz not null,
  restored_by uuid references users,
  restored_at timestamptz,
  check ((restored_at is null) = (restored_by is null)),
  check (restored_at <= undo_until)
);
create unique index medium_article_removals_open on medium_article_removals (article_id) where restored_at is null;
create index medium_article_removals_publisher on medium_article_removals (publisher_id, removed_at desc);

alter table medium_article_removals enable row level security;
alter table medium_article_removals force row level security;
create policy all_rows on medium_article_removals using ((select app.scope()) = 'all');
create policy visible_publishers on medium_article_removals for select using (
  (select app.scope()) in ('organization', 'agreements') and publisher_id in (select p.id from publishers p));
create policy own_removals on medium_article_removals for insert with check (
  (select app.scope()) in ('organization', 'agreements') and removed_by = (select app.uid())
  and restored_at is null and article_id in (select a.article_id from medium_articles a)
  and publisher_id in (select p.id from publishers p));
create policy own_restorations on medium_article_removals for update using (
  (select app.scope()) in ('organization', 'agreements') and restored_at is null
  and publisher_id in (select p.id from publishers p))
  with check (restored_by = (select app.uid()));

-- Nobody deletes an article any more, and a removal changes in one way only.
drop policy visible_publishers_delete on medium_articles;
revoke update, delete on medium_article_removals from pc_app;
grant update (restored_by, restored_at) on medium_article_removals to pc_app;
