-- A mail may name as many media, organisations and publishers as an address of the dashboard can: a hundred of each,
-- with ids of up to 18 digits.
alter table report_mails drop constraint report_mails_condition_check;
alter table report_mails add constraint report_mails_condition_check check (char_length(condition) <= 6000);
