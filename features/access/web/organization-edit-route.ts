import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { ORGANIZATION_EDIT_PATH } from '../links.ts'
import { OrganizationEditDocument } from './organization-edit-iam.gen.ts'
import { organizationTitle } from './organization-title.ts'

export const organizationEditRoute = defineRoute({
  path: ORGANIZATION_EDIT_PATH,
  title: '組織の編集',
  titleFor: organizationTitle,
  allow: { action: 'read:list', resource: 'iam:org.' },
  query: {
    document: OrganizationEditDocument,
    api: 'iam',
    variables: (_condition, { ids }) => ({ id: ids.id ?? '' }),
  },
  view: () => import('./organization-edit-view.tsx').then(module => module.OrganizationEditView),
})
