-- Questions pinned to an amount, a row or some days (features, idea 13; row 1.4). What was asked about, and the value as
-- it was seen, stay with the thread; nothing here ever touches a payment or a statement.
create table questions (
  id bigint generated always as identity primary key,
  organization_id bigint not null references organizations,
  -- Kept when the person is gone.
  asker_uid uuid not null,
  asker_email text not null,
  -- Whose rows the value was summed over: the organisation's, or those of the asker's agreements.
  asker_scope text not null check (asker_scope in ('organization', 'agreements')),
  kind text not null check (kind in ('payment', 'publisher_payment', 'report', 'statement')),
  monthly_payment_id bigint references monthly_payments,
  monthly_publisher_payment_id bigint references monthly_publisher_payments,
  statement_id bigint references statements,
  agreement_id bigint references agreements,
  -- Which amount of the row, and which node of its breakdown; no node: the amount itself.
  amount_column text,
  node_path text,
  -- Of a report: the days, the figure and the filter; an empty list means all.
  from_day date,
  to_day date,
  figure text,
  medium_ids bigint[] not null default '{}',
  publisher_ids bigint[] not null default '{}',
  month integer,
  -- As people read them.
  subject text not null check (btrim(subject) <> ''),
  context text not null default '',
  search_text text generated always as (app.search_text(subject || ' ' || context)) stored,
  -- Null: there was no data, which is not zero.
  value_then text,
  unit text not null check (unit in ('yen', 'count')),
  state text not null default 'open' check (state in ('open', 'answered', 'resolved')),
  state_changed_at timestamptz not null,
  assignee_uid uuid references users on delete set null,
  asked_at timestamptz not null,
  last_message_at timestamptz not null,
  -- The last message that people were mailed about.
  told_message_id bigint not null default 0,
  revision integer not null default 1,
  check ((kind = 'payment') = (monthly_payment_id is not null)),
  check ((kind = 'publisher_payment') = (monthly_publisher_payment_id is not null)),
  check ((kind = 'statement') = (statement_id is not null)),
  check ((kind = 'report') = (from_day is not null) and (kind = 'report') = (to_day is not null)
    and (kind = 'report') = (figure is not null) and to_day >= from_day),
  check (kind = 'report' or agreement_id is not null)
);
create unique index questions_statement on questions (statement_id) where statement_id is not null;
create index questions_organization on questions (organization_id, last_message_at desc, id desc);
create index questions_latest on questions (last_message_at desc, id desc);
create index questions_unsolved on questions (state, last_message_at desc, id desc) where state <> 'resolved';
create index questions_agreement on questions (agreement_id);
create index questions_asker on questions (asker_uid);
create index questions_assignee on questions (assignee_uid) where assignee_uid is not null;
create index questions_payment on questions (monthly_payment_id) where monthly_payment_id is not null;
create index questions_publisher_payment on questions (monthly_publisher_payment_id)
  where monthly_publisher_payment_id is not null;

create table question_messages (
  id bigint generated always as identity primary key,
  question_id bigint not null references questions,
  -- Kept when the person is gone.
  writer_uid uuid not null,
  writer_email text not null,
  is_by_staff boolean not null,
  -- Staff alone reads it.
  is_internal boolean not null default false,
  text text not null check (btrim(text) <> '' and char_length(text) <= 20000),
  written_at timestamptz not null,
  check (is_by_staff or not is_internal)
);
create index question_messages_question on question_messages (question_id, id);

-- How far each person has read a thread.
create table question_reads (
  question_id bigint not null references questions,
  uid uuid not null references users on delete cascade,
  message_id bigint not null,
  primary key (question_id, uid)
);
create index question_reads_uid on question_reads (uid);

-- Texts that staff begins an answer with.
create table answer_templates (
  id bigint generated always as identity primary key,
  name text not null check (name <> '' and char_length(name) <= 60),
  body text not null check (body <> '' and char_length(body) <= 4000),
  updated_at timestamptz not null default now(),
  revision integer not null default 1
);
create unique index answer_templates_name on answer_templates (name);

do $$
declare
  name text;
begin
  foreach name in array array['questions', 'question_messages', 'question_reads', 'answer_templates']
  loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format($policy$create policy all_rows on %I using ((select app.scope()) = 'all')$policy$, name);
  end loop;
end $$;

-- The organisation's administrator sees the organisation's threads. An editor those about the own agreements, and of
-- reports the own ones; no statements, as everywhere else.
create policy own_organization on questions for select using (
  (select app.scope()) = 'organization' and organization_id = (select app.organization_id()));
create policy own_agreements on questions for select using (
  (select app.scope()) = 'agreements' and kind <> 'statement'
  and case when agreement_id is null then asker_uid = (select app.uid())
    else agreement_id in (select a.id from agreements a) end);
