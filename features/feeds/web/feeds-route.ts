import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { feedCondition } from '../feed-condition.ts'
import { FEED_CREATE_PATH, FEED_FROM_STAGING_PATH, FEEDS_PATH, feedEditPath } from '../links.ts'
import { feedTitle } from './feed-title.ts'

const CREATE = { action: 'write:create', resource: 'insight:feed.' } as const

export const feedsRoute = defineRoute({
  path: FEEDS_PATH,
  title: 'フィード',
  help: { staff: 'admin-guide.html#3-3-パブリッシャーとフィード', publisher: 'feed-specification.html' },
  allow: { action: 'read:list', resource: 'insight:feed.' },
  condition: feedCondition,
  query: () => import('./feeds-query.ts').then(module => module.feedsQuery),
  view: () => import('./feeds-view.tsx').then(module => module.FeedsView),
})

export const feedCreateRoute = defineRoute({
  path: FEED_CREATE_PATH,
  title: 'フィードの登録',
  allow: CREATE,
  view: () => import('./feed-create-view.tsx').then(module => module.FeedCreateView),
})

export const feedFromStagingRoute = defineRoute({
  path: FEED_FROM_STAGING_PATH,
  title: '取り込み待ちのフィードから登録',
  allow: CREATE,
  view: () => import('./feed-from-staging-view.tsx').then(module => module.FeedFromStagingView),
})

export const feedEditRoute = defineRoute({
  path: feedEditPath('$id'),
  title: 'フィードの編集',
  titleFor: feedTitle,
  allow: { action: 'read:show', resource: 'insight:feed.' },
  query: () => import('./feeds-query.ts').then(module => module.feedEditQuery),
  view: () => import('./feed-edit-view.tsx').then(module => module.FeedEditView),
})
