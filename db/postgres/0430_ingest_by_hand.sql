-- Who uploaded a delivery on the screen; null: it came with a key, or from this machine.
alter table ingest_batches add column delivered_by_uid uuid references users on delete set null;
