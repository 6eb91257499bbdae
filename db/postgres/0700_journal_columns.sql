-- What accounting software asks of an entry besides the name of the account: 補助科目 and 部門.
alter table journal_accounts
  add column sub_account text not null default '' check (length(sub_account) <= 50),
  add column department text not null default '' check (length(department) <= 50);
-- When input tax is booked, by the month in which revenue arose: as it is accrued, or when its payment is final.
alter table payment_settings add column input_tax_timing text not null default 'finalising'
  check (input_tax_timing in ('accrual', 'finalising'));
