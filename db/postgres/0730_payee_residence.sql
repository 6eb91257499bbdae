-- Where a payee lives decides about its withholding, as whether it is an individual does: beside it, and frozen with it.
alter table agreements
  add column payee_residence text not null default 'resident' check (payee_residence in ('resident', 'non_resident')),
  -- A treaty form (租税条約に関する届出書) that was received: days of payment that it covers, and its rate in 1/100 %.
  add column treaty_form_from date,
  add column treaty_form_to date,
  add column treaty_form_rate integer,
  add constraint agreements_treaty_form check (
    (treaty_form_from is null) = (treaty_form_rate is null)
    and (treaty_form_to is null or treaty_form_to >= treaty_form_from)
    and treaty_form_rate between 0 and 2042);

alter table monthly_agreement_snapshots
  add column payee_residence text not null default 'resident' check (payee_residence in ('resident', 'non_resident'));
create or replace function app.freeze_payee_kind() returns trigger language plpgsql as $$
begin
  select a.payee_kind, a.payee_residence into new.payee_kind, new.payee_residence
    from public.agreements a where a.id = new.agreement_id;
  return new;
end $$;

-- Income tax act, articles 212 and 213, with the special income taxes.
alter table withholding_rates
  add column rate_non_resident integer not null default 2042 check (rate_non_resident between 0 and 10000);

-- The decision that a transfer was withheld by.
alter table transfers
  add column payee_residence text not null default 'resident' check (payee_residence in ('resident', 'non_resident')),
  add column non_resident_rate integer check (non_resident_rate between 0 and 10000),
  add column has_treaty_form boolean not null default false,
  add constraint transfers_non_resident_rate check ((payee_residence = 'resident') = (non_resident_rate is null)),
  add constraint transfers_treaty_form check (payee_residence = 'non_resident' or not has_treaty_form);

-- The payee's address, which its statements print and the tax office asks for; empty: not known. An address abroad has no
-- postal code of ours.
alter table organizations
  add column postal_code text not null default '' check (postal_code ~ '^(\d{3}-\d{4})?$'),
  add column address text not null default '' check (char_length(address) <= 200),
  add constraint organizations_address check (postal_code = '' or address <> '');
