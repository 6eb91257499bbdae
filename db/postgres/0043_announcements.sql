-- Announcements: to whom, when, and who has read them.
create table announcements (
  id bigint generated always as identity primary key,
  enabled boolean not null default false,
  level text not null check (level in ('info', 'warn')),
  title text not null check (title <> ''),
  -- HTML of the allow-list only (domain/text/html-allow-list.ts); cleaned again whenever it is read.
  body text not null,
  start_at timestamptz not null,
  end_at timestamptz check (end_at > start_at),
  close_button_text text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  revision integer not null default 1
);
create index announcements_period on announcements (start_at desc, id desc) where enabled;

-- Whoever meets one of the targets is addressed. `all` stands alone.
create table announcement_targets (
  announcement_id bigint not null references announcements on delete cascade,
  kind text not null check (kind in ('all', 'medium', 'organization', 'role')),
  medium_id bigint references media,
  organization_id bigint references organizations,
  role_name text references roles,
  unique nulls not distinct (announcement_id, kind, medium_id, organization_id, role_name),
  check (num_nonnulls(medium_id, organization_id, role_name) = case kind when 'all' then 0 else 1 end),
  check ((kind = 'medium') = (medium_id is not null)),
  check ((kind = 'organization') = (organization_id is not null)),
  check ((kind = 'role') = (role_name is not null))
);

create table announcement_reads (
  announcement_id bigint not null references announcements on delete cascade,
  uid uuid not null references users on delete cascade,
  read_at timestamptz not null,
  primary key (announcement_id, uid)
);
create index announcement_reads_uid on announcement_reads (uid);

do $$
declare
  name text;
begin
  foreach name in array array['announcements', 'announcement_targets', 'announcement_reads'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format($policy$create policy all_rows on %I using ((select app.scope()) = 'all')$policy$, name);
  end loop;
end $$;

-- A publisher's people see the targets that mean them, the announcements behind these once enabled, and their own marks.
create policy own_targets on announcement_targets for select using (
  (select app.scope()) in ('organization', 'agreements') and (
    kind = 'all'
    or organization_id = (select app.organization_id())
    or role_name in (select ur.role_name from user_roles ur where ur.uid = (select app.uid()))
    or medium_id in (select a.medium_id from agreements a)));
create policy addressed on announcements for select using (
  (select app.scope()) in ('organization', 'agreements') and enabled
  and id in (select t.announcement_id from announcement_targets t));
create policy own_marks on announcement_reads for select using (
  (select app.scope()) in ('organization', 'agreements') and uid = (select app.uid()));
create policy own_marks_insert on announcement_reads for insert with check (
  (select app.scope()) in ('organization', 'agreements') and uid = (select app.uid())
  and announcement_id in (select a.id from announcements a));
