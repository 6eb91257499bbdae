-- `failed`: accepted, but the statistics store cannot take it. Nothing of it is visible, what it was to replace is.
-- `is_unsettled`: the store may still hold other rows than the ledger says.
alter table ingest_batches
  drop constraint ingest_batches_state_check,
  add constraint ingest_batches_state_check
    check (state in ('received', 'applying', 'applied', 'replaced', 'refused', 'failed')),
  add column is_unsettled boolean not null default false;
create index ingest_batches_open on ingest_batches (batch_no) where state in ('received', 'applying', 'failed') or is_unsettled;

-- Row-level security keeps a condition that calls a function out of the index of labels: a loop would read all labels of
-- the publisher for every name.
alter function app.name_article_labels() set enable_hashjoin = on;
alter function app.name_article_labels() set enable_seqscan = on;
alter function app.name_article_labels() set enable_nestloop = off;
