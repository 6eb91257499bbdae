-- The month in which the payer's tax period (事業年度) begins, 1 to 12: yearly limits of the consumption tax are by it.
alter table payment_settings add column tax_period_start_month smallint not null default 1
  check (tax_period_start_month between 1 and 12);
