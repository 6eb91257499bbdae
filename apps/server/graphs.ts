import { addAccessFields } from '@pc/features/access/server/access-fields.ts'
import type { AccountMailPort } from '@pc/features/access/server/account-mail-port.ts'
import { changeUser } from '@pc/features/access/server/change-user.ts'
import { countInvitation, inviteUser } from '@pc/features/access/server/invite-user.ts'
import { addDownloadNote } from '@pc/features/access/server/note-download.ts'
import { addAgreementFields } from '@pc/features/agreements/server/agreement-fields.ts'
import { addAnnotationFields } from '@pc/features/annotations/server/annotation-fields.ts'
import { addAnnouncementFields } from '@pc/features/announcements/server/announcement-fields.ts'
import { addApiKeyFields } from '@pc/features/api-keys/server/api-key-fields.ts'
import { addMediumArticleFields } from '@pc/features/articles/server/medium-article-fields.ts'
import { addBankAccountFields } from '@pc/features/bank-accounts/server/bank-account-fields.ts'
import { bankAccountTypes } from '@pc/features/bank-accounts/server/bank-account-graph.ts'
import { addBoardFields } from '@pc/features/boards/server/board-fields.ts'
import { addDutyFields } from '@pc/features/duties/server/duty-fields.ts'
import { addFeedFields } from '@pc/features/feeds/server/feed-fields.ts'
import { addFeedPreviewFields } from '@pc/features/feeds/server/feed-preview-fields.ts'
import { addStagingFields } from '@pc/features/feeds/server/staging-fields.ts'
import { lockStagingPublisher, markPublisherCopied } from '@pc/features/feeds/server/staging-store.ts'
import { addHistoryFields } from '@pc/features/history/server/history-fields.ts'
import { addImportFields } from '@pc/features/imports/server/import-fields.ts'
import type { ImportKind } from '@pc/features/imports/server/import-kind.ts'
import { addIngestHistoryFields } from '@pc/features/ingest/server/ingest-history-fields.ts'
import { addMediumFields } from '@pc/features/media/server/medium-fields.ts'
import { addPaymentSettingFields } from '@pc/features/payment-settings/server/payment-setting-fields.ts'
import { addCashForecastFields } from '@pc/features/payments/cash-forecast/server/cash-forecast-fields.ts'
import { readHolidayCalendar } from '@pc/features/payments/core/server/holiday-calendar.ts'
import { importHolidays } from '@pc/features/payments/core/server/import-holidays.ts'
import { addPaymentFields } from '@pc/features/payments/core/server/payment-fields.ts'
import { amountAtQuestion } from '@pc/features/payments/explain/server/amount-at-question.ts'
import { addBridgeFields } from '@pc/features/payments/explain/server/bridge-fields.ts'
import { addExplainFields } from '@pc/features/payments/explain/server/explain-fields.ts'
import { addPayoutMonthFields } from '@pc/features/payments/history/server/payout-month-fields.ts'
import { addPublisherPaymentFields } from '@pc/features/payments/history/server/publisher-payment-fields.ts'
import { addManualOperationFields } from '@pc/features/payments/manual-operations/server/manual-operation-fields.ts'
import { addCloseFields } from '@pc/features/payments/month-close/server/close-fields.ts'
import { addRegisterFields } from '@pc/features/payments/registrations/server/register-fields.ts'
import { addTransferGraph } from '@pc/features/payments/transfers/server/transfer-graph.ts'
import { addWhatIfFields } from '@pc/features/payments/what-if/server/what-if-fields.ts'
import { addPracticeFields } from '@pc/features/practice/server/practice-fields.ts'
import { addPreferenceFields } from '@pc/features/preferences/server/preference-fields.ts'
import { addPublisherFields } from '@pc/features/publishers/server/publisher-fields.ts'
import { addPublisherOptionFields, organizationType } from '@pc/features/publishers/server/publisher-option-fields.ts'
import { addStagingPublisherFields } from '@pc/features/publishers/server/staging-publisher-fields.ts'
import { addQuestionFields } from '@pc/features/questions/server/question-fields.ts'
import { readDailyRevenue } from '@pc/features/reports/core/server/daily-revenue.ts'
import { readFigureAtQuestion } from '@pc/features/reports/core/server/figure-at-question.ts'
import { addReportEmailFields } from '@pc/features/reports/report-emails/server/report-email-fields.ts'
import { addRetentionFields } from '@pc/features/retention/server/retention-fields.ts'
import { addScreenUseFields } from '@pc/features/retention/server/screen-use-fields.ts'
import { addSetupFields } from '@pc/features/setup/server/setup-fields.ts'
import { addStatementFields } from '@pc/features/statements/server/statement-fields.ts'
import { addPublisherUserFields } from '@pc/features/users/server/publisher-user-fields.ts'
import { addWebhookFields } from '@pc/features/webhooks/server/webhook-fields.ts'
import type { AnchorStore } from '@pc/platform/audit/anchor-store.ts'
import { verifyAuditChain } from '@pc/platform/audit/verify-audit-chain.ts'
import { verifySinceLast } from '@pc/platform/audit/verify-since-last.ts'
import type { Clock } from '@pc/platform/clock.ts'
import { finishGraph } from '@pc/platform/graphql/finish-graph.ts'
import { openGraph } from '@pc/platform/graphql/graph.ts'
import type { SafeFetch } from '@pc/platform/http/safe-fetch.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import type { DocumentUploads } from '@pc/platform/objects/document-uploads.ts'
import type { ImageUploads } from '@pc/platform/objects/image-uploads.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import type { Keyring } from '@pc/platform/secrets/keyring.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import type { GraphQLSchema } from 'graphql'
import { dutyCounts } from './duty-counts.ts'
import { describeFields } from './field-descriptions/describe-fields.ts'
import type { MoneyDependencies } from './money-dependencies.ts'
import { addReportFields } from './report-rooms.ts'
import { setupCounts } from './setup-counts.ts'

