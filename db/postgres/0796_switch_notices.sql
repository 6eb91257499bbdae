-- Which agreements a mail has named: a run that switches may end before the last agreement of its account.
alter table bank_account_switches add column notified_at timestamptz,
  add constraint bank_account_switches_notified_check check (notified_at is null or state in ('done', 'cancelled'));
select set_config('app.scope', 'all', true);
update bank_account_switches set notified_at = ended_at where state in ('done', 'cancelled');
