import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { USERS_PATH } from '../links.ts'
import { USER_PAGE_SIZE, type UserCondition, userCondition } from '../user-condition.ts'

/** The people that the viewer may see: everybody, or those of the viewer's organisation. */
export const usersRoute = defineRoute({
  path: USERS_PATH,
  title: 'ユーザー管理',
  help: { staff: 'admin-guide.html#6-1-招待とロール', publisher: 'faq.html#担当者を追加したいです' },
  allow: { action: 'read:list', resource: 'iam:user.' },
  condition: userCondition,
  query: async () => ({
    document: (await import('./users-iam.gen.ts')).UsersDocument,
    api: 'iam',
    variables: ({ q, organizationId, role, state, sort, page }: UserCondition) => ({
      q: q === '' ? null : q,
      organizationId: organizationId ?? null,
      role: role === 'all' ? null : role,
      enabled: state === 'all' ? null : state === 'enabled',
      orderBy: sort,
      limit: USER_PAGE_SIZE,
      offset: (page - 1) * USER_PAGE_SIZE,
    }),
  }),
  view: () => import('./users-view.tsx').then(module => module.UsersView),
})
