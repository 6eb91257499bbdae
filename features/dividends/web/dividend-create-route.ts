import { defineRoute } from '@pc/ui/define-route.ts'

export const dividendCreateRoute = defineRoute({
  path: '/adjustments/dividend/create/$id',
  title: '分配金調整の登録',
  allow: { action: 'write:create', resource: 'insight:dividend.' },
  view: () => import('./dividend-create-view.tsx').then(module => module.DividendCreateView),
})
