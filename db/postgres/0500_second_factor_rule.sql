-- Whether roles that move money or manage accounts need a second factor, and how long a person has for it. On for a new
-- installation; one that has people keeps what it had until an administrator switches it on.
create table second_factor_rule (
  is_only boolean primary key default true check (is_only),
  is_required boolean not null,
  required_from timestamptz not null default now(),
  grace_days integer not null default 14 check (grace_days between 0 and 90),
  revision integer not null default 1
);
alter table second_factor_rule enable row level security;
alter table second_factor_rule force row level security;
create policy all_rows on second_factor_rule using ((select app.scope()) = 'all');
grant select, insert, update on second_factor_rule to pc_app;
revoke delete on second_factor_rule from pc_app;
set local app.scope = 'all';
insert into second_factor_rule (is_required) select not exists (select from users);

-- From when the days are counted for a person.
update user_roles set given_at = now() where given_at is null;
alter table user_roles alter column given_at set default now(), alter column given_at set not null;

-- People of an external issuer who were bound by the verified address of its token: their address is a confirmed one.
update users u set email_verified_at = now() where u.oidc_subject is not null and u.email_verified_at is null
  and not exists (select from account_changes c where c.uid = u.uid and c.kind = 'email');
