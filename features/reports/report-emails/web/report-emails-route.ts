import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { REPORT_MAILS_PATH } from '../../links.ts'
import { reportMailCondition } from '../../report-email-condition.ts'

export const reportMailsRoute = defineRoute({
  path: REPORT_MAILS_PATH,
  title: 'レポートメール',
  allow: { action: 'read:list', resource: 'insight:summary_stats.' },
  isOwn: true,
  condition: reportMailCondition,
  query: async () => ({
    document: (await import('./report-emails.gen.ts')).ReportMailsDocument,
    variables: () => ({}),
  }),
  view: () => import('./report-emails-view.tsx').then(module => module.ReportMailsView),
})
