-- Who was told late has its days from then on, and reads on the screen until when.
create policy own_organization on statement_notices for select
  using ((select app.scope()) = 'organization' and statement_id in (select s.id from statements s));
