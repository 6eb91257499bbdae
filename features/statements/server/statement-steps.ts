import { formatYen } from '@pc/domain/money/yen.ts'
import type { Day } from '@pc/domain/month/day.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { StatementState } from '@pc/domain/payment/payment-states.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { statementNumberText } from '@pc/domain/statement/statement.ts'
import {
  applyAnswer,
  applyConfirmation,
  applyObjection,
  applyReplacement,
  applySending,
  applyWithdrawal,
  type ConfirmationActor,
  type ConfirmationRecord,
  type ConfirmationResult,
  confirmationMethod,
  type ObjectedLine,
  type Resolution,
  type StatementConfirmation,
} from '@pc/domain/statement/statement-confirmation.ts'
import { type Clock, today } from '@pc/platform/clock.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { generateStatements, type ReadTransferRules } from './generate-statements.ts'
import { insertStatements } from './issue-statements.ts'
import { STATEMENT_NOTICE_JOB } from './notice-job-kind.ts'
import type { KeepThread } from './statement-dependencies.ts'
import { findStatement, type StatementPermit, type StatementRow } from './statement-store.ts'

export interface StepDependencies {
  readonly clock: Clock
  readonly jobs: Jobs
  readonly keepThread: KeepThread
}
type StatementResult = Promise<Result<StatementRow, Refusal<RefusalCode>>>
type Update = Write<'write:update', 'insight:statement.'>

/** The payee confirms the statement; refused when its text is not the one that the payee saw. */
export function confirmStatement(
  write: Update,
  parts: StepDependencies,
  id: bigint,
  seenHash: string,
): StatementResult {
  if (write.permit.scope.kind !== 'organization') return Promise.resolve(refused(refusal('statement/only-payee')))
  return moveAndNotify(write, parts, id, (now, actor) => applyConfirmation(now, seenHash, actor))
}

/** The payee objects to lines or to the whole. The document stays; its state is 照会中 until staff answers. */
export function objectToStatement(
  write: Update,
  parts: StepDependencies,
  id: bigint,
  objection: { readonly seenHash: string; readonly text: string; readonly lines: readonly ObjectedLine[] },
): StatementResult {
  if (write.permit.scope.kind !== 'organization') return Promise.resolve(refused(refusal('statement/only-payee')))
  return moveAndNotify(write, parts, id, (now, actor) => applyObjection(now, objection.seenHash, actor, objection))
}

/** The payee withdraws an objection that staff has not answered yet. */
export function withdrawObjection(write: Update, parts: StepDependencies, id: bigint): StatementResult {
  if (write.permit.scope.kind !== 'organization') return Promise.resolve(refused(refusal('statement/only-payee')))
  return moveAndNotify(write, parts, id, (now, actor) => applyWithdrawal(now, actor))
}

/** Staff answers an objection: the statement stands, or the adjustment of a later month corrects it. */
export function resolveStatement(
  write: Update,
  parts: StepDependencies,
  id: bigint,
  answer: { readonly text: string; readonly resolution: Resolution; readonly adjustmentMonth: YearMonth | null },
): StatementResult {
  if (write.permit.scope.kind !== 'all') return Promise.resolve(refused(refusal('statement/only-payer')))
  return moveAndNotify(write, parts, id, (now, actor) => applyAnswer(now, actor, answer))
}

/**
 * Replaces a document by its next revision, with the same number and the same frozen figures, for example because the
 * payer or the account was wrong or the transfer is planned differently. The payee has to confirm again.
 */
export async function reviseStatement(
  write: Write<'write:create', 'insight:statement.'>,
  parts: StepDependencies & { readonly readTransferRules: ReadTransferRules },
  id: bigint,
  reason: string,
): StatementResult {
  const { tx, permit } = write
  if (permit.scope.kind !== 'all') return refused(refusal('statement/only-payer'))
  const replaced = await applyEvent(write, parts, id, (now, actor) => applyReplacement(now, actor, reason))
  if (!replaced.ok) return replaced
  const { monthlyPaymentId, revision } = replaced.value
  const scope = { kind: 'payment', monthlyPaymentId } as const
  const revised = { revision: revision + 1, reason: reason.trim() }
  const made = await generateStatements(tx, parts.readTransferRules, scope, today(parts.clock), revised)
  if (!made.ok) return made
  const reasons = made.value.failed.flatMap(each => each.refusals)
  if (reasons.length > 0) return refused(...reasons)
  const by = { at: new Date(parts.clock.now()), uid: permit.viewer.uid }
  const [newId] = await insertStatements(tx, made.value.generated, by)
  const row = newId === undefined ? undefined : await findStatement(tx, newId, permit)
  if (!row) throw new Error('the revision was not issued')
  await parts.jobs.enqueue(tx, STATEMENT_NOTICE_JOB, { statementIds: [row.id.toString()] })
  return ok(row)
}

