import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { WEBHOOKS_PATH } from '../links.ts'

export const webhooksRoute = defineRoute({
  path: WEBHOOKS_PATH,
  title: 'Webhook',
  help: 'webhooks.html',
  allow: { action: 'read:list', resource: 'insight:webhook.' },
  query: async () => ({ document: (await import('./webhooks.gen.ts')).WebhooksDocument, variables: () => ({}) }),
  view: () => import('./webhooks-view.tsx').then(module => module.WebhooksView),
})
