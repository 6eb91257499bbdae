-- Banks, branches and what waits in staging are ordered by creation and change like every other list.
alter table banks add column created_at timestamptz not null default now(), add column updated_at timestamptz not null default now();
alter table bank_branches add column created_at timestamptz not null default now(), add column updated_at timestamptz not null default now();
alter table staging.publishers add column created_at timestamptz not null default now(), add column updated_at timestamptz not null default now();
alter table staging.feeds add column created_at timestamptz not null default now(), add column updated_at timestamptz not null default now();
update staging.publishers set created_at = imported_at, updated_at = greatest(imported_at, copied_at);
update staging.feeds set created_at = imported_at, updated_at = greatest(imported_at, copied_at);

-- An import writes every row again: only a row that differs has changed.
create function app.note_change() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  new.updated_at := now();
  return new;
end $$;
create trigger note_change before update on banks for each row
  when ((old.name, old.kana, old.hira, old.roma, old.is_gone) is distinct from (new.name, new.kana, new.hira, new.roma, new.is_gone))
  execute function app.note_change();
create trigger note_change before update on bank_branches for each row
  when ((old.name, old.kana, old.hira, old.roma, old.is_gone) is distinct from (new.name, new.kana, new.hira, new.roma, new.is_gone))
  execute function app.note_change();
create trigger note_change before update on staging.publishers for each row
  when ((old.name, old.notes, old.rules, old.publisher_id) is distinct from (new.name, new.notes, new.rules, new.publisher_id))
  execute function app.note_change();
create trigger note_change before update on staging.feeds for each row
  when ((old.staging_publisher_id, old.name, old.url, old.fields, old.feed_id)
    is distinct from (new.staging_publisher_id, new.name, new.url, new.fields, new.feed_id))
  execute function app.note_change();