export interface InsightGraphDependencies {
  readonly database: Database
  readonly stats: StatsStore
  readonly clock: Clock
  readonly jobs: Jobs
  /** Fetches from the public internet only. */
  readonly safeFetch: SafeFetch
  readonly imageUploads: ImageUploads
  readonly documentUploads: DocumentUploads
  readonly mail: AccountMailPort
  readonly money: MoneyDependencies
  readonly importKinds: readonly ImportKind[]
  /** Undefined: no encryption key is configured. */
  readonly keyring: Keyring | undefined
  /** Origin of the console, for links in mails. */
  readonly webOrigin: string
  /** Public origin of the insight API, shown to people who write programs. */
  readonly insightApiOrigin: string
}

/** The insight API: what publishers and staff read and manage. */
export function insightSchema(dependencies: InsightGraphDependencies): GraphQLSchema {
  const { database, stats, clock, jobs, safeFetch, imageUploads, documentUploads, mail, money, webOrigin } =
    dependencies
  const apiOrigin = dependencies.insightApiOrigin
  const { keyring } = dependencies
  const graph = openGraph()
  graph.queryType({})
  graph.mutationType({})
  const Organization = organizationType(graph)
  const accounts = bankAccountTypes(graph, { database, clock, Organization })
  const { BankAccount, findBankAccounts } = accounts
  addBankAccountFields(graph, accounts, { database, jobs, clock })
  const agreements = addAgreementFields(graph, {
    ...{ database, clock, documentUploads, Organization, BankAccount, findBankAccounts },
  })
  addMediumFields(graph, { database, clock })
  addPublisherOptionFields(graph, { database, Organization })
  const publishers = addPublisherFields(graph, { database, clock, Organization, ...agreements })
  addStagingPublisherFields(graph, {
    database,
    clock,
    ...publishers,
    staging: { lock: lockStagingPublisher, markCopied: markPublisherCopied },
  })
  addHistoryFields(graph, { database })
  addDownloadNote(graph, { database })
  const feedTypes = addFeedFields(graph, {
    database,
    clock,
    ...publishers,
    readDailyRevenue: (reader, scope, requested) => readDailyRevenue({ stats, reader }, scope, requested),
  })
  addStagingFields(graph, { database, types: feedTypes })
  addFeedPreviewFields(graph, { database, safeFetch, imageUploads, ...feedTypes })
  addMediumArticleFields(graph, { database, clock })
  addAnnouncementFields(graph, { database, clock })
  addBoardFields(graph, { database, clock })
  addAnnotationFields(graph, { database, clock })
  const { enums: reportEnums } = addReportFields(graph, { database, stats, clock })
  addReportEmailFields(graph, { database, stats, clock, jobs, readHolidayCalendar }, reportEnums)
  addPreferenceFields(graph, { database })
  const { MonthlyPayment, PaymentActionTypeEnum } = addPaymentFields(graph, { database, clock: money.payments.clock })
  addStatementFields(graph, { ...money.statements, MonthlyPayment })
  addPublisherPaymentFields(graph, { database, clock: money.payments.clock, PaymentActionTypeEnum })
  addPayoutMonthFields(graph, { database })
  addExplainFields(graph, { database, stats })
  addBridgeFields(graph, { database, stats })
  addManualOperationFields(graph, money)
  addCloseFields(graph, money.payments)
  addRegisterFields(graph, money.payments)
  addIngestHistoryFields(graph, { database })
  addImportFields(graph, { database, clock, kinds: dependencies.importKinds })
  addCashForecastFields(graph, money.payments)
  addWhatIfFields(graph, { database, stats })
  addPracticeFields(graph, { database })
  addRetentionFields(graph, { database, clock })
  addScreenUseFields(graph, database)
  addPaymentSettingFields(graph, { database, clock, importHolidays })
  addTransferGraph(graph, money.payments)
  addQuestionFields(graph, {
    ...{ database, clock, jobs, webOrigin },
    readAmount: (viewer, requested) => amountAtQuestion({ database, stats }, viewer, requested),
    readFigure: (reader, scope, requested) => readFigureAtQuestion({ stats, reader }, scope, requested),
  })
  addDutyFields(graph, { database, countDuties: dutyCounts({ clock, booksClock: money.payments.clock }) })
  addSetupFields(graph, { database, countTasks: setupCounts({ clock, booksClock: money.payments.clock }) })
  addApiKeyFields(graph, { database, clock, jobs, webOrigin, apiOrigin })
  addWebhookFields(graph, { database, clock, jobs, keyring })
  addPublisherUserFields(graph, {
    database,
    countInvitation: (invitee, permit) => countInvitation(database, invitee, permit, mail),
    inviteUser: (invitee, write, attempt) => inviteUser(invitee, write, mail, attempt),
    changeUser: (uid, change, write) => changeUser(uid, change, write, mail, 'update'),
  })
  return described(finishGraph(graph))
}

function described(schema: GraphQLSchema): GraphQLSchema {
  describeFields(schema)
  return schema
}

export interface IamGraphDependencies {
  readonly database: Database
  readonly mail: AccountMailPort
  readonly clock: Clock
  /** Storage of the audit log's anchors. */
  readonly anchors: AnchorStore
}

/** The identity and access API. */
export function iamSchema({ database, mail, clock, anchors }: IamGraphDependencies): GraphQLSchema {
  const graph = openGraph()
  graph.queryType({})
  graph.mutationType({})
  const verifyAuditLog = verifySinceLast(after => verifyAuditChain(database, anchors, after), clock)
  addAccessFields(graph, { database, mail, verifyAuditLog })
  return described(finishGraph(graph))
}
