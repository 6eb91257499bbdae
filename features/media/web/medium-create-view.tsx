import { ScreenTop } from '@pc/ui/elements/list-top.tsx'
import type { ScreenProps } from '@pc/ui/routing/define-route.ts'
import { MediumForm } from './medium-form.tsx'
import { NEW_MEDIUM_VALUES } from './medium-values.ts'

export function MediumCreateView({ viewer }: ScreenProps<object, unknown>) {
  return (
    <>
      <ScreenTop title="媒体の登録" />
      <MediumForm title="媒体の登録" viewer={viewer} initial={NEW_MEDIUM_VALUES} />
    </>
  )
}
