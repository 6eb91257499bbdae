-- Two records that are joined belong to the same organisation. The use cases refuse it with a text; this repeats it, after
-- row-level security has spoken.

create function app.refuse_foreign_rule() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if not exists (
    select from public.agreements a join public.publishers p on p.organization_id = a.organization_id
    where a.id = new.agreement_id and p.id = new.publisher_id and a.medium_id = new.medium_id
  ) then
    raise exception 'agreement % and publisher % are not of one organisation and medium', new.agreement_id, new.publisher_id
      using errcode = 'check_violation', constraint = 'agreement_publisher_rules_same_organization';
  end if;
  return null;
end $$;
create trigger same_organization after insert or update of agreement_id, publisher_id, medium_id
  on agreement_publisher_rules for each row execute function app.refuse_foreign_rule();

create function app.refuse_foreign_account() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if not exists (
    select from public.agreements a join public.bank_accounts b on b.organization_id = a.organization_id
    where a.id = new.agreement_id and b.id = new.bank_account_id
  ) then
    raise exception 'agreement % and bank account % are not of one organisation', new.agreement_id, new.bank_account_id
      using errcode = 'check_violation', constraint = 'agreement_bank_accounts_same_organization';
  end if;
  return null;
end $$;
create trigger same_organization after insert or update of agreement_id, bank_account_id
  on agreement_bank_accounts for each row execute function app.refuse_foreign_account();

create function app.refuse_foreign_agreement() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if not exists (
    select from public.agreements a join public.users u on u.organization_id = a.organization_id
    where a.id = new.agreement_id and u.uid = new.uid
  ) then
    raise exception 'agreement % is not of the organisation of its user', new.agreement_id
      using errcode = 'check_violation', constraint = 'user_agreements_same_organization';
  end if;
  return null;
end $$;
create trigger same_organization after insert or update on user_agreements
  for each row execute function app.refuse_foreign_agreement();

-- A feed's articles keep it, and they are the publisher's.
create function app.refuse_foreign_publisher() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if not exists (
    select from public.publishers before join public.publishers after using (organization_id)
    where before.id = old.publisher_id and after.id = new.publisher_id
  ) then
    raise exception 'feed % cannot move to a publisher of another organisation', old.id
      using errcode = 'check_violation', constraint = 'feeds_same_organization';
  end if;
  return null;
end $$;
create trigger same_organization after update of publisher_id on feeds
  for each row when (old.publisher_id is distinct from new.publisher_id) execute function app.refuse_foreign_publisher();

-- What the checks above rest on never changes (bank accounts: app.keep_bank_account). A user may move: then the agreements
-- go first.
create function app.refuse_other_organization() returns trigger language plpgsql as $$
begin
  raise exception 'the organisation of % is fixed', tg_table_name
    using errcode = 'check_violation', constraint = tg_table_name || '_organization_fixed';
end $$;
create trigger organization_fixed before update of organization_id on publishers
  for each row when (old.organization_id is distinct from new.organization_id) execute function app.refuse_other_organization();
create trigger organization_fixed before update of organization_id, medium_id on agreements
  for each row when (old.organization_id is distinct from new.organization_id or old.medium_id is distinct from new.medium_id)
  execute function app.refuse_other_organization();

create function app.refuse_leaving_agreements() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if exists (select from public.user_agreements ua join public.agreements a on a.id = ua.agreement_id
    where ua.uid = new.uid and a.organization_id is distinct from new.organization_id) then
    raise exception 'user % still works for agreements of another organisation', new.uid
      using errcode = 'check_violation', constraint = 'user_agreements_same_organization';
  end if;
  return null;
end $$;
create constraint trigger same_organization after update of organization_id on users deferrable initially deferred
  for each row when (old.organization_id is distinct from new.organization_id) execute function app.refuse_leaving_agreements();

-- What an earlier version accepted stays, and is named to whoever upgrades. No month with such a rule is computed.
do $$
declare
  mixed record;
begin
  for mixed in select r.id, r.agreement_id, a.name as agreement, r.publisher_id, p.name as publisher
    from agreement_publisher_rules r join agreements a on a.id = r.agreement_id join publishers p on p.id = r.publisher_id
    where a.organization_id <> p.organization_id or a.medium_id <> r.medium_id
  loop
    raise warning 'rule % joins agreement % (%) and publisher % (%), which are not of one organisation', mixed.id,
      mixed.agreement_id, mixed.agreement, mixed.publisher_id, mixed.publisher;
  end loop;
  for mixed in select u.agreement_id, a.name as agreement, u.bank_account_id
    from agreement_bank_accounts u join agreements a on a.id = u.agreement_id
    join bank_accounts b on b.id = u.bank_account_id where a.organization_id <> b.organization_id
  loop
    raise warning 'agreement % (%) uses bank account % of another organisation', mixed.agreement_id, mixed.agreement,
      mixed.bank_account_id;
  end loop;
end $$;
