import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { STATEMENT_YEARS_PATH } from '../links.ts'
import { statementYearCondition } from '../statement-year-condition.ts'

export const statementYearsRoute = defineRoute({
  path: STATEMENT_YEARS_PATH,
  title: '支払の年間集計',
  help: { staff: 'statements.html#年間集計と支払調書', publisher: 'statements.html#1年分をまとめて見る' },
  allow: { action: 'read:list', resource: 'insight:statement.' },
  condition: statementYearCondition,
  view: () => import('./statement-years-view.tsx').then(module => module.StatementYearsView),
})
