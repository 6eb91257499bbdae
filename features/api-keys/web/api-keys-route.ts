import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { apiKeyCondition } from '../api-key-condition.ts'
import { API_KEYS_PATH } from '../links.ts'

export const apiKeysRoute = defineRoute({
  path: API_KEYS_PATH,
  title: 'APIキー',
  help: 'api-keys.html',
  allow: { action: 'read:list', resource: 'insight:api_key.' },
  condition: apiKeyCondition,
  query: () => import('./api-keys-query.ts').then(module => module.apiKeysQuery),
  view: () => import('./api-keys-view.tsx').then(module => module.ApiKeysView),
})
