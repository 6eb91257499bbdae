import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { agreementCondition } from '../agreement-condition.ts'
import { AGREEMENTS_PATH } from '../links.ts'

export const agreementsRoute = defineRoute({
  path: AGREEMENTS_PATH,
  title: '契約',
  help: { staff: 'admin-guide.html#3-2-契約', publisher: 'publisher-guide.html#4-お支払い明細を確認する' },
  allow: { action: 'read:list', resource: 'insight:agreement.' },
  condition: agreementCondition,
  query: () => import('./agreements-query.ts').then(module => module.agreementsQuery),
  view: () => import('./agreements-view.tsx').then(module => module.AgreementsView),
})
