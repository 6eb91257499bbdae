import { bankAccountNoticeHandler } from '@pc/features/bank-accounts/server/notify-bank-account-job.ts'
import { anchorJobHandler } from '@pc/platform/audit/anchor-job.ts'
import type { Config } from '@pc/platform/config.ts'
import { forgetKeysJobHandler } from '@pc/platform/graphql/forget-keys-job.ts'
import type { JobHandler } from '@pc/platform/jobs/job-kind.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import type { Log } from '@pc/platform/log.ts'
import { mailJobHandler } from '@pc/platform/mail/mail-job.ts'
import type { SendMail } from '@pc/platform/mail/send-mail.ts'
import type { Database } from '@pc/platform/postgres/database.ts'

interface WorkerParts {
  readonly config: Config
  readonly log: Log
  readonly database: Database
  readonly jobs: Jobs
  readonly sendMail: SendMail
}

/** Every kind of job and who does it; a feature adds its own in a line. */
export function jobHandlers({ config, database, jobs, sendMail }: WorkerParts): readonly JobHandler[] {
  return [
    mailJobHandler(sendMail),
    anchorJobHandler(database, config.dataDir),
    forgetKeysJobHandler(database),
    bankAccountNoticeHandler(database, jobs, config.webOrigin),
  ]
}
