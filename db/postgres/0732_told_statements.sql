-- Silence confirms only what somebody was told of. Staff records how a statement was sent to a payee that has no user.
alter table statement_events drop constraint statement_events_event_check,
  add constraint statement_events_event_check
    check (event in ('confirm', 'deem', 'object', 'resolve', 'replace', 'send'));

-- Until now a statement counted as told of although its payee had nobody to be told.
select set_config('app.scope', 'all', true);
delete from statement_notices n using statements s
  where s.id = n.statement_id and s.state = 'issued' and not exists (
    select from users u join user_roles r on r.uid = u.uid
    where u.organization_id = s.organization_id and u.enabled and r.role_name = 'insight:publisher_admin');
