-- What waits for staff is counted whenever the start page is opened, out of indexes alone.
drop index monthly_payments_unpaid;
create index monthly_payments_unpaid on monthly_payments (due_on)
  include (id, payment_status, organization_id, agreement_id, has_been_finalized)
  where has_been_finalized and payment_status in ('scheduled', 'returned');
create index monthly_payments_returned on monthly_payments (due_on)
  include (id, organization_id, agreement_id, has_been_finalized)
  where has_been_finalized and payment_status = 'returned';
create index agreements_paid on agreements (id) include (organization_id, terminated_at, is_payment_disabled)
  where terminated_at is null and not is_payment_disabled;
