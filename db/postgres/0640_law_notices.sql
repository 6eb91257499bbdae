-- Which breaches of law people were told of: each once, until it is cured.
create table agreement_law_notices (
  agreement_id bigint not null references agreements on delete cascade,
  rule_id text not null,
  noticed_at timestamptz not null,
  primary key (agreement_id, rule_id)
);
alter table agreement_law_notices enable row level security;
alter table agreement_law_notices force row level security;
create policy all_rows on agreement_law_notices using ((select app.scope()) = 'all');
