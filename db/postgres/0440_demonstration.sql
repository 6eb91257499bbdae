-- The demonstration data of this system: when it was begun, and when it was complete. A start completes what was begun for
-- that day, however much later it comes. Empty: no demonstration, or one from before this table (seed-demo.ts tells which).
create table demonstration (
  is_only boolean primary key default true check (is_only),
  begun_at timestamptz not null,
  completed_at timestamptz
);
alter table demonstration enable row level security;
alter table demonstration force row level security;
create policy all_rows on demonstration using ((select app.scope()) = 'all');
grant select, insert, update on demonstration to pc_app;
revoke delete on demonstration from pc_app;
