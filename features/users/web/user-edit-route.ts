import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { USER_EDIT_PATH } from '../links.ts'
import { userTitle } from './user-title.ts'

export const userEditRoute = defineRoute({
  path: USER_EDIT_PATH,
  title: 'ユーザーの編集',
  titleFor: userTitle,
  allow: { action: 'read:list', resource: 'iam:user.' },
  query: async () => ({
    document: (await import('./user-edit-iam.gen.ts')).UserEditDocument,
    api: 'iam',
    variables: (_condition: object, { ids }) => ({ userID: ids.userID ?? '' }),
  }),
  view: () => import('./user-edit-view.tsx').then(module => module.UserEditView),
})