/** Staff records that the statement was sent in another way. From then on silence can confirm it, as after an email. */
export async function recordSending(write: Update, parts: StepDependencies, id: bigint, how: string): StatementResult {
  const { tx, permit } = write
  if (permit.scope.kind !== 'all') return refused(refusal('statement/only-payer'))
  // Written before the step is checked: the caller rolls back what a refusal leaves.
  const notified = await tx
    .insertInto('statementNotices')
    .columns(['statementId', 'notifiedAt'])
    .expression(eb =>
      eb
        .selectFrom('statements')
        .select(['id', eb.val(new Date(parts.clock.now())).as('notifiedAt')])
        .where('id', '=', id),
    )
    .onConflict(conflict => conflict.doNothing())
    .returning('statementId')
    .executeTakeFirst()
  if (!notified && (await findStatement(tx, id, permit))) return refused(refusal('statement/notified-already', ['id']))
  return applyEvent(write, parts, id, (now, actor) => applySending(now, actor, how))
}

async function moveAndNotify(
  write: Update,
  parts: StepDependencies,
  id: bigint,
  step: (now: StatementConfirmation, actor: ConfirmationActor) => ConfirmationResult,
): StatementResult {
  const moved = await applyEvent(write, parts, id, step)
  if (!moved.ok) return moved
  await parts.jobs.enqueue(write.tx, STATEMENT_NOTICE_JOB, { statementIds: [id.toString()] })
  return moved
}

/** Applies one event to one statement. Another event at the same time waits for the row and then sees its new state. */
async function applyEvent(
  write: Write<'write:update' | 'write:create', 'insight:statement.'>,
  { clock, keepThread }: StepDependencies,
  id: bigint,
  step: (now: StatementConfirmation, actor: ConfirmationActor) => ConfirmationResult,
): StatementResult {
  const { tx, permit, actor } = write
  const row = await lockedRow(tx, id, permit)
  if (!row) return refused(refusal('record/not-found', ['id']))
  const atMs = clock.now()
  const { uid, email } = permit.viewer
  const now = confirmationOf(row)
  const next = step(now, { uid, ipAddress: actor.sourceAddress, atMs })
  if (!next.ok) return next
  const record = next.value.log.at(-1)
  if (!record) throw new Error('a step leaves a record')
  await storeStep(tx, id, next.value, { ...record, actorEmail: email })
  const { event } = record
  if (event === 'object' || event === 'withdraw' || event === 'resolve' || event === 'replace')
    await keepThread(tx, {
      ...threadFacts(row),
      event,
      text: event === 'withdraw' ? '照会を取り下げました。' : saidIn(record),
      writer: { uid, email },
      at: new Date(atMs),
    })
  write.record({
    action: record.event,
    resource: 'insight:statement.',
    rowId: id,
    before: { state: now.state },
    after: { state: next.value.state, hash: row.hash, text: record.text, lines: record.lines },
  })
  const after = await findStatement(tx, id, permit)
  if (!after) throw new Error('a statement that has just changed is gone')
  return ok(after)
}

function threadFacts(row: StatementRow) {
  const { id, organizationId, agreementId, mediumId, month, payeeName, totalYen } = row
  return {
    ...{ statementId: id, organizationId, agreementId, mediumId, month },
    subject: `支払通知書 ${statementNumberText(row.document)}`,
    context: payeeName,
    value: formatYen(totalYen),
  }
}

function saidIn({ lines, text }: ConfirmationRecord): string {
  return [...lines.map(({ label, reason }) => `${label}：${reason}`), ...(text === null ? [] : [text])].join('\n')
}

/** The row as the domain's rules take it. Its log stays empty, because no rule about the next event needs it. */
export function confirmationOf(row: StatementRow): StatementConfirmation {
  return {
    state: row.state as StatementState,
    statementHash: row.hash,
    month: row.month as YearMonth,
    lineLabels: row.document.lines.map(line => line.label),
    deemedOn: row.deemedOn as Day,
    log: [],
  }
}

/** Stores the new state of a statement and the event that led to it. */
export async function storeStep(
  tx: Transaction,
  statementId: bigint,
  next: StatementConfirmation,
  record: ConfirmationRecord & { readonly actorEmail: string | null },
): Promise<void> {
  const at = new Date(record.atMs)
  await tx
    .insertInto('statementEvents')
    .values({
      statementId,
      event: record.event,
      statementHash: record.statementHash,
      at,
      actorUid: record.actor?.uid ?? null,
      actorEmail: record.actor ? record.actorEmail : null,
      sourceAddress: record.actor?.ipAddress ?? null,
      text: record.text,
      lines: JSON.stringify(record.lines),
      resolution: record.resolution,
      adjustmentMonth: record.adjustmentMonth,
    })
    .execute()
  const method = confirmationMethod(next)
  await tx
    .updateTable('statements')
    .set({
      state: next.state,
      stateChangedAt: at,
      ...(method === null ? {} : { confirmationMethod: method }),
    })
    .where('id', '=', statementId)
    .execute()
}

async function lockedRow(tx: Transaction, id: bigint, permit: StatementPermit): Promise<StatementRow | undefined> {
  const locked = await tx.selectFrom('statements').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
  return locked && findStatement(tx, id, permit)
}
