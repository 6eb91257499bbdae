import type { Day } from '@pc/domain/month/day.ts'
import type { HolidayCalendar } from '@pc/domain/month/holiday-calendar.ts'
import { lastDueMail, MAIL_WAIT_HOURS, type MailCadence, type MailMonthDay } from '@pc/domain/report/report-email.ts'
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
import { writeReportMail } from './render-report-email.ts'
import { filterOf, findQueuedMail, type MailState } from './report-email-store.ts'

export interface ReportMailParts extends ReportSources {
  readonly jobs: Jobs
  readonly sendMail: SendMail
  readonly reports: EmailedReports
  readonly webOrigin: string
  readonly readHolidayCalendar: (tx: Transaction) => Promise<HolidayCalendar>
}

const PLAN_JOB = defineJob('report-mails', {
  cron: '*/5 * * * *',
  retryLimit: 0, // the next one comes anyway
  onePerKey: true,
})
/** The words are written by each attempt anew, with the rights that the reader has then: none wait in the queue. */
export const REPORT_EMAIL_DELIVERY_JOB = defineJob<{ readonly deliveryId: string }>('report-mail-letter', EMAIL_RETRIES)

export function reportMailHandlers(parts: ReportMailParts): readonly JobHandler[] {
  return [
    handleJob(PLAN_JOB, async (_data, { signal }) => {
      await planReportMails(parts, signal)
    }),
    handleJob(REPORT_EMAIL_DELIVERY_JOB, ({ deliveryId }, attempt) =>
      sendReportMail(parts, BigInt(deliveryId), attempt),
    ),
  ]
}

/** Notes every mail that has become due, once per period, and queues those whose figures are there, or are late. */
export async function planReportMails(parts: ReportMailParts, signal?: AbortSignal): Promise<void> {
  await noteDueMails(parts)
  await queueReadyMails(parts, signal)
}

async function noteDueMails({ database, clock, readHolidayCalendar }: ReportMailParts): Promise<void> {
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
        cadence: mail.cadence as MailCadence,
        monthDay: mail.monthDay as MailMonthDay,
      }
      const { sendsOn, period } = lastDueMail(schedule, day, hour, calendar)
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

async function queueReadyMails(parts: ReportMailParts, signal: AbortSignal | undefined): Promise<void> {
  const { database, clock, jobs } = parts
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
  const areThere = arrivals(parts)
  for (const { id, periodTo, dueAt, condition } of waiting) {
    signal?.throwIfAborted()
    const isLate = clock.now() >= dueAt.getTime() + MAIL_WAIT_HOURS * 3_600_000
    if (!isLate && !(await areThere(filterOf(condition).mediumIds, periodTo))) continue
    await database.inScope(SYSTEM, async tx => {
      if (await changeState(tx, id, 'waiting', 'queued', clock.now()))
        await jobs.enqueue(tx, REPORT_EMAIL_DELIVERY_JOB, { deliveryId: String(id) })
    })
  }
}

/** Whether a day of media has been delivered and nothing more of it is on its way; each question is asked once. */
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

/** Writes and sends one mail, unless it has left, is not wanted any more, or its reader may not have it. */
export async function sendReportMail(
  parts: ReportMailParts,
  deliveryId: bigint,
  { id, signal }: { readonly id: string; readonly signal: AbortSignal },
): Promise<void> {
  const { database, clock, sendMail } = parts
  const queued = await database.inScope(SYSTEM, tx => findQueuedMail(tx, deliveryId), { readOnly: true })
  if (!queued) return
  const message =
    queued.isWanted && queued.reader ? await writeReportMail(parts, queued, queued.reader, signal) : undefined
  if (message) await sendMail(message, { id, signal })
  await database.inScope(SYSTEM, tx =>
    changeState(tx, deliveryId, 'queued', message ? 'sent' : 'not_sent', clock.now()),
  )
}

/** @returns whether it was in the state before */
async function changeState(
  tx: Transaction,
  id: bigint,
  before: MailState,
  after: MailState,
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
