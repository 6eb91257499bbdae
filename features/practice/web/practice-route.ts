import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { PRACTICE_PATH } from '../links.ts'
import { practiceCondition } from '../practice-condition.ts'

export const practiceRoute = defineRoute({
  path: PRACTICE_PATH,
  title: '練習の結果',
  help: 'admin-guide.html#7-3-月次の締めの練習',
  // The right to the amounts of every payee, as `practice-fields.ts` asks.
  allow: { action: 'read:list', resource: 'insight:revenue_detail.' },
  condition: practiceCondition,
  query: () => import('./practice-query.ts').then(module => module.practiceQuery),
  view: () => import('./practice-view.tsx').then(module => module.PracticeView),
})
