import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { PUBLISHER_CREATE_PATH, PUBLISHER_FROM_STAGING_PATH } from '../links.ts'

const ALLOW = { action: 'write:create', resource: 'insight:publisher.' } as const

export const publisherCreateRoute = defineRoute({
  path: PUBLISHER_CREATE_PATH,
  title: 'パブリッシャーの登録',
  allow: ALLOW,
  view: () => import('./publisher-create-view.tsx').then(module => module.PublisherCreateView),
})

export const publisherFromStagingRoute = defineRoute({
  path: PUBLISHER_FROM_STAGING_PATH,
  title: '取り込み待ちから登録',
  allow: ALLOW,
  view: () => import('./publisher-from-staging-view.tsx').then(module => module.PublisherFromStagingView),
})
