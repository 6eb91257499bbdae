import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { INVITATIONS_PATH } from '../links.ts'
import { type InvitationCondition, invitationCondition, USER_PAGE_SIZE } from '../user-condition.ts'
import { UsersDocument } from './users-iam.gen.ts'

/** Invitations that have not been accepted yet. */
export const invitationsRoute = defineRoute({
  path: INVITATIONS_PATH,
  title: '招待',
  help: { staff: 'admin-guide.html#6-1-招待とロール', publisher: 'faq.html#担当者を追加したいです' },
  allow: { action: 'read:list', resource: 'iam:user.' },
  condition: invitationCondition,
  query: {
    document: UsersDocument,
    api: 'iam',
    variables: ({ q, state, page }: InvitationCondition) => ({
      q: q === '' ? null : q,
      invitation: state,
      limit: USER_PAGE_SIZE,
      offset: (page - 1) * USER_PAGE_SIZE,
    }),
  },
  view: () => import('./invitations-view.tsx').then(module => module.InvitationsView),
})
