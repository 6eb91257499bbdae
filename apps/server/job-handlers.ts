import { checkLawHandler } from '@pc/features/agreements/server/check-law-job.ts'
import { remindRenewalsHandler } from '@pc/features/agreements/server/remind-renewals-job.ts'
import { switchAgreementAccount } from '@pc/features/agreements/server/switch-agreement-account.ts'
import { announceToOrganization } from '@pc/features/announcements/server/announce-to-organization.ts'
import { announceToRoles } from '@pc/features/announcements/server/announce-to-roles.ts'
import { apiKeyNoticeHandler } from '@pc/features/api-keys/server/api-key-job.ts'
import { importBankMasterHandler } from '@pc/features/bank-accounts/server/import-bank-master-job.ts'
import { bankAccountNoticeHandler } from '@pc/features/bank-accounts/server/notify-bank-account-job.ts'
import { switchBankAccountsHandler } from '@pc/features/bank-accounts/server/switch-bank-accounts.ts'
import { feedCheckJobHandler } from '@pc/features/feeds/server/feed-check-job.ts'
import { forgetImportsHandler } from '@pc/features/imports/server/forget-imports-job.ts'
import { compactStatisticsHandler } from '@pc/features/ingest/server/publishing/compact-statistics-job.ts'
import { readHolidayCalendar } from '@pc/features/payments/core/server/holiday-calendar.ts'
import { manualOperationJobHandler } from '@pc/features/payments/manual-operations/server/manual-operation-job.ts'
import { settlementJobHandlers } from '@pc/features/payments/month-close/server/settlement-jobs.ts'
import { lateRevenueBreaches } from '@pc/features/payments/transfers/server/late-revenue.ts'
import { questionNoticeHandler } from '@pc/features/questions/server/question-notice-job.ts'
import { anomaliesHandler } from '@pc/features/reports/anomalies/server/anomalies-job.ts'
import { readAnomalyReason } from '@pc/features/reports/changes/server/change-texts.ts'
import { readDailyRevenue } from '@pc/features/reports/core/server/daily-revenue.ts'
import { reportEmailHandlers } from '@pc/features/reports/report-emails/server/report-email-jobs.ts'
import { retentionJobHandler } from '@pc/features/retention/server/retention-job.ts'
import { accountChangeMailHandler } from '@pc/features/sign-in/server/account-change-email.ts'
import { linkEmailJobHandler } from '@pc/features/sign-in/server/account-emails.ts'
import { peopleMailJobHandler } from '@pc/features/sign-in/server/people-email-job.ts'
import { sealSecretsHandler } from '@pc/features/sign-in/server/seal-secrets.ts'
import { statementJobHandlers } from '@pc/features/statements/server/statement-jobs.ts'
import { webhookHandlers } from '@pc/features/webhooks/server/webhook-jobs.ts'
import { anchorJobHandler } from '@pc/platform/audit/anchor-job.ts'
import { openAnchors } from '@pc/platform/audit/anchor-store.ts'
import type { Clock } from '@pc/platform/clock.ts'
import type { Config } from '@pc/platform/config.ts'
import { forgetKeysJobHandler } from '@pc/platform/graphql/forget-keys-job.ts'
import type { SafeFetch } from '@pc/platform/http/safe-fetch.ts'
import type { SafePost } from '@pc/platform/http/safe-post.ts'
import type { JobHandler } from '@pc/platform/jobs/job-kind.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import type { Log } from '@pc/platform/log.ts'
import { mailJobHandler } from '@pc/platform/mail/mail-job.ts'
import type { SendMail } from '@pc/platform/mail/send-mail.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import { mergeCountsJobHandler } from '@pc/platform/postgres/merge-counts-job.ts'
import type { SecretsAtRest } from '@pc/platform/secrets/secrets-at-rest.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import type { MoneyDependencies } from './money-dependencies.ts'
import { EMAILED_REPORTS } from './report-rooms.ts'

interface WorkerDependencies {
  readonly config: Config
  readonly log: Log
  readonly clock: Clock
  readonly database: Database
  readonly stats: StatsStore
  readonly jobs: Jobs
  readonly safeFetch: SafeFetch
  readonly safePost: SafePost
  readonly sendMail: SendMail
  readonly money: MoneyDependencies
  readonly atRest: SecretsAtRest
  /** With demonstration data: whether this system serves the feeds of a (reserved) host name itself. */
  readonly servesFeedsOf?: ((host: string) => boolean) | undefined
}

/** The handlers of all job kinds; the order has no meaning. */
export function jobHandlers(dependencies: WorkerDependencies): readonly JobHandler[] {
  const { config, clock, database, stats, jobs, safeFetch, safePost, sendMail, log, money, atRest } = dependencies
  return [
    mailJobHandler(sendMail),
    peopleMailJobHandler({ database, sendMail, ...config }),
    accountChangeMailHandler({ database, sendMail, webOrigin: config.webOrigin }),
    linkEmailJobHandler({ database, sendMail, ...config }),
    anchorJobHandler(database, openAnchors(config)),
    forgetKeysJobHandler(database),
    forgetImportsHandler(database, clock),
    mergeCountsJobHandler(database),
    retentionJobHandler(database, clock, log),
    importBankMasterHandler(database),
    bankAccountNoticeHandler(database, jobs, config.webOrigin),
    switchBankAccountsHandler({ database, jobs, clock, switchAgreement: switchAgreementAccount }, log),
    checkLawHandler({
      database,
      clock,
      jobs,
      webOrigin: config.webOrigin,
      readHolidayCalendar,
      readLateRevenue: lateRevenueBreaches,
    }),
    remindRenewalsHandler({ database, clock, jobs, webOrigin: config.webOrigin, announce: announceToRoles }),
    feedCheckJobHandler({
      clock,
      database,
      jobs,
      safeFetch,
      webOrigin: config.webOrigin,
      servesFeedsOf: dependencies.servesFeedsOf,
      readDailyRevenue: (reader, scope, requested) => readDailyRevenue({ stats, reader }, scope, requested),
    }),
    compactStatisticsHandler(stats, clock, log),
    anomaliesHandler({ clock, database, stats, jobs, webOrigin: config.webOrigin, readReason: readAnomalyReason }, log),
    questionNoticeHandler({ database, jobs, webOrigin: config.webOrigin }),
    ...reportEmailHandlers({
      ...{ clock, database, stats, jobs, sendMail, readHolidayCalendar, webOrigin: config.webOrigin },
      reports: EMAILED_REPORTS,
    }),
    manualOperationJobHandler(money.manualOperations, log),
    ...settlementJobHandlers(money.payments, log),
    ...statementJobHandlers(money.statements, log),
    apiKeyNoticeHandler({ clock, database, jobs, webOrigin: config.webOrigin, announce: announceToOrganization }),
    ...webhookHandlers({ clock, database, jobs, safePost, keyring: atRest.keyring, webOrigin: config.webOrigin }),
    sealSecretsHandler({ clock, database, atRest }),
  ]
}
