import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { PAYMENTS_BY_PUBLISHER_PATH } from '../../links.ts'
import { publisherPaymentCondition } from '../../payment-condition.ts'

export const paymentsByPublisherRoute = defineRoute({
  path: PAYMENTS_BY_PUBLISHER_PATH,
  title: 'パブリッシャー別の支払',
  help: { staff: 'admin-guide.html#支払の一覧の表示項目', publisher: 'publisher-guide.html#4-お支払い明細を確認する' },
  allow: { action: 'read:list', resource: 'insight:monthly_publisher_payment.' },
  condition: publisherPaymentCondition,
  query: () => import('./publisher-payments-query.ts').then(module => module.publisherPaymentsQuery),
  view: () => import('./payments-by-publisher-view.tsx').then(module => module.PaymentsByPublisherView),
})
