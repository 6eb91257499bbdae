import type { Day } from '@pc/domain/month/day.ts'
import type { HolidayCalendar } from '@pc/domain/month/holiday-calendar.ts'
import { type EmailCadence, type EmailMonthDay, lastDueEmail, MAX_WAIT_HOURS } from '@pc/domain/report/report-email.ts'
import { today } from '@pc/platform/clock.ts'
import { defineJob, handleJob, type JobHandler } from '@pc/platform/jobs/job-kind.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import { EMAIL_RETRIES } from '@pc/platform/mail/mail-job.ts'
import type { SendMail } from '@pc/platform/mail/send-mail.ts'
import { SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { hasArrived, haveDeliveriesSettled } from '../../core/server/day-arrival.ts'
import type { ReportSources } from '../../core/server/report-sources.ts'
import type { EmailedReports } from './emailed-reports.ts'
import { renderReportEmail } from './render-report-email.ts'
import { type EmailState, filterOf, findQueuedEmail } from './report-email-store.ts'

export interface ReportEmailDependencies extends ReportSources {
  readonly jobs: Jobs
  readonly sendMail: SendMail
  readonly reports: EmailedReports
  readonly webOrigin: string
  readonly readHolidayCalendar: (tx: Transaction) => Promise<HolidayCalendar>
}

const PLAN_JOB = defineJob('report-mails', {
  cron: '*/5 * * * *',
  retryLimit: 0, // the next run comes in five minutes
  onePerKey: true,
})
/** Each attempt renders the email again with the reader's current rights, so the queue holds no figures. */
export const SEND_EMAIL_JOB = defineJob<{ readonly deliveryId: string }>('report-mail-letter', EMAIL_RETRIES)

export function reportEmailHandlers(dependencies: ReportEmailDependencies): readonly JobHandler[] {
  return [
    handleJob(PLAN_JOB, async (_data, { signal }) => {
      await planReportEmails(dependencies, signal)
    }),
    handleJob(SEND_EMAIL_JOB, ({ deliveryId }, attempt) => sendReportEmail(dependencies, BigInt(deliveryId), attempt)),
  ]
}

/**
 * Records every email that has become due, once per period, and queues those whose figures have arrived. After
 * `MAX_WAIT_HOURS` an email is queued without waiting any longer.
 * Tested by `features/reports/report-emails/server/report-emails.test.ts`.
 */
export async function planReportEmails(dependencies: ReportEmailDependencies, signal?: AbortSignal): Promise<void> {
  await recordDueEmails(dependencies)
  await queueReadyEmails(dependencies, signal)
}

async function recordDueEmails({ database, clock, readHolidayCalendar }: ReportEmailDependencies): Promise<void> {
  const now = clock.now()
  const day = today(clock)
  const hour = Math.floor((now - startOf(day, 0)) / 3_600_000)
  await database.inScope(SYSTEM, async tx => {
    const mails = await tx
      .selectFrom('reportMails as m')
      .innerJoin('users as u', 'u.uid', 'm.uid')
      .select(['m.id', 'm.cadence', 'm.hour', 'm.monthDay', 'm.activeSince'])
      .select(
        sql<Date | null>`(select max(d.due_at) from report_mail_deliveries d
          where d.report_mail_id = m.id and not d.is_test)`.as('lastDueAt'),
      )
      .where('m.deletedAt', 'is', null)
      .where('m.isPaused', '=', false)
      .where('u.enabled', '=', true)
      .execute()
    const calendar = await readHolidayCalendar(tx)
    const due = mails.flatMap(mail => {
      const schedule = {
        hour: mail.hour,
        cadence: mail.cadence as EmailCadence,
        monthDay: mail.monthDay as EmailMonthDay,
      }
      const { sendsOn, period } = lastDueEmail(schedule, day, hour, calendar)
      const dueAt = startOf(sendsOn, mail.hour)
      if (dueAt < mail.activeSince.getTime() || dueAt <= (mail.lastDueAt?.getTime() ?? 0)) return []
      return [
        {
          ...{ reportMailId: mail.id, periodFrom: period.from, periodTo: period.to },
          ...{ dueAt: new Date(dueAt), state: 'waiting', changedAt: new Date(now) },
        },
      ]
    })
    if (due.length > 0)
      await tx
        .insertInto('reportMailDeliveries')
        .values(due)
        .onConflict(conflict => conflict.doNothing())
        .execute()
  })
}

const startOf = (day: Day, hour: number) => Date.parse(`${day}T${String(hour).padStart(2, '0')}:00:00+09:00`)

async function queueReadyEmails(dependencies: ReportEmailDependencies, signal: AbortSignal | undefined): Promise<void> {
  const { database, clock, jobs } = dependencies
  const waiting = await database.inScope(SYSTEM, tx =>
    tx
      .selectFrom('reportMailDeliveries as d')
      .innerJoin('reportMails as m', 'm.id', 'd.reportMailId')
      .select(['d.id', 'd.periodTo', 'd.dueAt', 'm.condition'])
      .where('d.state', '=', 'waiting')
      .orderBy('d.dueAt')
      .orderBy('d.id')
      .execute(),
  )
  if (waiting.length === 0) return
  const areThere = arrivals(dependencies)
  for (const { id, periodTo, dueAt, condition } of waiting) {
    signal?.throwIfAborted()
    const isLate = clock.now() >= dueAt.getTime() + MAX_WAIT_HOURS * 3_600_000
    if (!isLate && !(await areThere(filterOf(condition).mediumIds, periodTo))) continue
    await database.inScope(SYSTEM, async tx => {
      if (await changeState(tx, id, 'waiting', 'queued', clock.now()))
        await jobs.enqueue(tx, SEND_EMAIL_JOB, { deliveryId: String(id) })
    })
  }
}

/** Returns a check whether media have delivered a day and no delivery is in progress. Answers are cached. */
function arrivals(sources: ReportSources) {
  let settled: Promise<boolean> | undefined
  const known = new Map<string, Promise<boolean>>()
  return async (mediumIds: readonly bigint[] | undefined, day: Day): Promise<boolean> => {
    settled ??= haveDeliveriesSettled(sources)
    const key = `${day} ${mediumIds?.join() ?? ''}`
    const answer = known.get(key) ?? hasArrived(sources, mediumIds, day)
    known.set(key, answer)
    return (await settled) && (await answer)
  }
}

/** Renders and sends one email, unless it was sent already, was cancelled, or its reader lacks the right. */
export async function sendReportEmail(
  dependencies: ReportEmailDependencies,
  deliveryId: bigint,
  { id, signal }: { readonly id: string; readonly signal: AbortSignal },
): Promise<void> {
  const { database, clock, sendMail } = dependencies
  const queued = await database.inScope(SYSTEM, tx => findQueuedEmail(tx, deliveryId), { readOnly: true })
  if (!queued) return
  const email =
    queued.isWanted && queued.reader ? await renderReportEmail(dependencies, queued, queued.reader, signal) : undefined
  if (email) await sendMail(email, { id, signal })
  await database.inScope(SYSTEM, tx => changeState(tx, deliveryId, 'queued', email ? 'sent' : 'not_sent', clock.now()))
}

/** Changes the state only from `from`. @returns false when the delivery was in another state */
async function changeState(
  tx: Transaction,
  id: bigint,
  before: EmailState,
  after: EmailState,
  now: number,
): Promise<boolean> {
  const changed = await tx
    .updateTable('reportMailDeliveries')
    .set({ state: after, changedAt: new Date(now) })
    .where('id', '=', id)
    .where('state', '=', before)
    .returning('id')
    .executeTakeFirst()
  return changed !== undefined
}
