-- A note on the charts says which media it is about; none: all that the publisher is seen on. Its text may tell figures of
-- each of them, so a publisher's editor reads it where every one is of an own agreement (ADR 0089). Notes from before are
-- about no medium: whoever read them goes on doing so.
alter table annotations add column medium_ids bigint[] not null default '{}' check (cardinality(medium_ids) <= 50);

alter policy shared_with_publisher on annotations using (
  (select app.scope()) in ('organization', 'agreements') and deleted_at is null
  and visibility = 'publisher' and publisher_id in (select p.id from publishers p)
  and ((select app.scope()) = 'organization' or medium_ids <@ array(
    select o.medium_id from app.own_publisher_media() o where o.publisher_id = annotations.publisher_id)));

-- What is taken away says nothing to anybody: also whoever lost the agreement takes the own note back.
alter policy own_annotations on annotations with check (
  (select app.scope()) in ('all', 'organization', 'agreements') and owner_uid = (select app.uid())
  and is_by_staff = ((select app.scope()) = 'all')
  and (deleted_at is not null
    or ((publisher_id is null or publisher_id in (select p.id from publishers p))
      and (visibility <> 'publisher' or (select app.scope()) <> 'agreements' or medium_ids <@ array(
        select o.medium_id from app.own_publisher_media() o where o.publisher_id = annotations.publisher_id)))));
