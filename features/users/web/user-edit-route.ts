import { defineRoute } from '@pc/ui/define-route.ts'
import { USER_EDIT_PATH } from '../links.ts'
import { UserEditDocument } from './user-edit-iam.gen.ts'

export const userEditRoute = defineRoute({
  path: USER_EDIT_PATH,
  title: 'ユーザーの編集',
  allow: { action: 'read:list', resource: 'iam:user.' },
  query: {
    document: UserEditDocument,
    api: 'iam',
    variables: (_condition, { ids }) => ({ userID: ids.userID ?? '' }),
  },
  view: () => import('./user-edit-view.tsx').then(module => module.UserEditView),
})
