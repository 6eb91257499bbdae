-- A publisher's administrator, who reads the own statements, reads what the bank was told to send for them; a transfer that
-- is only planned is the platform's own affair.
create policy own_organization on transfers for select using (
  (select app.scope()) = 'organization' and organization_id = (select app.organization_id())
  and state in ('exported', 'paid', 'returned'));
create policy own_organization on transfer_payments for select using (
  (select app.scope()) = 'organization' and transfer_id in (select t.id from transfers t));
