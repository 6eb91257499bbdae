-- How the body of a webhook is written. The names are declared in `domain/webhook/webhook-format.ts`; in one that a version
-- does not know it sends nothing.
alter table webhooks add column format text not null default 'json' check (format ~ '^[a-z][a-z0-9_]{0,29}$');
