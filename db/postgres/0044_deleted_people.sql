-- Who removed, restored or copied something stays noted when the person is deleted, as in the audit log.
alter table medium_article_removals
  drop constraint medium_article_removals_removed_by_fkey,
  drop constraint medium_article_removals_restored_by_fkey;
alter table staging.publishers drop constraint publishers_copied_by_fkey;
alter table staging.feeds drop constraint feeds_copied_by_fkey;
