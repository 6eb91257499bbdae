import { defineRoute } from '@pc/ui/define-route.ts'
import { agreementCondition } from '../agreement-condition.ts'
import { AGREEMENTS_PATH } from '../links.ts'
import { agreementsQuery } from './agreements-query.ts'

export const agreementsRoute = defineRoute({
  path: AGREEMENTS_PATH,
  title: '契約',
  allow: { action: 'read:list', resource: 'insight:agreement.' },
  condition: agreementCondition,
  query: agreementsQuery,
  view: () => import('./agreements-view.tsx').then(module => module.AgreementsView),
})
