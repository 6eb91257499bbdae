-- As 0460: two records that are joined belong to the same organisation, also a question and what it is about, and an
-- article and its feed.

-- What an earlier version accepted stays, and is named to whoever upgrades. Read first: the triggers lock their tables.
do $$
declare
  mixed record;
begin
  for mixed in select q.id, q.organization_id, q.kind from questions q
    left join agreements a on a.id = q.agreement_id
    left join monthly_payments p on p.id = q.monthly_payment_id
    left join monthly_publisher_payments pp on pp.id = q.monthly_publisher_payment_id
    left join statements s on s.id = q.statement_id
    where a.organization_id <> q.organization_id
      or (p.organization_id, p.agreement_id) <> (q.organization_id, q.agreement_id)
      or (pp.organization_id, pp.agreement_id) <> (q.organization_id, q.agreement_id)
      or (s.organization_id, s.agreement_id) <> (q.organization_id, q.agreement_id)
  loop
    raise warning 'question % of organisation % is about a % of another organisation or agreement', mixed.id,
      mixed.organization_id, mixed.kind;
  end loop;
  for mixed in select k.publisher_id, k.feed_id, k.articles
    from (select publisher_id, feed_id, count(*) as articles from medium_articles where feed_id is not null
      group by publisher_id, feed_id) k
    join publishers p on p.id = k.publisher_id join feeds f on f.id = k.feed_id
    join publishers owner on owner.id = f.publisher_id where owner.organization_id <> p.organization_id
  loop
    raise warning '% articles of publisher % have feed % of another organisation', mixed.articles, mixed.publisher_id,
      mixed.feed_id;
  end loop;
end $$;

-- A person who works for some agreements sees a question by its agreement: that is the one of what it is about.
create function app.refuse_foreign_subject() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if new.agreement_id is not null and not exists (
      select from public.agreements a where a.id = new.agreement_id and a.organization_id = new.organization_id)
    or new.monthly_payment_id is not null and not exists (
      select from public.monthly_payments p where p.id = new.monthly_payment_id
        and p.organization_id = new.organization_id and p.agreement_id = new.agreement_id)
    or new.monthly_publisher_payment_id is not null and not exists (
      select from public.monthly_publisher_payments p where p.id = new.monthly_publisher_payment_id
        and p.organization_id = new.organization_id and p.agreement_id = new.agreement_id)
    or new.statement_id is not null and not exists (
      select from public.statements s where s.id = new.statement_id
        and s.organization_id = new.organization_id and s.agreement_id = new.agreement_id)
  then
    raise exception 'question % is not of the organisation and agreement of what it is about', new.id
      using errcode = 'check_violation', constraint = 'questions_same_organization';
  end if;
  return null;
end $$;
-- No update of these columns: app.keep_question.
create trigger same_organization after insert on questions for each row execute function app.refuse_foreign_subject();

-- Once per statement and pair of feed and publisher: deliveries write thousands of articles of a few feeds. Articles of a
-- feed that moved within its organisation keep their publisher.
create function app.refuse_foreign_feed() returns trigger language plpgsql set search_path = pg_catalog as $$
declare
  pair record;
begin
  for pair in execute case tg_op
    when 'INSERT' then 'select distinct w.publisher_id, w.feed_id from written w where w.feed_id is not null'
    -- Rows that contradicted before may change in everything else.
    else 'select distinct moved.publisher_id, moved.feed_id from (
      select w.article_id, w.publisher_id, w.feed_id from written w where w.feed_id is not null
      except select g.article_id, g.publisher_id, g.feed_id from gone g) moved' end
  loop
    if (select o.organization_id from public.feeds f join public.publishers o on o.id = f.publisher_id where f.id = pair.feed_id)
      is distinct from (select p.organization_id from public.publishers p where p.id = pair.publisher_id)
    then
      raise exception 'feed % and publisher % of an article are not of one organisation', pair.feed_id, pair.publisher_id
        using errcode = 'check_violation', constraint = 'medium_articles_same_organization';
    end if;
  end loop;
  return null;
end $$;
create trigger same_organization_new after insert on medium_articles referencing new table as written
  for each statement execute function app.refuse_foreign_feed();
create trigger same_organization_changed after update on medium_articles referencing old table as gone new table as written
  for each statement execute function app.refuse_foreign_feed();
