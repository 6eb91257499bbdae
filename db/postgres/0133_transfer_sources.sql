-- One home for the account that the money leaves: statements and transfers read it here, and a line of it does not hang on
-- a line of the other payment settings any more.
create table transfer_sources (
  valid_from_month integer primary key check (valid_from_month between 190001 and 999912 and valid_from_month % 100 between 1 and 12),
  client_code text not null check (client_code ~ '^[0-9]{1,10}$'),
  -- Half-width kana, as the bank file writes it.
  client_name text not null check (client_name <> '' and char_length(client_name) <= 40),
  bank_code text not null check (bank_code ~ '^[0-9]{4}$'),
  bank_name text not null,
  branch_code text not null check (branch_code ~ '^[0-9]{3}$'),
  branch_name text not null,
  account_type text not null check (account_type in ('ordinary', 'current', 'other')),
  account_number text not null check (account_number ~ '^[0-9]{7}$'),
  has_line_breaks boolean not null default false,
  -- Signs that this bank accepts besides the common ones.
  extra_characters text not null default '',
  -- Where the bank marks the outcome within the last seven bytes of a record, from its own document; never guessed.
  result_mark_offset integer check (result_mark_offset between 0 and 6),
  result_mark_length integer check (result_mark_length between 1 and 7),
  result_paid_marks text[],
  result_returned_marks text[],
  updated_at timestamptz not null default now(),
  constraint transfer_sources_result check (
    num_nulls(result_mark_offset, result_mark_length, result_paid_marks, result_returned_marks) in (0, 4)
    and (result_mark_offset is null or result_mark_offset + result_mark_length <= 7))
);
alter table transfer_sources enable row level security;
alter table transfer_sources force row level security;
create policy all_rows on transfer_sources using ((select app.scope()) = 'all');

-- A group of columns that was null held as the rows before said.
select set_config('app.scope', 'all', true);
insert into transfer_sources (valid_from_month, client_code, client_name, bank_code, bank_name, branch_code, branch_name,
  account_type, account_number, has_line_breaks, extra_characters, result_mark_offset, result_mark_length,
  result_paid_marks, result_returned_marks)
select p.valid_from_month, s.transfer_client_code, s.transfer_client_name, s.source_bank_code, s.source_bank_name,
  s.source_branch_code, s.source_branch_name, s.source_account_type, s.source_account_number,
  coalesce(b.bank_file_has_line_breaks, false), coalesce(s.bank_file_extra_characters, ''), r.result_mark_offset,
  r.result_mark_length, r.result_paid_marks, r.result_returned_marks
from payment_settings p
join lateral (select * from payment_settings x where x.valid_from_month <= p.valid_from_month
  and x.source_bank_code is not null order by x.valid_from_month desc limit 1) s on true
left join lateral (select * from payment_settings x where x.valid_from_month <= p.valid_from_month
  and x.bank_file_has_line_breaks is not null order by x.valid_from_month desc limit 1) b on true
left join lateral (select * from payment_settings x where x.valid_from_month <= p.valid_from_month
  and x.result_mark_offset is not null order by x.valid_from_month desc limit 1) r on true
where num_nonnulls(p.source_bank_code, p.bank_file_has_line_breaks::text, p.result_mark_offset::text) > 0;

alter table payment_settings
  drop column transfer_client_code, drop column transfer_client_name, drop column source_bank_code,
  drop column source_bank_name, drop column source_branch_code, drop column source_branch_name,
  drop column source_account_type, drop column source_account_number, drop column bank_file_has_line_breaks,
  drop column bank_file_extra_characters, drop column result_mark_offset, drop column result_mark_length,
  drop column result_paid_marks, drop column result_returned_marks;
alter table statement_settings drop column source_bank_code, drop column source_branch_code;

alter table payment_setting_revisions drop constraint payment_setting_revisions_section_check;
alter table payment_setting_revisions add constraint payment_setting_revisions_section_check check (section in (
  'payout', 'consumption_tax', 'input_tax_deduction', 'transfer_fee', 'transfer_source', 'withholding', 'journal_account'));
insert into payment_setting_revisions (section) values ('transfer_source'), ('withholding'), ('journal_account');
