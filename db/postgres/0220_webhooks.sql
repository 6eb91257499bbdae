-- Addresses of other systems that are told what happened (ADR 51). Without an organisation: the platform's own.
create table webhooks (
  id bigint generated always as identity primary key,
  organization_id bigint references organizations on delete cascade,
  url text not null check (url ~ '^https?://' and char_length(url) <= 500),
  events text[] not null check (cardinality(events) between 1 and 10),
  -- The key of the signature. It is shown once, and has to be known to sign.
  secret text not null check (char_length(secret) between 32 and 100),
  is_paused boolean not null default false,
  -- Paused by the system: nothing arrived for days.
  is_given_up boolean not null default false,
  -- The first of the failures since the last success.
  failing_since timestamptz,
  created_by_uid uuid references users on delete set null,
  created_at timestamptz not null,
  deleted_at timestamptz,
  revision integer not null default 1,
  check (is_paused or not is_given_up)
);
create index webhooks_organization on webhooks (organization_id) where deleted_at is null;

-- What happened, written in the transaction in which it happened.
create table webhook_events (
  id bigint generated always as identity primary key,
  -- What the receiver knows it by, at every attempt.
  key uuid not null unique default gen_random_uuid(),
  kind text not null,
  organization_id bigint references organizations on delete cascade,
  occurred_at timestamptz not null default now(),
  data jsonb not null
);
create index webhook_events_occurred_at on webhook_events (occurred_at);

create table webhook_deliveries (
  id bigint generated always as identity primary key,
  webhook_id bigint not null references webhooks on delete cascade,
  event_id bigint not null references webhook_events on delete cascade,
  -- waiting: not with the workers yet; dropped: stopped before it left.
  state text not null default 'waiting' check (state in ('waiting', 'queued', 'delivered', 'failed', 'dropped')),
  attempts integer not null default 0,
  -- Asked for by a person: a test, or a repetition.
  is_by_hand boolean not null default false,
  -- What came of the last attempt: the status of the answer, or why there was none.
  last_status integer,
  last_problem text,
  changed_at timestamptz not null default now(),
  unique (webhook_id, event_id)
);
create index webhook_deliveries_waiting on webhook_deliveries (id) where state = 'waiting';
create index webhook_deliveries_event on webhook_deliveries (event_id);

alter table webhooks enable row level security;
alter table webhooks force row level security;
create policy all_rows on webhooks using ((select app.scope()) = 'all');
create policy own_rows on webhooks for select using (
  (select app.scope()) = 'organization' and organization_id = (select app.organization_id()));
create policy own_rows_insert on webhooks for insert with check (
  (select app.scope()) = 'organization' and organization_id = (select app.organization_id()));
create policy own_rows_update on webhooks for update
  using ((select app.scope()) = 'organization' and organization_id = (select app.organization_id()))
  with check (organization_id = (select app.organization_id()));

-- Of events only those that went to the own addresses: the same event of all organisations is none of theirs.
alter table webhook_events enable row level security;
alter table webhook_events force row level security;
create policy all_rows on webhook_events using ((select app.scope()) = 'all');
create policy own_rows on webhook_events for select using (
  (select app.scope()) = 'organization' and organization_id = (select app.organization_id()));
create policy own_tests on webhook_events for insert with check (
  (select app.scope()) = 'organization' and kind = 'ping' and organization_id = (select app.organization_id()));

alter table webhook_deliveries enable row level security;
alter table webhook_deliveries force row level security;
create policy all_rows on webhook_deliveries using ((select app.scope()) = 'all');
create policy own_rows on webhook_deliveries for select using (
  (select app.scope()) = 'organization' and webhook_id in (select w.id from webhooks w));
create policy own_rows_insert on webhook_deliveries for insert with check (
  (select app.scope()) = 'organization' and webhook_id in (select w.id from webhooks w)
  and event_id in (select e.id from webhook_events e));
create policy own_rows_update on webhook_deliveries for update
  using ((select app.scope()) = 'organization' and webhook_id in (select w.id from webhooks w))
  with check (webhook_id in (select w.id from webhooks w) and event_id in (select e.id from webhook_events e));

/* An event for those who asked for it: of an organisation for its own addresses, and for the platform's when for_staff. */
create function app.note_webhook_event(of_kind text, of_organization bigint, for_staff boolean, of_data jsonb) returns void
language plpgsql as $$
declare
  noted bigint;
  hooks bigint[];
