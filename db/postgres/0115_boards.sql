-- Boards: views of the reports that a person pinned. A board is read and saved whole, so its tiles are one document;
-- their shape is checked by domain/board/board.ts before they come here. No figure is kept: every reader asks anew.
create table boards (
  id bigint generated always as identity primary key,
  owner_uid uuid not null references users on delete cascade,
  -- The owner's when the owner is of a publisher: such a board is shared within the organisation only.
  organization_id bigint references organizations,
  is_by_staff boolean not null,
  name text not null check (name <> '' and char_length(name) <= 60),
  shared_roles text[] not null default '{}',
  tiles jsonb not null default '[]' check (jsonb_typeof(tiles) = 'array' and jsonb_array_length(tiles) <= 24),
  -- Set while the deletion can be undone.
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  revision integer not null default 1,
  check (is_by_staff or organization_id is not null or shared_roles = '{}')
);
create index boards_owner on boards (owner_uid);
create index boards_shared on boards using gin (shared_roles) where deleted_at is null;

-- Notes on the charts: a day or a range of days, with a text.
create table annotations (
  id bigint generated always as identity primary key,
  owner_uid uuid not null references users on delete cascade,
  is_by_staff boolean not null,
  starts_on date not null,
  ends_on date not null check (ends_on >= starts_on),
  text text not null check (text <> '' and char_length(text) <= 200),
  visibility text not null check (visibility in ('own', 'staff', 'publisher')),
  publisher_id bigint references publishers,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  revision integer not null default 1,
  check (visibility <> 'publisher' or publisher_id is not null),
  check (visibility <> 'staff' or is_by_staff)
);
create index annotations_owner on annotations (owner_uid);
create index annotations_days on annotations (starts_on, ends_on) where deleted_at is null;
create index annotations_publisher on annotations (publisher_id) where publisher_id is not null;

alter table boards enable row level security;
alter table boards force row level security;
alter table annotations enable row level security;
alter table annotations force row level security;

-- What is personal stays so among staff as well: where staff reads or writes it, the transaction says who it is
-- (app.uid, platform/postgres/in-own-name.ts). Without a person the scope 'all' is the system.
create policy the_system on boards using ((select app.scope()) = 'all' and (select app.uid()) is null);
create policy own_boards on boards using (
  (select app.scope()) in ('all', 'organization', 'agreements') and owner_uid = (select app.uid()))
  with check (
    (select app.scope()) in ('all', 'organization', 'agreements') and owner_uid = (select app.uid())
    and is_by_staff = ((select app.scope()) = 'all')
    and (is_by_staff or organization_id is not distinct from (select app.organization_id())));
create policy shared_boards on boards for select using (
  (select app.scope()) in ('all', 'organization', 'agreements') and deleted_at is null
  and shared_roles && (select coalesce(array_agg(ur.role_name), '{}') from user_roles ur where ur.uid = (select app.uid()))
  and (is_by_staff or organization_id = (select app.organization_id())));

create policy the_system on annotations using ((select app.scope()) = 'all' and (select app.uid()) is null);
create policy own_annotations on annotations using (
  (select app.scope()) in ('all', 'organization', 'agreements') and owner_uid = (select app.uid()))
  with check (
    (select app.scope()) in ('all', 'organization', 'agreements') and owner_uid = (select app.uid())
    and is_by_staff = ((select app.scope()) = 'all')
    and (publisher_id is null or publisher_id in (select p.id from publishers p)));
create policy shared_with_staff on annotations for select using (
  (select app.scope()) = 'all' and deleted_at is null and visibility in ('staff', 'publisher'));
create policy shared_with_publisher on annotations for select using (
  (select app.scope()) in ('organization', 'agreements') and deleted_at is null
  and visibility = 'publisher' and publisher_id in (select p.id from publishers p));
