import { entityCondition, entityConditionOf } from '@pc/domain/condition/filter-conversions.ts'
import { MAX_IDS } from '@pc/domain/condition/params.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import type { Comparison } from '@pc/domain/report/comparison.ts'
import {
  type EmailRanking,
  type EmailSchedule,
  lastDueEmail,
  REPORT_EMAIL_BOUNDS,
  reportEmailProblems,
} from '@pc/domain/report/report-email.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { editedByOther } from '@pc/platform/audit/edited-by-other.ts'
import { type Clock, today } from '@pc/platform/clock.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { type EntityArguments, parseEntityFilter } from '../../core/server/entity-argument.ts'
import { type ReportEmailDependencies, SEND_EMAIL_JOB } from './report-email-jobs.ts'
import {
  lockReportEmail,
  mayReadRanking,
  mayReadReports,
  type ReportEmailRow,
  readReportEmails,
} from './report-email-store.ts'

export interface ReportMailInput extends EmailSchedule, EntityArguments {
  /** Undefined: create a new one. */
  readonly id: bigint | undefined
  readonly name: string
  readonly compareWith: Comparison
  readonly ranking: EmailRanking
  readonly expectedRevision: number | undefined
}

type OwnWrite = Write<'read:show', 'iam:user.'>
type Refused = Refusal<RefusalCode>

/** Saves a scheduled email to the caller's own address. Emails that were due but not yet sent are dropped. */
export async function saveReportMail(
  input: ReportMailInput,
  clock: Clock,
  { tx, permit, record }: OwnWrite,
): Promise<Result<ReportEmailRow, Refused>> {
  const { viewer } = permit
  const name = input.name.trim()
  const problems: Refused[] = [...reportEmailProblems({ ...input, name })]
  parseEntityFilter(input, ['input'], problems, MAX_IDS)
  if (!mayReadReports(viewer)) problems.push(refusal('report-mail/no-reports', ['input']))
  else if (!mayReadRanking(viewer, input.ranking))
    problems.push(refusal('report-mail/ranking-not-allowed', ['input', 'ranking']))
  if (problems.length > 0) return refused(...problems)
  const before = input.id === undefined ? undefined : await lockReportEmail(tx, viewer, input.id)
  if (input.id !== undefined && (!before || before.isDeleted))
    return refused(refusal('record/not-found', ['input', 'id']))
  const { cadence, hour, monthDay, compareWith, ranking } = input
  const condition = entityCondition.format(entityConditionOf(input)) ?? ''
  const values = { name, cadence, hour, monthDay, compareWith, ranking, condition }
  const activeSince = new Date(clock.now())
  let id: bigint
  if (before) {
    const { revision } = before
    const rowId = rowIdOf(viewer.uid, before.id)
    const { expectedRevision } = input
    const stale = await editedByOther(tx, { resource: 'iam:user.', rowId, revision, expectedRevision })
    if (stale) return refused(stale)
    id = before.id
    const changed = { ...values, activeSince, revision: revision + 1 }
    await tx.updateTable('reportMails').set(changed).where('id', '=', id).execute()
  } else {
    const tooMany = await tooManyOf(tx, viewer.uid)
    if (tooMany) return refused(tooMany)
    const made = tx.insertInto('reportMails').values({ uid: viewer.uid, ...values, activeSince })
    id = (await made.returning('id').executeTakeFirstOrThrow()).id
  }
  const after = (await lockReportEmail(tx, viewer, id))!
  record({
    action: before ? 'update' : 'create',
    resource: 'iam:user.',
    rowId: rowIdOf(viewer.uid, id),
    before: before ?? null,
    after,
  })
  return ok(after)
}

