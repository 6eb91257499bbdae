import { defineRoute } from '@pc/ui/define-route.ts'
import { REPORT_MAILS_PATH } from '../links.ts'
import { reportMailCondition } from '../report-mail-condition.ts'

export const reportMailsRoute = defineRoute({
  path: REPORT_MAILS_PATH,
  title: 'レポートメール',
  allow: { action: 'read:list', resource: 'insight:summary_stats.' },
  isOwn: true,
  condition: reportMailCondition,
  query: async () => ({ document: (await import('./report-mails.gen.ts')).ReportMailsDocument, variables: () => ({}) }),
  view: () => import('./report-mails-view.tsx').then(module => module.ReportMailsView),
})
