import type { Role } from '@pc/domain/access/role.ts'
import { rolesOf } from '@pc/domain/access/role-duties.ts'
import { isRenewalDue, renewalNoticeDay } from '@pc/domain/agreement/contract-renewal.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { dayText, monthText } from '@pc/domain/month/day-text.ja.ts'
import { lastDayOf, type YearMonth } from '@pc/domain/month/year-month.ts'
import { type Clock, today } from '@pc/platform/clock.ts'
import { defineJob, handleJob, type JobHandler } from '@pc/platform/jobs/job-kind.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import { MAIL_JOB } from '@pc/platform/mail/mail-job.ts'
import { addressesOf, peopleWithRoles } from '@pc/platform/mail/people-with-roles.ts'
import { renderEmail } from '@pc/platform/mail/render-email.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { agreementEditPath } from '../links.ts'

export interface RenewalDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly jobs: Jobs
  readonly webOrigin: string
  /** Publishes an announcement, which appears under the bell of everybody with the role. */
  readonly announce: (
    tx: Transaction,
    announcement: {
      readonly roles: readonly Role[]
      readonly title: string
      readonly body: string
      readonly startAt: Date
      readonly endAt: Date
    },
  ) => Promise<void>
}

/** Before the working day begins. */
const REMIND_RENEWALS_JOB = defineJob('remind-renewals', { cron: '10 7 * * *' })
const PARTNER_MANAGERS = rolesOf('staff', 'answers')
/** Contracts that an email lists. */
const MAX_NAMED = 500

export function remindRenewalsHandler(dependencies: RenewalDependencies): JobHandler {
  return handleJob(REMIND_RENEWALS_JOB, async () => {
    await remindRenewals(dependencies)
  })
}

interface DueAgreement {
  readonly id: bigint
  readonly name: string
  readonly code: string
  readonly organizationName: string
  readonly contractEndMonth: YearMonth
  readonly noticeDay: Day
}

/**
 * Notifies the partner managers once per contract term of contracts that end soon: one email with all of today's to each
 * person, and one announcement. The notices are stored in the same transaction.
 * Tested by `features/agreements/server/agreement-documents.test.ts`.
 * @returns the number of contracts
 */
export async function remindRenewals(dependencies: RenewalDependencies): Promise<number> {
  const { database, clock } = dependencies
  return database.inScope(SYSTEM, async tx => {
    const now = new Date(clock.now())
    const due: DueAgreement[] = []
    for (const one of await dueAgreements(tx, today(clock))) {
      // Only the job that inserts the row sends the reminder; another one at the same time inserts none.
      const first = await tx
        .insertInto('agreementRenewalNotices')
        .values({ agreementId: one.id, contractEndMonth: one.contractEndMonth, noticedAt: now })
        .onConflict(conflict => conflict.doNothing())
        .returning('agreementId')
        .executeTakeFirst()
      if (first) due.push(one)
    }
    if (due.length > 0) await notify(dependencies, tx, due, now)
    return due.length
  })
}

async function dueAgreements(tx: Transaction, day: Day): Promise<DueAgreement[]> {
  const rows = await tx
    .selectFrom('agreements as a')
    .innerJoin('organizations as o', 'o.id', 'a.organizationId')
    .select(['a.id', 'a.name', 'a.code', 'o.name as organizationName', 'a.contractEndMonth', 'a.renewalNoticeDays'])
    .where('a.contractEndMonth', 'is not', null)
    .where('a.renewalNoticeDays', 'is not', null)
    .where('a.terminatedAt', 'is', null)
    .where(eb =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('agreementRenewalNotices as n')
            .select('n.agreementId')
            .whereRef('n.agreementId', '=', 'a.id')
            .whereRef('n.contractEndMonth', '=', 'a.contractEndMonth'),
        ),
      ),
    )
    .orderBy('a.contractEndMonth')
    .orderBy('a.id')
    .execute()
  return rows
    .flatMap(({ contractEndMonth, renewalNoticeDays, ...row }) => {
      const month = contractEndMonth as YearMonth | null
      if (month === null || renewalNoticeDays === null || !isRenewalDue(month, renewalNoticeDays, day)) return []
      return [{ ...row, contractEndMonth: month, noticeDay: renewalNoticeDay(month, renewalNoticeDays) }]
    })
    .slice(0, MAX_NAMED)
}

async function notify(
  dependencies: RenewalDependencies,
  tx: Transaction,
  due: readonly DueAgreement[],
  now: Date,
): Promise<void> {
  const { jobs, webOrigin } = dependencies
  const subject =
    due.length === 1 && due[0]
      ? `【契約更新の確認】「${due[0].name}」の契約が終了します`
      : `【契約更新の確認】${due.length}件の契約が終了します`
  const path = due.length === 1 && due[0] ? agreementEditPath(String(due[0].id)) : '/managements/agreements'
  const lines = due.map(line)
  const paragraphs = [
    '次の契約の終了が近づいています。更新するか終了するかを確認し、更新する場合は契約終了月を変更してください。',
    lines.join('\n'),
    'このお知らせは、契約終了月ごとに一度だけお送りします。',
  ]
  for (const to of addressesOf(await peopleWithRoles(tx, PARTNER_MANAGERS).execute())) {
    const action = { label: '契約を開く', url: `${webOrigin}/gpc/#${path}` }
    await jobs.enqueue(tx, MAIL_JOB, renderEmail({ to, subject, paragraphs, action }))
  }
  const lastDay = due
    .map(one => lastDayOf(one.contractEndMonth))
    .toSorted()
    .at(-1)
  await dependencies.announce(tx, {
    roles: PARTNER_MANAGERS,
    title: subject,
    body: `<p>${escaped(paragraphs[0] ?? '')}</p><ul>${lines.map(text => `<li>${escaped(text)}</li>`).join('')}</ul>`,
    startAt: now,
    endAt: new Date(`${lastDay}T23:59:59+09:00`),
  })
}

function line({ name, code, organizationName, contractEndMonth, noticeDay }: DueAgreement): string {
  const end = `${monthText(contractEndMonth)}末`
  return `${organizationName}「${name}」（${code}）：${end}で終了、更新の判断は${dayText(noticeDay)}から`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
