import type { ScreenProps } from '@pc/ui/define-route.ts'
import { ScreenTop } from '@pc/ui/list-top.tsx'
import { AgreementForm } from './agreement-form.tsx'
import { newAgreementValues } from './agreement-values.ts'

export function AgreementCreateView({ viewer, today }: ScreenProps<object, unknown>) {
  return (
    <>
      <ScreenTop title="契約の登録" />
      <AgreementForm title="契約の登録" viewer={viewer} today={today} initial={newAgreementValues(today)} />
    </>
  )
}
