import { defineJob, handleJob, type JobHandler } from '@pc/platform/jobs/job-kind.ts'
import type { Log } from '@pc/platform/log.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { autoConfirmStatements } from './auto-confirm-statements.ts'
import { issueWaitingStatements } from './issue-statements.ts'
import { STATEMENT_NOTICE_JOB } from './notice-job-kind.ts'
import { notifyStatements, unnotifiedStatements } from './notify-statements.ts'
import type { StatementDependencies } from './statement-dependencies.ts'

/** At the beginning of each day, and again in the morning in case the first run failed. */
const AUTO_CONFIRM_JOB = defineJob<Readonly<Record<string, never>>>('deem-statements', {
  cron: '10 0,6 * * *',
  onePerKey: true,
})

/** The jobs of statements: automatic confirmation, issue of waiting statements, and notifications. */
export function statementJobHandlers(dependencies: StatementDependencies, log: Log): readonly JobHandler[] {
  return [
    handleJob(AUTO_CONFIRM_JOB, async (_data, job) => {
      const unnotified = await unnotifiedStatements(dependencies.database)
      if (unnotified.length > 0) await notifyStatements(dependencies, unnotified)
      const deemed = await autoConfirmStatements(dependencies.database, dependencies.clock, job.signal)
      const issued = await dependencies.database.inScope(SYSTEM, tx =>
        issueWaitingStatements(tx, dependencies, undefined, null),
      )
      const count = issued.ok ? issued.value.length : 0
      if (deemed > 0 || count > 0) log.info({ deemed, issued: count }, 'statements were confirmed by silence or issued')
    }),
    handleJob(STATEMENT_NOTICE_JOB, ({ statementIds }) => notifyStatements(dependencies, statementIds.map(BigInt))),
  ]
}
