import type { ScreenContext } from '@pc/ui/routing/define-route.ts'
import { AgreementEditDocument } from './agreement-edit.gen.ts'
import { agreementRights } from './agreement-rights.ts'

export const agreementEditQuery = {
  document: AgreementEditDocument,
  variables: (_condition: object, { ids, viewer }: ScreenContext) => ({
    id: ids.id ?? '',
    ...agreementRights(viewer).shown,
  }),
}
