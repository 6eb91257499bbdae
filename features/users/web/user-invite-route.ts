import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { USER_INVITE_PATH } from '../links.ts'

export const userInviteRoute = defineRoute({
  path: USER_INVITE_PATH,
  title: 'ユーザーを招待',
  allow: { action: 'write:create', resource: 'iam:user.' },
  view: () => import('./user-invite-view.tsx').then(module => module.UserInviteView),
})
