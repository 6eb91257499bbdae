-- What people have chosen for their screens: columns and their order, the view that a screen begins with.
create table preferences (
  uid uuid not null references users on delete cascade,
  -- `columns/articles`, `default-view/dashboard`: what is chosen, and for which screen.
  key text not null check (key ~ '^[a-z0-9]+(?:[-/][a-z0-9]+){0,9}$' and char_length(key) <= 80),
  value jsonb not null check (octet_length(value::text) <= 8192),
  updated_at timestamptz not null default now(),
  primary key (uid, key)
);

-- A filter with a name: the condition of a screen's address and its columns. Of one person, or shared with a role.
create table saved_views (
  id bigint generated always as identity primary key,
  uid uuid not null references users on delete cascade,
  screen text not null check (screen ~ '^[a-z0-9]+(?:-[a-z0-9]+){0,9}$' and char_length(screen) <= 60),
  name text not null check (name = btrim(name) and char_length(name) between 1 and 60),
  condition text not null default '' check (char_length(condition) <= 4000),
  -- Null: as everybody has chosen for themselves.
  columns text[] check (cardinality(columns) <= 100),
  shared_with_role text references roles,
  -- Deleted views can be brought back for a while.
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  revision integer not null default 1
);
create unique index saved_views_name on saved_views (uid, screen, name) where deleted_at is null;
create index saved_views_shared on saved_views (screen, shared_with_role)
  where deleted_at is null and shared_with_role is not null;

alter table preferences enable row level security;
alter table preferences force row level security;
create policy all_rows on preferences using ((select app.scope()) = 'all');
create policy own_rows on preferences
  using ((select app.scope()) in ('organization', 'agreements', 'self') and uid = (select app.uid()))
  with check ((select app.scope()) in ('organization', 'agreements', 'self') and uid = (select app.uid()));

alter table saved_views enable row level security;
alter table saved_views force row level security;
create policy all_rows on saved_views using ((select app.scope()) = 'all');
create policy own_rows on saved_views for select using (
  (select app.scope()) in ('organization', 'agreements', 'self') and uid = (select app.uid()));
create policy shared_rows on saved_views for select using (
  (select app.scope()) in ('organization', 'agreements', 'self') and deleted_at is null
  and shared_with_role in (select ur.role_name from user_roles ur where ur.uid = (select app.uid())));
-- Only the platform's own people share.
create policy own_rows_insert on saved_views for insert with check (
  (select app.scope()) in ('organization', 'agreements', 'self') and uid = (select app.uid())
  and (shared_with_role is null or exists (select from user_roles ur where ur.uid = (select app.uid())
    and ur.role_name in ('admin', 'insight:admin', 'insight:editor', 'insight:viewer'))));
create policy own_rows_update on saved_views for update
  using ((select app.scope()) in ('organization', 'agreements', 'self') and uid = (select app.uid()))
  with check (uid = (select app.uid())
    and (shared_with_role is null or exists (select from user_roles ur where ur.uid = (select app.uid())
      and ur.role_name in ('admin', 'insight:admin', 'insight:editor', 'insight:viewer'))));
