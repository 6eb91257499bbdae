-- The keys of webhooks' signatures are sealed with a key outside of the database (ADR 51). The worker seals what an earlier
-- version wrote in the clear, and empties `secret`.
alter table webhooks alter column secret drop not null;
alter table webhooks add column sealed_secret text check (char_length(sealed_secret) between 32 and 400);
alter table webhooks add constraint webhooks_has_secret check (secret is not null or sealed_secret is not null);

-- Answers kept for repeated submissions held the secret as well.
update idempotency_keys
  set answer = to_jsonb(regexp_replace(answer #>> '{}', '"secret":"whsec_[^"]*"', '"isRepeated":true,"secret":null'))
  where operation in ('saveWebhook', 'renewWebhookSecret') and answer #>> '{}' like '%"secret":"whsec\_%';
