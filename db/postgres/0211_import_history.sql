-- What came in is shown to people: by which key, for which media, why it was refused, and how many articles or videos it
-- gave to another publisher. Batches from before have none of it.
alter table ingest_batches
  add column api_key_id bigint references api_keys (id),
  add column medium_ids bigint[] not null default '{}',
  add column refused_because text not null default '',
  add column refused_rows bigint not null default 0,
  add column moved_rows bigint not null default 0;
