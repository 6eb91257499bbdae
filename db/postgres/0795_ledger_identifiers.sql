-- After a restore or a failover the ledger's numbers come again for other publications (ADR 128). What processes remember is
-- therefore named by identifiers, and numbers follow the clock, so that no version gets the number of a lost one.
alter table stats_ledger
  add column change_id uuid not null default gen_random_uuid(),
  add column publication_id uuid not null default gen_random_uuid();

create function app.name_ledger_change() returns trigger language plpgsql as $$
begin
  new.change_no := greatest(new.change_no, (extract(epoch from clock_timestamp()) * 1000000)::bigint);
  new.change_id := gen_random_uuid();
  if new.publication_no is distinct from old.publication_no then
    new.publication_id := gen_random_uuid();
  end if;
  return new;
end $$;
create trigger name_ledger_change before update on stats_ledger
  for each row execute function app.name_ledger_change();
