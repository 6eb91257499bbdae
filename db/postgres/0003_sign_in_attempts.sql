-- Attempts to sign in, one row each, so that the limits hold over every 15 minutes and not per fixed window.
-- A row is written before the password is looked at and removed again when the password was right.

drop table idp_attempts;

create table idp_attempts (
  id bigint generated always as identity primary key,
  -- SHA-256 of what is limited: an account's normalised e-mail, an address.
  subject text not null,
  attempted_at timestamptz not null
);
create index idp_attempts_subject on idp_attempts (subject, attempted_at);

alter table idp_attempts enable row level security;
alter table idp_attempts force row level security;
create policy idp_attempts_scope on idp_attempts using ((select app.scope()) = 'all');

grant select, insert, update, delete on idp_attempts to pc_app;
