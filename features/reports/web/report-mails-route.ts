import { defineRoute } from '@pc/ui/define-route.ts'
import { REPORT_MAILS_PATH } from '../links.ts'
import { reportMailCondition } from '../report-mail-condition.ts'
import { ReportMailsDocument } from './report-mails.gen.ts'

export const reportMailsRoute = defineRoute({
  path: REPORT_MAILS_PATH,
  title: 'レポートメール',
  allow: { action: 'read:list', resource: 'insight:summary_stats.' },
  condition: reportMailCondition,
  query: { document: ReportMailsDocument, variables: () => ({}) },
  view: () => import('./report-mails-view.tsx').then(module => module.ReportMailsView),
})