begin
  select array_agg(w.id) into hooks from public.webhooks w
    where w.deleted_at is null and not w.is_paused and of_kind = any (w.events)
      and ((w.organization_id is null and for_staff) or w.organization_id = of_organization);
  if hooks is null then return; end if;
  insert into public.webhook_events (kind, organization_id, data) values (of_kind, of_organization, of_data)
    returning id into noted;
  insert into public.webhook_deliveries (webhook_id, event_id) select unnest(hooks), noted;
end $$;

/* The triggers stand at the tables, so that no way of changing them forgets an event. */
create function app.note_month_finalized() returns trigger language plpgsql as $$
declare
  month text := (new.month / 100) || '-' || lpad((new.month % 100)::text, 2, '0');
  own record;
begin
  perform app.note_webhook_event('month.finalized', null, true,
    jsonb_build_object('mediumId', new.medium_id::text, 'month', month));
  -- Of an organisation: what it is paid, and nothing of anybody else.
  for own in
    select p.organization_id, sum(p.payment_yen)::bigint as yen, sum(p.payment_including_tax_yen)::bigint as with_tax
    from public.monthly_payments p
    where p.medium_id = new.medium_id and p.month = new.month and p.organization_id in (
      select w.organization_id from public.webhooks w where w.deleted_at is null and not w.is_paused)
    group by 1
  loop
    perform app.note_webhook_event('month.finalized', own.organization_id, false, jsonb_build_object(
      'mediumId', new.medium_id::text, 'month', month, 'organizationId', own.organization_id::text,
      'paymentYen', own.yen, 'paymentIncludingTaxYen', own.with_tax));
  end loop;
  return null;
end $$;
create trigger month_closings_webhooks after insert on month_closings
  for each row execute function app.note_month_finalized();

create function app.note_payment_paid() returns trigger language plpgsql as $$
begin
  perform app.note_webhook_event('payment.paid', new.organization_id, true, jsonb_build_object(
    'transferId', new.id::text, 'organizationId', new.organization_id::text, 'paidOn', new.paid_on,
    'paymentYen', new.payment_yen, 'paymentIncludingTaxYen', new.payment_including_tax_yen,
    'withholdingYen', new.withholding_yen, 'feeBorneByPayeeYen', new.fee_borne_by_payee_yen,
    'transferAmountYen', new.transfer_amount_yen));
  return null;
end $$;
create trigger transfers_webhooks after update of state on transfers
  for each row when (new.state = 'paid' and old.state <> 'paid') execute function app.note_payment_paid();
-- Paid without a bank file: the transfer is paid from the start.
create trigger transfers_webhooks_by_hand after insert on transfers
  for each row when (new.state = 'paid') execute function app.note_payment_paid();

create function app.note_statement_issued() returns trigger language plpgsql as $$
begin
  perform app.note_webhook_event('statement.issued', new.organization_id, true, jsonb_build_object(
    'statementId', new.id::text, 'number', new.number, 'revision', new.revision,
    'organizationId', new.organization_id::text, 'agreementId', new.agreement_id::text,
    'mediumId', new.medium_id::text,
    'month', (new.month / 100) || '-' || lpad((new.month % 100)::text, 2, '0'), 'issuedOn', new.issued_on,
    'dueOn', new.due_on, 'totalYen', new.total_yen, 'transferAmountYen', new.transfer_amount_yen));
  return null;
end $$;
create trigger statements_webhooks after insert on statements
  for each row execute function app.note_statement_issued();

create function app.note_feed_outage() returns trigger language plpgsql as $$
declare
  feed record;
begin
  select f.id, f.publisher_id, p.organization_id into feed from public.feeds f
    join public.publishers p on p.id = f.publisher_id where f.id = new.feed_id;
  perform app.note_webhook_event(case when new.state = 'outage' then 'feed.failed' else 'feed.recovered' end,
    feed.organization_id, true, jsonb_build_object(
      'feedId', feed.id::text, 'publisherId', feed.publisher_id::text, 'organizationId', feed.organization_id::text,
      'errorClass', new.error_class, 'failingSince', new.failing_since, 'lastSuccessAt', new.last_success_at));
  return null;
end $$;
create trigger feed_health_webhooks after update of state on feed_health
  for each row when ((new.state = 'outage' and old.state <> 'outage')
    or (old.state = 'outage' and new.state in ('ok', 'quiet'))) execute function app.note_feed_outage();
