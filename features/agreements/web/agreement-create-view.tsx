import { useFirstOpenMonth } from '@pc/ui/data/first-open-month.ts'
import { ScreenTop } from '@pc/ui/elements/list-top.tsx'
import type { ScreenProps } from '@pc/ui/routing/define-route.ts'
import { Skeleton } from '@pc/ui/routing/screen-states.tsx'
import { AgreementForm } from './agreement-form.tsx'
import { newAgreementValues } from './agreement-values.ts'

export function AgreementCreateView({ viewer, today }: ScreenProps<object, unknown>) {
  const month = useFirstOpenMonth(today)
  return (
    <>
      <ScreenTop title="契約の登録" />
      {month === undefined ? (
        <Skeleton height={320} />
      ) : (
        <AgreementForm title="契約の登録" viewer={viewer} today={today} initial={newAgreementValues(month)} />
      )}
    </>
  )
}
