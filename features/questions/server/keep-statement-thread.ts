import type { Transaction } from '@pc/platform/postgres/database.ts'

/** A step of an objection, as the feature `statements` reports it. */
export interface SaidOfStatement {
  /** `object` begins the thread, or reopens one whose objection was withdrawn; the others end it. */
  readonly event: 'object' | 'withdraw' | 'resolve' | 'replace'
  readonly statementId: bigint
  readonly organizationId: bigint
  readonly agreementId: bigint
  readonly mediumId: bigint
  readonly month: number
  readonly subject: string
  readonly context: string
  readonly value: string
  readonly text: string
  readonly writer: { readonly uid: string; readonly email: string }
  readonly at: Date
}
/** In characters; longer texts are cut. */
const MAX_TEXT_LENGTH = 20_000

/**
 * Copies an objection and its answer into a thread, in the transaction that stores them as evidence. The feature
 * `statements` sends the emails.
 */
export async function keepStatementThread(tx: Transaction, said: SaidOfStatement): Promise<void> {
  const { event, statementId, at, writer } = said
  const moved = await moveThread(tx, statementId, event === 'object' ? 'open' : 'resolved', at)
  const questionId = moved ?? (event === 'object' ? await beginThread(tx, said) : undefined)
  // A statement can be replaced without an objection.
  if (questionId === undefined) return
  await tx
    .insertInto('questionMessages')
    .values({
      questionId,
      writerUid: writer.uid,
      writerEmail: writer.email,
      isByStaff: event === 'resolve' || event === 'replace',
      text: [...said.text].slice(0, MAX_TEXT_LENGTH).join('').trim() || '（本文なし）',
      writtenAt: at,
    })
    .execute()
}

async function beginThread(tx: Transaction, said: SaidOfStatement): Promise<bigint> {
  const { statementId, organizationId, agreementId, mediumId, month, subject, context, value, writer, at } = said
  const { id } = await tx
    .insertInto('questions')
    .values({
      kind: 'statement',
      statementId,
      organizationId,
      agreementId,
      month,
      subject,
      context,
      mediumIds: [mediumId],
      valueThen: value,
      unit: 'yen',
      askerUid: writer.uid,
      askerEmail: writer.email,
      askerScope: 'organization',
      stateChangedAt: at,
      askedAt: at,
      lastMessageAt: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function moveThread(
  tx: Transaction,
  statementId: bigint,
  state: 'open' | 'resolved',
  at: Date,
): Promise<bigint | undefined> {
  const moved = await tx
    .updateTable('questions')
    .set(eb => ({
      state,
      stateChangedAt: at,
      lastMessageAt: at,
      revision: eb('revision', '+', 1),
    }))
    .where('statementId', '=', statementId)
    .returning('id')
    .executeTakeFirst()
  return moved?.id
}
