import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { RETENTION_PATH } from '../links.ts'

export const retentionRoute = defineRoute({
  path: RETENTION_PATH,
  title: '保存期間と保全',
  help: 'admin-guide.html#7-4-保存期間と保全',
  allow: { action: 'read:list', resource: 'insight:legal_hold.' },
  query: () => import('./retention-query.ts').then(module => module.retentionQuery),
  view: () => import('./retention-view.tsx').then(module => module.RetentionView),
})
