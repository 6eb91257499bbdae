-- Whose a role is, so that policies ask for that instead of naming roles. Each start writes what `domain/access/role.ts`
-- declares; a role that it does not name is of no side, and no policy below gives it anything.
alter table roles add column side text not null default 'other service'
  check (side in ('staff', 'publisher', 'other service'));

select set_config('app.scope', 'all', true);
update roles set side = 'staff' where name in ('admin', 'insight:admin', 'insight:editor', 'insight:viewer');
update roles set side = 'publisher' where name in ('insight:publisher_admin', 'insight:publisher_editor');

alter policy own_rows_insert on saved_views with check (
  (select app.scope()) in ('organization', 'agreements', 'self') and uid = (select app.uid())
  and (shared_with_role is null or exists (select from user_roles ur join roles r on r.name = ur.role_name
    where ur.uid = (select app.uid()) and r.side = 'staff')));
alter policy own_rows_update on saved_views with check (
  uid = (select app.uid())
  and (shared_with_role is null or exists (select from user_roles ur join roles r on r.name = ur.role_name
    where ur.uid = (select app.uid()) and r.side = 'staff')));

alter policy publisher_roles_insert on user_roles with check (
  (select app.scope()) = 'organization' and role_name in (select r.name from roles r where r.side = 'publisher')
  and uid in (select u.uid from users u where u.organization_id = (select app.organization_id())));
alter policy publisher_roles_delete on user_roles using (
  (select app.scope()) = 'organization' and role_name in (select r.name from roles r where r.side = 'publisher')
  and uid in (select u.uid from users u where u.organization_id = (select app.organization_id())));
