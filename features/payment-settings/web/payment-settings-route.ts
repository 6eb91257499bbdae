import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { PAYMENT_SETTINGS_PATH } from '../links.ts'

export const paymentSettingsRoute = defineRoute({
  path: PAYMENT_SETTINGS_PATH,
  title: '支払設定',
  help: 'admin-guide.html#支払設定',
  allow: { action: 'read:list', resource: 'insight:dividend.' },
  query: () => import('./payment-settings-query.ts').then(module => module.paymentSettingsQuery),
  view: () => import('./payment-settings-view.tsx').then(module => module.PaymentSettingsView),
})
