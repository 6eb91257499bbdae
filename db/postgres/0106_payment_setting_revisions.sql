-- Who edits a group of the settings says which state of it was seen: two people do not overwrite each other.
create table payment_setting_revisions (
  section text primary key check (section in ('payout', 'consumption_tax', 'input_tax_deduction', 'transfer_fee')),
  revision integer not null default 1
);
insert into payment_setting_revisions (section)
  values ('payout'), ('consumption_tax'), ('input_tax_deduction'), ('transfer_fee');

alter table payment_setting_revisions enable row level security;
alter table payment_setting_revisions force row level security;
create policy all_rows on payment_setting_revisions using ((select app.scope()) = 'all');
