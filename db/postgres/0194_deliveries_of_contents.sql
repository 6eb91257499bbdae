-- Titles, addresses and times of articles and videos come in as batches too: the datasets `articles` and `videos`. Their
-- rows are written in the transaction that makes the batch `applied`, so none of them is ever `applying`; they have no
-- days, so that no month waits for them or changes with them.
alter table ingest_batches
  drop constraint ingest_batches_dataset_check,
  add constraint ingest_batches_dataset_check
    check (dataset in ('article-daily', 'video-daily', 'summary-daily', 'events', 'articles', 'videos')),
  add constraint ingest_batches_contents_check
    check (dataset not in ('articles', 'videos') or (state <> 'applying' and first_day is null and last_day is null));

-- The batch that wrote the row last; null where it came by other ways. Of two batches, the one with the greater number
-- wins. No foreign key: it would be looked up for every row, and the ledger keeps every batch anyway.
alter table medium_articles add column batch_no bigint;
alter table videos add column batch_no bigint;
