-- An approved account waits some days before an agreement can take it, so that whoever is told of the change by mail can
-- object before anything is paid (security, threat 20). Accounts that were approved before this wait no more.
alter table bank_accounts add column usable_from date;
alter table bank_accounts add constraint bank_accounts_usable_from_check check (usable_from is null or state = 'approved');
