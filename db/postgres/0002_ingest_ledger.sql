-- What the import needs to prove that a batch is in the statistics store whole, and to read its source again alike.
alter table ingest_batches
  -- The name under which it was delivered; for people only.
  add column source_name text not null default '',
  -- Rows over all fact tables, compared at start with what the store holds.
  add column fact_rows bigint not null default 0;

-- Number (from 0) of the row among those that could be read as a row; null where that was impossible. Reading the
-- source again leaves these rows out, whatever the master data says by then.
alter table ingest_quarantined_rows add column row_no bigint;

-- Numbers already delivered for a day are looked up by their days.
create index ingest_batches_days on ingest_batches (dataset, first_day, last_day) where state in ('applying', 'applied');
