import { defineRoute } from '@pc/ui/define-route.ts'
import { agreementEditPath } from '../links.ts'
import { AgreementEditDocument } from './agreement-edit.gen.ts'
import { agreementRights } from './agreement-rights.ts'

export const agreementEditRoute = defineRoute({
  path: agreementEditPath('$id'),
  title: '契約の編集',
  allow: { action: 'read:show', resource: 'insight:agreement.' },
  query: {
    document: AgreementEditDocument,
    variables: (_condition: object, { ids, viewer }) => ({ id: ids.id ?? '', ...agreementRights(viewer).shown }),
  },
  view: () => import('./agreement-edit-view.tsx').then(module => module.AgreementEditView),
})
