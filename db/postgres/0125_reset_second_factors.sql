-- Takes the second factors of somebody who lost them, recovery codes and all; the answer is how many there were. A
-- publisher's administrator does it for people of the own organisation, whose factors the own scope does not show: the
-- function asks whose they are, then sees all for its two statements (as app.end_sessions_of does).
create function app.reset_second_factors_of(target uuid) returns integer language plpgsql as $$
declare
  own_scope text := app.scope();
  gone integer;
begin
  if own_scope not in ('all', 'organization') or not exists (
    select from public.users u where u.uid = target
      and (own_scope = 'all' or u.organization_id = app.organization_id()))
  then
    raise exception 'not a user whose second factors may be reset' using errcode = 'insufficient_privilege';
  end if;
  perform set_config('app.scope', 'all', true);
  delete from public.idp_authenticators where uid = target;
  get diagnostics gone = row_count;
  delete from public.idp_recovery_codes where uid = target;
  perform set_config('app.scope', own_scope, true);
  return gone;
end $$;
