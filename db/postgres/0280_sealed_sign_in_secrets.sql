-- Seeds of one-time codes and the issuer's private keys are sealed with a key outside of the database (ADR 53). What an
-- earlier version wrote in the clear is sealed by the processes of this one.
alter table idp_authenticators add column sealed_totp_secret text
  check (char_length(sealed_totp_secret) between 32 and 400);
alter table idp_authenticators drop constraint idp_authenticators_check;
alter table idp_authenticators add constraint idp_authenticators_has_seed check (
  (kind = 'totp') = (totp_secret is not null or sealed_totp_secret is not null));

-- Processes of the version before read the clear form only, and run beside this one while it is rolled out: where several
-- processes share the database, nothing is sealed for an hour. A new installation has nothing that they would read.
insert into idp_settings (key, value)
  select 'sealed_from', to_jsonb(now() + interval '1 hour')
  where exists (select from idp_settings where key = 'issuer_keys')
    or exists (select from idp_authenticators where kind = 'totp')
  on conflict (key) do nothing;
