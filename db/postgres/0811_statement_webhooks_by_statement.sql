-- A close issues thousands of statements. Whether a webhook listens is looked up once per insert, not once per row.
create or replace function app.note_statement_issued() returns trigger language plpgsql as $$
begin
  if exists (select from public.webhooks w where w.deleted_at is null and not w.is_paused
      and 'statement.issued' = any (w.events)) then
    perform app.note_webhook_event('statement.issued', w.organization_id, true, jsonb_build_object(
      'statementId', w.id::text, 'number', w.number, 'revision', w.revision,
      'organizationId', w.organization_id::text, 'agreementId', w.agreement_id::text,
      'mediumId', w.medium_id::text,
      'month', (w.month / 100) || '-' || lpad((w.month % 100)::text, 2, '0'), 'issuedOn', w.issued_on,
      'dueOn', w.due_on, 'totalYen', w.total_yen, 'transferAmountYen', w.transfer_amount_yen))
    from (select * from written order by id) w;
  end if;
  return null;
end $$;
drop trigger statements_webhooks on statements;
create trigger statements_webhooks after insert on statements referencing new table as written
  for each statement execute function app.note_statement_issued();