/** Pauses, resumes, deletes or restores a scheduled email. Idempotent. */
export async function switchReportEmail(
  id: bigint,
  change: { readonly isPaused: boolean } | { readonly isDeleted: boolean },
  clock: Clock,
  { tx, permit, record, recordNothing }: OwnWrite,
): Promise<Result<ReportEmailRow, Refused>> {
  const { uid } = permit.viewer
  const before = await lockReportEmail(tx, permit.viewer, id)
  if (!before || (before.isDeleted && 'isPaused' in change)) return refused(refusal('record/not-found', ['id']))
  const wanted = { ...before, ...change }
  if (wanted.isDeleted === before.isDeleted && wanted.isPaused === before.isPaused) {
    recordNothing()
    return ok(before)
  }
  if (before.isDeleted && !wanted.isDeleted) {
    const tooMany = await tooManyOf(tx, uid)
    if (tooMany) return refused(tooMany)
  }
  const now = new Date(clock.now())
  await tx
    .updateTable('reportMails')
    .set({
      ...{ isPaused: wanted.isPaused, deletedAt: wanted.isDeleted ? now : null },
      ...{ activeSince: now, revision: before.revision + 1 },
    })
    .where('id', '=', id)
    .execute()
  const after = (await lockReportEmail(tx, permit.viewer, id))!
  const action = 'isDeleted' in change ? (change.isDeleted ? 'delete' : 'restore') : 'update'
  record({ action, resource: 'iam:user.', rowId: rowIdOf(uid, id), before, after })
  return ok(after)
}

/** Sends the email of the last due period to the caller now, as a test. */
export async function sendReportMailTest(
  id: bigint,
  { clock, jobs, readHolidayCalendar }: Pick<ReportEmailDependencies, 'clock' | 'jobs' | 'readHolidayCalendar'>,
  { tx, permit, record }: OwnWrite,
): Promise<Result<boolean, Refused>> {
  const { viewer } = permit
  const mail = await lockReportEmail(tx, viewer, id)
  if (!mail || mail.isDeleted) return refused(refusal('record/not-found', ['id']))
  if (!mayReadReports(viewer)) return refused(refusal('report-mail/no-reports', ['id']))
  const now = clock.now()
  const max = REPORT_EMAIL_BOUNDS.testsPerHour
  if ((await testsSince(tx, viewer.uid, new Date(now - 3_600_000))) >= max)
    return refused(refusal('report-mail/too-many-tests', ['id'], { max }))
  const { period } = lastDueEmail({ ...mail, hour: 0 }, today(clock), 23, await readHolidayCalendar(tx))
  const at = new Date(now)
  const { id: deliveryId } = await tx
    .insertInto('reportMailDeliveries')
    .values({
      ...{ reportMailId: id, isTest: true, periodFrom: period.from, periodTo: period.to },
      ...{ dueAt: at, state: 'queued', changedAt: at },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await jobs.enqueue(tx, SEND_EMAIL_JOB, { deliveryId: String(deliveryId) })
  const after = { name: mail.name, ...period }
  record({ action: 'send-test', resource: 'iam:user.', rowId: rowIdOf(viewer.uid, id), before: null, after })
  return ok(true)
}

const rowIdOf = (uid: string, id: bigint) => `${uid}/report-mails/${id}`

async function tooManyOf(tx: Transaction, uid: string): Promise<Refused | undefined> {
  const max = REPORT_EMAIL_BOUNDS.mailsOfOne
  const own = await readReportEmails(tx, { uid })
  return own.length >= max ? refusal('report-mail/too-many', ['input'], { max }) : undefined
}

async function testsSince(tx: Transaction, uid: string, since: Date): Promise<number> {
  // Locks the caller's emails, so that parallel requests cannot exceed the limit together.
  const own = await tx.selectFrom('reportMails').select('id').where('uid', '=', uid).orderBy('id').forUpdate().execute()
  const { count } = await tx
    .selectFrom('reportMailDeliveries')
    .select(eb => eb.fn.countAll<bigint>().as('count'))
    .where(
      'reportMailId',
      'in',
      own.map(mail => mail.id),
    )
    .where('isTest', '=', true)
    .where('changedAt', '>', since)
    .executeTakeFirstOrThrow()
  return Number(count)
}
