import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { PAYMENTS_BY_AGREEMENT_PATH } from '../../links.ts'
import { paymentCondition } from '../../payment-condition.ts'

export const paymentsByAgreementRoute = defineRoute({
  path: PAYMENTS_BY_AGREEMENT_PATH,
  title: '契約別の支払',
  help: { staff: 'admin-guide.html#支払の一覧の表示項目', publisher: 'publisher-guide.html#4-お支払い明細を確認する' },
  allow: { action: 'read:list', resource: 'insight:monthly_payment.' },
  condition: paymentCondition,
  query: () => import('./payments-query.ts').then(module => module.paymentsQuery),
  view: () => import('./payments-by-agreement-view.tsx').then(module => module.PaymentsByAgreementView),
})
