-- Media are administered by people: number, name, code, place in lists, and the day from which a medium is retired.
alter table media
  -- Empty when it is inserted: it is made from the number.
  add column code text not null default '',
  add column display_order integer not null default 0 check (display_order between 0 and 9999),
  add column retired_on date check (retired_on between '2000-01-01' and '2099-12-31'),
  add column revision integer not null default 1,
  add column created_at timestamptz not null default now(),
  add column updated_at timestamptz not null default now();

update media set code = 'medium-' || id, display_order = least(greatest(id, 0), 9999);

alter table media
  add constraint media_code unique (code),
  add constraint media_code_form check (code ~ '^[a-z0-9]([a-z0-9_-]{0,28}[a-z0-9])?$'),
  -- Fifteen digits: what statistics files, spreadsheets and browsers keep exactly. Rows of before are left as they are.
  add constraint media_number check (id between 1 and 999999999999999) not valid,
  add constraint media_name check (btrim(name) <> '' and char_length(name) <= 100) not valid;

create function app.keep_medium_number() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if tg_op = 'INSERT' then
    if new.code = '' then
      new.code := 'medium-' || new.id;
    end if;
  elsif new.id is distinct from old.id then
    raise exception 'the number of a medium never changes' using errcode = '23514', constraint = 'media_number_kept';
  end if;
  return new;
end $$;
create trigger keep_medium_number before insert or update on media
  for each row execute function app.keep_medium_number();

-- Publishers' people see the media of their own agreements, which row-level security of the agreements decides.
drop policy reference_data on media;
create policy own_agreements on media for select using (
  (select app.scope()) in ('organization', 'agreements') and id in (select a.medium_id from agreements a));
