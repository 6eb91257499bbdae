import type { GranularAction } from '@pc/domain/access/action.ts'
import type { Permit } from '@pc/domain/access/decide.ts'
import { rolesOf } from '@pc/domain/access/role-duties.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { QuestionKind, QuestionState } from '@pc/domain/question/question.ts'
import type { Page } from '@pc/platform/graphql/list-arguments.ts'
import type { Database, Transaction } from '@pc/platform/postgres/database.ts'
import { isAmong } from '@pc/platform/postgres/is-among.ts'
import { isOfOwnAgreement, ownRows } from '@pc/platform/postgres/own-rows.ts'
import { holdsWords } from '@pc/platform/postgres/page-of-ids.ts'
import type { Tables } from '@pc/platform/postgres/tables.ts'
import { type RawBuilder, type Selectable, sql } from 'kysely'

export type QuestionPermit = Permit<GranularAction, 'insight:question.'>

export interface QuestionRow extends Omit<Selectable<Tables['questions']>, 'searchText'> {
  readonly kind: QuestionKind
  readonly state: QuestionState
  readonly organizationName: string | null
  /** Null for publishers' people, who do not learn who answers. */
  readonly assigneeEmail: string | null
  readonly excerpt: string
  readonly isObjection: boolean
  readonly isMine: boolean
  /** Somebody else wrote a message that this person has not read. */
  readonly isUnread: boolean
}

export interface MessageRow {
  readonly id: bigint
  readonly text: string
  readonly isByStaff: boolean
  readonly isInternal: boolean
  readonly isMine: boolean
  /** Null when the reader may not see which member of staff wrote it. */
  readonly writerEmail: string | null
  readonly writtenAt: Date
}

export interface QuestionFilter {
  readonly states?: readonly QuestionState[] | undefined
  /** A uid; null: unassigned threads; undefined: all threads. */
  readonly assigneeUid?: string | null | undefined
  readonly organizationId?: bigint | undefined
  readonly month?: YearMonth | undefined
  readonly isUnread?: boolean | undefined
  /** Whether the thread is about an open objection to a statement. */
  readonly isObjection?: boolean | undefined
  /** Words in normal form, all of which must be found. */
  readonly words?: readonly string[] | undefined
}

export interface QuestionList {
  readonly total: number
  /** Counts over the whole filter except its states. */
  readonly counts: Readonly<Record<QuestionState, number>> & { readonly unread: number }
  readonly nodes: readonly QuestionRow[]
}

/** Threads within the permit, the one with the latest message first. */
export function listQuestions(
  database: Database,
  filter: QuestionFilter,
  page: Page,
  permit: QuestionPermit,
): Promise<QuestionList> {
  const { states, ...rest } = filter
  const { uid } = permit.viewer
  return database.inScope(
    permit.scope,
    async tx => {
      const narrowed = conditionOf(rest, permit)
      const counted = await sql<{ state: QuestionState; count: bigint; unread: bigint }>`
        select q.state, count(*) as count, count(*) filter (where ${isUnread(uid)}) as unread
        from questions q where ${narrowed} group by q.state`.execute(tx)
      const counts = { open: 0, answered: 0, resolved: 0, unread: 0 }
      for (const row of counted.rows) {
        counts[row.state] = Number(row.count)
        counts.unread += Number(row.unread)
      }
      const ofStates = isInStates(states)
      const { rows } = await sql<QuestionRow>`select ${fieldsFor(permit)} from questions q
        where ${narrowed} and ${ofStates}
        order by q.last_message_at desc, q.id desc limit ${page.limit} offset ${page.offset}`.execute(tx)
      const chosen: readonly QuestionState[] = states ?? ['open', 'answered', 'resolved']
      return { total: chosen.reduce((sum, state) => sum + counts[state], 0), counts, nodes: rows }
    },
    { isolation: 'repeatable read', readOnly: true },
  )
}

/** The number of threads that {@link listQuestions} has, as a subquery of a statement in the permit's scope. */
export function questionCount({ states, ...rest }: QuestionFilter, permit: QuestionPermit): RawBuilder<bigint> {
  return sql<bigint>`(select count(*) from questions q where ${conditionOf(rest, permit)} and ${isInStates(states)})`
}

function isInStates(states: readonly QuestionState[] | undefined): RawBuilder<boolean> {
  return states ? isAmong(sql`q.state`, states) : sql<boolean>`true`
}

/** A thread that the permit covers; undefined for any other id. */
export async function findQuestion(
  tx: Transaction,
  id: bigint,
  permit: QuestionPermit,
): Promise<QuestionRow | undefined> {
  const { rows } = await sql<QuestionRow>`select ${fieldsFor(permit)} from questions q
    where q.id = ${id} and ${inScope(permit)}`.execute(tx)
  return rows[0]
}

