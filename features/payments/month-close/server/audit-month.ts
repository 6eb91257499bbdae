import { rolesOf } from '@pc/domain/access/role-duties.ts'
import { formatYearMonth } from '@pc/domain/month/year-month.ts'
import type { Violation } from '@pc/domain/settlement/violation.ts'
import type { Clock } from '@pc/platform/clock.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import { MAIL_JOB } from '@pc/platform/mail/mail-job.ts'
import { renderEmail } from '@pc/platform/mail/render-email.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import { logClose } from '../../core/server/close-log.ts'
import { type MonthKey, monthName } from '../../core/server/month-key.ts'
import { type AuditOccasion, keepAudit } from './audit-results.ts'
import { checkMonth } from './prepare-close.ts'

export interface AuditDependencies {
  readonly database: Database
  readonly stats: StatsStore
  readonly clock: Clock
  readonly jobs: Jobs
  /** Origin of the console, for the link in the email. */
  readonly webOrigin: string
}

/**
 * Checks a month's invariants, stores the result, and notifies administrators by email of new violations. It runs as
 * SYSTEM, because it reads every organisation's rows; the API returns violations to staff only.
 * Tested by `scenarios/violated-draft.test.ts`.
 */
export async function auditMonth(
  dependencies: AuditDependencies,
  key: MonthKey,
  occasion: AuditOccasion,
  actorUid: string | null = null,
): Promise<readonly Violation[]> {
  const { database, clock } = dependencies
  const { violations, dataVersion = null } = await checkMonth(dependencies, key, 'audit')
  // Stored in a second transaction, because the one that checks is read-only.
  await database.inScope(SYSTEM, async tx => {
    const at = new Date(clock.now())
    const { isNew } = await keepAudit(tx, { ...key, at, occasion, dataVersion, violations })
    if (violations.length > 0 || occasion === 'demand') {
      await logClose(tx, { ...key, at, actorUid, action: 'audited', detail: `不一致 ${violations.length} 件` })
    }
    if (isNew) await notifyAdministrators(tx, dependencies, key, violations)
  })
  return violations
}

const MAX_NAMED = 10

async function notifyAdministrators(
  tx: Transaction,
  { jobs, webOrigin }: AuditDependencies,
  key: MonthKey,
  violations: readonly Violation[],
): Promise<void> {
  const administrators = await tx
    .selectFrom('users as u')
    .innerJoin('userRoles as r', 'r.uid', 'u.uid')
    .select('u.email')
    .distinct()
    .where('r.roleName', 'in', [...rolesOf('staff', 'administers')])
    .where('u.enabled', '=', true)
    .execute()
  const lines = violations.slice(0, MAX_NAMED).map(each => `${each.invariant} ${each.row}：${each.detail}`)
  for (const { email } of administrators) {
    const mail = renderEmail({
      to: email,
      subject: `自動検査で不一致が見つかりました（${monthName(key)}）`,
      paragraphs: [
        `${monthName(key)} の自動検査で${violations.length}件の不一致が見つかりました。解消するまで、この月は確定できません。`,
        lines.join('\n'),
      ],
      action: {
        label: '締めの状況を開く',
        url: `${webOrigin}/gpc/#/adjustments/dividend/month=${formatYearMonth(key.month)}`,
      },
    })
    await jobs.enqueue(tx, MAIL_JOB, mail)
  }
}
