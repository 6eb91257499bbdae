import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { ORGANIZATIONS_PATH } from '../links.ts'
import { ORGANIZATION_PAGE_SIZE, type OrganizationCondition, organizationCondition } from '../organization-condition.ts'
import { OrganizationsDocument } from './organizations-iam.gen.ts'

export const organizationsRoute = defineRoute({
  path: ORGANIZATIONS_PATH,
  title: '組織',
  help: 'admin-guide.html#6-1-招待とロール',
  allow: { action: 'read:list', resource: 'iam:org.' },
  condition: organizationCondition,
  query: {
    document: OrganizationsDocument,
    api: 'iam',
    variables: ({ q, sort, page }: OrganizationCondition) => ({
      q: q === '' ? null : q,
      orderBy: sort,
      limit: ORGANIZATION_PAGE_SIZE,
      offset: (page - 1) * ORGANIZATION_PAGE_SIZE,
    }),
  },
  view: () => import('./organizations-view.tsx').then(module => module.OrganizationsView),
})
