-- A failed entry has booked nothing. Taken back by itself it stays failed, and is no longer in the way of a close.
alter table dividends add column withdrawn_at timestamptz;
alter table dividends add column withdrawn_by_uid uuid;
alter table dividends add constraint dividends_withdrawn_check check (withdrawn_at is null or job_status = 'failed');
alter table month_close_log drop constraint month_close_log_action_check;
alter table month_close_log add constraint month_close_log_action_check check (action in
  ('job_created', 'job_finished', 'job_withdrawn', 'computed', 'audited', 'finalized', 'paid', 'returned'));