create policy asking on questions for insert with check (
  asker_uid = (select app.uid()) and asker_scope = (select app.scope()) and state = 'open' and assignee_uid is null
  and (
    (select app.scope()) = 'organization' and organization_id = (select app.organization_id())
      and (agreement_id is null or agreement_id in (select a.id from agreements a))
    or (select app.scope()) = 'agreements' and kind <> 'statement'
      and case when agreement_id is null then organization_id = (select app.organization_id())
        else agreement_id in (select a.id from agreements a) end));
create policy going_on_in_organization on questions for update using (
  (select app.scope()) = 'organization' and organization_id = (select app.organization_id()))
  with check (organization_id = (select app.organization_id()) and state in ('open', 'resolved'));
create policy going_on_in_agreements on questions for update using (
  (select app.scope()) = 'agreements' and kind <> 'statement'
  and case when agreement_id is null then asker_uid = (select app.uid())
    else agreement_id in (select a.id from agreements a) end)
  with check (state in ('open', 'resolved'));
-- Through the thread's own policy; never what staff says among itself.
create policy of_own_questions on question_messages for select using (
  (select app.scope()) in ('organization', 'agreements') and not is_internal
  and question_id in (select q.id from questions q));
create policy writing on question_messages for insert with check (
  (select app.scope()) in ('organization', 'agreements') and not is_internal and not is_by_staff
  and writer_uid = (select app.uid()) and question_id in (select q.id from questions q));
create policy own_reads on question_reads using (
  (select app.scope()) in ('organization', 'agreements') and uid = (select app.uid())
  and question_id in (select q.id from questions q));

-- What was asked stays as it was asked, and staff alone decides who answers.
create function app.keep_question() returns trigger language plpgsql as $$
declare
  kept public.questions;
begin
  if tg_op = 'DELETE' then
    raise exception 'a question is kept' using errcode = 'check_violation', constraint = 'question_kept';
  end if;
  kept := new;
  kept.state := old.state;
  kept.state_changed_at := old.state_changed_at;
  kept.assignee_uid := old.assignee_uid;
  kept.last_message_at := old.last_message_at;
  kept.told_message_id := old.told_message_id;
  kept.revision := old.revision;
  -- A generated column has no value yet before the row is written.
  kept.search_text := old.search_text;
  if kept is distinct from old then
    raise exception 'what was asked is never changed' using errcode = 'check_violation', constraint = 'question_kept';
  end if;
  if app.scope() <> 'all'
    and (new.assignee_uid is distinct from old.assignee_uid or new.told_message_id <> old.told_message_id) then
    raise exception 'staff decides who answers' using errcode = 'check_violation', constraint = 'question_kept';
  end if;
  return new;
end $$;
create trigger questions_keep before update or delete on questions
  for each row execute function app.keep_question();
create trigger question_messages_append before update or delete on question_messages
  for each row execute function app.refuse_ledger_change();
create trigger questions_keep_all before truncate on questions
  for each statement execute function app.refuse_truncate();
create trigger question_messages_keep_all before truncate on question_messages
  for each statement execute function app.refuse_truncate();

-- What was objected to before: the same conversation, at its one home.
select set_config('app.scope', 'all', true);
insert into questions (organization_id, asker_uid, asker_email, asker_scope, kind, statement_id, agreement_id, medium_ids,
    month, subject, context, value_then, unit, state, state_changed_at, asked_at, last_message_at)
  select s.organization_id, o.actor_uid, coalesce(o.actor_email, ''), 'organization', 'statement', s.id, s.agreement_id,
    array[s.medium_id], s.month,
    '支払通知書 ' || s.number || case when s.revision = 0 then '' else '（改訂' || s.revision || '）' end,
    s.payee_name, replace(to_char(s.total_yen, 'FM999,999,999,999,999'), ' ', ''), 'yen',
    case when s.state = 'objected' then 'open' else 'resolved' end, s.state_changed_at, o.at, coalesce(l.at, o.at)
  from statements s
  join statement_events o on o.statement_id = s.id and o.event = 'object'
  left join lateral (select max(e.at) as at from statement_events e
    where e.statement_id = s.id and e.event in ('resolve', 'replace')) l on true;
insert into question_messages (question_id, writer_uid, writer_email, is_by_staff, text, written_at)
  select q.id, e.actor_uid, coalesce(e.actor_email, ''), e.event <> 'object',
    coalesce(nullif(left(concat_ws(E'\n',
      (select string_agg((line ->> 'label') || '：' || (line ->> 'reason'), E'\n') from jsonb_array_elements(e.lines) line),
      e.text), 20000), ''), '（本文なし）'), e.at
  from questions q
  join statement_events e on e.statement_id = q.statement_id and e.event in ('object', 'resolve', 'replace')
  order by e.id;
update questions q set told_message_id = (select max(m.id) from question_messages m where m.question_id = q.id)
  where q.kind = 'statement';
