-- Weights and ledger lines of a pool: up to some fifty thousand rows per insert. These triggers replace their foreign keys and
-- look the references up once per statement instead of once per row, with the locks of a foreign key: who deletes a
-- referenced row waits for the writer, then sees its rows. Like a foreign key they see all rows, whatever the scope.
create function app.refuse_unknown() returns trigger language plpgsql
  security definer set search_path to 'pg_catalog' as $$
declare
  own_scope text := current_setting('app.scope', true);
  named bigint;
  known bigint;
begin
  perform set_config('app.scope', 'all', true);
  -- The arguments are pairs: a column, and the table whose id it names.
  for place in 0 .. tg_nargs / 2 - 1 loop
    execute format('select count(distinct n.%I) from new_rows n', tg_argv[place * 2]) into named;
    execute format('select count(*) from (select from public.%I p where p.id in (select n.%I from new_rows n) for key share of p) x',
      tg_argv[place * 2 + 1], tg_argv[place * 2]) into known;
    if known <> named then
      raise exception '% of % names no row of %', tg_op, tg_table_name, tg_argv[place * 2 + 1]
        using errcode = 'foreign_key_violation', constraint = tg_table_name || '_' || tg_argv[place * 2] || '_fkey';
    end if;
  end loop;
  perform set_config('app.scope', own_scope, true);
  return null;
end $$;

create function app.refuse_referenced() returns trigger language plpgsql
  security definer set search_path to 'pg_catalog' as $$
declare
  own_scope text := current_setting('app.scope', true);
  is_named boolean;
begin
  -- An older snapshot would not contain what was written while this transaction waited.
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'rows of % are deleted in a transaction that reads what is committed', tg_table_name
      using errcode = 'foreign_key_violation', constraint = tg_name;
  end if;
  perform set_config('app.scope', 'all', true);
  -- The arguments are pairs: a table, and its column that names the id.
  for place in 0 .. tg_nargs / 2 - 1 loop
    execute format('select exists (select from public.%I c join old_rows o on o.id = c.%I)', tg_argv[place * 2],
      tg_argv[place * 2 + 1]) into is_named;
    if is_named then
      raise exception 'a row of % is named by %', tg_table_name, tg_argv[place * 2]
        using errcode = 'foreign_key_violation', constraint = tg_argv[place * 2] || '_' || tg_argv[place * 2 + 1] || '_fkey';
    end if;
  end loop;
  perform set_config('app.scope', own_scope, true);
  return null;
end $$;

alter table dividend_weights
  drop constraint dividend_weights_dividend_id_fkey,
  drop constraint dividend_weights_agreement_id_fkey,
  drop constraint dividend_weights_publisher_id_fkey;
create trigger dividend_weights_known after insert on dividend_weights
  referencing new table as new_rows for each statement
  execute function app.refuse_unknown('dividend_id', 'dividends', 'agreement_id', 'agreements', 'publisher_id', 'publishers');
create trigger dividend_weights_known_update after update on dividend_weights
  referencing new table as new_rows for each statement
  execute function app.refuse_unknown('dividend_id', 'dividends', 'agreement_id', 'agreements', 'publisher_id', 'publishers');

alter table dividend_ledger_lines
  drop constraint dividend_ledger_lines_dividend_id_fkey,
  drop constraint dividend_ledger_lines_agreement_id_fkey,
  drop constraint dividend_ledger_lines_publisher_id_fkey,
  drop constraint dividend_ledger_lines_reverses_dividend_id_fkey;
create trigger dividend_ledger_lines_known after insert on dividend_ledger_lines
  referencing new table as new_rows for each statement execute function app.refuse_unknown('dividend_id', 'dividends',
    'agreement_id', 'agreements', 'publisher_id', 'publishers', 'reverses_dividend_id', 'dividends');
create trigger dividend_ledger_lines_known_update after update on dividend_ledger_lines
  referencing new table as new_rows for each statement execute function app.refuse_unknown('dividend_id', 'dividends',
    'agreement_id', 'agreements', 'publisher_id', 'publishers', 'reverses_dividend_id', 'dividends');

create trigger dividends_named after delete on dividends referencing old table as old_rows for each statement
  execute function app.refuse_referenced('dividend_weights', 'dividend_id', 'dividend_ledger_lines', 'dividend_id',
    'dividend_ledger_lines', 'reverses_dividend_id');
create trigger agreements_named after delete on agreements referencing old table as old_rows for each statement
  execute function app.refuse_referenced('dividend_weights', 'agreement_id', 'dividend_ledger_lines', 'agreement_id');
create trigger publishers_named after delete on publishers referencing old table as old_rows for each statement
  execute function app.refuse_referenced('dividend_weights', 'publisher_id', 'dividend_ledger_lines', 'publisher_id');

do $$
declare
  named text;
begin
  foreach named in array array['dividends', 'agreements', 'publishers'] loop
    execute format('create trigger %I before update of id on %I for each row when (old.id <> new.id)
      execute function app.refuse_other_id()', named || '_same_id', named);
  end loop;
  foreach named in array array['agreements', 'publishers'] loop
    execute format('create trigger %I before truncate on %I for each statement execute function app.refuse_truncate()',
      named || '_keep_all', named);
  end loop;
end $$;
