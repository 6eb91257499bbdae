import type { GranularAction } from '@pc/domain/access/action.ts'
import { checkMessage, QUESTION_BOUNDS, type QuestionStep, stateAfter } from '@pc/domain/question/question.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { editedByOther } from '@pc/platform/audit/edited-by-other.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { notifyAssignee } from './notify-question.ts'
import type { QuestionDependencies } from './question-dependencies.ts'
import { QUESTION_NOTICE_JOB } from './question-notice-kind.ts'
import { ANSWERING_ROLES, findQuestion, type QuestionRow } from './question-store.ts'
import type { ReadSubject } from './read-subject.ts'

type Outcome = Promise<Result<QuestionRow, Refusal<RefusalCode>>>
type QuestionWrite = Write<GranularAction, 'insight:question.'>
const RESOURCE = 'insight:question.'

interface Asking {
  /** The value that the person saw; null: no data. */
  readonly seenValue: string | null
  readonly text: string
}

/** A publisher's person asks a question. Its subject and value are stored with the thread. */
export async function askQuestion(
  parts: QuestionDependencies,
  { seenValue, text }: Asking,
  read: ReadSubject | undefined,
  write: QuestionWrite,
): Outcome {
  const { tx, permit } = write
  const { scope, viewer } = permit
  if (scope.kind !== 'organization' && scope.kind !== 'agreements') return refused(refusal('question/only-publisher'))
  if (!read) return refused(refusal('question/subject-not-found', ['subject']))
  const message = checkMessage(text, ['text'])
  if (!message.ok) return message
  if (seenValue !== read.value)
    return refused(refusal('question/value-changed', ['seenValue'], { now: read.value ?? 'データなし' }))
  const max = QUESTION_BOUNDS.openPerPerson
  const { count } = await tx
    .selectFrom('questions')
    .select(eb => eb.fn.countAll<bigint>().as('count'))
    .where('askerUid', '=', viewer.uid)
    .where('state', '=', 'open')
    .executeTakeFirstOrThrow()
  if (count >= BigInt(max)) return refused(refusal('question/too-many', ['text'], { max }))
  const now = new Date(parts.clock.now())
  const { id } = await tx
    .insertInto('questions')
    .values({
      ...subjectColumns(read),
      organizationId: read.organizationId,
      askerUid: viewer.uid,
      askerEmail: viewer.email,
      askerScope: scope.kind,
      stateChangedAt: now,
      askedAt: now,
      lastMessageAt: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await addMessage(tx, write, { questionId: id, text: message.value, isInternal: false, now })
  const after = { kind: read.requested.kind, subject: read.subject, value: read.value, state: 'open', revision: 1 }
  write.record({ action: 'create', resource: RESOURCE, rowId: id, before: null, after })
  await parts.jobs.enqueue(tx, QUESTION_NOTICE_JOB, { questionId: id.toString() })
  return ok(await readThread(tx, id, permit))
}

/**
 * Adds a message to a thread: an answer of staff, an internal note, or a publisher's further question.
 * Tested by `features/questions/server/questions.test.ts`.
 */
export async function writeMessage(
  parts: QuestionDependencies,
  id: bigint,
  { text, isInternal }: { readonly text: string; readonly isInternal: boolean },
  write: QuestionWrite,
): Outcome {
  const { tx, permit } = write
  const isStaff = permit.scope.kind === 'all'
  if (isInternal && !isStaff) return refused(refusal('question/only-staff'))
  const message = checkMessage(text, ['text'])
  if (!message.ok) return message
  const row = await lockThread(tx, id, permit)
  if (!row) return refused(refusal('record/not-found', ['id']))
  const now = new Date(parts.clock.now())
  await addMessage(tx, write, { questionId: id, text: message.value, isInternal, now })
  const step: QuestionStep = isInternal ? 'note' : isStaff ? 'answer' : 'ask'
  // The state of an open objection follows from the statement; messages about it do not change it.
  const state = row.isObjection && step !== 'ask' ? row.state : stateAfter(row.state, step)
  if (isInternal) {
    // An internal note does not change the revision, which would reveal it to publishers.
    write.record({ action: 'update', resource: RESOURCE, rowId: id, before: null, after: { isInternal } })
  } else {
    await saveThread(write, row, { state, now, lastMessageAt: now })
    await parts.jobs.enqueue(tx, QUESTION_NOTICE_JOB, { questionId: id.toString() })
  }
  return ok(await readThread(tx, id, permit))
}

/** Marks a thread as resolved; everybody who may write in it may do so. An open objection is answered in its statement. */
export async function resolveQuestion(
  parts: QuestionDependencies,
  id: bigint,
  expectedRevision: number,
  write: QuestionWrite,
): Outcome {
  const { tx, permit } = write
  const row = await lockThread(tx, id, permit)
  if (!row) return refused(refusal('record/not-found', ['id']))
  if (row.isObjection) return refused(refusal('question/of-statement'))
  if (row.state === 'resolved') {
    write.recordNothing()
    return ok(row)
  }
  const stale = await editedByOther(tx, { resource: RESOURCE, rowId: id, revision: row.revision, expectedRevision })
  if (stale) return refused(stale)
  await saveThread(write, row, { state: stateAfter(row.state, 'resolve'), now: new Date(parts.clock.now()) })
  return ok(await readThread(tx, id, permit))
}

/**
 * Assigns a thread to a member of staff; null: to nobody. The revision stays, because publishers do not see the
 * assignee.
 */
export async function assignQuestion(
  parts: QuestionDependencies,
  id: bigint,
  assigneeUid: string | null,
  write: QuestionWrite,
): Outcome {
  const { tx, permit, record, recordNothing } = write
  if (permit.scope.kind !== 'all') return refused(refusal('question/only-staff'))
  const row = await lockThread(tx, id, permit)
  if (!row) return refused(refusal('record/not-found', ['id']))
  const assignee = assigneeUid === null ? undefined : await answererOf(tx, assigneeUid)
  if (assigneeUid !== null && !assignee) return refused(refusal('question/assignee-unknown', ['assigneeUid']))
  if (row.assigneeUid === assigneeUid) {
    recordNothing()
    return ok(row)
  }
  await tx.updateTable('questions').set({ assigneeUid }).where('id', '=', id).execute()
  record({
    action: 'update',
    resource: RESOURCE,
    rowId: id,
    before: { assigneeUid: row.assigneeUid },
    after: { assigneeUid },
  })
  // A new assignee is emailed when the thread is still open.
  if (assignee && assigneeUid !== permit.viewer.uid && row.state === 'open')
    await notifyAssignee(tx, parts, row, assignee.email)
  return ok(await readThread(tx, id, permit))
}

/** Marks a thread as read up to a message. */
export async function readQuestion(
  id: bigint,
  messageId: bigint,
  { tx, permit, record, recordNothing }: QuestionWrite,
): Outcome {
  const row = await findQuestion(tx, id, permit)
  if (!row) return refused(refusal('record/not-found', ['id']))
  const { uid } = permit.viewer
  const [moved] = await tx
    .insertInto('questionReads')
    .columns(['questionId', 'uid', 'messageId'])
    .expression(eb =>
      eb
        .selectFrom('questionMessages as m')
        .select(['m.questionId', eb.val(uid).as('uid'), 'm.id'])
        .where('m.questionId', '=', id)
        .where('m.id', '<=', messageId)
        .orderBy('m.id', 'desc')
        .limit(1),
    )
    .onConflict(conflict =>
      conflict
        .columns(['questionId', 'uid'])
        .doUpdateSet(eb => ({ messageId: eb.ref('excluded.messageId') }))
        .whereRef('questionReads.messageId', '<', 'excluded.messageId' as never),
    )
    .returning('messageId')
    .execute()
  if (moved)
    record({ action: 'read', resource: RESOURCE, rowId: id, before: null, after: { messageId: moved.messageId } })
  else recordNothing()
  return ok(await readThread(tx, id, permit))
}

function subjectColumns(read: ReadSubject) {
  const { requested, subject, context, value, unit, month, agreementId } = read
  const words = { kind: requested.kind, subject, context, valueThen: value, unit, month, agreementId }
  if (requested.kind === 'report') {
    const { range, figure, mediumIds, publisherIds } = requested
    return {
      ...words,
      fromDay: range.from,
      toDay: range.to,
      figure,
      mediumIds: [...mediumIds],
      publisherIds: [...publisherIds],
    }
  }
  const { mediumId, publisherId } = read
  return {
    ...words,
    ...(requested.kind === 'payment'
      ? { monthlyPaymentId: requested.id }
      : { monthlyPublisherPaymentId: requested.id }),
    amountColumn: requested.column,
    nodePath: requested.path,
    mediumIds: mediumId === null ? [] : [mediumId],
    publisherIds: publisherId === null ? [] : [publisherId],
  }
}

async function addMessage(
  tx: Transaction,
  { permit }: QuestionWrite,
  message: { readonly questionId: bigint; readonly text: string; readonly isInternal: boolean; readonly now: Date },
): Promise<void> {
  const { questionId, text, isInternal, now } = message
  const { uid, email } = permit.viewer
  await tx
    .insertInto('questionMessages')
    .values({
      questionId,
      text,
      isInternal,
      writtenAt: now,
      writerUid: uid,
      writerEmail: email,
      isByStaff: permit.scope.kind === 'all',
    })
    .execute()
}

/** Updates state, time and revision of a thread; the state may stay the same. */
async function saveThread(
  { tx, record }: QuestionWrite,
  row: QuestionRow,
  to: { readonly state: QuestionRow['state']; readonly now: Date; readonly lastMessageAt?: Date },
): Promise<void> {
  const revision = row.revision + 1
  const isMoved = to.state !== row.state
  await tx
    .updateTable('questions')
    .set({
      revision,
      ...(isMoved ? { state: to.state, stateChangedAt: to.now } : {}),
      ...(to.lastMessageAt ? { lastMessageAt: to.lastMessageAt } : {}),
    })
    .where('id', '=', row.id)
    .execute()
  record({
    action: 'update',
    resource: RESOURCE,
    rowId: row.id,
    before: { state: row.state, revision: row.revision },
    after: { state: to.state, revision },
  })
}

async function lockThread(
  tx: Transaction,
  id: bigint,
  permit: QuestionWrite['permit'],
): Promise<QuestionRow | undefined> {
  const found = await tx.selectFrom('questions').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
  return found && findQuestion(tx, id, permit)
}

async function readThread(tx: Transaction, id: bigint, permit: QuestionWrite['permit']): Promise<QuestionRow> {
  const row = await findQuestion(tx, id, permit)
  if (!row) throw new Error('a thread that was just written to is gone')
  return row
}

async function answererOf(tx: Transaction, uid: string): Promise<{ readonly email: string } | undefined> {
  if (!/^[0-9a-f-]{36}$/i.test(uid)) return undefined
  return tx
    .selectFrom('users as u')
    .innerJoin('userRoles as r', 'r.uid', 'u.uid')
    .select('u.email')
    .where('u.uid', '=', uid)
    .where('u.enabled', '=', true)
    .where('r.roleName', 'in', [...ANSWERING_ROLES])
    .executeTakeFirst()
}
