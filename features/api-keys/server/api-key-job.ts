import { API_KEY_BOUNDS, isApiKeyScope } from '@pc/domain/api-key/api-key.ts'
import type { Clock } from '@pc/platform/clock.ts'
import { defineJob, handleJob, type JobHandler } from '@pc/platform/jobs/job-kind.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import { MAIL_JOB } from '@pc/platform/mail/mail-job.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { ENDING_TEXT, endingTitle, expiryEmail } from './api-key-emails.ts'
import { IS_MAKER_ENTITLED, keepersOf } from './api-key-store.ts'

export interface ApiKeyNoticeDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly jobs: Jobs
  readonly webOrigin: string
  /** Publishes an announcement to an organisation. */
  readonly announce: (
    tx: Transaction,
    announcement: {
      readonly organizationId: bigint
      readonly title: string
      readonly body: string
      readonly startAt: Date
      readonly endAt: Date
    },
  ) => Promise<void>
}

/** Before the working day begins. */
const NOTICE_JOB = defineJob('api-key-notices', { cron: '20 7 * * *', onePerKey: true })
const DAY_MS = 86_400_000
/** Keys of one run; the others follow in the next one. */
const MAX_KEYS = 500

export function apiKeyNoticeHandler(dependencies: ApiKeyNoticeDependencies): JobHandler {
  return handleJob(NOTICE_JOB, async () => {
    await notifyOfExpiringKeys(dependencies)
  })
}

/**
 * Notifies an organisation, once for each key, that the key expires soon: an email to everybody who manages its keys,
 * and an announcement. The same transaction records the notice. Keys that are valid for a month get one as well.
 * Tested by `features/api-keys/server/api-keys.test.ts`.
 * @returns the number of keys
 */
export async function notifyOfExpiringKeys({ database, clock, jobs, webOrigin, announce }: ApiKeyNoticeDependencies) {
  return database.inScope(SYSTEM, async tx => {
    const now = new Date(clock.now())
    const ending = await tx
      .selectFrom('publisherApiKeys as k')
      .leftJoin('users as m', 'm.uid', 'k.createdByUid')
      .select(['k.id', 'k.organizationId', 'k.name', 'k.secretEnd', 'k.scopes', 'k.expiresAt', 'k.allowedAddresses'])
      .select('m.email as createdByEmail')
      .where('k.revokedAt', 'is', null)
      .where('k.endNoticedAt', 'is', null)
      .where('k.expiresAt', '>', now)
      .where('k.expiresAt', '<=', new Date(now.getTime() + API_KEY_BOUNDS.noticeDays * DAY_MS))
      .where(IS_MAKER_ENTITLED)
      .orderBy('k.expiresAt')
      .limit(MAX_KEYS)
      .forUpdate('k')
      .skipLocked()
      .execute()
    for (const row of ending) {
      const key = { ...row, scopes: row.scopes.filter(isApiKeyScope) }
      await tx.updateTable('publisherApiKeys').set({ endNoticedAt: now }).where('id', '=', row.id).execute()
      for (const to of await keepersOf(tx, row.organizationId))
        await jobs.enqueue(tx, MAIL_JOB, expiryEmail(to, key, webOrigin))
      await announce(tx, {
        organizationId: row.organizationId,
        title: endingTitle(key),
        body: `<p>${ENDING_TEXT}</p>`,
        startAt: now,
        endAt: row.expiresAt,
      })
    }
    return ending.length
  })
}