/** The messages of a thread, oldest first. Internal notes are for staff only. */
export async function readMessages(
  tx: Transaction,
  questionId: bigint,
  { scope, viewer }: QuestionPermit,
): Promise<readonly MessageRow[]> {
  const isStaff = scope.kind === 'all'
  const { rows } = await sql<MessageRow>`select m.id, m.text, m.is_by_staff, m.is_internal, m.written_at,
      m.writer_uid = ${viewer.uid}::uuid as is_mine,
      case when m.is_by_staff and not ${isStaff} then null else m.writer_email end as writer_email
    from question_messages m
    where m.question_id = ${questionId} and (${isStaff} or not m.is_internal) order by m.id`.execute(tx)
  return rows
}

/** People to whom a thread can be assigned. */
export function listAnswerers(database: Database, permit: QuestionPermit) {
  if (permit.scope.kind !== 'all') return Promise.resolve([])
  return database.inScope(
    permit.scope,
    tx =>
      tx
        .selectFrom('users as u')
        .innerJoin('userRoles as r', 'r.uid', 'u.uid')
        .select(['u.uid', 'u.email'])
        .distinct()
        .where('u.enabled', '=', true)
        .where('r.roleName', 'in', [...ANSWERING_ROLES])
        .orderBy('u.email')
        .execute(),
    { readOnly: true },
  )
}
export const ANSWERING_ROLES = rolesOf('staff', 'answers')

function fieldsFor({ scope, viewer }: QuestionPermit): RawBuilder<unknown> {
  const isStaff = scope.kind === 'all'
  const assignee = isStaff ? sql`q.assignee_uid` : sql`null::uuid`
  return sql`q.id, q.organization_id, q.asker_uid, q.asker_email, q.asker_scope, q.kind, q.monthly_payment_id,
    q.monthly_publisher_payment_id, q.statement_id, q.agreement_id, q.amount_column, q.node_path, q.from_day, q.to_day,
    q.figure, q.medium_ids, q.publisher_ids, q.month, q.subject, q.context, q.value_then, q.unit, q.state,
    q.state_changed_at, q.asked_at, q.last_message_at, q.told_message_id, q.revision, ${assignee} as assignee_uid,
    (select u.email from users u where u.uid = ${assignee}) as assignee_email,
    (select o.name from organizations o where o.id = q.organization_id) as organization_name,
    (select left(m.text, 120) from question_messages m where m.question_id = q.id and not m.is_internal
      order by m.id limit 1) as excerpt,
    ${IS_OBJECTION} as is_objection,
    q.asker_uid = ${viewer.uid}::uuid as is_mine, ${isUnread(viewer.uid)} as is_unread`
}

function isUnread(uid: string): RawBuilder<boolean> {
  return sql<boolean>`exists (select from question_messages m where m.question_id = q.id and m.writer_uid <> ${uid}::uuid
    and m.id > coalesce((select d.message_id from question_reads d
      where d.question_id = q.id and d.uid = ${uid}::uuid), 0))`
}

/** Whether the thread is about an open objection. Staff conclude it in the list of statements, where it is counted. */
const IS_OBJECTION = sql<boolean>`(q.statement_id is not null
  and exists (select from statements s where s.id = q.statement_id and s.state = 'objected'))`

/** The permit's rows as SQL. Row-level security repeats the condition. */
function inScope(permit: QuestionPermit): RawBuilder<boolean> {
  return ownRows(permit, {
    organization: id => sql<boolean>`q.organization_id = ${id}`,
    agreements: uid => sql<boolean>`(q.kind <> 'statement' and case when q.agreement_id is null
      then q.asker_uid = ${uid}::uuid else ${isOfOwnAgreement(sql`q.agreement_id`, uid)} end)`,
  })
}

function conditionOf(filter: Omit<QuestionFilter, 'states'>, permit: QuestionPermit): RawBuilder<boolean> {
  const { assigneeUid, organizationId, month, words = [] } = filter
  const conditions = [inScope(permit)]
  // Only staff can filter by assignee, so that others cannot find out who answers.
  if (assigneeUid !== undefined && permit.scope.kind === 'all')
    conditions.push(
      assigneeUid === null ? sql<boolean>`q.assignee_uid is null` : sql<boolean>`q.assignee_uid = ${assigneeUid}::uuid`,
    )
  if (organizationId !== undefined) conditions.push(sql<boolean>`q.organization_id = ${organizationId}`)
  if (month !== undefined) conditions.push(sql<boolean>`q.month = ${month}`)
  if (filter.isObjection !== undefined) conditions.push(sql<boolean>`${IS_OBJECTION} = ${filter.isObjection}`)
  if (filter.isUnread) conditions.push(isUnread(permit.viewer.uid))
  if (words.length > 0) conditions.push(holdsWords(sql`q.search_text`, words))
  return sql.join<boolean>(conditions, sql` and `)
}
