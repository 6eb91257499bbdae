-- Videos have the moment of their last change as articles do, and are read in the order of their batches.
alter function app.touch_medium_article() rename to touch_content;
alter table videos add column updated_at timestamptz not null default now();
create trigger videos_touch before update on videos
  for each row when (old.* is distinct from new.*) execute function app.touch_content();
create index videos_batch on videos (coalesce(batch_no, 0), video_id);

-- Statements in the order in which they were issued and last changed, as in their other orders.
create index statements_issued_at_order on statements (issued_at, id)
  include (state, organization_id, agreement_id, month, medium_id);
create index statements_changed_order on statements (state_changed_at, id)
  include (state, organization_id, agreement_id, month, medium_id);
