-- Books that people bring in from files (features/imports): a file with its preview, and each of its rows until it is settled.
create table imports (
  id bigint generated always as identity primary key,
  kind text not null check (btrim(kind) <> ''),
  file_name text not null check (length(file_name) between 1 and 255),
  file_sha256 text not null check (file_sha256 ~ '^[0-9a-f]{64}$'),
  -- Of the rows and what was found about them: what is confirmed is what was shown.
  preview_sha256 text not null check (preview_sha256 ~ '^[0-9a-f]{64}$'),
  new_count integer not null check (new_count >= 0),
  changed_count integer not null check (changed_count >= 0),
  unchanged_count integer not null check (unchanged_count >= 0),
  refused_count integer not null check (refused_count >= 0),
  -- Kept when the person is gone.
  uploaded_by_uid uuid not null,
  uploaded_by_email text not null,
  uploaded_at timestamptz not null,
  confirmed_by_email text,
  confirmed_at timestamptz,
  check ((confirmed_at is null) = (confirmed_by_email is null))
);

create table import_rows (
  import_id bigint not null references imports on delete cascade,
  -- As a spreadsheet counts, with its header as 1.
  row_number integer not null check (row_number > 0),
  state text not null check (state in ('new', 'changed', 'unchanged', 'refused')),
  cells jsonb not null,
  changes jsonb not null,
  refusals jsonb not null,
  primary key (import_id, row_number)
);
create index import_rows_state on import_rows (import_id, state, row_number);

do $$
declare
  name text;
begin
  foreach name in array array['imports', 'import_rows']
  loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format($policy$create policy all_rows on %I using ((select app.scope()) = 'all')$policy$, name);
  end loop;
end $$;
