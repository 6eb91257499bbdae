import { agreementCreateRoute } from '@pc/features/agreements/web/agreement-create-route.ts'
import { agreementEditRoute } from '@pc/features/agreements/web/agreement-edit-route.ts'
import { agreementsRoute } from '@pc/features/agreements/web/agreements-route.ts'
import {
  announcementCreateRoute,
  announcementEditRoute,
  announcementRoute,
  announcementsRoute,
} from '@pc/features/announcements/web/announcements-route.ts'
import { apiKeysRoute } from '@pc/features/api-keys/web/api-keys-route.ts'
import { articlesRoute } from '@pc/features/articles/web/articles-route.ts'
import { bankAccountCreateRoute, bankAccountsRoute } from '@pc/features/bank-accounts/web/bank-accounts-route.ts'
import { boardsRoute } from '@pc/features/boards/web/boards-route.ts'
import { feedCreateRoute, feedEditRoute, feedFromStagingRoute, feedsRoute } from '@pc/features/feeds/web/feeds-route.ts'
import { importsRoute } from '@pc/features/imports/web/imports-route.ts'
import { ingestBatchesRoute, ingestBatchRoute } from '@pc/features/ingest/web/ingest-batches-route.ts'
import { mediaRoute } from '@pc/features/media/web/media-route.ts'
import { mediumCreateRoute } from '@pc/features/media/web/medium-create-route.ts'
import { mediumEditRoute } from '@pc/features/media/web/medium-edit-route.ts'
import { paymentSettingsRoute } from '@pc/features/payment-settings/web/payment-settings-route.ts'
import { cashForecastRoute } from '@pc/features/payments/cash-forecast/web/cash-forecast-route.ts'
import { paymentsByAgreementRoute } from '@pc/features/payments/history/web/payments-by-agreement-route.ts'
import { paymentsByPublisherRoute } from '@pc/features/payments/history/web/payments-by-publisher-route.ts'
import { paymentsForPublishersRoute } from '@pc/features/payments/history/web/payments-for-publishers-route.ts'
import { manualOperationCreateRoute } from '@pc/features/payments/manual-operations/web/manual-operation-create-route.ts'
import { monthCloseRoute } from '@pc/features/payments/month-close/web/month-close-route.ts'
import { registrationsRoute } from '@pc/features/payments/registrations/web/registrations-route.ts'
import { transferBatchRoute, transfersRoute } from '@pc/features/payments/transfers/web/transfers-route.ts'
import { whatIfRoute } from '@pc/features/payments/what-if/web/what-if-route.ts'
import { practiceRoute } from '@pc/features/practice/web/practice-route.ts'
import { publisherCreateRoute, publisherFromStagingRoute } from '@pc/features/publishers/web/publisher-create-route.ts'
import { publisherEditRoute } from '@pc/features/publishers/web/publisher-edit-route.ts'
import { publishersRoute } from '@pc/features/publishers/web/publishers-route.ts'
import { questionsRoute } from '@pc/features/questions/web/questions-route.ts'
import { articleReportRoute } from '@pc/features/reports/contents/web/article-report-route.ts'
import { articlesReportRoute } from '@pc/features/reports/contents/web/articles-report-route.ts'
import { videoReportRoute } from '@pc/features/reports/contents/web/video-report-route.ts'
import { videosReportRoute } from '@pc/features/reports/contents/web/videos-report-route.ts'
import { dashboardRoute } from '@pc/features/reports/dashboard/web/dashboard-route.ts'
import { feeFairnessRoute } from '@pc/features/reports/fairness/web/fee-fairness-route.ts'
import { DASHBOARD_PATH } from '@pc/features/reports/links.ts'
import { publisherRankingRoute } from '@pc/features/reports/ranking/web/publisher-ranking-route.ts'
import { reportEmailsRoute } from '@pc/features/reports/report-emails/web/report-emails-route.ts'
import { retentionRoute } from '@pc/features/retention/web/retention-route.ts'
import { statementYearsRoute } from '@pc/features/statements/web/statement-years-route.ts'
import { statementsRoute } from '@pc/features/statements/web/statements-route.ts'
import { userEditRoute } from '@pc/features/users/web/user-edit-route.ts'
import { userInviteRoute } from '@pc/features/users/web/user-invite-route.ts'
import { usersRoute } from '@pc/features/users/web/users-route.ts'
import { webhooksRoute } from '@pc/features/webhooks/web/webhooks-route.ts'
import type { Screen } from '@pc/ui/routing/define-route.ts'

/** Every screen of the console. A menu item is shown only if its screen is listed here. */
export const SCREENS: readonly Screen[] = [
  dashboardRoute(() => import('./home-bundle.ts').then(module => module.homeBundle)),
  publisherRankingRoute,
  feeFairnessRoute,
  articlesReportRoute,
  articleReportRoute,
  videosReportRoute,
  videoReportRoute,
  reportEmailsRoute,
  ingestBatchesRoute,
  ingestBatchRoute,
  importsRoute,
  boardsRoute,
  agreementsRoute,
  agreementCreateRoute,
  agreementEditRoute,
  mediaRoute,
  mediumCreateRoute,
  mediumEditRoute,
  publishersRoute,
  publisherCreateRoute,
  publisherFromStagingRoute,
  publisherEditRoute,
  feedsRoute,
  feedCreateRoute,
  feedFromStagingRoute,
  feedEditRoute,
  articlesRoute,
  paymentsByAgreementRoute,
  paymentsByPublisherRoute,
  paymentsForPublishersRoute,
  registrationsRoute,
  cashForecastRoute,
  statementYearsRoute,
  statementsRoute,
  questionsRoute,
  monthCloseRoute,
  manualOperationCreateRoute,
  transfersRoute,
  transferBatchRoute,
  whatIfRoute,
  practiceRoute,
  paymentSettingsRoute,
  retentionRoute,
  usersRoute,
  userInviteRoute,
  userEditRoute,
  webhooksRoute,
  apiKeysRoute,
  bankAccountsRoute,
  bankAccountCreateRoute,
  announcementsRoute,
  announcementCreateRoute,
  announcementEditRoute,
  announcementRoute,
]

/** The start screen until the viewer is known; afterwards `homeOf` in `menu.ts` decides. */
export const HOME = DASHBOARD_PATH
