import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { REPORT_EMAILS_PATH } from '../../links.ts'
import { reportEmailCondition } from '../../report-email-condition.ts'

export const reportEmailsRoute = defineRoute({
  path: REPORT_EMAILS_PATH,
  title: 'レポートメール',
  help: 'faq.html#数値を毎日メールで受け取れますか',
  allow: { action: 'read:list', resource: 'insight:summary_stats.' },
  isOwn: true,
  condition: reportEmailCondition,
  query: async () => ({
    document: (await import('./report-emails.gen.ts')).ReportMailsDocument,
    variables: () => ({}),
  }),
  view: () => import('./report-emails-view.tsx').then(module => module.ReportEmailsView),
})
